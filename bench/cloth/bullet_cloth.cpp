// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Bullet's soft body on S1 of peers.md: the same points and rows as bench_cloth, one thread; prints one JSON
// object. Built by ./dev bench cloth --peers, not by CMake: only a comparison needs Bullet.
//   bullet_cloth POINTS_ACROSS END SETTLE FRAMES ITERATIONS
// END gets the points of every measured frame, as floats.
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr float kStep = 0.016f;

// Stretch, shear and second-neighbour links, in the order of bench/sheet.h; the first 2n(n-1) are the grid.
void addLinks(btSoftBody& cloth, int n) {
  for (const auto& [di, dj] : {std::pair(1, 0), {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}})
    for (int j = 0; j + dj < n; ++j)
      for (int i = std::max(0, -di); i < n - std::max(0, di); ++i)
        cloth.appendLink(j * n + i, (j + dj) * n + i + di);
}

double cpuMilliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int n = std::atoi(argv[1]), settle = std::atoi(argv[3]), frames = std::atoi(argv[4]);
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
  cloth.m_cfg.piterations = std::atoi(argv[5]);
  cloth.m_cfg.collisions = 0;
  world.addSoftBody(&cloth);

  std::string cpu_ms;
  std::ofstream end(argv[2], std::ios::binary);
  for (int f = 0; f < settle + frames; ++f) {
    const double begin = cpuMilliseconds();
    world.stepSimulation(kStep, 0, kStep);
    if (f < settle) continue;
    cpu_ms += (cpu_ms.empty() ? "" : ", ") + std::to_string(cpuMilliseconds() - begin);
    for (int p = 0; p < n * n; ++p) {
      const btVector3 at = cloth.m_nodes[p].m_x;
      const float x[3] = {at.x(), at.y(), at.z()};
      end.write(reinterpret_cast<const char*>(x), sizeof(x));
    }
  }
  std::printf("{\"version\": \"%d.%02d\", \"cpu_ms\": [%s]}\n", btGetVersion() / 100, btGetVersion() % 100,
              cpu_ms.c_str());
  world.removeSoftBody(&cloth);
}
