// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/solver.h"

#include <iterator>

namespace repose {

namespace {

using Solver = StepResult (*)(const Model&, State&, const StepParams&, Workspace&, Backend&);

// In the order of SolverMethod; multilevel has a step of its own (step.cpp).
constexpr Solver kSolvers[] = {
    solveGaussSeidel,         solveJacobi,     solveImprovedJacobi, solveAcceleratedJacobi,
    solveGaussSeidelColoured, solveNesterov,   solveChebyshev,      solveMinimumResidual,
    solveConjugateResiduals,  solveProjective, solveInterleaved};
static_assert(std::size(kSolvers) == static_cast<std::size_t>(SolverMethod::multilevel));

}  // namespace

StepResult iterate(const Model& model, State& state, const StepParams& params, Workspace& work,
                   Backend& backend) {
  return kSolvers[static_cast<int>(params.solver.method)](model, state, params, work, backend);
}

}  // namespace repose
