// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel (SOR with omega above 1) colour after colour, parallel within a colour: rigid edges, soft
// edges, those that only pull, bending, then tetrahedra. The order of visits differs from index order, hence
// the path to the solution, not the solution.
#include <type_traits>

#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

template <class Args>
void launchColours(const ColourOrder& order, Backend& backend, Args& a) {
  const int rows =
      backend.lanes() * (std::is_same_v<Args, visit_rigid_args> ? RE_RIGID_BLOCKS : 1);  // an item
  for (const Range& colour : order.colours) {
    a.first_entry = colour.first, a.end_entry = colour.first + colour.count;
    backend.launch((colour.count + rows - 1) / rows, a);
  }
}

// a: visit_rigid or visit_pull
template <class Args>
void visitEdges(const ColouredRows::Edges& rows, State& state, Backend& backend, float omega, Args a) {
  a.x = state.x.data(), a.end_a = rows.a.data(), a.end_b = rows.b.data();
  a.rest = rows.rest.data(), a.inv_diagonal = rows.inv_diagonal.data();
  a.omega = omega;
  launchColours(rows.order, backend, a);
}

void visitSoft(Workspace& work, State& state, Backend& backend, float omega, float keep) {
  ColouredRows::Edges& rows = work.coloured.soft;
  visit_soft_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data(), a.end_a = rows.a.data(), a.end_b = rows.b.data();
  a.rest = rows.rest.data(), a.inv_diagonal = rows.inv_diagonal.data();
  a.alpha = rows.alpha.data(), a.rho = rows.rho.data(), a.lambda = rows.lambda.data();
  a.omega = omega, a.keep = keep;
  launchColours(rows.order, backend, a);
}

void visitQuadratic(Workspace& work, State& state, Backend& backend, float omega, float keep) {
  ColouredRows::Hinges& rows = work.coloured.quadratic;
  visit_quadratic_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = rows.corner.data(), a.weight = rows.weight.data(), a.inv_diagonal = rows.inv_diagonal.data();
  a.alpha = rows.alpha.data(), a.rho = rows.rho.data(), a.lambda = rows.vector_lambda.data();
  a.stride = rows.order.size(), a.omega = omega, a.keep = keep;
  launchColours(rows.order, backend, a);
}

void visitDihedral(Workspace& work, State& state, Backend& backend, float omega, float keep) {
  ColouredRows::Hinges& rows = work.coloured.dihedral;
  visit_dihedral_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = rows.corner.data(), a.rest_angle = rows.rest_angle.data();
  a.alpha = rows.alpha.data(), a.rho = rows.rho.data(), a.lambda = rows.lambda.data();
  a.stride = rows.order.size(), a.omega = omega, a.keep = keep;
  launchColours(rows.order, backend, a);
}

void visitMembrane(Workspace& work, State& state, Backend& backend, float omega, float keep) {
  MembraneRows& rows = work.coloured.membrane;
  visit_membrane_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = rows.corner.data(), a.warp = rows.warp.data(), a.weft = rows.weft.data();
  a.alpha = rows.alpha.data(), a.inv_diagonal = rows.inv_diagonal.data(), a.rho = rows.rho.data();
  a.rest = rows.rest.data(), a.lambda = rows.lambda.data();
  a.stride = rows.order.size(), a.omega = omega, a.keep = keep;
  launchColours(rows.order, backend, a);
}

void visitTets(Workspace& work, State& state, Backend& backend, const SolverParams& solver, float omega,
               int iteration) {
  eachMaterial(work.tets, [&](auto kernels, TetBlocks& rows) {
    auto a = tetArgs<typename decltype(kernels)::Visit>(
        rows, state.x, work.x_start, iteration == 0 ? 0.0f : 1.0f, isTested(solver, iteration));
    a.omega = omega, a.last = iteration + 1 == solver.iterations;
    launchColours(rows.order, backend, a);
  });
}

}  // namespace

void visitLimits(const ColouredRows::Edges& limit, State& state, float omega, Backend& backend) {
  visit_pull_args a;
  a.moves_b = 1;
  visitEdges(limit, state, backend, omega, a);
}

StepResult solveGaussSeidelColoured(const Model& model, State& state, const StepParams& params,
                                    Workspace& work, Backend& backend) {
  const float omega = params.solver.omega > 0 ? params.solver.omega : 1.0f;
  return launchUntilDone(model, state, params, work, backend, [&](int iteration) {
    const float keep = iteration == 0 ? 0.0f : 1.0f;  // multipliers of the last step are forgotten
    visitEdges(work.coloured.rigid, state, backend, omega, visit_rigid_args{});
    visitSoft(work, state, backend, omega, keep);
    visitEdges(work.coloured.tether, state, backend, omega, visit_pull_args{});
    visitLimits(work.coloured.limit, state, omega, backend);
    visitMembrane(work, state, backend, omega, keep);
    visitQuadratic(work, state, backend, omega, keep);
    visitDihedral(work, state, backend, omega, keep);
    visitTets(work, state, backend, params.solver, omega, iteration);
  });
}

}  // namespace repose
