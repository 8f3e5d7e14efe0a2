// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/rigid.h"
#include "model/state.h"
#include "scene/rigid_shape.h"

namespace repose {

namespace {

constexpr double kLeastMoment = 1e-4;  // of inertia, as a share of the greatest of a body

// Half the thickness where a solid is mostly walls: volume over surface [m].
float wallOf(const std::vector<Vec3f>& points, const TriangleList& triangles, double volume) {
  double area = 0;
  for (const std::array<int, 3>& t : triangles)
    area += 0.5 * length(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
  return static_cast<float>(volume / area);
}

void takeMesh(const RigidShape& shape, RigidForm& form) {
  form.triangles = fanTriangles(shape.geometry), form.voxel = shape.voxel;
  for (const Vec3f p : shape.geometry.points) {
    form.points.push_back(form.artist.world(p));
    form.radius = std::max(form.radius, length(form.points.back()));
  }
  form.inner = wallOf(form.points, form.triangles, form.volume);
}

Result<RigidForm> makeForm(const RigidShape& shape) {
  const MassProperties mass = massOf(shape);
  if (!(mass.volume > 0)) return badInput("has no volume");
  std::array<double, 3> moments;
  const Pose own = principalAxes(mass, moments);
  RigidForm form;
  form.own = own, form.artist = inverse(own);
  form.volume = static_cast<float>(mass.volume);
  // A needle would spin about itself by thousands of turns in a step at the least touch.
  const double least = kLeastMoment * *std::max_element(moments.begin(), moments.end());
  for (int k = 0; k < 3; ++k) form.moments[k] = static_cast<float>(std::max(moments[k], least) / mass.volume);
  if (shape.parts.empty()) {
    takeMesh(shape, form);
    return form;
  }
  form.parts = shape.parts;
  form.inner = 1e30f;
  for (Convex& part : form.parts) {
    part.place = form.artist * part.place;
    form.radius = std::max(form.radius, part.reach());
    float inner = part.radius;
    if (part.hull) {
      inner = 1e30f;
      for (int f = 0; f < part.hull->faces(); ++f) {
        float depth = 0;  // of the hull below the face
        for (const Vec3f& corner : part.hull->corners)
          depth = std::max(depth, part.hull->offsets[f] - dot(part.hull->normals[f], corner));
        inner = std::min(inner, depth / 2);
      }
    }
    form.inner = std::min(form.inner, inner);
  }
  return form;
}

RigidJointEnd endOf(const JointEnd& end, const Pose& frame, const RigidModel& model,
                    const RigidState& state) {
  RigidJointEnd r;
  r.frame = frame, r.collider = end.collider;
  if (end.body < 0) return r;
  r.rigid = model.first[end.body] + end.piece;
  const Vec4f q = state.q[r.rigid];
  r.frame = inverse(poseOf(xyz(state.x[r.rigid]), {q.x, q.y, q.z, q.w})) * frame;
  return r;
}

void addPieces(const Body& body, int number, int first_form, RigidModel& model, RigidState& state) {
  for (std::size_t p = 0; p < body.pieces.size(); ++p) {
    const RigidPiece& piece = body.pieces[p];
    const RigidForm& form = model.forms[first_form + piece.shape];
    RigidBody rigid;
    rigid.form = first_form + piece.shape;
    rigid.body = number, rigid.piece = static_cast<int>(p);
    rigid.mass = body.rigid.base.density * form.volume;
    rigid.moments = form.moments * rigid.mass;
    rigid.animated = body.rigid.base.animated;
    model.bodies.push_back(rigid);
    const Pose own = piece.place * form.own;
    const Quat q = quatOf(own);
    state.x.push_back({own.origin.x, own.origin.y, own.origin.z, 0});
    state.q.push_back({q.x, q.y, q.z, q.w});
    state.v.push_back({piece.velocity.x, piece.velocity.y, piece.velocity.z, 0});
    state.spin.push_back({piece.spin.x, piece.spin.y, piece.spin.z, 0});
    state.calm.push_back(body.rigid.base.startasleep && !rigid.animated ? RigidState::kAsleep : 0.0f);
    state.island.push_back(static_cast<int>(state.island.size()));
  }
}

bool holdsPoint(const Scene& scene, const JointEnd& end) {
  return end.body >= 0 && scene.bodies[end.body].kind != BodyKind::rigid;
}

// A joint that holds a point of cloth or a soft body, or a grain.
Status addHold(const Scene& scene, int number, const std::function<int(int, int)>& pointOf, RigidModel& model,
               const RigidState& state) {
  const Joint& joint = scene.joints[number];
  const bool first = holdsPoint(scene, joint.a);
  const JointEnd& held = first ? joint.a : joint.b;
  Pose place;
  if (scene.bodies[held.body].kind != BodyKind::grain) {
    if (joint.kind != Joint::Kind::spherical ||
        joint.params.ever([](const JointParams& p) { return p.compliance > 0; }))
      return badInput(
          fmt::format("joint '{}' holds a point of '{}', which only a hard \"spherical\" or \"fixed\" "
                      "joint can: leave "
                      "out \"compliance\", or join a rigid body between them",
                      joint.name, scene.bodies[held.body].name));
    place.origin = joint.frame.origin;
    model.holds.push_back({number, held.body, pointOf(held.body, held.piece),
                           endOf(first ? joint.b : joint.a, place, model, state)});
    return {};
  }
  GrainBond bond;
  bond.joint = number, bond.body = held.body, bond.grain = held.piece;
  bond.rod = joint.kind == Joint::Kind::distance;
  place.origin = first && bond.rod ? joint.other : joint.frame.origin;
  bond.length = bond.rod ? length(joint.other - joint.frame.origin) : 0.0f;
  bond.to = endOf(first ? joint.b : joint.a, place, model, state);
  model.bonds.push_back(bond);
  return {};
}

void addJoint(const Joint& joint, int number, RigidModel& model, const RigidState& state) {
  RigidJoint r;
  r.kind = joint.kind, r.joint = number;
  Pose other = joint.frame;
  if (joint.kind == Joint::Kind::distance) other.origin = joint.other;
  r.a = endOf(joint.a, joint.frame, model, state);
  r.b = endOf(joint.b, other, model, state);
  r.length = length(other.origin - joint.frame.origin);
  const auto turn = [&](int i) {
    return i < 0 ? Quat{} : Quat{state.q[i].x, state.q[i].y, state.q[i].z, state.q[i].w};
  };
  r.rest = conjugate(turn(r.a.rigid)) * turn(r.b.rigid);
  model.joints.push_back(r);
}

}  // namespace

Status buildRigid(const Scene& scene, const std::function<int(int, int)>& pointOf, RigidModel& model,
                  RigidState& state) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    model.first.push_back(model.size());
    const int first_form = static_cast<int>(model.forms.size());
    for (const RigidShape& shape : body.shapes) {
      Result<RigidForm> form = makeForm(shape);
      if (!form) return badInput(fmt::format("body '{}' {}", body.name, form.status().message()));
      model.forms.push_back(std::move(*form));
    }
    addPieces(body, static_cast<int>(b), first_form, model, state);
  }
  model.first.push_back(model.size());
  for (int j = 0; j < static_cast<int>(scene.joints.size()); ++j) {
    const Joint& joint = scene.joints[j];
    if (!holdsPoint(scene, joint.a) && !holdsPoint(scene, joint.b))
      addJoint(joint, j, model, state);
    else if (Status held = addHold(scene, j, pointOf, model, state); !held)
      return held;
  }
  state.broken.assign(model.joints.size(), 0);
  state.bonds.assign(model.bonds.size(), {});
  state.loose.assign(model.holds.size(), 0);
  return {};
}

}  // namespace repose
