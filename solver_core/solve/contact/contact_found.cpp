// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What touches a collider, and the rows of all that was found but pairs of grains.
#include <algorithm>

#include "solve/contact/contact_parts.h"

namespace repose {

namespace {

// Share of the radius by which a grain gives way to a collider at most; cloth has no such bound.
constexpr float kGiveShare = 0.08f;

}  // namespace

Contacts::Neighbours Contacts::neighboursAt(int first, const StepParams& params, bool sleepers) const {
  Neighbours near;
  const float h = params.h, gravity = params.fall();
  for (int k = 0; k < 16; ++k) {
    const int i = first + k, point = i - movers.first_point;
    near.reach[k] = 0;
    if (movers.v[i].w == 0 && (i >= movers.grains || !sleepers)) continue;
    near.radius[k] = point < 0 ? movers.x[i].w : params.cloth[body_of_point_[point]].thickness;
    const float way = h * (length(xyz(movers.v[i])) + h * gravity);
    near.reach[k] = near.radius[k] * (1 + params.solver.contactmargin) + way;
    near.farthest = std::max(near.farthest, near.reach[k]);
    near.box.add(xyz(movers.x[i]));
  }
  return near;
}

// Grains and cloth points at colliders.
void Contacts::findTouches(const State& state, const StepParams& params, Backend& backend) {
  found_.clear(), patch_found_.clear();
  if (obstacles_.empty()) return;
  findNear(params, !all_still_, backend, [&](const Neighbours& near, int first, std::vector<Found>& list) {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      if (!obstacles_[o]->mayTouch(near.box, near.farthest)) continue;
      for (int k = 0; k < 16; ++k) {
        if (near.reach[k] == 0) continue;
        const int i = first + k, point = i - movers.first_point;
        const std::uint32_t other = kBondedCollider | static_cast<std::uint32_t>(o);
        if (point < 0 ? bonded(i, other) : heldBy(point, other)) continue;
        Touch touches[kMostTouches];
        const int touched =
            obstacles_[o]->touch(xyz(movers.x[i]), xyz(movers.v[i]) * params.h, near.reach[k], touches);
        for (int t = 0; t < touched; ++t) {
          Found found{{i, i, i, i},
                      {1, 0, 0, 0},
                      point < 0 ? state.grains.body[i] : body_of_point_[point],
                      static_cast<int>(kinds_.size() + o),
                      0,
                      touches[t]};
          found.surface =
              (static_cast<std::uint64_t>(o) << 32) | static_cast<std::uint32_t>(touches[t].feature);
          found.touch.gap -= near.radius[k];
          list.push_back(found);
        }
      }
    }
  });
  orderByMover(found_);
}

// Stable, by counting.
void Contacts::orderByMover(std::vector<Found>& found) {
  const auto before = [](const Found& a, const Found& b) { return a.mover[0] < b.mover[0]; };
  if (std::is_sorted(found.begin(), found.end(), before)) return;
  mover_first_.assign(movers.size() + 1, 0);
  for (const Found& f : found) ++mover_first_[f.mover[0] + 1];
  for (std::size_t m = 1; m < mover_first_.size(); ++m) mover_first_[m] += mover_first_[m - 1];
  found_next_.resize(found.size());
  for (const Found& f : found) found_next_[mover_first_[f.mover[0]]++] = f;
  found.swap(found_next_);
}

void Contacts::fillLever(ContactRows& lever, int row, const Found& found, const StepParams& params,
                         float h) const {
  float rate = 0, yield = 0;
  if (found.bond >= 0) {
    const JointParams& rules = params.joint[rigid_model_.bonds[found.bond].joint];
    soften(rules.compliance, rules.damping, h, rate, yield);
  }
  lever.mover(row, 0) = std::max(found.rigid, 0);
  lever.setVector(row, kLeverX, found.arm);
  lever.value(row, kLeverSign) = found.sign;
  lever.value(row, kBondHold) = found.hold, lever.value(row, kBondRate) = rate;
  lever.value(row, kBondYield) = yield;
}

