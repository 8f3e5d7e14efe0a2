// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies put into the world by hand, for tests and benchmarks.
#pragma once
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/profile.h"
#include "model/build.h"
#include "solve/step.h"
#include "solve/workspace.h"

namespace repose {

class RigidWorld {
 public:
  Scene scene;
  StepParams params;
  State state;
  Model model;

  explicit RigidWorld(int threads = 1) : backend(makeTbbBackend(threads)) {
    params.world.gravity = {0, -9.8f, 0};
    params.h = 1.0f / 60;
    params.solver.sleep = false;
  }
  // A body of one shape; pieces come with place().
  int addBody(std::vector<Convex> parts) {
    Body body;
    body.kind = BodyKind::rigid;
    body.name = "body" + std::to_string(scene.bodies.size());
    body.shapes.push_back({{}, std::move(parts), 0});
    scene.bodies.push_back(std::move(body));
    return static_cast<int>(scene.bodies.size()) - 1;
  }
  int addBox(Vec3f size) { return addBody({makeBox(size)}); }
  // Returns the number of the piece in its body.
  int place(int body, Vec3f at, Quat turn = {}, Vec3f velocity = {}, Vec3f spin = {}) {
    RigidPiece piece;
    piece.place = poseOf(at, turn), piece.velocity = velocity, piece.spin = spin;
    scene.bodies[body].pieces.push_back(piece);
    return static_cast<int>(scene.bodies[body].pieces.size()) - 1;
  }
  Collider& addPlane(Vec3f point, Vec3f normal) {
    Collider plane;
    plane.point = point, plane.normal = normal;
    scene.colliders.push_back(plane);
    return scene.colliders.back();
  }
  Joint& addJoint(Joint::Kind kind, JointEnd a, JointEnd b, Vec3f at, Vec3f axis = {1, 0, 0}) {
    Joint joint;
    joint.kind = kind, joint.a = a, joint.b = b;
    joint.frame.origin = joint.other = at;
    const Vec3f side = std::abs(axis.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0};
    Vec3f y = cross(axis, side);
    y = y * (1 / length(y));
    joint.frame.axis[0] = axis, joint.frame.axis[1] = y, joint.frame.axis[2] = cross(axis, y);
    scene.joints.push_back(joint);
    return scene.joints.back();
  }
  void setFriction(float mu) {
    for (Body& body : scene.bodies) body.rigid.base.friction = mu;
    for (Collider& collider : scene.colliders) collider.params.base.friction = mu;
  }
  // Builds the world; parameters of bodies and joints are taken from the scene.
  void begin() {
    Result<Built> built = buildModel(scene);
    if (!built) throw std::runtime_error(built.status().message());
    model = std::move(built->model), state = std::move(built->state);
    for (const Body& body : scene.bodies) {
      params.cloth.push_back(body.cloth.base), params.grain.push_back(body.grain.base);
      params.rigid.push_back(body.rigid.base);
    }
    for (const Joint& joint : scene.joints) params.joint.push_back(joint.params.base);
    for (const Collider& collider : scene.colliders) params.collider.push_back(collider.params.base);
    std::vector<std::unique_ptr<Obstacle>> obstacles;
    for (const Collider& collider : scene.colliders) obstacles.push_back(std::move(*makeObstacle(collider)));
    work = std::make_unique<Workspace>(model, params);
    work->contacts = std::make_unique<Contacts>(scene, model, std::move(obstacles));
  }
  void step(int times = 1) {
    StageSeconds seconds{};
    for (int k = 0; k < times; ++k) step(seconds);
  }
  void step(StageSeconds& seconds) {
    if (!work) begin();
    (void)work->contacts->moveObstacles(0, 1, params.h);
    repose::step(model, state, params, *work, *backend, seconds);
  }
  Vec3f at(int i) const { return xyz(state.rigid.x[i]); }
  Vec3f velocity(int i) const { return xyz(state.rigid.v[i]); }
  Vec3f spin(int i) const { return xyz(state.rigid.spin[i]); }
  Pose pose(int i) const {
    const Vec4f q = state.rigid.q[i];
    return model.rigid.artistPose(i, at(i), {q.x, q.y, q.z, q.w});
  }
  double energy() const {
    double sum = 0;
    for (int i = 0; i < model.rigid.size(); ++i) {
      const RigidBody& body = model.rigid.bodies[i];
      const Vec4f q = state.rigid.q[i];
      const Vec3f w = rotate(conjugate({q.x, q.y, q.z, q.w}), spin(i));
      sum += 0.5 * body.mass * dot(velocity(i), velocity(i));
      sum += 0.5 * (body.moments.x * w.x * w.x + body.moments.y * w.y * w.y + body.moments.z * w.z * w.z);
      sum -= body.mass * dot(params.world.gravity, at(i));
    }
    return sum;
  }
  Vec3f angularMomentum(int i) const {
    const Vec4f q = state.rigid.q[i];
    const Quat turn{q.x, q.y, q.z, q.w};
    const Vec3f w = rotate(conjugate(turn), spin(i)), m = model.rigid.bodies[i].moments;
    return rotate(turn, {m.x * w.x, m.y * w.y, m.z * w.z});
  }

  std::unique_ptr<Backend> backend;
  std::unique_ptr<Workspace> work;
};

inline Quat turnAbout(Vec3f axis, float degrees) {
  const float half = degrees * 0.00872664626f, s = std::sin(half) / length(axis);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(half)};
}

}  // namespace repose
