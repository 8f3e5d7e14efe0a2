// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How near an iteration of each stepper is to what the machine can do: the time to move the bytes that it has
// to touch, or to evaluate its springs, whichever is longer, both measured in turns with it.
#pragma once
#include "bench/report.h"

namespace repose {

// Sheets of n x n points with 2 n (n - 1) springs.
void benchBounds(const std::vector<int>& sizes, Report& report);

}  // namespace repose
