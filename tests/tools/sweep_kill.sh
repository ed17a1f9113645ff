#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills a sweep with SIGKILL at random moments, resuming each time; whenever one has come to its end
# its table must be the same as that of an undisturbed sweep, and the next one begins in an absent
# directory.
#
#   sweep_kill.sh IDLESIM [KILLS]
set -euo pipefail

idlesim=$1
kills=${2:-20}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

cat >"$scratch/sweep.yaml" <<'YAML'
title: short points to be killed among
experiment: 01_zen3_ipi_wake
replications: 2
set: { workload.wakeups: 300 }
axes:
  platform.costs.hlt_exit.value: { from: 200 ns, to: 1200 ns, count: 12 }
  workload.interval: { from: 20 us, to: 2 ms, count: 12, scale: log }
metrics:
  - { metric: wake_latency, stats: [p50, p99] }
YAML

sweep=("$idlesim" sweep "$scratch/sweep.yaml" --quiet --out)
begin=$(date +%s%N)
"${sweep[@]}" "$scratch/whole"
whole_ms=$((($(date +%s%N) - begin) / 1000000))
points=$(($(wc -l <"$scratch/whole/points.csv") - 1))

done_kills=0 ends=0
check() {
  cmp "$scratch/whole/points.csv" "$scratch/killed/points.csv"
  # The journal's first line is its header; a torn record may stand for itself in between.
  [ "$(wc -l <"$scratch/killed/journal")" -eq $((points + 1)) ] ||
    { echo "$(wc -l <"$scratch/killed/journal") lines in a journal of $points points"; exit 1; }
  rm -rf "$scratch/killed"
  ends=$((ends + 1))
}
while [ "$done_kills" -lt "$kills" ]; do
  "${sweep[@]}" "$scratch/killed" --resume &
  process=$!
  sleep "$(awk -v s="$RANDOM" -v ms="$whole_ms" 'BEGIN { print s / 32768 * ms / 1500 }')"
  if kill -9 "$process" 2>/dev/null; then done_kills=$((done_kills + 1)); fi
  if wait "$process" 2>/dev/null; then check; fi
done
"${sweep[@]}" "$scratch/killed" --resume
check
echo "$done_kills kills, $ends sweeps came to their end, all the same"
