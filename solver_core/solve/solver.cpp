// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/solver.h"

namespace repose {

StepResult iterate(const Model& model, State& state, const StepParams& params, Workspace& work,
                   Backend& backend) {
  switch (params.solver.method) {
    case SolverMethod::gauss_seidel:
      return solveGaussSeidel(model, state, params, work, backend);
    case SolverMethod::jacobi:
      return solveJacobi(model, state, params, work, backend);
    case SolverMethod::improved_jacobi:
      return solveImprovedJacobi(model, state, params, work, backend);
    case SolverMethod::gauss_seidel_coloured:
      return solveGaussSeidelColoured(model, state, params, work, backend);
    case SolverMethod::nesterov:
      return solveNesterov(model, state, params, work, backend);
    case SolverMethod::chebyshev:
      return solveChebyshev(model, state, params, work, backend);
    case SolverMethod::minimum_residual:
      return solveMinimumResidual(model, state, params, work, backend);
    case SolverMethod::conjugate_residuals:
      return solveConjugateResiduals(model, state, params, work, backend);
    case SolverMethod::accelerated_jacobi:
      break;
  }
  return solveAcceleratedJacobi(model, state, params, work, backend);
}

}  // namespace repose
