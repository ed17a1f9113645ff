#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: completion.sh IDLESIM
# Asks the completions of bash and zsh what a user would; zsh's syntax alone where it is installed.
set -uo pipefail
binary=$1
failed=0
PATH=$(dirname "$binary"):$PATH

# expect WORD LINE...: completing the last word of LINE must offer WORD.
expect() {
    local wanted=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _idlesim
    if [[ " ${COMPREPLY[*]} " != *" $wanted "* ]]; then
        echo "completing '$*' does not offer '$wanted' but: ${COMPREPLY[*]}"
        failed=1
    fi
}

# shellcheck source=/dev/null
source <("$binary" completion bash)
expect validate idlesim val
expect --replications idlesim run --rep
expect 01_zen3_ipi_wake idlesim run 01_
expect mwait_c1 idlesim describe mwai
expect wake_latency idlesim describe wake_l
expect intel-icx-server idlesim describe hlt --platform intel-i
expect menu@6.12 idlesim replay trace.txt --governor menu
expect import idlesim cpuidle im
expect platform idlesim schema plat
expect metrics idlesim list metr
cd / && expect usr idlesim run x.yaml --out us

if command -v zsh >/dev/null; then
    zsh -n <("$binary" completion zsh) || failed=1
    # A terminal of its own in which Tab is pressed.
    offered=$(timeout 30 zsh -f <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= ; autoload -Uz compinit && compinit -u -D; source <(idlesim completion zsh); compdef _idlesim idlesim"
sleep 1
zpty -w -n shell $'idlesim vali\t'
zpty -r -m shell text '*validate*' && print -r -- "$text"
ZSH
    )
    if [[ $offered != *validate* ]]; then
        echo "zsh does not complete 'idlesim vali' to validate"
        failed=1
    fi
fi
exit "$failed"
