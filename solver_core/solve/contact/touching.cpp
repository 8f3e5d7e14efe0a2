// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The order of a contact substep is the same for all: free motion, the impulses of last time, cloth, the
// loop, the move, and the pass that takes away the speed of pushing apart. What differs is how a cloth takes
// part: multipliers move its points between two visits of the loop (contact_study.md 7), the multilevel
// solver meets the contacts in its linear system and answers to their impulses (coupling_study.md 3, scheme
// H).
#include "solve/contact/touching.h"

#include <algorithm>

#include "solve/contact/contact_loop.h"
#include "solve/motion.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

void add(StepResult& sum, const StepResult& part) {
  sum.iterations += part.iterations;
  sum.converged = sum.converged && part.converged;
  sum.strain_error = std::max(sum.strain_error, part.strain_error);
}

// One step of everything that touches, in contact substeps.
class TouchingStep {
 public:
  TouchingStep(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend)
      : model_(model),
        state_(state),
        params_(params),
        part_(work.part),
        work_(work),
        contacts_(*work.contacts),
        backend_(backend),
        substeps_(contacts_.substeps(params)),
        soft_(params.solver.contactscheme == ContactScheme::soft),
        touching_(work.touching) {
    part_ = params;
    touching_.clear();
    part_.h = params.h / static_cast<float>(substeps_);
  }

  StepResult run() {
    chooseCloth();
    ContactLoop loop(contacts_, params_, part_.h, backend_);
    // impulses go with the length of a substep
    float& last = state_.contacts.part;
    float warm = last > 0 ? part_.h / last : 1.0f;
    last = part_.h;
    const auto substeps = [&] {
      for (int s = 0; s < substeps_; ++s) {
        substep(loop, s, soft_ ? warm : 0.0f);
        warm = 1;
      }
    };
    // the host looks at nothing in between
    const bool alone =
        loop.launchesAlone() && !multipliers_ && touching_.empty() && work_.held.empty() && !params_.forces;
    alone ? backend_.inOrder(substeps) : substeps();
    loop.bounce();
    endCloth();
    result_.iterations +=
        substeps_ * (params_.solver.contactiterations + (soft_ ? params_.solver.contactrelax : 0));
    return result_;
  }

 private:
  void substep(ContactLoop& loop, int done, float warm) {
    aimPins(substeps_ - done);
    aimHeld(done + 1);
    loop.accelerate(params_.world.gravity);
    pushByHost();
    beginCloth();
    loop.begin(warm);
    meetCloth(loop);
    loop.sweep(params_.solver.contactiterations);
    respondCloth();
    loop.move();
    placeHeld();
    if (soft_) loop.relax(params_.solver.contactrelax);
    endCloth();
  }

  MoverView view() {
    Movers& movers = contacts_.movers;
    RigidMovers& rigid = movers.rigid;
    const ContactRows& lever = contacts_.patches.lever;
    return {movers.v.data(),
            movers.first_point,
            movers.points,
            !movers.spin.empty(),
            lever.size() ? &lever : nullptr,
            movers.first_rigid,
            &rigid};
  }
  Vec4f* pointVelocities() { return contacts_.movers.v.data() + contacts_.movers.first_point; }

  // Cloth that touches nothing steps as it does without contacts, so that what is far away changes no bit.
  void chooseCloth() {
    if (model_.numPoints() == 0) return;
    takeHeld();
    if (params_.solver.method != SolverMethod::multilevel) {
      multipliers_ = contacts_.patches.count() > 0;
      if (!multipliers_) add(result_, stepMultipliersAlone());
      return;
    }
    for (auto& cloth : work_.multilevel) {
      cloth->touch(contacts_.patches.rows, view(), work_.held);
      if (cloth->touches()) {
        touching_.push_back(cloth.get());
        continue;
      }
      cloth->begin(state_, params_, backend_);
      predictBack(*cloth, params_);
      add(result_, cloth->solve(model_, state_, params_, backend_));
    }
  }

