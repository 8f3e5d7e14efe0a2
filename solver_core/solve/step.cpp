// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The whole story of a time step on one page: predict -> iterate -> integrate. What is measured afterwards is
// in residual.cpp; how rows are weighed in workspace.cpp; the formulas in kernel/.
#include "solve/step.h"

#include <algorithm>

#include "solve/contact/touching.h"
#include "solve/motion.h"
#include "solve/plastic.h"
#include "solve/residual.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

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
    work.prepare(model, state, params);
    result = iterate(model, state, params, work, backend);
  }
  StageTimer timer(seconds, Stage::integrate);
  integrate(model, state, params, work, backend);
  return result;
}

// Implicit step of every cloth and soft body (multilevel/): it solves for positions and velocities at once.
StepResult stepMultilevel(const Model& model, State& state, const StepParams& params, Workspace& work,
                          Backend& backend, StageSeconds& seconds) {
  {
    StageTimer timer(seconds, Stage::predict);
    for (auto& body : work.multilevel) body->begin(state, params, backend);
    predict(model, state, params, work, backend);
    state.x.swap(work.x_start);
  }
  StageTimer timer(seconds, Stage::iterate);
  StepResult result;
  for (auto& body : work.multilevel) {
    const StepResult one = body->solve(model, state, params, backend);
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
  reshape(model, state, params, backend);
  const bool implicit = params.solver.method == SolverMethod::multilevel;
  const StepResult result = work.contacts ? stepTouching(model, state, params, work, backend, seconds)
                                          : (implicit ? stepMultilevel : stepMultipliers)(
                                                model, state, params, work, backend, seconds);
  crease(model, state, params, backend);
  ++state.substep;
  state.seconds += params.h;
  return result;
}

}  // namespace repose
