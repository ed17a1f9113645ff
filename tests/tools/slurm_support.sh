# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by slurm_sweep.sh: a Slurm of the nodes n1 and n2, each with one CPU, in $scratch. All of it
# ends with the script.

scratch=$(mktemp -d)
export SLURM_CONF=$scratch/slurm.conf
daemons=() # process ids
is_starting=1 # what fails now is this machine's Slurm, not ours

# The tasks of a node and the slurmstepd above each of them.
node_processes() { # NODE
  local environment
  for environment in $(grep -lzx "IDLESIM_SLURM_TEST=$scratch" /proc/[0-9]*/environ 2>/dev/null); do
    if grep -qzx "SLURMD_NODENAME=$1" "$environment" 2>/dev/null; then
      awk '/^PPid:/ { print $2 }' "${environment%environ}status" 2>/dev/null || true
      echo "${environment//[!0-9]/}"
    fi
  done
}

stop_slurm() {
  local status=$? node process
  set +e
  for node in n1 n2; do
    for process in $(node_processes "$node"); do
      [ "$process" -gt 1 ] && [ "$process" != "$$" ] && kill -9 "$process" 2>/dev/null
    done
  done
  for process in "${daemons[@]}"; do kill "$process" 2>/dev/null; done
  wait 2>/dev/null
  rm -rf -- "$scratch"
  exit "$status"
}

wait_for() { # WHAT CONDITION
  local i
  for ((i = 0; i < 450; ++i)); do
    if eval "$2"; then return 0; fi
    sleep 0.1
  done
  echo "waited in vain for $1"
  if ((is_starting)); then
    echo "skipped: the daemons of Slurm do not come up here"
    exit 77
  fi
  squeue || true
  tail -n 20 "$scratch"/*.log || true
  exit 1
}

# The process of a task that runs on the node, or nothing.
task_on() { # NODE
  local process
  for process in $(node_processes "$1"); do
    if grep -qzx -- --shard "/proc/$process/cmdline" 2>/dev/null; then
      echo "$process"
      return
    fi
  done
}

task_shard() { # PROCESS
  tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/^SLURM_ARRAY_TASK_ID=//p'
}

declare -A node_daemon
start_node() { # NODE
  slurmd -D -N "$1" >"$scratch/$1.out" 2>&1 &
  node_daemon[$1]=$!
  daemons+=($!)
}

kill_node() { # NODE
  local processes process
  processes=$(node_processes "$1")
  kill -9 "${node_daemon[$1]}"
  for process in $processes; do
    [ "$process" -gt 1 ] && kill -9 "$process" 2>/dev/null
  done
  return 0
}

start_slurm() {
  trap stop_slurm EXIT
  # The environment of sbatch becomes that of the tasks: it tells ours from others'.
  export IDLESIM_SLURM_TEST=$scratch
  # munged insists on folders that nobody else can write to.
  chmod 755 "$scratch"
  local port=$((20000 + RANDOM % 20000)) host
  host=$(hostname -s)
  mkdir "$scratch/state"
  head -c 128 /dev/urandom >"$scratch/munge.key"
  chmod 600 "$scratch/munge.key"
  cat >"$SLURM_CONF" <<CONF
ClusterName=idlesim
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool.%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
KillWait=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000,sched_interval=1,bf_interval=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=1000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
  munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" \
    --pid-file="$scratch/munged.pid" --log-file="$scratch/munged.log" \
    --seed-file="$scratch/munge.seed" >"$scratch/munged.out" 2>&1 &
  daemons+=($!)
  wait_for "munged" '[ -S "$scratch/munge.socket" ]'
  slurmctld -D >"$scratch/slurmctld.out" 2>&1 &
  daemons+=($!)
  start_node n1
  start_node n2
  wait_for "two idle nodes" '[ "$(sinfo --noheader --Node --states=idle 2>/dev/null | wc -l)" -eq 2 ]'
  is_starting=0
}
