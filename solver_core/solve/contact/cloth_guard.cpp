// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// After a step: what would have gone through something is held back on its way.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/lane1.h"
#include "solve/contact/cloth_self_parts.h"

namespace repose {

// Pairs that would meet on the ways as they are now. Only what changed is looked at again.
bool ClothSelf::findHits(bool first, Backend& backend) {
  constexpr float kRounding = 1e-5f;  // [m]
  constexpr int kFirstRoom = 16;      // hits of a task to begin with
  tree_.place(x_.data(), way_.data(), backend);
  tree_.findPairs(kRounding, meets_, backend);
  meet_hits_args args;
  passMeeting(args);
  args.changed = changed_.data(), args.every = first, args.reach = kRounding;
  hit_lists_.start(tree_.tasks(), kFirstRoom);
  do {
    const std::size_t room = hit_lists_.end();
    if (hit_share_.size() < room) hit_share_.resize(room), found_hit_.resize(RE_MEET_HIT_INTS * room);
    args.hit = found_hit_.data(), args.hit_share = hit_share_.data();
    hit_lists_.pass(args);
    backend.launch(hit_lists_.todo(), args);
  } while (hit_lists_.grow());
  std::fill(changed_.begin(), changed_.end(), 0);
  bool any = false;
  for (int list = 0; list < hit_lists_.lists(); ++list)
    any = any || hit_lists_.end(list) > hit_lists_.first(list);
  return any;
}

// Points that hit each other, at once or by way of others, are stopped in how they move among themselves.
// What they do together goes on: left where it was, a point of a body that flies would be torn out of it.
int ClothSelf::clusterOf(int point) {
  while (cluster_[point] != point) point = cluster_[point] = cluster_[cluster_[point]];
  return point;
}

void ClothSelf::joinClusters() {
  for (const Hit& h : hits_)
    for (const int p : h.point) {
      const int a = clusterOf(h.point[0]), b = clusterOf(p);
      cluster_[std::max(a, b)] = std::min(a, b);
    }
  constexpr float kHeld = 1e12f;  // [kg] of pins, which nothing moves
  common_.assign(x_.size(), Vec4f{});
  for (std::size_t p = 0; p < x_.size(); ++p) {
    Vec4f& sum = common_[clusterOf(static_cast<int>(p))];
    const float mass = inv_mass_[p] > 0 ? 1 / inv_mass_[p] : kHeld;
    sum = {sum.x + mass * full_way_[p].x, sum.y + mass * full_way_[p].y, sum.z + mass * full_way_[p].z,
           sum.w + mass};
  }
}

void ClothSelf::guard(State& state, Backend& backend) {
  constexpr int kPasses = 6, kMostPasses = 16;  // then, until all is well, what hits stays where it was
  full_way_.resize(x_.size());
  float off2 = 0;  // how far points are from where find() expected them
  for (std::size_t p = 0; p < x_.size(); ++p) {
    full_way_[p] = xyz(state.x[p]) - x_[p];
    const Vec3f off = full_way_[p] - way_[p];
    off2 = std::max(off2, dot(off, off));
  }
  // nothing was near, and nothing has come or turned much further than that
  constexpr float kTurned = 0.1f;
  const float off = std::sqrt(off2);
  if (tree_.tasks() == 0 && 2 * off < reach_ && off < kTurned * shortest_) return;
  way_ = full_way_;
  bool hit = findHits(true, backend);
  if (!hit) return;
  share_.assign(x_.size(), 1.0f), least_.assign(x_.size(), 1.0f);
  hits_.clear();
  cluster_.resize(x_.size());
  std::iota(cluster_.begin(), cluster_.end(), 0);
  for (int pass = 0; hit; ++pass) {
    if (pass == kMostPasses) {
      look_for_tangles_ = true;
      break;
    }
    for (int list = 0; list < hit_lists_.lists(); ++list)
      for (int k = hit_lists_.first(list); k < hit_lists_.end(list); ++k) {
        const int* found = &found_hit_[static_cast<std::size_t>(k) * RE_MEET_HIT_INTS];
        const Hit h = {{found[0], found[1], found[2], found[3]}, found[4], hit_share_[k]};
        hits_.push_back(h);
        for (const int p : h.point)
          if (inv_mass_[p] > 0) least_[p] = std::min(least_[p], pass < kPasses ? h.share : 0.0f);
      }
    joinClusters();
    for (std::size_t p = 0; p < x_.size(); ++p) {
      share_[p] *= least_[p], least_[p] = 1;
      if (share_[p] == 1) continue;
      const Vec4f& sum = common_[clusterOf(static_cast<int>(p))];
      const Vec3f common = xyz(sum) * (1 / sum.w);
      changed_[p] = 1, way_[p] = common + (full_way_[p] - common) * share_[p];
    }
    hit = findHits(false, backend);
  }
  for (std::size_t p = 0; p < x_.size(); ++p) {
    if (share_[p] == 1) continue;
    const Vec3f at = x_[p] + way_[p];
    state.x[p] = {at.x, at.y, at.z, state.x[p].w};
    if (!state.x_low.empty()) state.x_low[p] = {};
  }
  stopHits(state);
}

// Takes away the speed at which those that hit come nearer; keeps the momentum.
void ClothSelf::stopHits(State& state) {
  std::sort(hits_.begin(), hits_.end(), [](const Hit& a, const Hit& b) {
    return std::lexicographical_compare(a.point, a.point + 4, b.point, b.point + 4);
  });
  for (const Hit& h : hits_) {
    Vec3f at[4];
    for (int k = 0; k < 4; ++k) at[k] = x_[h.point[k]] + way_[h.point[k]];
    const lane1::approach_near near = lane1::approach_nearness(h.edges, at);
    float speed = 0, a = 0;
    for (int k = 0; k < 4; ++k) {
      speed += near.weight[k] * dot(near.normal, xyz(state.v[h.point[k]]));
      a += near.weight[k] * near.weight[k] * inv_mass_[h.point[k]];
    }
    if (!(speed < 0) || !(a > 0)) continue;
    for (int k = 0; k < 4; ++k) {
      Vec4f& v = state.v[h.point[k]];
      const Vec3f push = near.normal * (-speed / a * near.weight[k] * inv_mass_[h.point[k]]);
      v = {v.x + push.x, v.y + push.y, v.z + push.z, v.w};
    }
  }
}

}  // namespace repose
