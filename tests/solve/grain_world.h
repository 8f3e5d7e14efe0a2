// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains put into the world by hand, for tests and benchmarks that pour, drop and slide them (reference.md a,
// c).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "base/profile.h"
#include "solve/contact/contact_loop.h"
#include "solve/contact/touching.h"
#include "solve/workspace.h"

namespace repose {

// The random numbers of reference.md.
class Lcg {
 public:
  explicit Lcg(std::uint64_t seed) : s_(seed) {}
  double next() {
    s_ = s_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(s_ >> 11) / 9007199254740992.0;
  }
  float around(float size) { return static_cast<float>((2 * next() - 1) * size); }

 private:
  std::uint64_t s_;
};

class GrainWorld {
 public:
  StepParams params;
  State state;

  explicit GrainWorld(float radius, int threads = 1, float least_radius = 0) {
    scene_.bodies.resize(1);
    scene_.bodies[0].kind = BodyKind::grain;
    scene_.bodies[0].radii = {radius, least_radius > 0 ? least_radius : radius};
    params.cloth.resize(1), params.grain.resize(1);
    params.world.gravity = {0, -9.8f, 0};
    params.h = 1.0f / 60;
    params.grain[0].radius = radius;
    backend = makeTbbBackend(threads);
  }
  void addPlane(Vec3f point, Vec3f normal) {
    Collider plane;
    plane.point = point, plane.normal = normal;
    scene_.colliders.push_back(plane);
    params.collider.emplace_back();
  }
  void setFriction(float mu) {
    params.grain[0].friction = mu;
    for (ColliderParams& collider : params.collider) collider.friction = mu;
  }
  void add(Vec3f x, Vec3f v, float radius, float mass) {
    GrainState& g = state.grains;
    g.x.push_back({x.x, x.y, x.z, radius});
    g.v.push_back({v.x, v.y, v.z, 1 / mass});
    g.id.push_back(static_cast<std::uint32_t>(g.id.size()));
    g.body.push_back(0), g.born.push_back(0), g.calm.push_back(0), g.last.push_back(-1);
    if (!g.spin.empty()) g.spin.push_back({});
  }
  void step() {
    find();
    solve();
    store();
  }
  // The three parts of a step.
  void find() {
    if (!contacts) makeContacts();
    (void)contacts->moveObstacles(0, 1, params.h);
    contacts->find(model_, state, params, *backend);
  }
  void solve() { solveTouching(model_, state, params, *work_, *backend); }
  void store() { contacts->store(state, params, *backend); }

