// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/jacobi_sweep.h"

#include "solve/workspace.h"

namespace repose {

namespace {

struct Sweep {
  float gain, beta, keep;
};

// One launch for each body that bends in this way, with what both kinds of rows share.
template <class Args>
void launchHinges(BendModel bend, Args& a, const Model& model, const Workspace& work, Backend& backend,
                  const Sweep& sweep) {
  a.gain = sweep.gain, a.beta = sweep.beta, a.keep = sweep.keep;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].bend != bend) continue;
    a.rho = work.bend_rho[b], a.first_entry = model.bodies[b].hinges.first;
    backend.launchLanes(model.bodies[b].hinges.padded(), a);
  }
}

void bendQuadratic(const Model& model, const State& state, Workspace& work, Backend& backend,
                   const Sweep& sweep) {
  if (model.quadratic.size() == 0) return;
  bend_quadratic_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = model.quadratic.corner.data(), a.weight = model.quadratic.weight.data();
  a.alpha = work.quadratic.alpha.data(), a.inv_diagonal = work.quadratic.inv_diagonal.data();
  a.lambda = work.quadratic.lambda.data(), a.momentum = work.quadratic.momentum.data();
  a.push = work.push.data();
  a.stride = model.quadratic.size();
  launchHinges(BendModel::quadratic, a, model, work, backend, sweep);
}

void bendDihedral(const Model& model, const State& state, Workspace& work, Backend& backend,
                  const Sweep& sweep) {
  if (model.dihedral.size() == 0) return;
  bend_dihedral_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = model.dihedral.corner.data(), a.split = work.dihedral.split.data();
  a.rest_angle = restAngles(model, state).data(), a.alpha = work.dihedral.alpha.data();
  a.lambda = work.dihedral.lambda.data(), a.momentum = work.dihedral.momentum.data();
  a.push = work.push.data() + model.quadratic.size();
  a.stride = model.dihedral.size();
  launchHinges(BendModel::dihedral, a, model, work, backend, sweep);
}

void pullFibres(const Model& model, const State& state, Workspace& work, Backend& backend,
                const Sweep& sweep) {
  if (model.membrane.size() == 0) return;
  membrane_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data();
  a.corner = model.membrane.corner.data(), a.warp = model.membrane.warp.data();
  a.weft = model.membrane.weft.data(), a.rest = work.membrane.rest.data();
  a.alpha = work.membrane.alpha.data();
  a.inv_diagonal = work.membrane.inv_diagonal.data(), a.rho = work.membrane.rho.data();
  a.lambda = work.membrane.lambda.data(), a.momentum = work.membrane.momentum.data();
  a.push = work.membranePush(model);
  a.stride = model.membrane.size();
  a.gain = sweep.gain, a.beta = sweep.beta, a.keep = sweep.keep;
  backend.launchLanes(model.membrane.size(), a);
}

void pushTets(const Model& model, const State& state, Workspace& work, Backend& backend, const Sweep& sweep) {
  Vec4f* push = work.tetPush(model);
  eachMaterial(work.tets, [&](auto kernels, TetBlocks& rows) {
    auto a = tetArgs<typename decltype(kernels)::Push>(rows, state.x, work.x_start, sweep.keep, true);
    a.momentum = rows.momentum.data(), a.push = push, a.stride = rows.size();
    a.gain = sweep.gain, a.beta = sweep.beta;
    backend.launchLanes(rows.size(), a);
    push += 4 * rows.size();
  });
}

// Rows of 16 lanes that stay in the caches from one iteration to the next, at 192 bytes each.
constexpr int kNearRows = 1 << 17;

void relax(const Model& model, const State& state, Workspace& work, Backend& backend, const Sweep& sweep) {
  relax_args a;
  a.x = state.x.data(), a.x_new = work.x_new.data();
  a.x_start = work.x_start.data(), a.momentum = work.momentum.data();
  a.rigid_start = work.rigid.lists.start().data(), a.rigid_point = work.rigid.point.data();
  a.rigid_rest = work.rigid.rest.data(), a.rigid_inv_diagonal = work.rigid.inv_diagonal.data();
  a.soft_start = work.soft.lists.start().data(), a.soft_point = work.soft.point.data();
  a.soft_rest = work.soft.rest.data(), a.soft_inv_diagonal = work.soft.inv_diagonal.data();
  a.soft_alpha = work.soft.alpha.data(), a.soft_rho = work.soft.rho.data();
  a.soft_lambda = work.soft.lambda.data(), a.soft_momentum = work.soft.momentum.data();
  a.bend_start = work.bend_lists.start().data(), a.bend_row = work.bend_row.data();
  a.bend_weight = work.bend_weight.data(), a.bend_push = work.push.data();
  a.pull_start = work.pull.lists.start().data(), a.pull_point = work.pull.point.data();
  a.pull_rest = work.pull.rest.data(), a.pull_inv_diagonal = work.pull.inv_diagonal.data();
  a.gain = sweep.gain, a.beta = sweep.beta, a.keep = sweep.keep;
  const int rows = work.rigid.lists.start().back();
  a.far_rows = rows > kNearRows ? rows : 0;
  backend.launchLanes(model.numPoints(), a);
}

}  // namespace

void jacobiStep(const Model& model, const State& state, Workspace& work, Backend& backend, int iteration,
                float gain, float beta) {
  const Sweep sweep{gain, iteration == 0 ? 0.0f : beta, iteration == 0 ? 0.0f : 1.0f};
  backend.inOrder([&] {
    bendQuadratic(model, state, work, backend, sweep);
    bendDihedral(model, state, work, backend, sweep);
    pullFibres(model, state, work, backend, sweep);
    pushTets(model, state, work, backend, sweep);
    relax(model, state, work, backend, sweep);
  });
}

void jacobiSweep(const Model& model, State& state, Workspace& work, Backend& backend, int iteration,
                 float gain, float beta) {
  jacobiStep(model, state, work, backend, iteration, gain, beta);
  state.x.swap(work.x_new);
}

}  // namespace repose
