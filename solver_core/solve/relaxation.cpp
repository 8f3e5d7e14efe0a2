// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/relaxation.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "solve/jacobi_sweep.h"
#include "solve/linear_sweep.h"

namespace repose {

namespace {

constexpr int kPowerProducts = 15;  // algorithms.md 3.1 a
constexpr float kPowerSafety = 1.05f;

// A start that no symmetry of the mesh can hide from: noise by a hash of the index, pins at rest.
void fillWithNoise(const Model& model, Changes& changes) {
  for (int p = 0; p < model.numPoints(); ++p) {
    const auto noise = [p](std::uint32_t salt) { return pointNoise(p, salt); };
    const float is_free = model.inv_mass[p] > 0 ? 1.0f : 0.0f;
    changes.points[p] = {noise(0) * is_free, noise(1) * is_free, noise(2) * is_free, 0};
  }
  std::fill(changes.soft.begin(), changes.soft.end(), 0.0f);
  std::fill(changes.quadratic.begin(), changes.quadratic.end(), Vec4f{});
  std::fill(changes.dihedral.begin(), changes.dihedral.end(), 0.0f);
  std::fill(changes.membrane.begin(), changes.membrane.end(), 0.0f);
}

}  // namespace

float rowRadius(const Model& model, State& state, Workspace& work, Backend& backend) {
  LinearSweep linear(model, state, work, backend);
  fillWithNoise(model, work.direction);
  double radius = 0, length = linear.norm(linear.direction());
  for (int k = 0; k < kPowerProducts && length > 0; ++k) {
    linear.respond();
    const double longer = linear.norm(linear.response());
    radius = longer / length;
    if (!(longer > 0)) break;
    linear.blend(linear.direction(), 0, linear.response(), static_cast<float>(1 / longer));
    length = linear.norm(linear.direction());
  }
  return static_cast<float>(std::max(radius, 1e-3));
}

float contraction(const Model& model, State& state, Workspace& work, Backend& backend, float omega,
                  int iterations) {
  LinearSweep linear(model, state, work, backend);
  jacobiStep(model, state, work, backend, 0, 1, 0);
  linear.blend(linear.direction(), 0, linear.lastStep(), 1);
  double last = linear.norm(linear.direction()), ratio = 0;
  for (int k = 0; k < iterations && last > 0; ++k) {
    linear.respond();
    linear.blend(linear.direction(), 1, linear.response(), -omega);
    const double now = linear.norm(linear.direction());
    ratio = now / last;
    last = now;
  }
  return static_cast<float>(ratio);
}

float jacobiOmega(const Model& model, State& state, const StepParams& params, Workspace& work,
                  Backend& backend, float split_gain) {
  if (params.solver.omega > 0) return params.solver.omega;
  switch (params.solver.relaxation) {
    case Relaxation::count:
      return 1 / work.crowdBound();
    case Relaxation::power:
      if (estimateIsDue(state, state.row_radius)) state.row_radius = rowRadius(model, state, work, backend);
      return 1 / (kPowerSafety * state.row_radius);
    case Relaxation::split:
      break;
  }
  return split_gain;
}

}  // namespace repose
