#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# Submits the job that `repose wedge ... --to slurm --out DIR` has written, and behind it one that draws the sheet and
# the page once all wedges have ended, well or not. Options behind DIR go to sbatch (--partition=low --time=8:00:00).
#   farm/slurm/submit.sh DIR [SBATCH OPTION...]
set -euo pipefail

[[ $# -ge 1 && -f $1/job.sbatch ]] || {
  printf 'submit.sh: DIR must be a folder with a job.sbatch, as repose wedge --to slurm writes it\n' >&2
  exit 2
}
folder=$(cd "$1" && pwd)
shift
# the program that wrote the job, unless REPOSE names another
repose=${REPOSE:-$(sed -n "s/^repose=\${REPOSE:-'\(.*\)'}\$/\1/p" "$folder/job.sbatch")}

job=$(sbatch --parsable "$@" "$folder/job.sbatch")
page=$(sbatch --parsable "$@" --dependency="afterany:$job" --job-name=repose_compare --output="$folder/compare.txt" \
  --export="ALL,REPOSE=$repose,REPOSE_WEDGES=$folder" <<'JOB'
#!/bin/bash
exec "$REPOSE" compare "$REPOSE_WEDGES"
JOB
)
printf '%s %s\n' "$job" "$page"
