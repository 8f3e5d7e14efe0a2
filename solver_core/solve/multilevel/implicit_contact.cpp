// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A body that touches something: scheme H of coupling_study.md 3. Impulses come from a linear solve for
// body and movers, then from the contact loop, in which points have only their own mass; last the body
// answers to all of them as a whole.
#include <algorithm>
#include <cmath>

#include "solve/multilevel/implicit_body.h"

namespace repose {

namespace {

constexpr int kHeldCycles = 16;  // m1 of a body with followers
constexpr int kLayerCycles =
    8;  // m1 of cloth that lies on cloth: with less it trembles where a collider bears both
constexpr double kFollows = 0.03;  // share of what a step should gain that its energy may miss
constexpr int kMostHalvings = 6;

}  // namespace

void ImplicitBody::touch(const ContactRows& patches, const MoverView& movers,
                         const std::vector<HeldPoint>& held) {
  followers_.take(held, movers, at().first, at().points());
  terms_.take(patches, movers, at().first, at().points(), followers_.carriers());
  if (!touches()) return;
  followers_.number(terms_);
  const std::size_t n = terms_.unknowns();
  for (std::vector<Vec4f>* v : {&off_, &aim_, &r_, &z_, &y_, &p_, &dx_})
    if (v->size() < n) v->resize(n);
  if (value_.size() < n) value_.resize(n), inverse_.resize(6 * n), partial_.resize(3 * (n / 1024 + 1));
}

StepResult ImplicitBody::meet(const Model& model, const State& state, const StepParams& params,
                              const SoftLaw& law, ContactRows& patches, const MoverView& movers,
                              const std::vector<HeldPoint>& held, Backend& backend) {
  x_ = state.x.data() + at().first;
  Vec4f* v = movers.v + movers.grains + at().first;
  momentum_ = {};
  addMomentum(v, movers, 1);
  weigh(model, state, params);
  aimPoints(model, v, params, backend);
  damp(model, state, backend);
  forgetCoarse();
  StepResult result;
  const bool answers = terms_.choose(patches, movers, off_.data(), state.x_low.data() + at().first, law);
  followers_.begin(held, movers, terms_, x_, h_, off_, aim_);
  coupled_ = answers || followers_.any();
  if (answers) {
    result.iterations = solveCoupled(params, patches, movers, backend);
  } else {
    result = newton(params, backend);
  }
  coupled_ = false;
  setVelocities(state, v, backend);
  followers_.give(off_, movers);
  addMomentum(v, movers, -1);
  return result;
}

// Newton's method for body, rows and other movers together; moves off_ and, by what the rows gave, aim_.
// Impulses of the rows before it stay as they are, so that every step is one down the same energy.
int ImplicitBody::solveCoupled(const StepParams& params, ContactRows& patches, const MoverView& movers,
                               Backend& backend) {
  const int most = followers_.any() ? 1 : meeting().newtons;
  const int cycles = followers_.any()        ? kHeldCycles
                     : terms_.clothOnCloth() ? std::max(kLayerCycles, meeting().cycles)
                                             : meeting().cycles;
  int all = 0;
  float step = 1;
  for (int newton = 1;; ++newton) {
    assembleCoupled(backend);
    const double own = most > 1 ? sum(value_, at().points(), backend) : 0;
    buildCoarse(backend);
    beginLinearSolve();
    conjugateGradients(cycles, 0, backend);
    all += cycles_;
    step = 1;
    if (most == 1) break;
    // the full step if the energy follows its quadratic model, else half of it until it falls, and another
    // one
    const double before = own + terms_.energyAt(dx_, 0);
    const auto energy = [&] {
      axpy(off_.data(), dx_.data(), step, z_, backend);
      return energyAt(z_, false, backend).sum + terms_.energyAt(dx_, step);
    };
    double after = energy();
    const bool follows =
        std::abs(before - after - gained_) <= std::max(energyTolerance(params.world), kFollows * gained_);
    for (int k = 0; k < kMostHalvings && !follows && !(after <= before); ++k) step *= 0.5f, after = energy();
    const bool uphill = !follows && !(after <= before);
    if (uphill) std::fill(dx_.begin(), dx_.begin() + unknowns(), Vec4f{});
    if (follows || uphill || newton == most) break;
    terms_.advance(dx_, step);
    off_.swap(z_);
  }
  // what rows push carriers by is aimed for, as with the points
  followers_.addMomentum(movers, -1, momentum_);
  followers_.mark(movers);
  const std::array<double, 3> given = terms_.finish(dx_, step, patches, movers, aim_, backend);
  for (int k = 0; k < 3; ++k) momentum_[k] += given[k];
  followers_.takeBack(movers, aim_);
  followers_.addMomentum(movers, 1, momentum_);
  axpy(off_.data(), dx_.data(), step, z_, backend);
  followers_.place(z_);
  off_.swap(z_);
  return all;
}

void ImplicitBody::setVelocities(const State& state, Vec4f* v, Backend& backend) {
  ml_velocity_args a;
  a.off = off_.data(), a.low = state.x_low.data() + at().first, a.v = v, a.inv_h = 1 / h_;
  backend.launchLanes(at().points(), a);
}

StepResult ImplicitBody::respond(State& state, const StepParams& params, ContactRows& patches,
                                 const MoverView& movers, Backend& backend) {
  const Vec4f* low = state.x_low.data() + at().first;
  Vec4f* v = movers.v + movers.grains + at().first;
  addMomentum(v, movers, 1);
  StepResult result;
  const bool carried = terms_.carry(patches);
  if (carried || followers_.any()) {
    followers_.takeBack(movers, aim_);
    // what the loop changed, f/m = v - v_0, moves the aim: aim + h v - (off - low)
    axpy(aim_.data(), v, h_, y_, backend);
    axpy(y_.data(), low, 1, z_, backend);
    axpy(z_.data(), off_.data(), -1, aim_, backend);
    result = answerImpulses(params, backend);
  }
  ml_integrate_args a;
  a.x = state.x.data() + at().first, a.x_low = state.x_low.data() + at().first;
  a.v = state.v.data() + at().first, a.off = off_.data(), a.inv_h = 1 / h_;
  setVelocities(state, v, backend);
  followers_.give(off_, movers);
  if (free()) keepMomentum(v, movers);
  backend.launchLanes(at().points(), a);
  for (int p = 0; p < at().points(); ++p) a.v[p] = {v[p].x, v[p].y, v[p].z, 0};
  if (carried) terms_.forget(patches, movers, inverse_, followers_.any() ? terms_.unknowns() : at().points());
  // steps of second order begin anew behind a contact
  if (!state.v_mean.empty())
    for (std::vector<Vec4f>* history : {&state.v_mean, &state.v_last})
      std::copy_n(a.v, at().points(), history->data() + at().first);
  return result;
}

// One Newton from where the coupled solve ended; all of the usual care where the cloth does not follow it.
StepResult ImplicitBody::answerImpulses(const StepParams& params, Backend& backend) {
  if (followers_.any()) {
    terms_.rest();
    coupled_ = true;
    const StepResult all = newton(params, backend);
    coupled_ = false;
    return all;
  }
  assemble(backend);
  buildCoarse(backend);
  beginLinearSolve();
  conjugateGradients(meeting().response, 0, backend);
  StepResult result;
  result.iterations = cycles_;
  axpy(off_.data(), dx_.data(), 1, z_, backend);
  if (energyAt(z_, true, backend).above <= energyTolerance(params.world)) {
    off_.swap(z_);
    return result;
  }
  const StepResult careful = newton(params, backend);
  return {result.iterations + careful.iterations, careful.converged};
}

// In double, as a cloth that moves as a whole rounds alike everywhere.
void ImplicitBody::addMomentum(const Vec4f* v, const MoverView& movers, double sign) {
  if (!free()) return;
  for (int p = 0; p < at().points(); ++p) {
    const double m = sign * at().mass[p];
    momentum_[0] += m * v[p].x, momentum_[1] += m * v[p].y, momentum_[2] += m * v[p].z;
  }
  followers_.addMomentum(movers, sign, momentum_);
}

// Inner forces give a cloth without pins no momentum, however roughly one solves: it has what forces and
// impulses gave. What one point rounds away the next one gets.
void ImplicitBody::keepMomentum(Vec4f* v, const MoverView& movers) {
  double mass = followers_.mass();
  for (const float m : at().mass) mass += m;
  addMomentum(v, movers, -1);
  const double shift[3] = {momentum_[0] / mass, momentum_[1] / mass, momentum_[2] / mass};
  double left[3] = {};
  for (int p = 0; p < at().points(); ++p) {
    const double m = at().mass[p];
    if (!(m > 0)) continue;
    const auto move = [&](float& speed, float& way, int k) {
      const double wanted = speed + shift[k] + left[k] / m;
      speed = static_cast<float>(wanted);
      way += static_cast<float>(h_ * shift[k]);
      left[k] = m * (wanted - speed);
    };
    move(v[p].x, off_[p].x, 0), move(v[p].y, off_[p].y, 1), move(v[p].z, off_[p].z, 2);
  }
  followers_.shift(movers, shift);
}

}  // namespace repose