  StepResult stepMultipliersAlone() {
    predict(model_, state_, params_, work_, backend_);
    work_.prepare(model_, state_, params_);
    const StepResult solved = iterate(model_, state_, params_, work_, backend_);
    integrate(model_, state_, params_, work_, backend_);
    return solved;
  }

  // Velocities as predicted, places as they were.
  void predictBack(const ImplicitBody& cloth, const StepParams& params) {
    const BodySpan span = cloth.at().span;
    predict(model_, span.first, span.last, state_, params, work_, backend_);
    for (int b = span.first; b <= span.last; ++b) {
      const Range points = model_.bodies[b].points;
      std::swap_ranges(state_.x.begin() + points.first, state_.x.begin() + points.first + points.padded(),
                       work_.x_start.begin() + points.first);
    }
  }

  // Pins go a part of their way.
  void aimPins(int left) {
    for (std::size_t k = 0; k < model_.pins.size(); ++k) {
      const Vec3f at = xyz(state_.x[model_.pins[k].point]);
      part_.pin_targets[k] = at + (params_.pin_targets[k] - at) * (1 / static_cast<float>(left));
    }
    for (std::size_t k = 0; k < model_.slides.size(); ++k) {
      const ModelSlide& slide = model_.slides[k];
      const Vec3f at = xyz(state_.x[slide.at.point]), off = params_.line_anchors[k] - at;
      part_.line_anchors[k] = at + (off - slide.line * dot(slide.line, off)) * (1 / static_cast<float>(left));
    }
  }

  void takeHeld() {
    work_.held.clear();
    for (std::size_t k = 0; k < model_.rigid.holds.size(); ++k) {
      const PointHold& hold = model_.rigid.holds[k];
      if (!state_.rigid.loose[k])
        work_.held.push_back({static_cast<int>(k), hold.point, hold.to.rigid, hold.to.frame.origin});
    }
  }

  // Colliders that move take held points along, in equal parts.
  void aimHeld(int done) {
    if (params_.carried_from.empty()) return;
    for (HeldPoint& held : work_.held) {
      const RigidJointEnd& to = model_.rigid.holds[held.hold].to;
      if (to.collider < 0) continue;
      const Vec3f from = params_.carried_from[to.collider].world(to.frame.origin);
      const Vec3f end = params_.carried_to[to.collider].world(to.frame.origin);
      held.place = from + (end - from) * (static_cast<float>(done) / static_cast<float>(substeps_));
    }
  }

  // The loop has turned the bodies with their tumbling: held points are exactly on them.
  void placeHeld() {
    for (const HeldPoint& held : work_.held) {
      if (held.rigid < 0) continue;
      const Vec3f at = contacts_.movers.rigid.pose(held.rigid).world(held.place);
      state_.x[held.point] = {at.x, at.y, at.z, state_.x[held.point].w};
      state_.x_low[held.point] = {};
    }
  }

  void pushByHost() {
    if (!params_.forces) return;
    Movers& movers = contacts_.movers;
    RigidMovers& rigid = movers.rigid;
    params_.forces->pushGrains(state_.grains, part_.h, movers.v.data(), backend_);
    params_.forces->pushRigid(part_.h, rigid.turn_a.data(), rigid.turn_b.data(),
                              movers.v.data() + movers.first_rigid, rigid.spin.data());
  }

  void beginCloth() {
    if (multipliers_) {
      predict(model_, state_, part_, work_, backend_);
      takePoints();
    }
    for (ImplicitBody* cloth : touching_) {
      cloth->begin(state_, part_, backend_);
      predictBack(*cloth, part_);
      const BodySpan span = cloth->at().span;
      for (int p = model_.bodies[span.first].points.first;
           p < model_.bodies[span.last].points.first + model_.bodies[span.last].points.padded(); ++p) {
        const Vec4f v = state_.v[p];
        pointVelocities()[p] = {v.x, v.y, v.z, state_.x[p].w};
      }
    }
  }

