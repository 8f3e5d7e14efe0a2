// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One iteration of the Jacobi family: bending rows, then every point gathers what pushes it (algorithms.md 10).
#pragma once
#include "solve/step.h"

namespace repose {

// gain multiplies each row's step, beta the displacement of the iteration before.
void jacobiSweep(const Model& model, State& state, Workspace& work, Backend& backend, int iteration, float gain,
                 float beta);

// The relaxation factor: as given, or the gain that suits the mass splitting diagonal (algorithms.md 3.1 c).
float jacobiOmega(const SolverParams& solver);

}  // namespace repose