void Contacts::fillFound(ContactBatch& batch, int count, const std::vector<Found>& found, const State& state,
                         const StepParams& params, Backend& backend) {
  const ContactMemory& memory = state.contacts;
  const int n = static_cast<int>(found.size());
  active_movers_.clear();
  for (const Found& f : found) active_movers_.insert(active_movers_.end(), f.mover, f.mover + count);
  // levers are not gathered: rows that have them are always solved one colour after another
  const bool levers = this->levers() && count > 1;
  batch.giveColours(n, active_movers_, movers.size(), levers ? RowOrder::coloured : rowOrder(params.solver));
  if (any_rough_) batch.splitRough(active_movers_, rough_);
  batch.giveRows(extra_, backend);
  batch.lever.resize(levers ? batch.rows.size() : 0);
  batch.pad(movers.nobody());
  const float h = params.h / static_cast<float>(substeps(params));
  for (int k = 0; k < n; ++k) {
    const Found& f = found[k];
    const int row = batch.row_of[k];
    const Surface& surface = surfaces_.between(f.body, f.other);
    ContactRows& rows = batch.rows;
    Vec3f slip = -f.touch.velocity;
    for (int m = 0; m < count; ++m) {
      rows.mover(row, m) = f.mover[m], rows.value(row, kWeight + m) = f.weight[m];
      slip += xyz(movers.v[f.mover[m]]) * f.weight[m];
    }
    if (levers) {
      fillLever(batch.lever, row, f, params, h);
      if (f.rigid >= 0) slip += cross(xyz(movers.rigid.spin[f.rigid]), f.arm) * f.sign;
    }
    rows.setVector(row, kNormalX, f.touch.normal);
    rows.value(row, kGap) = f.touch.gap;
    rows.setVector(row, kSurfaceX, f.touch.velocity);
    rows.value(row, kFriction) = surface.friction, rows.value(row, kSlide) = surface.slide;
    const bool grain_alone = count == 1 && f.mover[0] < movers.grains;
    rows.value(row, kGive) = grain_alone ? kGiveShare * movers.x[f.mover[0]].w : 1e30f;
    const int old = f.bond < 0 ? recallSurface(memory, f, state.grains) : -1;
    Vec4f p = old < 0 ? Vec4f{} : memory.surface_impulse[old];
    if (f.bond >= 0) {  // about the normal of this step
      const Vec3f whole = xyz(state.rigid.bonds[f.bond]), normal = f.touch.normal;
      const float along = dot(whole, normal);
      const Vec3f across = f.hold > 1 ? whole - normal * along : Vec3f{};
      p = {across.x, across.y, across.z, along};
    }
    rows.setVector(row, kDragX, xyz(p));
    rows.value(row, kPush) = p.w;
    if (!extra_) continue;
    if (f.bond >= 0) {
      batch.extra.clear(row);
      continue;
    }
    const float radius = f.mover[0] < movers.grains ? movers.x[f.mover[0]].w : 0;
    batch.extra.value(row, kPull) = surface.cohesion * 3.14159265f * radius * radius * h;
    batch.extra.value(row, kHold) = surface.cohesion > 0 ? kHoldShare * radius : 0.0f;
    batch.extra.value(row, kRollReach) = surface.roll * radius;
    batch.extra.setVector(row, kRollX,
                          old < 0 || memory.surface_roll.empty() ? Vec3f{} : xyz(memory.surface_roll[old]));
    batch.extra.value(row, kBounce) = Surfaces::bounceSpeed(surface, dot(slip, f.touch.normal), params);
    batch.extra.value(row, kPeak) = 0;
  }
}

std::uint64_t Contacts::lastingName(const Found& found, const GrainState& grains) const {
  const int mover = found.mover[0];
  if (mover >= movers.first_point) return kPointMark + (mover - movers.first_point);
  if (grains.last[mover] < 0) return ~std::uint64_t{0};
  return (found.weight[1] != 0 ? kPatchMark : 0) + grains.last[mover];
}

int Contacts::recallSurface(const ContactMemory& memory, const Found& found, const GrainState& grains) const {
  const std::uint64_t name = lastingName(found, grains);
  auto at = std::lower_bound(memory.mover.begin(), memory.mover.end(), name);
  for (; at != memory.mover.end() && *at == name; ++at)
    if (const auto k = at - memory.mover.begin(); memory.surface[k] == found.surface)
      return static_cast<int>(k);
  return -1;
}

}  // namespace repose
