// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/residual.h"

#include <algorithm>
#include <cmath>

#include "solve/workspace.h"

namespace repose {

namespace {

constexpr int kBlock = 1024;  // RE_BLOCK of kernel/measure.h
int blocks(int entries) { return (entries + kBlock - 1) / kBlock; }

// Not finite, too fast to have an energy, or thrown out of the world in one step.
bool isBroken(const GrainState& grains, std::size_t i) {
  const Vec3f v = xyz(grains.v[i]);
  return !(worldsAway(grains.x[i]) <= 2) || !isFinite(xyz(grains.x[i])) || !std::isfinite(dot(v, v));
}

// Largest length/rest - 1 over the rows of a kind.
float largestExcess(RowKind kind, const Model& model, const State& state, Workspace& work, Backend& backend) {
  float largest = 0;
  for (const ModelBody& body : model.bodies) {
    const Range rows = body.rows[static_cast<int>(kind)];
    stretch_args a;
    a.x = state.x.data();
    a.end_a = model.distance.a.data() + rows.first, a.end_b = model.distance.b.data() + rows.first;
    a.rest = restLengths(model, state).data() + rows.first;
    a.result = work.partial.data();
    a.count = rows.padded();
    backend.launch(blocks(rows.padded()), a);
    for (int k = 0; k < blocks(rows.padded()); ++k) largest = std::max(largest, work.partial[k]);
  }
  return largest;
}

}  // namespace

float largestStretch(const Model& model, const State& state, const std::vector<ClothParams>& cloth,
                     Workspace& work, Backend& backend) {
  float largest = largestExcess(RowKind::stretch, model, state, work, backend);
  const MembraneTriangles& membrane = model.membrane;
  membrane_stretch_args a;
  a.x = state.x.data(), a.result = work.partial.data(), a.stride = membrane.size();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range triangles = model.bodies[b].membrane;
    a.corner = membrane.corner.data() + triangles.first;
    a.warp = membrane.warp.data() + triangles.first, a.weft = membrane.weft.data() + triangles.first;
    a.count = triangles.padded(), a.inv_rest = 1 / cloth[b].restscale;
    backend.launch(blocks(a.count), a);
    for (int k = 0; k < blocks(a.count); ++k) largest = std::max(largest, work.partial[k]);
  }
  return largest;
}

float beyondLimits(const Model& model, const State& state, Workspace& work, Backend& backend) {
  return largestExcess(RowKind::limit, model, state, work, backend);
}

float largestStrainError(Workspace& work, Backend& backend) {
  if (work.projective) return work.projective->strainError(backend);
  return work.tets.any() ? work.tets.largestError(work.partial, backend) : 0.0f;
}

MotionSummary measureMotion(const Model& model, const State& state, Workspace& work, Backend& backend) {
  motion_args a;
  a.x = state.x.data(), a.v = state.v.data(), a.result = work.partial.data();
  a.count = model.numPoints();
  backend.launch(blocks(model.numPoints()), a);
  MotionSummary m;
  float fastest2 = 0;
  for (int k = 0; k < blocks(model.numPoints()); ++k) {
    fastest2 = std::max(fastest2, work.partial[3 * k]);
    m.kinetic_energy += work.partial[3 * k + 1];
    m.finite = m.finite && work.partial[3 * k + 2] == 0;
  }
  m.max_speed = std::sqrt(fastest2);
  return m;
}

MotionSummary measureGrains(const GrainState& grains) {
  MotionSummary m;
  float fastest2 = 0;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Vec3f v = xyz(grains.v[i]);
    const float speed2 = dot(v, v);
    fastest2 = std::max(fastest2, speed2);
    m.kinetic_energy += 0.5 * static_cast<double>(speed2) / grains.v[i].w;
    m.finite = m.finite && !isBroken(grains, i);
  }
  m.max_speed = std::sqrt(fastest2);
  return m;
}

MotionSummary measureRigid(const RigidModel& model, const RigidState& rigid) {
  MotionSummary sum;
  sum.finite = firstBrokenRigid(rigid) < 0;
  for (int i = 0; i < model.size(); ++i) {
    const RigidBody& body = model.bodies[i];
    const Vec3f v = xyz(rigid.v[i]), m = body.moments;
    sum.max_speed = std::max(sum.max_speed, length(v));
    if (body.animated) continue;
    const Vec4f q = rigid.q[i];
    const Vec3f w = rotate(conjugate({q.x, q.y, q.z, q.w}), xyz(rigid.spin[i]));
    sum.kinetic_energy += 0.5 * (body.mass * dot(v, v) + m.x * w.x * w.x + m.y * w.y * w.y + m.z * w.z * w.z);
  }
  return sum;
}

int firstBrokenRigid(const RigidState& rigid) {
  for (std::size_t i = 0; i < rigid.size(); ++i)
    for (const Vec4f& a : {rigid.x[i], rigid.q[i], rigid.v[i], rigid.spin[i]})
      if (!isFinite(xyz(a)) || !std::isfinite(a.w)) return static_cast<int>(i);
  return -1;
}

double heightEnergy(const Model& model, const State& state, Vec3f gravity) {
  double sum = 0;
  const auto add = [&](Vec4f x, float w) {
    if (w > 0) sum -= static_cast<double>(dot(gravity, xyz(x))) / w;
  };
  for (const Vec4f& x : state.x) add(x, x.w);
  for (std::size_t i = 0; i < state.grains.size(); ++i) add(state.grains.x[i], state.grains.v[i].w);
  for (int i = 0; i < model.rigid.size(); ++i)
    if (!model.rigid.bodies[i].animated) add(state.rigid.x[i], 1 / model.rigid.bodies[i].mass);
  return sum;
}

int firstBrokenGrain(const GrainState& grains) {
  for (std::size_t i = 0; i < grains.size(); ++i)
    if (isBroken(grains, i)) return static_cast<int>(i);
  return -1;
}

int firstBrokenPoint(const State& state) {
  for (std::size_t p = 0; p < state.x.size(); ++p)
    if (!isFinite(xyz(state.x[p])) || !isFinite(xyz(state.v[p]))) return static_cast<int>(p);
  return -1;
}

}  // namespace repose
