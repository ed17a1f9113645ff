# SPDX-License-Identifier: Apache-2.0
# bash completion of idlesim; generated, `idlesim completion bash` prints it.
# Names of files that are shipped are asked of the program itself.
_idlesim_names() {
    "${COMP_WORDS[0]}" list "$1" 2>/dev/null | while read -r name _; do echo "$name"; done
}

_idlesim() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words='' files='' verb=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="run validate sweep merge compare calibrate governor cpuidle replay report list describe check init schema completion manual --version --help"
    else
        case $before in
    --set)
        words=""
        ;;
    --seed)
        words=""
        ;;
    --replications)
        words=""
        ;;
    --jobs)
        words=""
        ;;
    --out)
        words=""
        files=folders
        ;;
    --explain)
        words="cpu at"
        ;;
    --shard)
        words=""
        ;;
    --point)
        words=""
        ;;
    --submit)
        words="slurm"
        ;;
    --status)
        words=""
        files=folders
        ;;
    --account)
        words=""
        ;;
    --partition)
        words=""
        ;;
    --time)
        words=""
        ;;
    --memory)
        words=""
        ;;
    --tasks-per-node)
        words=""
        ;;
    --minutes)
        words=""
        ;;
    --shards)
        words=""
        ;;
    --governor)
        words="$(_idlesim_names governors)"
        ;;
    --platform)
        words="$(_idlesim_names platforms)"
        ;;
    --dump)
        words=""
        files=files
        ;;
    --hz)
        words=""
        ;;
    --latency-limit)
        words=""
        ;;
    *)
        case $verb in
    run)
        if [[ $current == -* ]]; then
            words="--set --seed --replications --jobs --out --prior --trace --explain --zstd --quiet --help"
        else
            words="$(_idlesim_names experiments)"
            files=files
        fi
        ;;
    validate)
        if [[ $current == -* ]]; then
            words="--set --seed --replications --jobs --out --quiet --help"
        else
            words="$(_idlesim_names experiments)"
            files=files
        fi
        ;;
    sweep)
        if [[ $current == -* ]]; then
            words="--set --seed --replications --jobs --out --dry-run --resume --restart --shard --point --point-directories --stop-on-failure --tidy --zstd --submit --status --account --partition --time --memory --tasks-per-node --minutes --shards --quiet --help"
        else
            words="$(_idlesim_names sweeps)"
            files=files
        fi
        ;;
    merge)
        if [[ $current == -* ]]; then
            words="--out --tidy --zstd --quiet --help"
        else
            words=""
            files=folders
        fi
        ;;
    compare)
        if [[ $current == -* ]]; then
            words="--out --csv --quiet --help"
        else
            words=""
            files=folders
        fi
        ;;
    calibrate)
        if [[ $current == -* ]]; then
            words="--set --seed --replications --jobs --out --quiet --help"
        else
            words="$(_idlesim_names calibrations)"
            files=files
        fi
        ;;
    governor)
        if [[ $current == -* ]]; then
            words="--quiet --help"
        else
            words="verify"
            files=files
        fi
        ;;
    cpuidle)
        if [[ $current == -* ]]; then
            words="--out --csv --quiet --help"
        else
            words="show diff import"
            files=files
        fi
        ;;
    replay)
        if [[ $current == -* ]]; then
            words="--out --csv --governor --platform --dump --hz --latency-limit --quiet --help"
        else
            words=""
            files=files
        fi
        ;;
    report)
        if [[ $current == -* ]]; then
            words="--out --help"
        else
            words=""
            files=folders
        fi
        ;;
    list)
        if [[ $current == -* ]]; then
            words="--help"
        else
            words="experiments predictions examples sweeps calibrations platforms governors strategies interrupts workloads arrivals placements metrics"
        fi
        ;;
    describe)
        if [[ $current == -* ]]; then
            words="--platform --help"
        else
            words="fixed haltpoll@6.3 ladder@6.3 menu@6.12 menu@6.17 menu@6.3 menu@7.0 menu@7.1 oracle teo@6.12 teo@6.3 teo@7.0 teo@7.1 acpi_ffh acpi_hlt acpi_io hlt intel_idle intel_idle_ibrs intel_idle_irq intel_idle_s2idle intel_idle_xstate mwait_c1 poll program umwait_c02 background timer_arming context_switch2 cyclictest dbench ipi_wake open_loop periodic poll_loop quiet rt_app sched_pipe specjbb trace_replay wult batch csv mmpp on_off poisson idle_core_first packing pinned previous_cpu random select_idle_sibling shallowest_state_first wake_latency interrupt_latency cyclictest_latency context_switch_rate throughput packet_cycles packet_rate max_jops high_bound critical_jops request_latency residency_share energy power busy_clock too_deep_percent too_shallow_percent c1_residency wake_rate late_timers timer_lateness handlers_without_ibrs collection_pause timer_wakes too_deep_time_percent too_shallow_time_percent usecs_per_op requests_in_system slack vm_exits halt_exits halt_attempted_poll halt_successful_poll halt_wakeup experiment target kernel platform sweep calibration $(_idlesim_names platforms)"
        fi
        ;;
    check)
        if [[ $current == -* ]]; then
            words="--set --quiet --help"
        else
            words=""
            files=files
        fi
        ;;
    init)
        if [[ $current == -* ]]; then
            words="--platform --quiet --help"
        else
            words=""
            files=files
        fi
        ;;
    schema)
        if [[ $current == -* ]]; then
            words="--out --help"
        else
            words="experiment platform sweep calibration"
        fi
        ;;
    completion)
        if [[ $current == -* ]]; then
            words="--help"
        else
            words="bash zsh"
        fi
        ;;
    manual)
        if [[ $current == -* ]]; then
            words="--help"
        else
            words=""
        fi
        ;;
        esac
        ;;
        esac
    fi
    mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$current"
        case $files in
        folders) compgen -d -- "$current" ;;
        files) compgen -f -- "$current" ;;
        esac
    )
}

complete -o filenames -F _idlesim idlesim
