// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Bullet's soft body on S1 of peers.md: the same points and rows as bench_cloth, one thread; prints one JSON
// object. Built by ./dev bench cloth --peers, not by CMake: only a comparison needs Bullet.
//   bullet_cloth POINTS_ACROSS ITERATIONS
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kSettle = 30, kFrames = 40;
constexpr float kStep = 0.016f;

// Stretch, shear and second-neighbour links, in the order of bench/sheet.h; the first 2n(n-1) are the grid.
void addLinks(btSoftBody& cloth, int n) {
  for (const auto& [di, dj] : {std::pair(1, 0), {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}})
    for (int j = 0; j + dj < n; ++j)
      for (int i = std::max(0, -di); i < n - std::max(0, di); ++i)
        cloth.appendLink(j * n + i, (j + dj) * n + i + di);
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100, iterations = argc > 2 ? std::atoi(argv[2]) : 15;
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity({0, -9.8f, 0});
  world.getWorldInfo().m_gravity = {0, -9.8f, 0};

  const float spacing = 2.0f / static_cast<float>(n - 1);
  std::vector<btVector3> points;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      points.emplace_back(spacing * static_cast<float>(i), 0, spacing * static_cast<float>(j));
  const std::vector<btScalar> masses(points.size(), 1.0f / static_cast<float>(n * n));
  btSoftBody cloth(&world.getWorldInfo(), static_cast<int>(points.size()), points.data(), masses.data());
  cloth.appendMaterial();
  addLinks(cloth, n);
  cloth.setMass(0, 0);
  cloth.setMass(n - 1, 0);
  cloth.m_cfg.piterations = iterations;
  cloth.m_cfg.collisions = 0;
  world.addSoftBody(&cloth);

  std::vector<double> times;
  for (int f = 0; f < kSettle + kFrames; ++f) {
    const auto begin = std::chrono::steady_clock::now();
    world.stepSimulation(kStep, 0, kStep);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    if (f >= kSettle) times.push_back(elapsed.count());
  }
  std::sort(times.begin(), times.end());
  double mean = 0;
  const int edges = 2 * n * (n - 1);
  for (int e = 0; e < edges; ++e) {
    const btSoftBody::Link& link = cloth.m_links[e];
    mean += std::abs((link.m_n[0]->m_x - link.m_n[1]->m_x).length() / spacing - 1) / edges;
  }
  std::printf(
      "{\"points_across\": %d, \"iterations\": %d, \"median_ms\": %.4f, \"least_ms\": %.4f, "
      "\"mean_stretch\": %.5f}\n",
      n, iterations, times[times.size() / 2], times.front(), mean);
  world.removeSoftBody(&cloth);
}
