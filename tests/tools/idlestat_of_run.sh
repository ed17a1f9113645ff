#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Simulates two CPUs, once with the menu governor and once always in C6, which is often too deep, and
# lets idlestat read the trace:
#
#   idlestat_of_run.sh IDLESIM
#
# What idlestat must find is counted here from trace.txt by its definitions (see
# idlestat_import.sh, whose exit status this script has) and, independently, cpuidle.csv: entries
# agree with `usage`, and the time in the trace exceeds `time` by no more than the trace point and
# the clock reading around each entry.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
idlesim=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

cat >"$scratch/mixed.yaml" <<'YAML'
title: idle periods of all lengths
platform: intel-icx-server
kernel: { version: "6.6", hz: 250, cpuidle: intel_idle }
workload: { kind: periodic, tasks: [0, 1], period: 870 us, work: 90 us, activations: 2000 }
arms: { menu: {}, deep: { governor: { governor: fixed, state: C6 } } }
replications: 1
YAML
"$idlesim" run "$scratch/mixed.yaml" --quiet --seed 2 --trace --out "$scratch/out"

check_arm() { # ARM
local arm=$scratch/out/$1
# Per CPU and state from the trace: entries, over, under, time. A stay counts as under once the CPU
# has entered a deeper state; the
# periods are such that none is as long as a target residency to the microsecond.
awk -v residencies="$(awk -F, 'NR > 1 && $2 == 0 { printf "%s ", $6 }' "$arm/cpuidle.csv")" '
    BEGIN { split(residencies, residency, " "); print "cpu\tstate\tentries\tover\tunder\ttime_us" }
    !/ cpu_idle: / { next }
    {
        match($0, /[0-9]+\.[0-9]+: cpu_idle/); split(substr($0, RSTART), stamp, ":")
        split(stamp[1], parts, "."); now = parts[1] * 1000000 + parts[2] + 0
        match($0, /state=[0-9]+/); state = substr($0, RSTART + 6, RLENGTH - 6) + 0
        match($0, /cpu_id=[0-9]+/); cpu = substr($0, RSTART + 7, RLENGTH - 7) + 0
    }
    state != 4294967295 {
        since[cpu] = now; in_state[cpu] = state
        if (state > deepest[cpu] + 0) deepest[cpu] = state
        next
    }
    cpu in in_state {
        s = in_state[cpu] + 0; stay = now - since[cpu]; key = cpu "\t" s
        if (stay == 0 || stay == residency[s + 1] + 0 || stay == residency[s + 2] + 0) {
            print "a stay of " stay " us: choose another period, idlestat may count it either way" \
                >"/dev/stderr"
            exit 2
        }
        entries[key]++; time[key] += stay
        if (stay < residency[s + 1] + 0) over[key]++
        else if (s + 2 in residency && deepest[cpu] + 0 > s && stay >= residency[s + 2] + 0) under[key]++
        delete in_state[cpu]
    }
    END { for (key in entries)
        printf "%s\t%d\t%d\t%d\t%d\n", key, entries[key], over[key], under[key], time[key] }
' "$arm/trace.txt" >"$scratch/expected.tsv"

# The same entries as in cpuidle.csv, up to one that is under way at the end, and its time.
awk -F'[,\t]' '
    FNR == 1 { next }
    FILENAME ~ /expected/ { entries[$1, $2] = $3; time[$1, $2] = $6; next }
    $7 > 0 {
        missing = $7 - entries[$2, $3]
        more = time[$2, $3] - $8
        if (missing < -1 || missing > 1 || more < -$7 || more > $7 * 1.2 + 3000) {
            printf "cpu %s state %s: usage %s, trace %s; time %s us, trace %s us\n", \
                $2, $3, $7, entries[$2, $3], $8, time[$2, $3]
            failed = 1
        }
    }
    END { exit failed }
' "$scratch/expected.tsv" "$arm/cpuidle.csv"

bash "$here/idlestat_import.sh" "$arm/idlestat.txt" "$scratch/expected.tsv"
}

check_arm menu
check_arm deep
