// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains and cloth on rigid bodies: spheres against the nearest place of each solid, and corners of the
// solids against the faces of cloth. Bodies that nothing pushes are like colliders.
// Also how rigid bodies come from the state and go back to it.
#include <algorithm>
#include <cmath>

#include "solve/contact/contact_parts.h"

namespace repose {

namespace {

// Surfaces of rigid bodies are told from those of colliders and of cloth by this.
constexpr std::uint64_t kRigidSurface = std::uint64_t{1} << 62;

// Places of a solid that can be the first to touch a face: a point and a radius around it.
template <class Visit>
void eachCorner(const Convex& part, const Visit& visit) {
  switch (part.kind) {
    case Convex::Kind::sphere:
      visit(part.place.origin, part.radius, 0);
      break;
    case Convex::Kind::capsule:
      for (int k = -1; k <= 1; ++k)
        visit(part.place.world({0, part.half.y * static_cast<float>(k), 0}), part.radius, k + 1);
      break;
    case Convex::Kind::cylinder: {
      constexpr float kRim[8][2] = {{1, 0},  {0.7071068f, 0.7071068f},   {0, 1},  {-0.7071068f, 0.7071068f},
                                    {-1, 0}, {-0.7071068f, -0.7071068f}, {0, -1}, {0.7071068f, -0.7071068f}};
      for (int k = 0; k < 16; ++k)
        visit(part.place.world({part.radius * kRim[k % 8][0], k < 8 ? part.half.y : -part.half.y,
                                part.radius * kRim[k % 8][1]}),
              0.0f, k);
      break;
    }
    case Convex::Kind::box:
    case Convex::Kind::hull:
      for (std::size_t k = 0; k < part.hull->corners.size(); ++k)
        visit(part.place.world(part.hull->corners[k]), 0.0f, static_cast<int>(k));
      break;
  }
}

// The motion that brings what stands at x, turned by q, to a pose in h seconds: by Cayley's map, as the loop
// turns it; tan of half the angle of each substep would be exact.
void goTo(const Pose& target, Vec3f x, Vec4f q, float h, Vec4f& v, Vec4f& spin) {
  const Vec3f way = (target.origin - x) * (1 / h);
  const Quat turn = quatOf(target) * conjugate({q.x, q.y, q.z, q.w});
  const float scale = 2 / (h * (std::abs(turn.w) > 1e-3f ? turn.w : 1e-3f));
  v = {way.x, way.y, way.z, 0};
  spin = {turn.x * scale, turn.y * scale, turn.z * scale, 0};
}

}  // namespace

void Contacts::takeRigid(const State& state, const StepParams& params) {
  const RigidState& from = state.rigid;
  RigidMovers& to = movers.rigid;
  const int all = to.padded + 16;
  // sleepers stand where they stood: only their numbers are looked at
  const bool known = static_cast<int>(to.x.size()) == all;
  if (!known) {
    to.x.assign(all, {}), to.q.assign(all, {0, 0, 0, 1}), to.spin.assign(all, {}), to.moment.assign(all, {});
    to.turn_a.assign(all, {}), to.turn_b.assign(all, {}), to.shift.assign(all, {}), to.tilt.assign(all, {});
  }
  const auto same = [](Vec4f a, Vec4f b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; };
  to.runs.clear();
  const auto stirs = [&](int i) {
    const int block = i / 16 * 16;
    if (!to.runs.empty() && block < to.runs.back().first + to.runs.back().count) return;
    if (!to.runs.empty() && block == to.runs.back().first + to.runs.back().count)
      to.runs.back().count += 16;
    else
      to.runs.push_back({block, 16});
  };
  std::size_t next_animated = 0;
  for (int i = 0; i < to.bodies; ++i) {
    const RigidBody& body = rigid_model_.bodies[i];
    const RigidParams& p = params.rigid[body.body];
    const bool sleeps = from.calm[i] >= RigidState::kAsleep && !body.animated;
    if (!sleeps) stirs(i);
    if (sleeps && known && same(to.x[i], from.x[i]) && same(to.q[i], from.q[i]) && same(to.spin[i], {}) &&
        same(to.shift[i], {}))
      continue;
    to.x[i] = from.x[i], to.q[i] = from.q[i];
    to.turn_a[i] = to.turn_b[i] = to.shift[i] = to.tilt[i] = {};
    const Vec3f m = body.moments;
    to.moment[i] = {m.x, m.y, m.z, p.gyroscopic && !body.animated ? 1.0f : 0.0f};
    Vec4f v, spin;
    if (body.animated) {
      goTo(params.animated[next_animated++], xyz(from.x[i]), from.q[i], params.h, v, spin);
    } else if (from.calm[i] < RigidState::kAsleep) {
      const float keep = 1 / (1 + params.h * p.veldamping), turning = 1 / (1 + params.h * p.spindamping);
      v = {from.v[i].x * keep, from.v[i].y * keep, from.v[i].z * keep, 1 / body.mass};
      spin = {from.spin[i].x * turning, from.spin[i].y * turning, from.spin[i].z * turning, 0};
    }
    movers.v[movers.first_rigid + i] = v;
    to.spin[i] = spin;
  }
  for (int i = to.bodies; i < to.padded; ++i) {  // anchors
    stirs(i);
    to.x[i] = to.spin[i] = to.moment[i] = to.turn_a[i] = to.turn_b[i] = to.shift[i] = to.tilt[i] = {};
    to.q[i] = {0, 0, 0, 1};
  }
  if (!rigid || params.carried_from.empty()) return;
  rigid->joints.eachCarried([&](int, int anchor, int collider, int) {
    const Pose& pose = params.carried_from[collider];
    const Quat q = quatOf(pose);
    to.x[anchor] = {pose.origin.x, pose.origin.y, pose.origin.z, 0}, to.q[anchor] = {q.x, q.y, q.z, q.w};
    goTo(params.carried_to[collider], pose.origin, to.q[anchor], params.h,
         movers.v[movers.first_rigid + anchor], to.spin[anchor]);
  });
}

void Contacts::storeRigid(State& state, const StepParams& params) {
  RigidState& to = state.rigid;
  const RigidMovers& from = movers.rigid;
  RigidContacts& touching = *rigid;
  std::size_t next_animated = 0;
  for (int i = 0; i < from.bodies; ++i) {
    if (to.calm[i] >= RigidState::kAsleep && !rigid_model_.bodies[i].animated) continue;
    to.x[i] = from.x[i], to.q[i] = from.q[i], to.spin[i] = from.spin[i];
    const Vec4f v = movers.v[movers.first_rigid + i];
    to.v[i] = {v.x, v.y, v.z, 0};
    if (!rigid_model_.bodies[i].animated) continue;
    const Pose& target = params.animated[next_animated++];
    const Quat q = quatOf(target);
    to.x[i] = {target.origin.x, target.origin.y, target.origin.z, 0}, to.q[i] = {q.x, q.y, q.z, q.w};
  }
  touching.store(state);
  // grains that move and cloth keep a body awake
  rigid_held_.assign(from.bodies, 0);
  if (patches.lever.size() > 0)
    for (const int row : patches.row_of) {
      if (patches.lever.value(row, kLeverSign) == 0) continue;
      if (patches.lever.value(row, kBondHold) == 0 && patches.rows.value(row, kPush) <= 0) continue;
      const int first = patches.rows.mover(row, 0);
      const bool grain = first < movers.grains;
      if (!grain || length(xyz(movers.v[first])) > params.solver.sleepspeed)
        rigid_held_[patches.lever.mover(row, 0)] = 1;
    }
  for (std::size_t k = 0; k < rigid_model_.holds.size(); ++k)  // what cloth hangs on does not sleep
    if (const int body = rigid_model_.holds[k].to.rigid; body >= 0 && !to.loose[k]) rigid_held_[body] = 1;
  touching.fallAsleep(state, params, movers.rigid, movers.v.data() + movers.first_rigid, rigid_held_);
  touching.joints.store(state, params, params.h / static_cast<float>(substeps(params)));
}

// Where a mover touches the parts of a rigid body.
void Contacts::touchRigid(const State& state, int mover, int body, float radius, float reach,
                          std::vector<Found>& list) const {
  const RigidMovers& bodies = movers.rigid;
  const RigidBody& of = rigid_model_.bodies[body];
  const RigidForm& form = rigid_model_.forms[of.form];
  const Concave* field = rigid->concave(of.form);
  const Pose pose = bodies.pose(body);
  const Vec3f at = xyz(movers.x[mover]);
  const Vec4f v = movers.v[movers.first_rigid + body];
  const int point = mover - movers.first_point;
  for (std::size_t p = 0; p < std::max<std::size_t>(form.parts.size(), 1); ++p) {
    const SolidTouch touch = field ? nearest(*field, pose, at) : nearest(form.parts[p], pose, at);
    if (touch.gap > reach) continue;
    Found found{{mover, mover, mover, mover},
                {1, 0, 0, 0},
                point < 0 ? state.grains.body[mover] : body_of_point_[point],
                of.body,
                kRigidSurface | (static_cast<std::uint64_t>(body) << 16) | p,
                {touch.normal, touch.gap - radius, {}, 0}};
    found.arm = touch.place - xyz(bodies.x[body]);
    if (v.w == 0) {
      found.touch.velocity = xyz(v) + cross(xyz(bodies.spin[body]), found.arm);
    } else {
      found.mover[1] = movers.first_rigid + body, found.weight[1] = -1;
      found.rigid = body, found.sign = -1;
    }
    list.push_back(found);
  }
}

void Contacts::findRigidTouches(const State& state, const StepParams& params, Backend& backend) {
  const RigidMovers& bodies = movers.rigid;
  const Vec4f* rigid_v = movers.v.data() + movers.first_rigid;
  const float h = params.h;
  findNear(params, true, backend, [&](const Neighbours& near, int first, std::vector<Found>& list) {
    const Bounds& box = near.box;
    for (int b = 0; b < bodies.bodies; ++b) {
      const RigidForm& form = rigid_model_.forms[rigid_model_.bodies[b].form];
      const Vec3f centre = xyz(bodies.x[b]);
      const float way = h * (length(xyz(rigid_v[b])) + length(xyz(bodies.spin[b])) * form.radius);
      const float wide = form.radius + way + near.farthest;
      bool outside = false;
      for (int k = 0; k < 3; ++k)
        outside = outside || centre[k] < box.lo[k] - wide || centre[k] > box.hi[k] + wide;
      if (outside) continue;
      for (int k = 0; k < 16; ++k) {
        if (near.reach[k] == 0) continue;
        const int i = first + k, point = i - movers.first_point;
        if (movers.v[i].w == 0 && rigid_v[b].w == 0) continue;
        const auto other = static_cast<std::uint32_t>(b);
        if (point < 0 ? bonded(i, other) : heldBy(point, other)) continue;
        if (length(xyz(movers.x[i]) - centre) > form.radius + near.reach[k] + way) continue;
        touchRigid(state, i, b, near.radius[k], near.reach[k] + way, list);
      }
    }
  });
  findRigidOnCloth(params);
  orderByMover(found_);
  orderByMover(patch_found_);
}

void Contacts::findRigidOnCloth(const StepParams& params) {
  const RigidMovers& bodies = movers.rigid;
  const Vec4f* rigid_v = movers.v.data() + movers.first_rigid;
  for (std::size_t c = 0; c < cloth_.size(); ++c) {
    const ClothSurface& cloth = cloth_[c];
    const Bounds box = cloth.triangles->bounds();
    const float thickness = params.cloth[cloth.body].thickness;
    for (int b = 0; b < bodies.bodies; ++b) {
      if (rigid_v[b].w == 0) continue;
      const RigidForm& form = rigid_model_.forms[rigid_model_.bodies[b].form];
      const Pose pose = bodies.pose(b);
      const auto meet = [&](std::size_t p, Vec3f local, float radius, int corner) {
        const Vec3f at = pose.world(local);
        const Vec3f motion = (xyz(rigid_v[b]) + cross(xyz(bodies.spin[b]), at - pose.origin)) * params.h;
        const float reach = radius + thickness + length(motion) + 0.1f * form.inner;
        for (int k = 0; k < 3; ++k)
          if (at[k] < box.lo[k] - reach || at[k] > box.hi[k] + reach) return;
        TriangleTouch touches[kMostTouches];
        const int count = cloth.triangles->touch(at, motion, reach, touches);
        for (int t = 0; t < count; ++t) {
          const std::array<int, 3>& face = cloth.triangles->triangles()[touches[t].triangle];
          const auto held = [&](int point) {
            return heldBy(cloth.points.first + point, static_cast<std::uint32_t>(b));
          };
          if (std::any_of(face.begin(), face.end(), held)) continue;
          Found found{{movers.first_rigid + b, 0, 0, 0},
                      {1, 0, 0, 0},
                      rigid_model_.bodies[b].body,
                      cloth.body,
                      kRigidSurface | (static_cast<std::uint64_t>(c) << 40) |
                          (static_cast<std::uint64_t>(p) << 24) | static_cast<std::uint64_t>(corner),
                      {touches[t].normal, touches[t].gap - radius - thickness, {}, 0}};
          for (int k = 0; k < 3; ++k) {
            found.mover[k + 1] = movers.first_point + cloth.points.first + face[k];
            found.weight[k + 1] = -touches[t].weights[k];
          }
          found.rigid = b, found.sign = 1;
          found.arm = at - touches[t].normal * radius - pose.origin;
          patch_found_.push_back(found);
        }
      };
      for (std::size_t p = 0; p < form.parts.size(); ++p)
        eachCorner(form.parts[p],
                   [&](Vec3f local, float radius, int corner) { meet(p, local, radius, corner); });
      if (const Concave* field = rigid->concave(rigid_model_.bodies[b].form))
        for (std::size_t k = 0; k < field->ridges().size(); ++k)
          meet(0, field->ridges()[k], 0.0f, static_cast<int>(k));
    }
  }
}

void Contacts::weighBodiesOnCloth() {
  heaviest_on_cloth_ = 0;
  for (const Found& found : patch_found_) {
    if (found.rigid < 0) continue;
    for (int k = 0; k < 4; ++k)
      if (const int p = found.mover[k] - movers.first_point;
          found.weight[k] != 0 && p >= 0 && p < movers.points)
        heaviest_on_cloth_ = std::max(heaviest_on_cloth_,
                                      rigid_model_.bodies[found.rigid].mass / body_mass_[body_of_point_[p]]);
  }
}

}  // namespace repose
