// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How many threads a run may use. The result of a run does not depend on it.
#pragma once

namespace repose {

// `requested` when it is more than 0, else the share a farm gave (SLURM_CPUS_PER_TASK, NSLOTS,
// OMP_NUM_THREADS), else the cores of the affinity mask, not more than the processor quota of the control
// group.
int chooseThreads(int requested);

}  // namespace repose
