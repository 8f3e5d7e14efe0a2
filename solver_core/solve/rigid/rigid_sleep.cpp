// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What rigid bodies keep from one step to the next: impulses, sleep, and hits.
#include <algorithm>
#include <numeric>

#include "base/vectors.h"
#include "solve/rigid/rigid_contacts.h"

namespace repose {

namespace {

constexpr float kWakeSpeed = 4;    // over the speed at which bodies fall asleep
constexpr float kHitSpeed = 0.1f;  // slower ones only lie down [m/s]
constexpr std::uint64_t kColliderBit = std::uint64_t{1} << 31;

}  // namespace

void RigidContacts::store(State& state) {
  ContactMemory& memory = state.contacts;
  ContactMemory& next = next_memory_;
  next.rigid_pair.clear(), next.rigid_place.clear(), next.rigid_impulse.clear();
  const auto still = [&](int i) {
    return state.rigid.calm[i] >= RigidState::kAsleep || model_.bodies[i].animated;
  };
  const auto keep = [&](std::uint64_t pair, std::uint64_t place, Vec4f impulse) {
    pushSnugly(next.rigid_pair, pair), pushSnugly(next.rigid_place, place);
    pushSnugly(next.rigid_impulse, impulse);
  };
  // sleepers have no rows: their impulses wait, in the order of the pairs
  std::size_t old = 0;
  const auto keepBefore = [&](std::uint64_t pair) {
    for (; old < memory.rigid_pair.size() && memory.rigid_pair[old] < pair; ++old) {
      const std::uint64_t kept = memory.rigid_pair[old];
      const int a = static_cast<int>(kept >> 32), b = static_cast<int>(kept & 0x7fffffff);
      if (!still(a) || (!(kept & kColliderBit) && !still(b))) continue;
      keep(kept, memory.rigid_place[old], memory.rigid_impulse[old]);
    }
    const bool known = old < memory.rigid_pair.size() && memory.rigid_pair[old] == pair;
    while (old < memory.rigid_pair.size() && memory.rigid_pair[old] == pair) ++old;
    return known;
  };
  std::uint64_t last_pair = ~std::uint64_t{0};
  bool known = false;
  for (std::size_t k = 0; k < touching_.size(); ++k) {
    const Touching& t = *touching_[k];
    const ContactRows& r = (t.b < 0 ? grounds : hulls).batch.rows;
    if (t.pair != last_pair) known = keepBefore(t.pair);
    last_pair = t.pair;
    Hit hit;
    float heaviest = 0;
    for (int p = 0; p < t.count; ++p) {
      const float push = r.value(row_of_[k], hullField(p, kPointPush));
      const float peak = r.value(row_of_[k], hullField(p, kPointPeak));
      hit.impulse += peak;
      if (peak > heaviest) heaviest = peak, hit.place = t.place[p].at;
      if (push <= 0) continue;
      const Vec3f drag = r.vector(row_of_[k], hullField(p, kPointDrag)) * (t.flipped ? -1.0f : 1.0f);
      keep(t.pair, t.name(p), {drag.x, drag.y, drag.z, push});
    }
    if (known || hit.impulse <= 0 || t.approach < kHitSpeed) continue;
    known = true;  // one hit a pair
    hit.normal = t.normal, hit.speed = t.approach;
    hit.first = {model_.bodies[t.a].body, model_.bodies[t.a].piece};
    hit.second = t.other >= 0 ? HitSide{model_.bodies[t.other].body, model_.bodies[t.other].piece}
                              : HitSide{-1, t.collider()};
    hits.push_back(hit);
  }
  keepBefore(~std::uint64_t{0});
  memory.rigid_pair.swap(next.rigid_pair), memory.rigid_place.swap(next.rigid_place);
  memory.rigid_impulse.swap(next.rigid_impulse);
}

void RigidContacts::wake(State& state, int body) {
  const int island = state.rigid.island[body];
  for (std::size_t i = 0; i < state.rigid.size(); ++i)
    if (state.rigid.calm[i] >= RigidState::kAsleep && state.rigid.island[i] == island)
      state.rigid.calm[i] = 0;
}

// A sleeper that was hit as if it stood fast would be an anvil: what comes fast enough to reach it wakes it.
bool RigidContacts::wakeHit(State& state, const StepParams& params, const RigidMovers& movers,
                            const Vec4f* v) const {
  bool woke = false;
  for (const Touching* touching : touching_) {
    const Touching& t = *touching;
    if (t.other < 0 || state.rigid.calm[t.other] < RigidState::kAsleep) continue;
    for (int p = 0; p < t.count; ++p) {
      const Touching::Place& place = t.place[p];
      const Vec3f at = xyz(v[t.a]) + cross(xyz(movers.spin[t.a]), place.at - xyz(movers.x[t.a]));
      const float approach = -dot(at, t.normal);
      if (approach < kWakeSpeed * params.solver.sleepspeed + 2 * params.h * length(params.world.gravity) ||
          place.gap > approach * params.h)
        continue;
      wake(state, t.other);
      woke = true;
      break;
    }
  }
  return woke;
}

int RigidContacts::islandOf(int body) {
  while (root_[body] != body) body = root_[body] = root_[root_[body]];
  return body;
}

void RigidContacts::joinIslands(int a, int b) {
  a = islandOf(a), b = islandOf(b);
  root_[std::max(a, b)] = std::min(a, b);
}

float RigidContacts::speedOf(int body, const RigidMovers& movers, const Vec4f* v) const {
  const float radius = model_.forms[model_.bodies[body].form].radius;
  return std::max(length(xyz(v[body])), length(xyz(movers.spin[body])) * radius);
}

// Bodies that push each other are one island; what moves keeps awake what it pushes.
void RigidContacts::joinTouching(State& state, const SolverParams& solver, const RigidMovers& movers,
                                 const Vec4f* v) {
  RigidState& rigid = state.rigid;
  for (std::size_t k = 0; k < touching_.size(); ++k) {
    const Touching& t = *touching_[k];
    const ContactRows& r = (t.b < 0 ? grounds : hulls).batch.rows;
    bool pushes = false, moves = false;
    for (int p = 0; p < t.count; ++p) {
      pushes = pushes || r.value(row_of_[k], hullField(p, kPointPush)) > 0;
      moves = moves || (t.b < 0 && length(otherVelocity(t, p, movers, v)) > solver.sleepspeed);
    }
    if (!pushes) continue;
    if (t.b >= 0) {
      joinIslands(t.a, t.b);
    } else if (moves) {
      rigid.calm[t.a] = 0;
    } else if (t.other >= 0 && rigid.calm[t.other] >= RigidState::kAsleep &&
               speedOf(t.a, movers, v) > kWakeSpeed * solver.sleepspeed) {
      wake(state, t.other);
    }
  }
}

// So are bodies that a joint holds together.
void RigidContacts::joinJointed(State& state, const RigidMovers& movers, const Vec4f* v) {
  RigidState& rigid = state.rigid;
  const auto asleep = [&](int i) { return rigid.calm[i] >= RigidState::kAsleep; };
  // what hangs on something that keys move does not sleep
  const auto stirs = [&](int body, int carrier) {
    const bool moves = !(xyz(v[carrier]) == Vec3f{}) || !(xyz(movers.spin[carrier]) == Vec3f{});
    if (!moves || body < 0 || model_.bodies[body].animated) return;
    if (asleep(body)) wake(state, body);
    rigid.calm[body] = 0;
  };
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    if (rigid.broken[j]) continue;
    const RigidJoint& joint = model_.joints[j];
    if (joint.b.rigid >= 0 && model_.bodies[joint.b.rigid].animated) stirs(joint.a.rigid, joint.b.rigid);
    if (joint.a.rigid >= 0 && model_.bodies[joint.a.rigid].animated) stirs(joint.b.rigid, joint.a.rigid);
  }
  joints.eachCarried([&](int j, int anchor, int, int body) {
    if (!rigid.broken[j]) stirs(body, anchor);
  });
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const int a = model_.joints[j].a.rigid, b = model_.joints[j].b.rigid;
    if (rigid.broken[j] || a < 0 || b < 0 || model_.bodies[a].animated || model_.bodies[b].animated) continue;
    joinIslands(a, b);
    if (asleep(a) != asleep(b)) wake(state, asleep(a) ? a : b);
  }
}

