// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/host_forces.h"

#include <fmt/format.h>

#include <algorithm>

#include "solve/read_grains.h"
#include "solve/rigid/rigid_contacts.h"

namespace repose {

namespace {

constexpr int kChunk = 4096;  // grains pushed by one thread at a time

// No force has the bits of none ever given: not even the sign of a zero changes.
void push(Vec3f force, float share, Vec4f& v) {
  if (force == Vec3f{}) return;
  v.x += force.x * share, v.y += force.y * share, v.z += force.z * share;
}

Status check(const Body& body, const char* what, std::size_t has, const std::vector<Vec3f>& given) {
  if (given.empty()) return {};
  if (given.size() != has)
    return badInput(
        fmt::format("body '{}' has {} {}s, but {} forces were given", body.name, has, what, given.size()));
  for (std::size_t k = 0; k < has; ++k)
    if (!isFinite(given[k]))
      return badInput(fmt::format("body '{}', {} {}: the force given is not finite", body.name, what, k));
  return {};
}

}  // namespace

Status HostForces::set(const Scene& scene, const Model& model, int body, const BodyForces& given,
                       State& state) {
  const Body& source = scene.bodies[body];
  if (source.kind != BodyKind::rigid && !given.torques.empty())
    return badInput(fmt::format("body '{}' is not rigid and takes no torques", source.name));
  Status good;
  switch (source.kind) {
    case BodyKind::rigid: {
      good = check(source, "piece", source.pieces.size(), given.forces);
      if (good) good = check(source, "piece", source.pieces.size(), given.torques);
      if (good) setRigid(model.rigid, body, given, state);
      break;
    }
    case BodyKind::grain: {
      const auto count = std::count(state.grains.body.begin(), state.grains.body.end(), body);
      good = check(source, "grain", static_cast<std::size_t>(count), given.forces);
      if (good) setGrains(body, given.forces, state);
      break;
    }
    case BodyKind::cloth:
    case BodyKind::soft:
      good = check(source, "point", static_cast<std::size_t>(model.bodies[body].points.count), given.forces);
      if (good) setPoints(model, body, given.forces);
      break;
  }
  if (good) weigh(model, state);
  return good;
}

void HostForces::setPoints(const Model& model, int body, const std::vector<Vec3f>& forces) {
  if (points_.empty() && forces.empty()) return;
  points_.resize(model.numPoints());
  const Range points = model.bodies[body].points;
  for (int p = points.first; p < points.first + points.count; ++p)
    points_[p] = forces.empty() ? Vec3f{} : forces[model.source[p]];
}

void HostForces::setGrains(int body, const std::vector<Vec3f>& forces, State& state) {
  if (grains_.empty() && forces.empty()) return;
  grains_.resize(state.grains.births.size());
  std::vector<Vec3f>& by_id = grains_[body];
  by_id.resize(state.grains.births[body]);
  GrainOrder order;
  orderGrains(state.grains, body, order);
  for (std::size_t k = 0; k < order.keys.size(); ++k) {
    const std::size_t place = placeOf(order.keys[k]);
    const Vec3f force = forces.empty() ? Vec3f{} : forces[k];
    Vec3f& now = by_id[state.grains.id[place]];
    if (force != now) state.grains.calm[place] = 0;
    now = force;
  }
  if (forces.empty()) by_id.clear();
}

void HostForces::setRigid(const RigidModel& model, int body, const BodyForces& given, State& state) {
  rigid_.resize(model.bodies.size()), torques_.resize(model.bodies.size());
  for (int i = model.first[body]; i < model.first[body + 1]; ++i) {
    const int k = i - model.first[body];
    const Vec3f force = given.forces.empty() ? Vec3f{} : given.forces[k];
    const Vec3f torque = given.torques.empty() ? Vec3f{} : given.torques[k];
    if (force != rigid_[i] || torque != torques_[i]) {
      if (state.rigid.calm[i] >= RigidState::kAsleep) RigidContacts::wake(state, i);
      state.rigid.calm[i] = 0;
    }
    rigid_[i] = force, torques_[i] = torque;
  }
}

void HostForces::weigh(const Model& model, const State& state) {
  greatest_ = 0;
  const auto add = [&](Vec3f force, float inv_mass) {
    greatest_ = std::max(greatest_, length(force) * inv_mass);
  };
  for (std::size_t p = 0; p < points_.size(); ++p) add(points_[p], model.inv_mass[p]);
  for (std::size_t i = 0; i < rigid_.size(); ++i) add(rigid_[i], 1 / model.rigid.bodies[i].mass);
  const GrainState& grains = state.grains;
  for (std::size_t i = 0; i < grains.size() && !grains_.empty(); ++i) {
    const std::vector<Vec3f>& by_id = grains_[grains.body[i]];
    if (grains.id[i] < by_id.size()) add(by_id[grains.id[i]], grains.v[i].w);
  }
}

void HostForces::pushPoints(int first, int end, float h, State& state) const {
  if (points_.empty()) return;
  for (int p = first; p < end; ++p) push(points_[p], state.x[p].w * h, state.v[p]);
}

void HostForces::pushGrains(const GrainState& grains, float h, Vec4f* v, Backend& backend) const {
  if (grains_.empty()) return;
  const int count = static_cast<int>(grains.size());
  backend.forChunks((count + kChunk - 1) / kChunk, [&](int chunk) {
    for (int i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i) {
      const std::vector<Vec3f>& by_id = grains_[grains.body[i]];
      // contacts may count a grain as heavier than it is; one that sleeps has no inverse mass among them
      if (v[i].w > 0 && grains.id[i] < by_id.size()) push(by_id[grains.id[i]], grains.v[i].w * h, v[i]);
    }
  });
}

void HostForces::pushRigid(float h, const Vec4f* turn_a, const Vec4f* turn_b, Vec4f* v, Vec4f* spin) const {
  for (std::size_t i = 0; i < rigid_.size(); ++i) {
    if (v[i].w == 0) continue;
    push(rigid_[i], v[i].w * h, v[i]);
    const Vec3f t = torques_[i];
    const Vec4f a = turn_a[i], b = turn_b[i];
    push({a.x * t.x + a.y * t.y + a.z * t.z, a.y * t.x + a.w * t.y + b.x * t.z,
          a.z * t.x + b.x * t.y + b.y * t.z},
         h, spin[i]);
  }
}

}  // namespace repose
