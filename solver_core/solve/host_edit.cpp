// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/host_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solve/read_grains.h"

namespace repose {

namespace {

constexpr float kSkew = 1e-3f;  // of axes that should be orthonormal

Status wrongCount(const Body& body, const char* what, std::size_t has, std::size_t given) {
  return badInput(fmt::format("body '{}' has {} {}, but {} were given", body.name, has, what, given));
}

// Every number that is given, before anything is written.
Status checkFinite(const Body& body, const char* element, std::size_t count, const Vec3f* values,
                   const char* what) {
  for (std::size_t k = 0; values && k < count; ++k)
    if (!isFinite(values[k]))
      return badInput(
          fmt::format("body '{}', {} {}: the {} given is not finite", body.name, element, k, what));
  return {};
}

Status checkEdit(const Body& body, const char* element, const PointEdit& edit) {
  const Status placed = checkFinite(body, element, edit.count, edit.positions, "position");
  return placed ? checkFinite(body, element, edit.count, edit.velocities, "velocity") : placed;
}

Status standingStill(const Body& body) {
  return badInput(
      fmt::format("body '{}': velocities cannot be written while the time scale is 0", body.name));
}

void wakeAll(State& state) {
  std::fill(state.grains.calm.begin(), state.grains.calm.end(), 0.0f);
  std::fill(state.rigid.calm.begin(), state.rigid.calm.end(), 0.0f);
}

Vec4f with(Vec3f a, float w) { return {a.x, a.y, a.z, w}; }

bool samePose(const Pose& a, const Pose& b) {
  return a.origin == b.origin && a.axis[0] == b.axis[0] && a.axis[1] == b.axis[1] && a.axis[2] == b.axis[2];
}

bool isPose(const Pose& pose) {
  float worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      worst = std::max(worst, std::abs(dot(pose.axis[i], pose.axis[j]) - (i == j ? 1.0f : 0.0f)));
  return worst < kSkew && dot(cross(pose.axis[0], pose.axis[1]), pose.axis[2]) > 0;
}

}  // namespace

void readPoints(const Model& model, const State& state, int body, float pace, std::vector<Vec3f>& positions,
                std::vector<Vec3f>& velocities) {
  const Range points = model.bodies[body].points;
  positions.resize(points.count), velocities.resize(points.count);
  for (int p = points.first; p < points.first + points.count; ++p) {
    positions[model.source[p]] = xyz(state.x[p]);
    velocities[model.source[p]] = xyz(state.v[p]) * pace;
  }
}

Status editPoints(const Model& model, const Body& source, int body, const PointEdit& edit, float pace,
                  State& state) {
  const Range points = model.bodies[body].points;
  if (edit.count != static_cast<std::size_t>(points.count))
    return wrongCount(source, "points", points.count, edit.count);
  if (Status good = checkEdit(source, "point", edit); !good) return good;
  const auto moved = [&](int p) {
    return edit.positions && edit.positions[model.source[p]] != xyz(state.x[p]);
  };
  const auto pushed = [&](int p) {
    return edit.velocities && edit.velocities[model.source[p]] != xyz(state.v[p]) * pace;
  };
  for (int p = points.first; p < points.first + points.count; ++p) {
    if (moved(p) && model.inv_mass[p] == 0)
      return badInput(fmt::format("body '{}', point {}: it is pinned; move its target instead", source.name,
                                  model.source[p]));
    if (pushed(p) && pace <= 0) return standingStill(source);
  }
  bool changed = false;
  for (int p = points.first; p < points.first + points.count; ++p) {
    const bool placed = moved(p), sped = pushed(p) && model.inv_mass[p] > 0;
    if (!placed && !sped) continue;
    changed = true;
    if (placed) {
      state.x[p] = with(edit.positions[model.source[p]], state.x[p].w);
      if (!state.x_low.empty()) state.x_low[p] = {};
    }
    if (sped) state.v[p] = with(edit.velocities[model.source[p]] * (1 / pace), 0);
    if (!state.v_last.empty()) state.v_last[p] = state.v_mean[p] = state.v[p];
  }
  if (changed) wakeAll(state);
  return {};
}

Status editGrains(const Body& source, int body, const PointEdit& edit, float pace, State& state) {
  GrainState& grains = state.grains;
  GrainOrder order;
  orderGrains(grains, body, order);
  if (edit.count != order.keys.size()) return wrongCount(source, "grains", order.keys.size(), edit.count);
  if (Status good = checkEdit(source, "grain", edit); !good) return good;
  const auto pushed = [&](std::size_t k) {
    return edit.velocities && edit.velocities[k] != xyz(grains.v[placeOf(order.keys[k])]) * pace;
  };
  bool changed = false;
  for (std::size_t k = 0; k < edit.count && pace <= 0; ++k)
    if (pushed(k)) return standingStill(source);
  for (std::size_t k = 0; k < edit.count; ++k) {
    const std::size_t place = placeOf(order.keys[k]);
    if (pushed(k)) {
      grains.v[place] = with(edit.velocities[k] * (1 / pace), grains.v[place].w);
      changed = true;
    }
    if (edit.positions && edit.positions[k] != xyz(grains.x[place])) {
      grains.x[place] = with(edit.positions[k], grains.x[place].w);
      changed = true;
    }
  }
  if (changed) wakeAll(state);
  return {};
}

Status editRigid(const Model& model, const Body& source, int body, const RigidEdit& edit, float pace,
                 State& state) {
  const RigidModel& rigid = model.rigid;
  RigidState& now = state.rigid;
  const int first = rigid.first[body], count = rigid.first[body + 1] - first;
  if (edit.count != static_cast<std::size_t>(count)) return wrongCount(source, "pieces", count, edit.count);
  Status good = checkFinite(source, "piece", edit.count, edit.velocities, "velocity");
  if (good) good = checkFinite(source, "piece", edit.count, edit.spins, "spin");
  if (!good) return good;
  const auto poseAt = [&](int i) {
    return rigid.artistPose(i, xyz(now.x[i]), {now.q[i].x, now.q[i].y, now.q[i].z, now.q[i].w});
  };
  const auto velocityAt = [&](int i) {
    return (xyz(now.v[i]) + cross(xyz(now.spin[i]), poseAt(i).origin - xyz(now.x[i]))) * pace;
  };
  const auto moved = [&](int k) { return edit.poses && !samePose(edit.poses[k], poseAt(first + k)); };
  const auto pushed = [&](int k) { return edit.velocities && edit.velocities[k] != velocityAt(first + k); };
  const auto turned = [&](int k) { return edit.spins && edit.spins[k] != xyz(now.spin[first + k]) * pace; };
  for (int k = 0; k < count; ++k) {
    const auto refuse = [&](const char* why) {
      return badInput(fmt::format("body '{}', piece '{}': {}", source.name, source.pieces[k].name, why));
    };
    if (edit.poses && !(isPose(edit.poses[k]) && isFinite(edit.poses[k].origin)))
      return refuse("the pose given is not finite, or its axes are not orthonormal");
    if (!moved(k) && !pushed(k) && !turned(k)) continue;
    if (rigid.bodies[first + k].animated) return refuse("it goes by keys and cannot be written");
    if (pace <= 0 && (pushed(k) || turned(k))) return standingStill(source);
  }
  bool changed = false;
  for (int k = 0; k < count; ++k) {
    const int i = first + k;
    const bool placed = moved(k), sped = pushed(k), spun = turned(k);
    if (!placed && !sped && !spun) continue;
    changed = true;
    const Vec3f velocity = sped ? edit.velocities[k] : velocityAt(i);
    if (placed) {
      const Pose own = edit.poses[k] * rigid.forms[rigid.bodies[i].form].own;
      const Quat q = quatOf(own);
      now.x[i] = with(own.origin, now.x[i].w), now.q[i] = {q.x, q.y, q.z, q.w};
    }
    if (spun) now.spin[i] = with(edit.spins[k] * (1 / pace), now.spin[i].w);
    if (pace <= 0) continue;
    const Vec3f centre = velocity * (1 / pace) - cross(xyz(now.spin[i]), poseAt(i).origin - xyz(now.x[i]));
    now.v[i] = with(centre, now.v[i].w);
  }
  if (changed) wakeAll(state);
  return {};
}

}  // namespace repose
