// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Solvers on multipliers: one signature, one file each. They order launches; the formulas are in kernel/. To
// add one: its file, its prototype here, a row in params.def and a line in solver.cpp.
#pragma once
#include "solve/step.h"

namespace repose {

// Each moves state.x from x~ towards the constraints, until the iterations are used or the tolerance is met.
StepResult solveGaussSeidel(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveJacobi(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveImprovedJacobi(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveAcceleratedJacobi(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveGaussSeidelColoured(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveNesterov(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveChebyshev(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveMinimumResidual(const Model&, State&, const StepParams&, Workspace&, Backend&);
StepResult solveConjugateResiduals(const Model&, State&, const StepParams&, Workspace&, Backend&);
// On positions (solve/projective/).
StepResult solveProjective(const Model&, State&, const StepParams&, Workspace&, Backend&);
// On velocities (solve/interleaved/).
StepResult solveInterleaved(const Model&, State&, const StepParams&, Workspace&, Backend&);

// The solver that params.solver.method names.
StepResult iterate(const Model&, State&, const StepParams&, Workspace&, Backend&);

// Common to all: runs `sweep(iteration)` as often as the parameters say, with the tolerance test between.
template <class Sweep>
StepResult iterateUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend, const Sweep& sweep);
// The same for sweeps that do nothing but launch: the host waits only before a test.
template <class Sweep>
StepResult launchUntilDone(const Model& model, State& state, const StepParams& params, Workspace& work,
                           Backend& backend, const Sweep& sweep);

}  // namespace repose

#include "solve/solver_loop.h"
