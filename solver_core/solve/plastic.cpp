// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/plastic.h"

#include <algorithm>

namespace repose {

namespace {

// A shape sheared further (13 times longer than it is wide) would be a needle that no time step bears.
constexpr float kNeedle = 2.5f;

}  // namespace

// 1 - exp(-t) by our own arithmetic, since libraries round exp differently: the series of exp(-t / 2^20),
// then its square twenty times.
float lostShare(double t) {
  t = std::min(t, 64.0) / (1 << 20);
  double kept = 1 - t * (1 - t / 2 * (1 - t / 3));
  for (int k = 0; k < 20; ++k) kept *= kept;
  return static_cast<float>(1 - kept);
}

void beginShapes(const Scene& scene, const Model& model, State& state) {
  for (const Body& body : scene.bodies)
    if (body.kind == BodyKind::soft &&
        body.soft.ever([](const SoftParams& soft) { return soft.plasticyield > 0 || soft.restscale != 1; }))
      state.tet_y = model.tets.y;
}

void reshape(const Model& model, State& state, const StepParams& params, Backend& backend) {
  if (state.tet_y.empty()) return;
  flow_tets_args a;
  a.x = state.x.data(), a.corner = model.tets.corner.data();
  a.y_rest = model.tets.y.data(), a.y = state.tet_y.data();
  a.stride = model.tets.size();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const SoftParams& soft = params.soft[b];
    a.first_entry = model.bodies[b].tets.first;
    a.scale = soft.restscale, a.yield = soft.plasticyield;
    a.rate = soft.plasticyield > 0 ? lostShare(params.h / soft.plastictime) : 0.0f;
    a.limit = std::min(soft.plasticlimit, kNeedle);
    backend.launchLanes(model.bodies[b].tets.padded(), a);
  }
}

}  // namespace repose
