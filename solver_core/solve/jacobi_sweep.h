// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One iteration of the Jacobi family: bending rows, then every point gathers what pushes it (algorithms.md
// 10).
#pragma once
#include "solve/step.h"

namespace repose {

// gain multiplies each row's step, beta the displacement of the iteration before.
void jacobiSweep(const Model& model, State& state, Workspace& work, Backend& backend, int iteration,
                 float gain, float beta);

// The same without moving the points: the displacement is left in work.momentum, multipliers do change.
void jacobiStep(const Model& model, const State& state, Workspace& work, Backend& backend, int iteration,
                float gain, float beta);

}  // namespace repose
