#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: own_strategy.sh IDLESIM IDLESIM-WITH-THE-EXAMPLE EXAMPLES
# What docs/writing-a-strategy.md tells: the strategy in YAML loses no wake-up, one with a test left
# out does and is told so, and the one in C++ gives the same bytes as the one in YAML.
set -uo pipefail
plain=$1 with_example=$2 examples=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "$*"
    exit 1
}

"$plain" check "$examples/spin_then_mwait.yaml" || fail 'the program as written is refused'

grep -v 'before MONITOR' "$examples/spin_then_mwait.yaml" >"$scratch/lost.yaml"
if "$plain" check "$scratch/lost.yaml" 2>"$scratch/lost.log"; then
    fail 'nobody notices that the test behind MONITOR is gone'
fi
grep -q 'loses a wake-up' "$scratch/lost.log" || fail "$(cat "$scratch/lost.log")"

"$with_example" describe spin_then_mwait | grep -q 'pause_loop' || fail 'describe does not know it'
"$plain" run "$examples/spin_then_mwait.yaml" --quiet --out "$scratch/yaml" || fail 'YAML: no run'
"$with_example" run "$examples/spin_then_mwait.yaml" --quiet --out "$scratch/cpp" \
    --set 'arms.spin_then_mwait.idle={ strategy: spin_then_mwait, spin: 2 us }' || fail 'C++: no run'
for file in summary.csv spin_then_mwait/samples.csv; do
    cmp "$scratch/yaml/$file" "$scratch/cpp/$file" || fail "$file differs between C++ and YAML"
done