  void meetCloth(ContactLoop& loop) {
    if (multipliers_) {
      givePoints();
      const auto filter = [&] {
        takePoints();
        loop.sweep(1);
        givePoints();
      };
      if (work_.interleaved) work_.filter = std::ref(filter);
      work_.prepare(model_, state_, part_);
      add(result_, iterate(model_, state_, part_, work_, backend_));
      work_.filter = nullptr;
      takePoints();
    }
    SoftLaw law = softLaw(params_.solver, part_.h);
    law.softness = clothSoftness(contacts_.heaviestOnCloth());
    for (ImplicitBody* cloth : touching_)
      add(result_,
          cloth->meet(model_, state_, part_, law, contacts_.patches.rows, view(), work_.held, backend_));
  }

  void respondCloth() {
    if (multipliers_) givePoints();
    if (multipliers_ && !model_.slides.empty()) {
      holdOnLines(model_, part_, state_);
      takePoints();
    }
    for (ImplicitBody* cloth : touching_)
      add(result_, cloth->respond(state_, part_, contacts_.patches.rows, view(), backend_));
    for (const ImplicitBody* cloth : touching_)
      cloth->followers().eachForce([&](int hold, float force) {
        const float most = params_.joint[model_.rigid.holds[hold].joint].breakforce;
        if (most > 0 && force > most) state_.rigid.loose[hold] = 1;
      });
  }

  // The velocities that the loop leaves are those of the cloth.
  void endCloth() {
    const auto give = [&](int first, int end) {
      for (int p = first; p < end; ++p) {
        const Vec4f v = pointVelocities()[p];
        state_.v[p] = {v.x, v.y, v.z, 0};
      }
    };
    if (multipliers_) {
      keepOnLines();
      give(0, model_.numPoints());
    }
    for (const ImplicitBody* cloth : touching_) {
      const BodySpan span = cloth->at().span;
      give(model_.bodies[span.first].points.first,
           model_.bodies[span.last].points.first + model_.bodies[span.last].points.padded());
    }
  }

  // What the loop does after places are known moves sliding points along their lines alone.
  void keepOnLines() {
    for (const ModelSlide& slide : model_.slides) {
      Vec4f& v = pointVelocities()[slide.at.point];
      const Vec3f moved =
          (xyz(state_.x[slide.at.point]) - xyz(work_.x_start[slide.at.point])) * (1 / part_.h);
      const Vec3f kept = moved + slide.line * dot(slide.line, xyz(v) - moved);
      v = {kept.x, kept.y, kept.z, v.w};
    }
  }

  // Points on their way from x_start to x go to the loop as velocities, and come back as places.
  void takePoints() {
    point_take_args a;
    a.x = state_.x.data(), a.x_start = work_.x_start.data(), a.v = pointVelocities(), a.inv_h = 1 / part_.h;
    backend_.launchLanes(contacts_.movers.points, a);
  }
  void givePoints() {
    point_give_args a;
    a.x = state_.x.data(), a.x_start = work_.x_start.data(), a.v = pointVelocities(), a.h = part_.h;
    backend_.launchLanes(contacts_.movers.points, a);
  }

  const Model& model_;
  State& state_;
  const StepParams& params_;
  StepParams& part_;  // of a contact substep
  Workspace& work_;
  Contacts& contacts_;
  Backend& backend_;
  int substeps_;
  bool soft_, multipliers_ = false;
  std::vector<ImplicitBody*>& touching_;
  StepResult result_;
};

}  // namespace

StepResult solveTouching(const Model& model, State& state, const StepParams& params, Workspace& work,
                         Backend& backend) {
  return TouchingStep(model, state, params, work, backend).run();
}

StepResult stepTouching(const Model& model, State& state, const StepParams& params, Workspace& work,
                        Backend& backend, StageSeconds& seconds) {
  Contacts& contacts = *work.contacts;
  contacts.wakeOnChange(state, params);
  if (params.solver.sleep && contacts.allAsleep(state)) return {};
  {
    StageTimer timer(seconds, Stage::collide);
    contacts.find(model, state, params, backend);
  }
  StepResult result;
  {
    StageTimer timer(seconds, Stage::iterate);
    result = solveTouching(model, state, params, work, backend);
    contacts.store(state, params, backend);
  }
  StageTimer timer(seconds, Stage::collide);
  contacts.guardCloth(state, backend);
  return result;
}

}  // namespace repose
