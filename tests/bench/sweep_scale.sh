#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a point costs beside its simulation, for 1 to 100,000 points, and what a second core gains.
# Processor time, and the best of interleaved repeats for the gain, since the machine may be busy.
# Prints; judges nothing.
#
#   sweep_scale.sh IDLESIM [MOST_POINTS]
set -euo pipefail

idlesim=$1
most=${2:-100000}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
TIMEFORMAT='%R %U %S'

# sweep_of POINTS WAKEUPS: one arm, one replication, one column.
sweep_of() {
  cat <<YAML
title: short points
experiment:
  platform: amd-zen3-server
  kernel: { version: "5.18", hz: 250, cpuidle: none }
  workload: { kind: ipi_wake, source_cpu: 0, target_cpu: 2, wakeups: $2 }
  arms:
    hlt: { idle: { strategy: hlt } }
replications: 1
axes:
  platform.costs.hlt_exit.value: { from: 200 ns, to: 1200 ns, count: $1 }
metrics:
  - { metric: wake_latency, stats: [p50, p99] }
YAML
}

timed() { # COMMAND...: "wall user system" in seconds
  { time "$@" >/dev/null; } 2>&1
}

echo "points   wall s   cpu ms/point  bytes/point (journal, plan, points.csv)  resume s"
for ((points = 1; points <= most; points *= 10)); do
  sweep_of "$points" 1 >"$scratch/s.yaml"
  rm -rf "$scratch/out"
  first=$(timed "$idlesim" sweep "$scratch/s.yaml" --quiet --out "$scratch/out" --jobs 1)
  again=$(timed "$idlesim" sweep "$scratch/s.yaml" --quiet --out "$scratch/out" --jobs 1 --resume)
  sizes=$(stat -c %s "$scratch/out/journal" "$scratch/out/plan.csv" "$scratch/out/points.csv" |
    awk -v n="$points" '{ printf "%d ", $1 / n }')
  awk -v n="$points" -v a="$first" -v b="$again" -v sizes="$sizes" 'BEGIN {
    split(a, first, " "); split(b, again, " ")
    printf "%-8d %6.2f   %12.3f  %-40s %8.2f\n", n, first[1], (first[2] + first[3]) / n * 1000, sizes, again[1]
  }'
done

# Of these, simulation is most: 1000 points of some milliseconds.
sweep_of 1000 20000 >"$scratch/s.yaml"
for repeat in 1 2 3 4 5; do
  for jobs in 1 2; do
    rm -rf "$scratch/out"
    read -r wall user system < <(timed "$idlesim" sweep "$scratch/s.yaml" --quiet --out "$scratch/out" --jobs "$jobs")
    echo "$jobs $wall $user $system"
  done
done | awk '{ cpu = $3 + $4
  if (!($1 in best) || $2 < best[$1]) best[$1] = $2
  if (!($1 in least) || cpu < least[$1]) least[$1] = cpu }
  END { printf "1 job %.2f s, 2 jobs %.2f s, best of 5: %.2f times as fast\n", best[1], best[2], best[1] / best[2]
        printf "processor time %.2f and %.2f s: on two idle cores at most %.2f times as fast\n", least[1], least[2], 2 * least[1] / least[2] }'
