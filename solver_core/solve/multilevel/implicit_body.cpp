// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Newton's method and conjugate gradients.
#include "solve/multilevel/implicit_body.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"

namespace repose {

namespace {

constexpr int kMostNewtons = 12, kMostHalvings = 6;
constexpr double kSlackTolerance = 3;
// A linear solve ends when a cycle gains less than this share of the tolerance: first roughly, then finely.
constexpr double kRough = 0.1, kFine = 2e-4;
constexpr int kLeastCycles = 4;

}  // namespace

void ImplicitBody::resize(const Model& model, float omega) {
  const int n = at().points();
  for (std::vector<Vec4f>* v : {&off_, &aim_, &r_, &z_, &y_, &p_, &dx_}) v->resize(n);
  inverse_.resize(6 * n);
  value_.resize(n);
  partial_.resize(3 * (n / 1024 + 1));
  for (const ModelPin& pin : model.pins)
    pinned_ = pinned_ || (pin.body >= at().span.first && pin.body <= at().span.last);
  omega_ = omega;
}

// Euler: x' = x + h v + h^2 f/m. BDF2: x' = x + h (v_mean/3 + (8 v - 2 v_last)/9) + (2h/3)^2 f/m, so inertia
// counts 9/4 (multilevel_study.md 7).
void ImplicitBody::begin(State& state, const StepParams& params, Backend& backend) {
  const Vec4f* low = state.x_low.data() + at().first;
  const Vec4f* v = state.v.data() + at().first;
  h_ = params.h;
  if (!params.solver.secondorder) {
    inv_h2_ = 1 / (h_ * h_), gain_ = h_;
    axpy(low, v, h_, off_, backend);
  } else {
    inv_h2_ = 2.25f / (h_ * h_), gain_ = 4 * h_ / 9;
    axpy(low, state.v_mean.data() + at().first, h_ / 3, y_, backend);
    axpy(y_.data(), state.v_last.data() + at().first, -2 * h_ / 9, z_, backend);
    axpy(z_.data(), v, 8 * h_ / 9, off_, backend);
    std::copy_n(v, at().points(), state.v_last.data() + at().first);
  }
  axpy(off_.data(), v, -gain_, aim_, backend);
}

// aim = where the step would end without constraints; pins are where they are told to be.
void ImplicitBody::aimPoints(const Model& model, const Vec4f* v, const StepParams& params, Backend& backend) {
  axpy(aim_.data(), v, gain_, y_, backend);
  aim_.swap(y_);
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    const ModelPin& pin = model.pins[k];
    if (pin.body < at().span.first || pin.body > at().span.last) continue;
    const int p = pin.point - at().first;
    const Vec3f way = params.pin_targets[k] - xyz(x_[p]);
    off_[p] = aim_[p] = {way.x, way.y, way.z, 0};
  }
}

StepResult ImplicitBody::solve(const Model& model, State& state, const StepParams& params, Backend& backend) {
  x_ = state.x.data() + at().first;
  weigh(model, state, params);
  aimPoints(model, state.v.data() + at().first, params, backend);
  backend.inOrder([&] { damp(model, state, backend); });
  // nothing is remembered from the last step, so that a run may go on from its state alone
  forgetCoarse();
  const StepResult result = newton(params, backend);

  ml_integrate_args a;
  a.x = state.x.data() + at().first, a.x_low = state.x_low.data() + at().first;
  a.v = state.v.data() + at().first, a.off = off_.data(), a.inv_h = 1 / h_;
  backend.launchLanes(at().points(), a);
  if (params.solver.secondorder) {
    ml_second_order_args s;
    s.v = a.v, s.v_mean = state.v_mean.data() + at().first;
    backend.launchLanes(at().points(), s);
  }
  return result;
}

StepResult ImplicitBody::newton(const StepParams& params, Backend& backend) {
  const double tolerance = energyTolerance(params.world);
  std::vector<Vec4f>& trial = z_;  // free between linear solves
  StepResult result;
  result.converged = false;
  for (int newton = 0; newton < kMostNewtons && !result.converged; ++newton) {
    assembleCoupled(backend);
    const double before = sum(value_, unknowns(), backend);
    buildCoarse(backend);
    // A rough solve tells whether the cloth follows its quadratic model; if so, the fine solve is worth its
    // cycles.
    beginLinearSolve();
    Energy after;
    for (const double enough : {kRough, kFine}) {
      conjugateGradients(params.solver.cycles, enough * tolerance, backend);
      axpy(off_.data(), dx_.data(), 1, trial, backend);
      if (coupled_) followers_.place(trial);
      backend.inOrder([&] { after = energyAt(trial, true, backend); });
      after.sum += coupled_ ? followers_.energy(trial, aim_) : 0;
      // More above the model than the tolerance asks for another Newton (multilevel_study.md 6, edge by
      // edge). Where the energy fell further than predicted the cloth is slack and merely late, which is
      // allowed more.
      result.converged = after.above <= tolerance && after.below <= kSlackTolerance * tolerance;
      if (!result.converged) break;
    }
    result.iterations += cycles_;

    // the full step, or half of it until the energy falls
    float step = 1;
    for (int k = 0; k < kMostHalvings && !result.converged && !(after.sum <= before); ++k) {
      step *= 0.5f;
      axpy(off_.data(), dx_.data(), step, trial, backend);
      if (coupled_) followers_.place(trial);
      backend.inOrder([&] { after = energyAt(trial, false, backend); });
      after.sum += coupled_ ? followers_.energy(trial, aim_) : 0;
    }
    if (!result.converged && !(after.sum <= before)) break;
    off_.swap(trial);
  }
  return result;
}

