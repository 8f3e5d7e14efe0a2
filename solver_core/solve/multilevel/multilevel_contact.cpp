// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A cloth that touches something: scheme H of coupling_study.md 3. Impulses come from a coupled linear solve,
// then from the contact loop, in which points have only their own mass; last the cloth answers to all of them
// as a whole.
#include <algorithm>

#include "solve/multilevel/multilevel.h"

namespace repose {

namespace {

constexpr int kCoupledCycles = 4;

}  // namespace

void MultilevelCloth::touch(const ContactRows& patches, const Movers& movers) {
  terms_.take(patches, movers, rows_.first, rows_.points());
  if (!touches()) return;
  const std::size_t n = terms_.unknowns();
  for (std::vector<Vec4f>* v : {&off_, &aim_, &r_, &z_, &y_, &p_, &dx_})
    if (v->size() < n) v->resize(n);
  if (value_.size() < n) value_.resize(n), inverse_.resize(6 * n), partial_.resize(3 * (n / 1024 + 1));
}

StepResult MultilevelCloth::meet(const Model& model, const State& state, const StepParams& params,
                                 const SoftLaw& law, ContactRows& patches, const Movers& movers,
                                 Backend& backend) {
  x_ = state.x.data() + rows_.first;
  Vec4f* v = movers.v + movers.grains + rows_.first;
  rows_.weigh(model, state, params);
  aimPoints(model, v, params, backend);
  damp(model, state, backend);
  for (CoarseLevel& level : levels_) level.omega = 0;
  StepResult result;
  if (terms_.weigh(patches, movers, off_.data(), state.x_low.data() + rows_.first, law)) {
    coupled_ = true;
    coupledSolve(patches, movers, backend);
    coupled_ = false;
    result.iterations = cycles_;
  } else {
    result = newton(params, backend);
  }
  setVelocities(state, v, backend);
  return result;
}

// off_ by the velocities that solve cloth, rows and other movers together, one Newton.
void MultilevelCloth::coupledSolve(ContactRows& patches, const Movers& movers, Backend& backend) {
  assemble(backend);
  terms_.invertOthers(inverse_, omega_);
  terms_.addImpulses(r_, backend);
  buildCoarse(backend);
  beginLinearSolve();
  conjugateGradients(kCoupledCycles, 0, backend);
  terms_.finish(dx_, patches, movers, aim_, backend);
  axpy(off_.data(), dx_.data(), 1, z_, backend);
  off_.swap(z_);
}

void MultilevelCloth::setVelocities(const State& state, Vec4f* v, Backend& backend) {
  ml_velocity_args a;
  a.off = off_.data(), a.low = state.x_low.data() + rows_.first, a.v = v, a.inv_h = 1 / h_;
  backend.launchLanes(rows_.points(), a);
}

StepResult MultilevelCloth::respond(State& state, const StepParams& params, const Movers& movers,
                                    Backend& backend) {
  const Vec4f* low = state.x_low.data() + rows_.first;
  Vec4f* v = movers.v + movers.grains + rows_.first;
  // what the loop changed, f/m = v - v_0, moves the aim: aim + h v - (off - low)
  axpy(aim_.data(), v, h_, y_, backend);
  axpy(y_.data(), low, 1, z_, backend);
  axpy(z_.data(), off_.data(), -1, aim_, backend);
  const StepResult result = newton(params, backend);
  if (!pinned_) keepMomentum();

  ml_integrate_args a;
  a.x = state.x.data() + rows_.first, a.x_low = state.x_low.data() + rows_.first;
  a.v = state.v.data() + rows_.first, a.off = off_.data(), a.inv_h = 1 / h_;
  setVelocities(state, v, backend);
  backend.launchLanes(rows_.points(), a);
  return result;
}

// Inner forces sum to zero, so that without pins the mean of off is that of aim, however roughly one solves.
void MultilevelCloth::keepMomentum() {
  double way[3] = {}, mass = 0;
  for (int p = 0; p < rows_.points(); ++p) {
    const double m = rows_.mass[p];
    way[0] += m * (aim_[p].x - off_[p].x), way[1] += m * (aim_[p].y - off_[p].y);
    way[2] += m * (aim_[p].z - off_[p].z), mass += m;
  }
  const auto by = [&](int k) { return static_cast<float>(way[k] / mass); };
  for (int p = 0; p < rows_.points(); ++p) off_[p].x += by(0), off_[p].y += by(1), off_[p].z += by(2);
}

}  // namespace repose
