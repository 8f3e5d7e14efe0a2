// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Memory of this process and of the machine, in bytes.
#pragma once
#include <cstddef>

namespace repose {

std::size_t residentBytes();      // that this process has now
std::size_t peakResidentBytes();  // the most it has had

// What a run may take: the least of the machine's memory, the limits of the control group and what Slurm
// gave (SLURM_MEM_PER_NODE). 0 when nothing is known.
std::size_t memoryAllowed();

}  // namespace repose
