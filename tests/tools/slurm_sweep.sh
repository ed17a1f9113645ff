#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gives a sweep to a real Slurm of two virtual nodes on this machine, kills a task and a node in the
# middle of the array, submits what is missing, and compares the merged table with that of a sweep
# that ran here.
#
#   slurm_sweep.sh IDLESIM
#
# munged, slurmctld and slurmd are ordinary processes of this script. Exit status 77 where they are
# not installed or may not be started.
set -euo pipefail

idlesim=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch squeue; do
  command -v "$tool" >/dev/null || { echo "no $tool: the packages munge and slurm-wlm have it"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "slurmd wants root"; exit 77; }

# shellcheck source=tests/tools/slurm_support.sh
. "$here/slurm_support.sh"
start_slurm

cat >"$scratch/sweep.yaml" <<'YAML'
title: two dozen points of a second
experiment: 01_zen3_ipi_wake
replications: 1
set: { workload.wakeups: 300000 }
axes:
  platform.costs.hlt_exit.value: { from: 200 ns, to: 1200 ns, count: 24 }
metrics:
  - { metric: wake_latency, stats: [p50, p99] }
YAML

out=$scratch/out
submit=("$idlesim" sweep "$scratch/sweep.yaml" --submit slurm --out "$out" --shards 6 --partition main --time 5 --memory 100M)
"${submit[@]}"

# A task dies.
wait_for "a task that has finished a point" '[ "$(cat "$out"/shards/*/journal 2>/dev/null | wc -l)" -gt 2 ]'
wait_for "a task on n1" 'victim=$(task_on n1) && [ -n "$victim" ]'
shard=$(task_shard "$victim")
kill -9 "$victim"
echo "killed the task of shard $shard on n1"

# A node dies: its daemon, and the tasks with it. Slurm runs them again on the other.
wait_for "a task on n2" 'lost=$(task_on n2) && [ -n "$lost" ]'
lost=$(task_shard "$lost")
kill_node n2
echo "killed n2 with shard $lost"

wait_for "the end of the array" '[ -z "$(squeue --noheader)" ]'
status=0
"$idlesim" sweep --status "$out" | tee "$scratch/status" || status=$?
[ "$status" -eq 1 ] || { echo "a sweep with a lost shard has status $status"; exit 1; }
grep -q "5 of 6 shards complete" "$scratch/status"
grep -qE "(begun|nothing finished): $shard\$" "$scratch/status"
grep -q "submit again with --resume" "$scratch/status"
cat "$out"/slurm/merge_*.log

# Only what is missing.
start_node n2
"${submit[@]}" --resume | tee "$scratch/again"
grep -q "1 of 6 shards submitted" "$scratch/again"
wait_for "the merge" '[ -z "$(squeue --noheader)" ]'
"$idlesim" sweep --status "$out"

"$idlesim" sweep "$scratch/sweep.yaml" --quiet --out "$scratch/here"
cmp "$scratch/here/points.csv" "$out/result/points.csv"
echo "the same as without Slurm"
