#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# Epilog of slurm.conf, on each node behind each job: ends what is left of it. A node that was given up for lost and
# comes back may still run a solver; the fence keeps that from writing, this keeps it from taking cores.
for process in $(pgrep -u "${SLURM_JOB_USER:-nobody}" -x repose); do
  if tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | grep -qx "SLURM_JOB_ID=${SLURM_JOB_ID:-none}"; then
    kill -TERM "$process"
  fi
done
exit 0
