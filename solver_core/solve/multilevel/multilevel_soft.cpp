// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A soft body's energy, gradient and matrix (kernel/multilevel_soft.h). Newton's method is in
// implicit_body.cpp, the coarse levels in rigid_levels.cpp, what the body is made of in soft_rows.cpp.
#include "solve/multilevel/multilevel_soft.h"

namespace repose {

namespace {

// A tetrahedron has four corners, so that the spectral radius of D^-1 A is at most four; 2 over it is the end
// of what a smoother may take.
constexpr float kSmootherStep = 0.49f;

}  // namespace

MultilevelSoft::MultilevelSoft(const Model& model, BodySpan bodies, bool smoothed)
    : rows_(model, bodies, smoothed), levels_(rows_) {
  resize(model, kSmootherStep);
}

template <class Args>
void MultilevelSoft::setMaterial(Args& a) const {
  a.mu = rows_.mu, a.lambda = rows_.lambda, a.fibre_stiffness = rows_.fibre_stiffness, a.rho = rows_.rho;
  a.material = rows_.material;
}

// Damping compares strain with that of the start of the step.
void MultilevelSoft::damp(const Model&, const State& state, Backend& backend) {
  if (!(rows_.rho > 0)) return;
  const Vec4f* low = state.x_low.data() + rows_.first;
  if (!rows_.smoothed) {
    ml_tet_strain_args a;
    a.x = x_, a.low = low, a.corner = rows_.corner.data(), a.y = rows_.y.data(), a.start = rows_.start.data();
    a.stride = rows_.tets;
    backend.launchLanes(rows_.tets, a);
    return;
  }
  takeGradients(low, false, backend);
  ml_edge_strain_args a;
  a.list_start = rows_.around.start().data(), a.tet = rows_.around_tet.data();
  a.weight = rows_.around_weight.data(), a.gradient = rows_.gradient.data();
  a.gradient_last = rows_.gradient_last.data(), a.start = rows_.start.data();
  a.stride = rows_.tets, a.edges = rows_.matrix;
  backend.launchLanes(rows_.matrix, a);
}

void MultilevelSoft::launchTets(const std::vector<Vec4f>& off, bool assembling, bool judging,
                                Backend& backend) {
  ml_tets_args a;
  a.x = x_, a.off = off.data(), a.dx = dx_.data(), a.corner = rows_.corner.data(), a.y = rows_.y.data();
  a.scale = rows_.scale.data(), a.fibre = rows_.fibre.data(), a.start = rows_.start.data();
  a.pushes = rows_.push.data(), a.blocks = rows_.block.data(), a.block_last = rows_.block_last.data();
  a.stride = rows_.tets, a.assembling = assembling, a.judging = judging, a.smoothed = rows_.smoothed;
  setMaterial(a);
  // the preconditioner of smoothed strain does without the start of each tetrahedron
  if (rows_.smoothed && rows_.rho > 0) a.rho = 0, a.mu *= 1 + rows_.rho, a.lambda *= 1 + rows_.rho;
  backend.launchLanes(rows_.tets, a);
}

void MultilevelSoft::takeGradients(const Vec4f* off, bool changing, Backend& backend) {
  ml_tet_gradients_args a;
  a.x = x_, a.off = off, a.corner = rows_.corner.data(), a.y = rows_.y.data();
  a.gradient = changing ? rows_.change.data() : rows_.gradient.data();
  a.gradient_last = changing ? rows_.change_last.data() : rows_.gradient_last.data();
  a.stride = rows_.tets, a.changing = changing;
  backend.launchLanes(rows_.tets, a);
}

void MultilevelSoft::launchEdges(bool assembling, bool judging, Backend& backend) {
  ml_edge_matter_args a;
  a.list_start = rows_.around.start().data(), a.tet = rows_.around_tet.data();
  a.weight = rows_.around_weight.data(), a.gradient = rows_.gradient.data();
  a.gradient_last = rows_.gradient_last.data(), a.change = rows_.change.data();
  a.change_last = rows_.change_last.data(), a.scale = rows_.edge_scale.data();
  a.fibre = rows_.edge_fibre.data(), a.start = rows_.start.data(), a.stress = rows_.stress.data();
  a.stiffness = rows_.stiffness.data(), a.stride = rows_.tets, a.edges = rows_.matrix;
  a.assembling = assembling, a.judging = judging;
  setMaterial(a);
  backend.launchLanes(rows_.matrix, a);
}

void MultilevelSoft::pushCorners(bool assembling, Backend& backend) {
  ml_tet_pushes_args a;
  a.y = rows_.y.data(), a.tet_edge = rows_.tet_edge.data(), a.tet_weight = rows_.tet_weight.data();
  a.stress = rows_.stress.data(), a.pushes = rows_.push.data();
  a.stride = rows_.tets, a.edges = rows_.matrix, a.assembling = assembling;
  backend.launchLanes(rows_.tets, a);
}

void MultilevelSoft::assemble(Backend& backend) {
  launchTets(off_, true, false, backend);
  if (rows_.smoothed) {
    takeGradients(off_.data(), false, backend);
    launchEdges(true, false, backend);
    pushCorners(true, backend);
  }
  ml_soft_edges_args e;
  e.tet_start = rows_.around.start().data(), e.tet_block = rows_.around_block.data();
  e.blocks = rows_.block.data(), e.block_last = rows_.block_last.data(), e.place = rows_.place.data();
  e.edge = rows_.edge.data(), e.stride = rows_.tets, e.edges = rows_.matrix;
  backend.launchLanes(rows_.matrix, e);
  ml_soft_points_args p;
  p.off = off_.data(), p.aim = aim_.data(), p.mass = rows_.mass.data();
  p.edge_start = rows_.edges.start().data(), p.edge = rows_.edge.data();
  p.push_start = rows_.pushes.start().data(), p.push_slot = rows_.push_slot.data();
  p.push = rows_.push.data(), p.residual = r_.data(), p.inverse = inverse_.data(), p.energy = value_.data();
  p.stride = unknowns(), p.inv_h2 = inv_h2_;
  backend.launchLanes(rows_.points(), p);
}

ImplicitBody::Energy MultilevelSoft::energyAt(const std::vector<Vec4f>& off, bool judging, Backend& backend) {
  if (rows_.smoothed) {
    takeGradients(off.data(), false, backend);
    if (judging) takeGradients(dx_.data(), true, backend);
    launchEdges(false, judging, backend);
    pushCorners(false, backend);
  } else {
    launchTets(off, false, judging, backend);
  }
  ml_soft_energy_args a;
  a.off = off.data(), a.aim = aim_.data(), a.mass = rows_.mass.data();
  a.push_start = rows_.pushes.start().data(), a.push_slot = rows_.push_slot.data();
  a.push = rows_.push.data(), a.energy = y_.data(), a.inv_h2 = inv_h2_;
  backend.launchLanes(rows_.points(), a);
  return summedEnergy(backend);
}

void MultilevelSoft::launchProduct(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                                   Backend& backend) {
  if (rows_.smoothed && mode == kProduct) return smoothedProduct(x, y, backend);
  auto a = productArgs<ml_soft_product_args>(x, mode, y);
  a.edge_start = rows_.edges.start().data(), a.edge_point = rows_.edge_point.data();
  a.edge = rows_.edge.data();
  backend.launchLanes(rows_.points(), a);
}

void MultilevelSoft::smoothedProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, Backend& backend) {
  takeGradients(x.data(), true, backend);
  ml_edge_change_args c;
  c.list_start = rows_.around.start().data(), c.tet = rows_.around_tet.data();
  c.weight = rows_.around_weight.data(), c.change = rows_.change.data();
  c.change_last = rows_.change_last.data(), c.scale = rows_.edge_scale.data();
  c.fibre = rows_.edge_fibre.data(), c.stiffness = rows_.stiffness.data(), c.stress = rows_.stress.data();
  c.stride = rows_.tets, c.edges = rows_.matrix, c.fibre_stiffness = rows_.fibre_stiffness;
  backend.launchLanes(rows_.matrix, c);
  pushCorners(true, backend);
  ml_soft_gather_args g;
  g.x = x.data(), g.mass = rows_.mass.data(), g.push_start = rows_.pushes.start().data();
  g.push_slot = rows_.push_slot.data(), g.push = rows_.push.data(), g.y = y.data(), g.dot = value_.data();
  g.inv_h2 = inv_h2_;
  backend.launchLanes(rows_.points(), g);
}

void MultilevelSoft::buildCoarse(Backend& backend) {
  levels_.build(rows_, x_, off_, inv_h2_, coupled_ ? terms_.blocks() : nullptr, terms_.points(), backend);
}

std::size_t MultilevelSoft::bytes() const { return ImplicitBody::bytes() + rows_.bytes() + levels_.bytes(); }

}  // namespace repose