// Also what contacts and followers change of it.
void ImplicitBody::assembleCoupled(Backend& backend) {
  backend.inOrder([&] { assemble(backend); });
  if (!coupled_) return;
  std::fill(value_.begin() + at().points(), value_.begin() + unknowns(), 0.0f);
  terms_.weigh(inverse_, omega_);
  terms_.addImpulses(r_, backend);
  followers_.weigh(terms_, off_, aim_, r_, inverse_, value_);
}

void ImplicitBody::beginLinearSolve() {
  std::fill(dx_.begin(), dx_.end(), Vec4f{});
  std::fill(p_.begin(), p_.end(), Vec4f{});
  last_rz_ = gained_ = 0;
  cycles_ = 0;
}

void ImplicitBody::conjugateGradients(int most, double enough, Backend& backend) {
  const auto cycles = [&] { takeCycles(most, enough, backend); };
  const bool host_looks = coupled_ && (terms_.turns() || followers_.any());
  host_looks ? cycles() : backend.inOrder(cycles);
}

void ImplicitBody::takeCycles(int most, double enough, Backend& backend) {
  ml_update_args u;
  u.x = dx_.data(), u.r = r_.data(), u.inverse = inverse_.data();
  u.stride = unknowns(), u.omega = omega_;
  float alpha = 0;
  for (double gain = enough;;) {
    // dx += alpha p, r -= alpha A p (nothing the first time), and a smoothing of the new residual
    u.z = z_.data(), u.p = p_.data(), u.q = alpha == 0 ? p_.data() : y_.data(), u.alpha = alpha;
    backend.launchLanes(unknowns(), u);
    if (cycles_ >= most || (cycles_ >= kLeastCycles && gain < enough)) return;
    ++cycles_;
    const double rz = cycle(backend);
    axpy(z_.data(), p_.data(), static_cast<float>(last_rz_ > 0 ? rz / last_rz_ : 0), y_, backend);
    last_rz_ = rz;
    p_.swap(y_);
    const double curvature = product(p_, kProduct, y_, backend);
    if (!(rz > 0) || !(curvature > 0)) return;  // solved to the last bit
    alpha = static_cast<float>(rz / curvature);
    gain = 0.5 * alpha * rz;
    gained_ += gain;
  }
}

double ImplicitBody::product(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                             Backend& backend) {
  launchProduct(x, mode, y, backend);
  if (coupled_ && mode == kProduct) {
    terms_.addProduct(x, y, value_, backend);
    followers_.foldProduct(x, y, value_);
  }
  if (coupled_ && mode == kSmooth) {
    terms_.passOthers(r_, x, y, value_, backend);
    followers_.smooth(r_, y, value_);
  }
  return mode == kResidual ? 0 : sum(value_, unknowns(), backend);
}

// Smooth, correct, smooth.
double ImplicitBody::cycle(Backend& backend) {
  product(z_, kResidual, y_, backend);
  correct(y_, z_, backend);
  const double rz = product(z_, kSmooth, y_, backend);
  z_.swap(y_);
  return rz;
}

ImplicitBody::Energy ImplicitBody::summedEnergy(Backend& backend) {
  const int count = at().points(), blocks = (count + 1023) / 1024;
  ml_sum3_args s;
  s.value = y_.data(), s.result = partial_.data(), s.count = count;
  backend.launch(blocks, s);
  backend.look(partial_.data());
  Energy all;
  for (int k = 0; k < blocks; ++k)
    all.sum += partial_[3 * k], all.above += partial_[3 * k + 1], all.below += partial_[3 * k + 2];
  return all;
}

double ImplicitBody::sum(const std::vector<float>& values, int count, Backend& backend) {
  const int blocks = (count + 1023) / 1024;
  ml_sum_args a;
  a.value = values.data(), a.result = partial_.data(), a.count = count;
  backend.launch(blocks, a);
  backend.look(partial_.data());
  double total = 0;
  for (int k = 0; k < blocks; ++k) total += partial_[k];
  return total;
}

void ImplicitBody::axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend) {
  ml_axpy_args args;
  args.a = a, args.b = b, args.y = y.data(), args.s = s;
  backend.launchLanes(unknowns(), args);
}

std::size_t ImplicitBody::bytes() const {
  return terms_.bytes() + bytesOf(inverse_, value_, partial_, off_, aim_, r_, z_, y_, p_, dx_);
}

}  // namespace repose
