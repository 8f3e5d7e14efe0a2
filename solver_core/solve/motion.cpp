// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/motion.h"

#include <algorithm>

#include "solve/workspace.h"

namespace repose {

namespace {

// Wind, drag and pressure of every triangle; false when there is no air to speak of.
bool blowAir(const Model& model, const State& state, const StepParams& params, Workspace& work,
             Backend& backend) {
  const WorldParams& world = params.world;
  const bool pressed = std::any_of(params.cloth.begin(), params.cloth.end(),
                                   [](const ClothParams& cloth) { return cloth.pressure != 0; });
  if ((world.airdensity <= 0 && !pressed) || model.air.size() == 0) return false;
  const auto seconds = static_cast<float>(state.seconds);
  air_args a;
  a.x = state.x.data(), a.v = state.v.data();
  a.corner = model.air.corner.data(), a.inv_mass = model.air.inv_mass.data();
  a.normal_scale = model.air.normal_scale.data(), a.tangent_scale = model.air.tangent_scale.data();
  a.scaled = model.air.scaled;
  a.force = work.push.data();
  a.stride = model.air.size();
  a.h = params.h, a.air_density = world.airdensity;
  a.wind_x = world.wind.x, a.wind_y = world.wind.y, a.wind_z = world.wind.z;
  a.drift_x = world.wind.x * seconds, a.drift_y = world.wind.y * seconds, a.drift_z = world.wind.z * seconds;
  a.gravity_x = world.gravity.x, a.gravity_y = world.gravity.y, a.gravity_z = world.gravity.z;
  a.turbulence = world.windturbulence * length(world.wind);
  a.inv_scale = 1.0f / world.windscale;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    a.normal_drag = params.cloth[b].normaldrag, a.tangent_drag = params.cloth[b].tangentdrag;
    a.pressure = params.cloth[b].pressure;
    a.first_entry = model.bodies[b].triangles.first;
    backend.launchLanes(model.bodies[b].triangles.padded(), a);
  }
  work.push[model.air.size()] = {};
  return true;
}

}  // namespace

// Forces, then the unconstrained step v~, x~ (algorithms.md 2); pins go where they are told.
void predict(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend) {
  predict(model, 0, static_cast<int>(model.bodies.size()) - 1, state, params, work, backend);
}

void predict(const Model& model, int first, int last, State& state, const StepParams& params, Workspace& work,
             Backend& backend) {
  predict_args a;
  a.use_forces = blowAir(model, state, params, work, backend);
  a.x = state.x.data(), a.v = state.v.data(), a.x_start = work.x_start.data();
  a.force = work.push.data(), a.fan_start = model.air.fan.start().data(),
  a.fan = model.air.fan_triangle.data();
  a.h = params.h;
  a.gravity_x = params.world.gravity.x, a.gravity_y = params.world.gravity.y,
  a.gravity_z = params.world.gravity.z;
  for (int b = first; b <= last; ++b) {
    a.damping = 1.0f / (1.0f + params.h * params.cloth[b].veldamping);
    const Range points = model.bodies[b].points;
    if (params.forces) params.forces->pushPoints(points.first, points.first + points.count, params.h, state);
    a.first_entry = points.first;
    backend.launchLanes(points.padded(), a);
  }
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    if (model.pins[k].body < first || model.pins[k].body > last) continue;
    const Vec3f target = params.pin_targets[k];
    state.x[model.pins[k].point] = {target.x, target.y, target.z, 0};
  }
  holdOnLines(model, params, state);
}

void holdOnLines(const Model& model, const StepParams& params, State& state) {
  for (std::size_t k = 0; k < model.slides.size(); ++k) {
    const ModelSlide& slide = model.slides[k];
    const Vec3f anchor = params.line_anchors[k];
    Vec4f& x = state.x[slide.at.point];
    const Vec3f at = anchor + slide.line * dot(slide.line, xyz(x) - anchor);
    x = {at.x, at.y, at.z, x.w};
  }
}

void integrate(const Model& model, State& state, const StepParams& params, Workspace& work,
               Backend& backend) {
  integrate_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data(), a.v = state.v.data();
  a.inv_h = 1.0f / params.h;
  backend.launchLanes(model.numPoints(), a);
}

}  // namespace repose
