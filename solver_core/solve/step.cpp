// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The whole story of a time step on one page: predict -> iterate -> integrate. What is measured afterwards is
// in residual.cpp; how rows are weighed in workspace.cpp; the formulas in kernel/.
#include "solve/step.h"

#include <algorithm>

#include "solve/contact/contact_loop.h"
#include "solve/residual.h"
#include "solve/solver.h"
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

// Forces, then the unconstrained step v~, x~ (algorithms.md 2); pins go where they are told.
void predict(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend) {
  predict_args a;
  a.use_forces = blowAir(model, state, params, work, backend);
  a.x = state.x.data(), a.v = state.v.data(), a.x_start = work.x_start.data();
  a.force = work.push.data(), a.fan_start = model.air.fan.start().data(),
  a.fan = model.air.fan_triangle.data();
  a.h = params.h;
  a.gravity_x = params.world.gravity.x, a.gravity_y = params.world.gravity.y,
  a.gravity_z = params.world.gravity.z;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    a.damping = 1.0f / (1.0f + params.h * params.cloth[b].veldamping);
    a.first_entry = model.bodies[b].points.first;
    backend.launchLanes(model.bodies[b].points.padded(), a);
  }
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    const Vec3f target = params.pin_targets[k];
    state.x[model.pins[k].point] = {target.x, target.y, target.z, 0};
  }
}

void integrate(const Model& model, State& state, const StepParams& params, Workspace& work,
               Backend& backend) {
  integrate_args a;
  a.x = state.x.data(), a.x_start = work.x_start.data(), a.v = state.v.data();
  a.inv_h = 1.0f / params.h;
  backend.launchLanes(model.numPoints(), a);
}

// 1 - exp(-t) by our own arithmetic, since libraries round exp differently: the series of exp(-t / 2^20),
// then its square twenty times.
float lostShare(double t) {
  t = std::min(t, 64.0) / (1 << 20);
  double kept = 1 - t * (1 - t / 2 * (1 - t / 3));
  for (int k = 0; k < 20; ++k) kept *= kept;
  return static_cast<float>(1 - kept);
}

// Folds beyond the yield angle become creases.
void crease(const Model& model, State& state, const StepParams& params, Backend& backend) {
  if (state.rest_angle.empty()) return;
  crease_args a;
  a.x = state.x.data(), a.corner = model.dihedral.corner.data(), a.rest_angle = state.rest_angle.data();
  a.stride = model.dihedral.size();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ClothParams& cloth = params.cloth[b];
    if (model.bodies[b].bend != BendModel::dihedral || cloth.creaseangle <= 0) continue;
    a.yield = cloth.creaseangle * 0.0174532925f;
    a.rate = lostShare(params.h / cloth.creasetime);
    a.first_entry = model.bodies[b].hinges.first;
    backend.launchLanes(model.bodies[b].hinges.padded(), a);
  }
}

// Multipliers move the predicted points back to the constraints.
StepResult stepMultipliers(const Model& model, State& state, const StepParams& params, Workspace& work,
                           Backend& backend, StageSeconds& seconds) {
  {
    StageTimer timer(seconds, Stage::predict);
    predict(model, state, params, work, backend);
  }
  StepResult result;
  {
    StageTimer timer(seconds, Stage::iterate);
    work.prepare(model, params);
    work.takeRest(model, state);
    result = iterate(model, state, params, work, backend);
  }
  StageTimer timer(seconds, Stage::integrate);
  integrate(model, state, params, work, backend);
  return result;
}

// Implicit step of every cloth (multilevel/): it solves for positions and velocities at once.
StepResult stepMultilevel(const Model& model, State& state, const StepParams& params, Workspace& work,
                          Backend& backend, StageSeconds& seconds) {
  {
    StageTimer timer(seconds, Stage::predict);
    for (MultilevelCloth& cloth : work.multilevel) cloth.begin(state, params, backend);
    predict(model, state, params, work, backend);
    state.x.swap(work.x_start);
  }
  StageTimer timer(seconds, Stage::iterate);
  StepResult result;
  for (MultilevelCloth& cloth : work.multilevel) {
    const StepResult one = cloth.solve(model, state, params, backend);
    result.iterations += one.iterations;
    result.converged = result.converged && one.converged;
  }
  if (params.solver.tolerance > 0)
    result.converged = largestStretch(model, state, params.cloth, work, backend) <= params.solver.tolerance;
  return result;
}

}  // namespace

StepResult step(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend,
                StageSeconds& seconds) {
  StepResult result;
  if (work.contacts) {
    Contacts& contacts = *work.contacts;
    {
      StageTimer timer(seconds, Stage::collide);
      contacts.find(model, state, params, backend);
    }
    StageTimer timer(seconds, Stage::iterate);
    result.iterations = stepGrains(contacts, params, backend);
    contacts.store(state, params, backend);
  }
  if (model.numPoints() > 0) {
    const bool implicit = params.solver.method == SolverMethod::multilevel;
    result = (implicit ? stepMultilevel : stepMultipliers)(model, state, params, work, backend, seconds);
  }
  crease(model, state, params, backend);
  ++state.substep;
  state.seconds += params.h;
  return result;
}

}  // namespace repose