void RigidContacts::fallAsleep(State& state, const StepParams& params, const RigidMovers& movers,
                               const Vec4f* v, const std::vector<char>& held) {
  RigidState& rigid = state.rigid;
  const SolverParams& solver = params.solver;
  const int count = movers.bodies;
  if (!solver.sleep) {
    std::fill(rigid.calm.begin(), rigid.calm.end(), 0.0f);
    return;
  }
  const auto asleep = [&](int i) { return rigid.calm[i] >= RigidState::kAsleep; };
  for (const int i : stirred_)
    if (asleep(i)) wake(state, i);
  root_.resize(count);
  std::iota(root_.begin(), root_.end(), 0);
  for (int i = 0; i < count; ++i)
    if (!asleep(i) && !model_.bodies[i].animated)
      rigid.calm[i] = speedOf(i, movers, v) < solver.sleepspeed && !held[i] ? rigid.calm[i] + params.h : 0.0f;
  joinTouching(state, solver, movers, v);
  joinJointed(state, movers, v);
  // the calmest of an island waits for the others
  std::vector<float>& least = least_calm_;
  least.assign(count, RigidState::kAsleep);
  for (int i = 0; i < count; ++i)
    if (!asleep(i) && !model_.bodies[i].animated)
      least[islandOf(i)] = std::min(least[islandOf(i)], rigid.calm[i]);
  for (int i = 0; i < count; ++i) {
    if (asleep(i) || model_.bodies[i].animated || least[islandOf(i)] < solver.sleeptime) continue;
    rigid.calm[i] = RigidState::kAsleep, rigid.island[i] = islandOf(i);
    rigid.v[i] = rigid.spin[i] = {};
  }
}

}  // namespace repose
