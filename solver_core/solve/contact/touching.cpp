// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/touching.h"

#include "solve/contact/contact_loop.h"
#include "solve/motion.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

// The parameters of one contact substep: a part of the step, in which pins go a part of their way.
StepParams partOf(const StepParams& params, int substeps) {
  StepParams part = params;
  part.h = params.h / static_cast<float>(substeps);
  return part;
}

void aimPins(const Model& model, const State& state, const StepParams& params, int left, StepParams& part) {
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    const Vec3f at = xyz(state.x[model.pins[k].point]);
    part.pin_targets[k] = at + (params.pin_targets[k] - at) * (1 / static_cast<float>(left));
  }
}

// Cloth on multipliers: its points go to the loop as velocities and come back as places.
class PointsInLoop {
 public:
  PointsInLoop(State& state, Workspace& work, float h, Backend& backend)
      : state_(state), work_(work), h_(h), backend_(backend) {}
  void take() {
    point_take_args a;
    a.x = state_.x.data(), a.x_start = work_.x_start.data(), a.v = velocities(), a.inv_h = 1 / h_;
    backend_.launchLanes(count(), a);
  }
  void give() {
    point_give_args a;
    a.x = state_.x.data(), a.x_start = work_.x_start.data(), a.v = velocities(), a.h = h_;
    backend_.launchLanes(count(), a);
  }

 private:
  Vec4f* velocities() { return work_.contacts->movers.v.data() + work_.contacts->movers.first_point; }
  int count() const { return work_.contacts->movers.points; }
  State& state_;
  Workspace& work_;
  float h_;
  Backend& backend_;
};

}  // namespace

StepResult stepTouching(const Model& model, State& state, const StepParams& params, Workspace& work,
                        Backend& backend, StageSeconds& seconds) {
  Contacts& contacts = *work.contacts;
  if (params.solver.sleep && contacts.allAsleep(state)) return {};
  {
    StageTimer timer(seconds, Stage::collide);
    contacts.find(model, state, params, backend);
  }
  StageTimer timer(seconds, Stage::iterate);
  const SolverParams& solver = params.solver;
  const bool soft = solver.contactscheme == ContactScheme::soft, cloth = model.numPoints() > 0;
  const int substeps = contacts.substeps(params);
  StepParams part = partOf(params, substeps);
  ContactLoop loop(contacts, solver, part.h, backend);
  PointsInLoop points(state, work, part.h, backend);
  StepResult result;
  for (int s = 0; s < substeps; ++s) {
    loop.accelerate(params.world.gravity);
    if (cloth) {
      aimPins(model, state, params, substeps - s, part);
      predict(model, state, part, work, backend);
      points.take();
    }
    loop.begin(soft ? 1.0f : 0.0f);
    if (cloth) {
      points.give();
      work.prepare(model, part);
      work.takeRest(model, state);
      const StepResult solved = iterate(model, state, part, work, backend);
      result.iterations += solved.iterations;
      result.converged = result.converged && solved.converged;
      points.take();
    }
    loop.sweep(solver.contactiterations);
    if (cloth) points.give();
    loop.move();
    if (soft) loop.relax(solver.contactrelax);
    if (cloth) contacts.givePoints(state);
  }
  loop.bounce();
  result.iterations += substeps * (solver.contactiterations + (soft ? solver.contactrelax : 0));
  contacts.store(state, params, backend);
  return result;
}

}  // namespace repose
