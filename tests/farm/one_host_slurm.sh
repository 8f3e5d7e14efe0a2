#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of virtual nodes on this machine, for tests: one core each, all state below a folder, no systemd.
#   one_host_slurm.sh up FOLDER NODES | down FOLDER
set -euo pipefail
folder=$2
export SLURM_CONF=$folder/slurm.conf

configuration() {
  cat <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
# cred_expire is also how long a requeued job waits
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=6
SlurmctldParameters=cloud_reg_addrs
KillWait=20
SchedulerParameters=sched_interval=2,bf_interval=2
JobRequeue=1
RequeueExit=75
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
CONF
  for ((node = 1; node <= $1; ++node)); do
    mkdir -p "$folder/n$node"
    echo "NodeName=n$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((17000 + node)) CPUs=1 RealMemory=500"
  done
  echo "PartitionName=low Nodes=n[1-$1] Default=YES PriorityTier=1 GraceTime=20"
  echo "PartitionName=high Nodes=n[1-$1] PriorityTier=10 PreemptMode=OFF"
}

up() {
  mkdir -p "$folder/state"
  chmod 755 "$folder"
  mkdir -m 700 "$folder/munge"
  mungekey --create --keyfile="$folder/munge/key"
  munged --key-file="$folder/munge/key" --socket="$folder/munge.socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  configuration "$1" >"$SLURM_CONF"
  slurmctld -c
  for ((node = 1; node <= $1; ++node)); do slurmd -N "n$node"; done
  for ((try = 0; try < 100; ++try)); do
    [[ $(sinfo -h -N -o '%T' -p low | grep -c idle) -eq $1 ]] && return
    sleep 0.2
  done
  sinfo -N >&2
  return 1
}

# By their own process files, and what jobs have left by the cluster in their environment.
down() {
  local file process
  for file in "$folder"/n*.pid "$folder/slurmctld.pid" "$folder/munge/pid"; do
    [[ ! -f $file ]] || kill "$(<"$file")" 2>/dev/null || true
  done
  for file in /proc/[0-9]*/environ; do
    process=${file#/proc/}
    process=${process%/environ}
    if [[ $process != "$$" && $process != "$PPID" ]] && tr '\0' '\n' 2>/dev/null <"$file" | grep -qx "SLURM_CONF=$SLURM_CONF" &&
      grep -qzE 'slurm|repose' "/proc/$process/cmdline" 2>/dev/null; then
      kill -9 "$process" 2>/dev/null || true
    fi
  done
}

case $1 in
  up) up "$3" ;;
  down) down ;;
esac