  // atan(2 ybar / rbar): mean height over mean distance from the middle (reference.md c3).
  double momentAngle() const {
    double x = 0, y = 0, z = 0, r = 0;
    const auto n = static_cast<double>(state.grains.size());
    for (const Vec4f p : state.grains.x) x += p.x / n, y += p.y / n, z += p.z / n;
    for (const Vec4f p : state.grains.x) r += std::hypot(p.x - x, p.z - z) / n;
    return std::atan2(2 * y, r) * 57.29577951308232;
  }
  // Slope of the surface between 20 and 80 % of the height [degrees]: rings of a diameter's width around the
  // middle are divided into cells as long, and the highest grains of a ring's cells give its height. Unlike
  // the moment angle it does not see the loose grains around the foot.
  double surfaceAngle() const {
    double x = 0, z = 0, reach = 0;
    const auto n = static_cast<double>(state.grains.size());
    for (const Vec4f p : state.grains.x) x += p.x / n, z += p.z / n;
    const double width = 2 * static_cast<double>(params.grain[0].radius);
    for (const Vec4f p : state.grains.x) reach = std::max(reach, std::hypot(p.x - x, p.z - z));
    std::vector<std::vector<double>> rings(static_cast<std::size_t>(reach / width) + 1);
    for (std::size_t k = 0; k < rings.size(); ++k)
      rings[k].assign(static_cast<std::size_t>(6.283185307 * (static_cast<double>(k) + 0.5)), 0);
    for (const Vec4f p : state.grains.x) {
      std::vector<double>& ring = rings[static_cast<std::size_t>(std::hypot(p.x - x, p.z - z) / width)];
      const double turn = (std::atan2(p.z - z, p.x - x) + 3.141592654) / 6.283185307;
      double& cell = ring[static_cast<std::size_t>(turn * static_cast<double>(ring.size())) % ring.size()];
      cell = std::max(cell, static_cast<double>(p.y));
    }
    std::vector<double> height;
    for (const std::vector<double>& ring : rings) {
      double sum = 0;
      for (const double cell : ring) sum += cell / static_cast<double>(ring.size());
      height.push_back(sum);
    }
    const double top = *std::max_element(height.begin(), height.end());
    double count = 0, sr = 0, sh = 0, srr = 0, srh = 0;
    for (std::size_t k = 0; k < height.size(); ++k) {
      if (height[k] < 0.2 * top || height[k] > 0.8 * top) continue;
      const double r = (static_cast<double>(k) + 0.5) * width;
      count += 1, sr += r, sh += height[k], srr += r * r, srh += r * height[k];
    }
    return std::atan2(sr * sh - count * srh, count * srr - sr * sr) * 57.29577951308232;
  }
  double rmsSpeed() const {
    double sum = 0;
    for (const Vec4f v : state.grains.v)
      sum += static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y + static_cast<double>(v.z) * v.z;
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, state.grains.size())));
  }

  std::unique_ptr<Backend> backend;
  Contacts* contacts = nullptr;  // after the first find()

 private:
  void makeContacts() {
    scene_.bodies[0].grain.base = params.grain[0];
    for (std::size_t c = 0; c < scene_.colliders.size(); ++c)
      scene_.colliders[c].params.base = params.collider[c];
    std::vector<std::unique_ptr<Obstacle>> obstacles;
    for (const Collider& collider : scene_.colliders) obstacles.push_back(std::move(*makeObstacle(collider)));
    work_ = std::make_unique<Workspace>(model_, params);
    work_->contacts = std::make_unique<Contacts>(scene_, model_, std::move(obstacles));
    contacts = work_->contacts.get();
  }

  Scene scene_;
  Model model_;
  std::unique_ptr<Workspace> work_;
};

// Pours `count` grains of radius r onto the ground at the origin, four in every fourth frame (reference.md
// c3).
class Pourer {
 public:
  Pourer(GrainWorld& world, int count, float r, std::uint64_t seed)
      : world_(world), count_(count), r_(r), random_(seed) {}
  bool done() const { return static_cast<int>(world_.state.grains.size()) >= count_; }
  // One frame of `substeps` steps.
  void frame(int substeps) {
    if (!done() && frame_++ % 4 == 0) drop();
    for (int s = 0; s < substeps; ++s) world_.step();
  }

 private:
  void drop() {
    const GrainState& g = world_.state.grains;
    float top = r_;
    const int settled = static_cast<int>(g.size()) - 92;
    for (std::size_t i = 0; i < g.size(); ++i)
      if (static_cast<int>(g.id[i]) < settled && std::hypot(g.x[i].x, g.x[i].z) < 0.5f)
        top = std::max(top, g.x[i].y);
    for (int k = 0; k < 4 && !done(); ++k) {
      const int column = k % 2, row = k / 2;
      const float px = (column - 0.5f) * 2.2f * r_, pz = (row - 0.5f) * 2.2f * r_;
      const float jx = random_.around(0.2f * r_), jz = random_.around(0.2f * r_);
      world_.add({px + jx, top + 6 * r_, pz + jz}, {0, -1, 0}, r_, 1);
    }
  }
  GrainWorld& world_;
  int count_, frame_ = 0;
  float r_;
  Lcg random_;
};

}  // namespace repose
