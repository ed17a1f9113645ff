#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fills the file system in the middle of a sweep: exit status 3 and a message with the path; once
# there is room, --resume completes what was kept.
#
#   sweep_disk_full.sh IDLESIM
#
# Exit status 77 where no tmpfs can be mounted.
set -euo pipefail

idlesim=$1
scratch=$(mktemp -d)
small=$scratch/small
mkdir "$small"
mount -t tmpfs -o size=64k none "$small" 2>/dev/null || { rm -rf -- "$scratch"; echo "no tmpfs"; exit 77; }
trap 'umount "$small"; rm -rf -- "$scratch"' EXIT

cat >"$scratch/sweep.yaml" <<'YAML'
title: more results than there is room for
experiment: 01_zen3_ipi_wake
replications: 1
set: { workload.wakeups: 20 }
axes:
  platform.costs.hlt_exit.value: { from: 200 ns, to: 1200 ns, count: 300 }
metrics:
  - { metric: wake_latency, stats: [p50, p99] }
YAML

"$idlesim" sweep "$scratch/sweep.yaml" --quiet --out "$scratch/whole"
status=0
"$idlesim" sweep "$scratch/sweep.yaml" --quiet --out "$small/out" 2>"$scratch/message" || status=$?
cat "$scratch/message"
[ "$status" -eq 3 ] || { echo "exit status $status instead of 3"; exit 1; }
grep -q "$small/out" "$scratch/message" || { echo "the message names no path"; exit 1; }
grep -qE "need about [0-9]+ kB" "$scratch/message" || { echo "the message names no need"; exit 1; }
[ ! -e "$small/out/points.csv" ] || { echo "there is a points.csv"; exit 1; }
kept=$(($(wc -l <"$small/out/journal") - 1))
[ "$kept" -gt 20 ] || { echo "only $kept points were kept"; exit 1; }

mount -o remount,size=4m "$small"
"$idlesim" sweep "$scratch/sweep.yaml" --out "$small/out" --resume | tee "$scratch/resumed"
grep -q "300 points, $((300 - kept)) of them run now" "$scratch/resumed"
cmp "$scratch/whole/points.csv" "$small/out/points.csv"
