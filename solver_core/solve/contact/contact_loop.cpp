// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_loop.h"

#include <algorithm>

#include "solve/contact/contact_rub.h"
#include "solve/momentum.h"
#include "solve/multilevel/contact_terms.h"

namespace repose {

namespace {

constexpr float kDeepest = 0.05f;   // overlaps beyond this share of the reach are pushed apart no faster
constexpr float kSplitGain = 1.8f;  // below 2, the bound of mass splitting (algorithms.md 3.1 c)
constexpr int kRoughRelax = 8;      // passes without bias where masses differ much
constexpr int kSmooth = 4;          // RE_SMOOTH of kernel/contact.h

// Soft rows of contact_study.md 4; the published schemes are hard ones with a share of the overlap a step.
ContactLaw lawOf(const SolverParams& solver, float h) {
  ContactLaw law;
  law.model = static_cast<int>(solver.frictionmodel);
  law.inv_h = 1 / h;
  law.push = 1e30f;
  switch (solver.contactscheme) {
    case ContactScheme::soft: {
      const SoftLaw soft = softLaw(solver, h, kGrainFrequency);
      law.bias = soft.rate, law.push = soft.speed, law.soft = 1 / soft.firm;
      break;
    }
    case ContactScheme::vts:
      law.bias = solver.baumgarte / h;
      break;
    case ContactScheme::sp:
      // with normals fixed and x = x_k + h v, r/d = (kv u + C(x)/h)/((1 + kv) a) is (u + C(x_k)/((1 + kv)
      // h))/a
      law.inv_h = law.bias = 1 / (h * (1 + solver.velocityweight));
      break;
    case ContactScheme::pbd:
      law.model = kSmooth;
      law.bias = 1 / h;
      break;
  }
  return law;
}

}  // namespace

ContactLoop::ContactLoop(Contacts& contacts, const StepParams& params, float h, Backend& backend)
    : contacts_(contacts),
      solver_(params.solver),
      h_(h),
      backend_(backend),
      rigid_(contacts, params, h, backend),
      law_(lawOf(params.solver, h)),
      together_(rowOrder(params.solver) == RowOrder::together) {
  RigidMovers& rigid = contacts.movers.rigid;
  if (contacts.patches.lever.size() > 0) rigid.lost.assign(rigid.spin.size(), {});
}

namespace {

template <class Args>
void aimLevers(Args& a, Contacts& contacts, ContactBatch& batch) {
  a.turning = contacts.movers.rigid.spin.data();
  a.lever_of = batch.lever.indices(), a.lever = batch.lever.values();
}

template <class Args>
void aimBodies(Args& a, Contacts& contacts) {
  Movers& movers = contacts.movers;
  a.turn_a = movers.rigid.turn_a.data(), a.turn_b = movers.rigid.turn_b.data();
  a.lost = movers.rigid.lost.data(), a.first_body = movers.first_rigid;
}

template <class Args>
void aim(Args& a, Contacts& contacts, ContactBatch& batch) {
  Movers& movers = contacts.movers;
  a.v = movers.v.data(), a.spin = movers.spin.data(), a.spins = !movers.spin.empty();
  a.index = batch.rows.indices(), a.value = batch.rows.values();
  a.extra = batch.extra.values(), a.has_extra = batch.extra.size() > 0;
  if constexpr (has<Args>(kChange)) {
    ContactGather& gather = contacts.gather;
    const int first = gather.first(batch);
    a.change = gather.change.data() + first;
    a.twist = gather.twist.empty() ? nullptr : gather.twist.data() + first;
    a.rolled = gather.rolled.empty() ? nullptr : gather.rolled.data() + first;
  }
}

template <class Args>
void tellAlike(Args& a, const AlikePairs& pairs) {
  a.alike = pairs.alike, a.friction = pairs.friction, a.slide = pairs.slide, a.reach = pairs.reach;
}

// As many stay in the cache of a core until they are visited again.
constexpr int kNearRows = 32768;

template <class Args>
void aimPairs(Args& a, Contacts& contacts) {
  aim(a, contacts, contacts.pairs);
  a.x = contacts.movers.x.data(), a.far_end = contacts.pairs.farEnd(kNearRows);
  tellAlike(a, contacts.alike);
}

// So many tiles are visited at a time, half of them side by side: even, so that a step begins with an even
// one.
constexpr int kTilesAThread = 8;

// Each odd tile after the even ones beside it, while their grains are in the caches; a batch that is not cut
// colour after colour.
template <class Args>
void launchPairs(ContactBatch& batch, Args& a, Backend& backend, bool rough = false) {
  if constexpr (has<Args>(kTile)) {
    static_assert(sizeof(ContactBatch::Colour) == 3 * sizeof(int));
    a.tile_first = batch.tile_first.data(), a.colours = &batch.colours.data()->first, a.rough = rough;
    const auto everyOther = [&](int first, int end) {
      a.first_tile = first;
      backend.launch((end - first + 1) / 2, a);
    };
    const int tiles = batch.tiles(), step = kTilesAThread * backend.threads();
    backend.inOrder([&] {
      for (int first = 0; first < tiles; first += step) {
        const int end = std::min(tiles, first + step);
        everyOther(first, end);
        everyOther(first ? first - 1 : 1, end == tiles ? end : end - 1);
      }
    });
  } else {
    launchColours(batch, a, backend, rough);
  }
}

template <class Args>
void aimPatches(Args& a, Contacts& contacts, ContactBatch& batch) {
  aim(a, contacts, batch);
  if constexpr (has<Args>(kLever)) {
    aimLevers(a, contacts, batch);
    aimBodies(a, contacts);
    a.bonds = contacts.anyBonds();
  } else {
    a.movers = batch.movers();
  }
}

}  // namespace

void ContactLoop::accelerate(Vec3f gravity) {
  gravity_ = length(gravity);
  grain_accelerate_args a;
  a.v = contacts_.movers.v.data();
  a.h = h_;
  a.gravity_x = gravity.x, a.gravity_y = gravity.y, a.gravity_z = gravity.z;
  backend_.launchLanes(contacts_.movers.first_point, a);
  rigid_.accelerate(gravity);
}

template <class Args>
void ContactLoop::beginPatches(ContactBatch& batch, float warm) {
  Args a;
  aimPatches(a, contacts_, batch);
  a.warm = warm;
  launchColours(batch, a, backend_);
}

template <class PairArgs, class PatchArgs>
void ContactLoop::beginRows(float warm) {
  PairArgs p;
  aimPairs(p, contacts_);
  p.warm = warm;
  p.deepest = solver_.contactscheme == ContactScheme::soft ? kDeepest : 1.0f;
  launchPairs(contacts_.pairs, p, backend_);
  if (contacts_.levers())
    beginPatches<lever_begin_args>(contacts_.patches, warm);
  else
    beginPatches<PatchArgs>(contacts_.patches, warm);
  beginPatches<PatchArgs>(contacts_.solos, warm);
}

void ContactLoop::begin(float warm) {
  rigid_.begin(warm);
  if (together_) {
    beginRows<pair_begin_all_args, patch_begin_all_args>(warm);
    gather();
  } else {
    tiled() ? beginRows<pair_begin_tiles_args, patch_begin_args>(warm)
            : beginRows<pair_begin_args, patch_begin_args>(warm);
  }
  moved_ = false;
}

template <class Args>
void ContactLoop::answer(Args& a, const ContactLaw& law, const Pass& pass) {
  a.model = law.model, a.inv_h = law.inv_h, a.bias = law.bias, a.push = law.push, a.soft = law.soft;
  a.bounce = pass.bounce;
  if constexpr (has<Args>(kChange))
    a.crowd = contacts_.gather.crowd.data(), a.gain = pass.gain, a.beta = pass.beta;
}

template <class Args>
void ContactLoop::sweepPatches(ContactBatch& batch, const ContactLaw& law, const Pass& pass) {
  Args a;
  aimPatches(a, contacts_, batch);
  answer(a, law, pass);
  if (&batch == &contacts_.patches && law.soft > 0) {
    const SoftLaw cloth = softLaw(solver_, h_, kClothFrequency);
    a.bias = cloth.rate, a.soft = clothSoftness(contacts_.heaviestOnCloth()) / cloth.firm;
  }
  launchColours(batch, a, backend_, pass.rough);
}

template <class PairArgs, class PatchArgs>
void ContactLoop::sweepRows(const ContactLaw& law, const Pass& pass) {
  PairArgs p;
  aimPairs(p, contacts_);
  answer(p, law, pass);
  p.regap = pass.regap;
  launchPairs(contacts_.pairs, p, backend_, pass.rough);
  if (contacts_.levers())
    sweepPatches<lever_sweep_args>(contacts_.patches, law, pass);
  else
    sweepPatches<PatchArgs>(contacts_.patches, law, pass);
  sweepPatches<PatchArgs>(contacts_.solos, law, pass);
}

void ContactLoop::sweepEach(const ContactLaw& law, const Pass& pass) {
  tiled() ? sweepRows<pair_sweep_tiles_args, patch_sweep_args>(law, pass)
          : sweepRows<pair_sweep_args, patch_sweep_args>(law, pass);
}

void ContactLoop::gather() {
  Movers& movers = contacts_.movers;
  const ContactGather& all = contacts_.gather;
  mover_gather_args a;
  a.v = movers.v.data(), a.spin = movers.spin.data();
  a.start = all.start.data(), a.row = all.row.data(), a.weight = all.weight.data();
  a.change = all.change.data(), a.twist = all.twist.data(), a.rolled = all.rolled.data();
  a.spins = !movers.spin.empty(), a.has_extra = !all.rolled.empty();
  backend_.launchLanes(movers.size(), a);
}

// Normals and gaps of pairs where the velocities lead: the pbd scheme looks again in every pass.
void ContactLoop::renewPairs() {
  pair_renew_args a;
  a.x = contacts_.movers.x.data(), a.v = contacts_.movers.v.data();
  a.index = contacts_.pairs.rows.indices(), a.value = contacts_.pairs.rows.values();
  tellAlike(a, contacts_.alike);
  a.h = h_;
  backend_.launchLanes(contacts_.pairs.rows.size(), a);
}

// Rigid bodies are a little softer than grains: their contacts are fewer and carry more.
ContactLaw ContactLoop::rigidLaw(const ContactLaw& law) const {
  if (law.soft == 0) return law;
  const SoftLaw soft = softLaw(solver_, h_, kRigidFrequency);
  ContactLaw rigid = law;
  rigid.bias = soft.rate, rigid.soft = 1 / soft.firm;
  return rigid;
}

void ContactLoop::solve(int times, const ContactLaw& law, bool regap, bool bounce, bool biased) {
  const bool renews = law.model == kSmooth && !bounce;
  float omega = solver_.omega > 0 ? solver_.omega : kSplitGain;
  if (renews) omega = std::min(omega, 1.0f);  // such rows take nothing back: no step too far, no momentum
  NesterovMomentum momentum;
  Pass pass{regap, bounce, omega, 0};
  const auto passes = [&] {
    for (int k = 0; k < times; ++k) {
      if (renews) renewPairs();
      if (together_ && !renews) {
        if (solver_.contactmethod == ContactMethod::improved_jacobi) pass.beta = powerLawMomentum(k, times);
        if (solver_.contactmethod == ContactMethod::accelerated_jacobi) {
          pass.beta = std::min(momentum.next(), solver_.momentumcap);
          pass.gain = solver_.boost ? omega * (1 + pass.beta) : omega;
        }
      }
      if (!bounce || bounces()) {
        if (together_) {
          sweepRows<pair_sweep_all_args, patch_sweep_all_args>(law, pass);
          gather();
        } else {
          sweepEach(law, pass);
        }
      }
      rigid_.sweep(rigidLaw(law), {pass.regap, bounce, biased, pass.beta});
      pass.regap = false;
    }
  };
  // joints are solved on the host
  rigid_.joined() ? passes() : backend_.inOrder(passes);
}

void ContactLoop::sweep(int times) {
  if (solver_.contactscheme == ContactScheme::sp) {
    ContactLaw velocities = law_;  // the residual J v + C(x_k)/h, before positions count
    velocities.inv_h = velocities.bias = 1 / h_;
    solve(solver_.velocityiterations, velocities, false, false, true);
  }
  solve(times, law_, false, false, true);
}

void ContactLoop::move() {
  grain_move_args m;
  m.x = contacts_.movers.x.data(), m.v = contacts_.movers.v.data(), m.h = h_;
  backend_.launchLanes(contacts_.movers.first_point, m);
  for (ContactBatch* batch : {&contacts_.patches, &contacts_.solos}) {
    patch_gap_args g;
    g.v = contacts_.movers.v.data(), g.index = batch->rows.indices(), g.value = batch->rows.values();
    g.movers = batch->movers(), g.h = h_;
    aimLevers(g, contacts_, *batch);
    g.levers = batch->lever.size() > 0;
    backend_.launchLanes(batch->rows.size(), g);
  }
  rigid_.move();
  moved_ = true;
  if (solver_.contactscheme == ContactScheme::pbd) rubTouching(contacts_, gravity_ * h_, backend_);
}

void ContactLoop::relax(int times) {
  ContactLaw hard;
  hard.model = law_.model, hard.inv_h = law_.inv_h;
  solve(times, hard, moved_, false, false);
  if (times == 0) return;
  moved_ = false;
  // An impact of heavy grains on light ones leaves impulses that a few passes do not take back: the light
  // ones would be thrown.
  if (contacts_.anyRough())
    for (int k = times; k < kRoughRelax; ++k) sweepEach(hard, {false, false, 0, 0, true});
}

bool ContactLoop::launchesAlone() const {
  return !rigid_.joined() && solver_.contactscheme != ContactScheme::pbd;
}

bool ContactLoop::bounces() const {
  for (const ContactBatch* batch : {&contacts_.pairs, &contacts_.patches, &contacts_.solos})
    if (batch->extra.size() > 0) return true;
  return false;
}

void ContactLoop::bounce() {
  // rows that are solved together each take only their share of the way
  if (bounces() || rigid_.any()) solve(together_ ? solver_.contactiterations : 1, law_, false, true, false);
}

}  // namespace repose
