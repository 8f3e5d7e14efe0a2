// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_loop.h"

#include <algorithm>

namespace repose {

namespace {

constexpr float kTwoPi = 6.28318531f;
constexpr float kDeepest = 0.05f;   // overlaps beyond this share of the reach are pushed apart no faster
constexpr float kClothSoft = 0.1f;  // rows on cloth are stiffer: its light points set their scale

// Soft rows of contact_study.md 4; the published schemes are hard ones with a share of the overlap a step.
ContactLaw lawOf(const SolverParams& solver, float h) {
  ContactLaw law;
  law.inv_h = 1 / h;
  law.push = 1e30f;
  switch (solver.contactscheme) {
    case ContactScheme::soft: {
      const float omega = kTwoPi * std::min(solver.contacthertz, 0.35f / h);
      const float a1 = 2 * solver.contactdamping + h * omega;
      law.bias = omega / a1;
      law.push = solver.pushspeed;
      law.soft = 1 / (h * omega * a1);
      break;
    }
    case ContactScheme::vts:
      law.bias = solver.baumgarte / h;
      break;
    case ContactScheme::sp:  // with normals fixed, SP(kv, 1) is VTS with 1/(1 + kv) (algorithms.md 4)
      law.bias = 1 / (h * (1 + solver.velocityweight));
      break;
    case ContactScheme::pbd:
      law.bias = 1 / h;
      break;
  }
  return law;
}

}  // namespace

ContactLoop::ContactLoop(Contacts& contacts, const SolverParams& solver, float h, Backend& backend)
    : contacts_(contacts), solver_(solver), h_(h), backend_(backend), law_(lawOf(solver, h)) {}

namespace {

template <class Args>
void aim(Args& a, Contacts& contacts, ContactBatch& batch) {
  Movers& movers = contacts.movers;
  a.v = movers.v.data(), a.spin = movers.spin.data(), a.spins = !movers.spin.empty();
  a.index = batch.rows.indices(), a.value = batch.rows.values();
  a.extra = batch.extra.values(), a.has_extra = batch.extra.size() > 0;
}

template <class Args>
void launchColours(ContactBatch& batch, Args& a, Backend& backend) {
  for (const ContactBatch::Colour colour : batch.colours) {
    a.first_row = colour.first, a.end_row = colour.end;
    backend.launch((colour.end - colour.first + backend.lanes() - 1) / backend.lanes(), a);
  }
}

}  // namespace

void ContactLoop::accelerate(Vec3f gravity) {
  grain_accelerate_args a;
  a.v = contacts_.movers.v.data();
  a.h = h_;
  a.gravity_x = gravity.x, a.gravity_y = gravity.y, a.gravity_z = gravity.z;
  backend_.launchLanes(contacts_.movers.first_point, a);
}

void ContactLoop::begin(float warm) {
  pair_begin_args p;
  aim(p, contacts_, contacts_.pairs);
  p.x = contacts_.movers.x.data(), p.warm = warm;
  p.deepest = solver_.contactscheme == ContactScheme::soft ? kDeepest : 1.0f;
  launchColours(contacts_.pairs, p, backend_);
  for (ContactBatch* batch : {&contacts_.patches, &contacts_.cloth_solos, &contacts_.solos}) {
    patch_begin_args s;
    aim(s, contacts_, *batch);
    s.movers = batch->movers(), s.warm = warm;
    launchColours(*batch, s, backend_);
  }
  moved_ = false;
}

void ContactLoop::sweepAll(const ContactLaw& law, bool regap, bool bounce) {
  pair_sweep_args p;
  aim(p, contacts_, contacts_.pairs);
  p.x = contacts_.movers.x.data();
  p.model = static_cast<int>(solver_.frictionmodel);
  p.inv_h = law.inv_h, p.bias = law.bias, p.push = law.push, p.soft = law.soft;
  p.regap = regap, p.bounce = bounce;
  if (!bounce || p.has_extra) launchColours(contacts_.pairs, p, backend_);
  for (ContactBatch* batch : {&contacts_.patches, &contacts_.cloth_solos, &contacts_.solos}) {
    patch_sweep_args s;
    aim(s, contacts_, *batch);
    s.movers = batch->movers(), s.model = p.model;
    s.inv_h = law.inv_h, s.bias = law.bias, s.push = law.push;
    s.soft = batch == &contacts_.solos ? law.soft : law.soft * kClothSoft;
    s.bounce = bounce;
    if (!bounce || s.has_extra) launchColours(*batch, s, backend_);
  }
}

void ContactLoop::sweep(int times) {
  for (int k = 0; k < times; ++k) sweepAll(law_, false, false);
}

void ContactLoop::move() {
  grain_move_args m;
  m.x = contacts_.movers.x.data(), m.v = contacts_.movers.v.data(), m.h = h_;
  backend_.launchLanes(contacts_.movers.first_point, m);
  for (ContactBatch* batch : {&contacts_.patches, &contacts_.cloth_solos, &contacts_.solos}) {
    patch_gap_args g;
    g.v = contacts_.movers.v.data(), g.index = batch->rows.indices(), g.value = batch->rows.values();
    g.movers = batch->movers(), g.h = h_;
    backend_.launchLanes(batch->rows.size(), g);
  }
  moved_ = true;
}

void ContactLoop::relax(int times) {
  ContactLaw hard;
  hard.inv_h = law_.inv_h;
  for (int k = 0; k < times; ++k) {
    sweepAll(hard, moved_, false);
    moved_ = false;
  }
}

void ContactLoop::bounce() { sweepAll(law_, false, true); }

int stepGrains(Contacts& contacts, const StepParams& params, Backend& backend) {
  const SolverParams& solver = params.solver;
  const bool soft = solver.contactscheme == ContactScheme::soft;
  const int substeps = contactSubsteps(solver, params.h);
  ContactLoop loop(contacts, solver, params.h / static_cast<float>(substeps), backend);
  for (int s = 0; s < substeps; ++s) {
    loop.accelerate(params.world.gravity);
    loop.begin(soft ? 1.0f : 0.0f);
    loop.sweep(solver.contactiterations);
    loop.move();
    if (soft) loop.relax(solver.contactrelax);
  }
  loop.bounce();
  return substeps * (solver.contactiterations + (soft ? solver.contactrelax : 0));
}

}  // namespace repose
