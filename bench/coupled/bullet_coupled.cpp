// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S5 of peers.md by Bullet, one thread: bullet_coupled POINTS_ACROSS START END SETTLE FRAMES. START holds x,
// y, z of each grain as floats; END gets the points of the cloth and then the grains. Prints one JSON object.
// Built by ./dev bench coupled --peers, not by CMake: only a comparison needs Bullet.
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr float kRadius = 0.04f, kGrainMass = 0.002f, kSize = 2, kStep = 0.016f;
constexpr int kIterations = 15;
const float kFriction = std::sqrt(0.4f);  // the two sides are multiplied

std::vector<float> readFloats(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const auto* data = reinterpret_cast<const float*>(bytes.data());
  return {data, data + bytes.size() / sizeof(float)};
}

void writePlace(std::ofstream& file, const btVector3& at) {
  const float x[3] = {at.x(), at.y(), at.z()};
  file.write(reinterpret_cast<const char*>(x), sizeof(x));
}

// 1 kg, held at its corners; the rows of S1 and two triangles a cell.
std::unique_ptr<btSoftBody> makeCloth(btSoftBodyWorldInfo& info, int n) {
  const float spacing = kSize / static_cast<float>(n - 1);
  std::vector<btVector3> points;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      points.emplace_back(spacing * static_cast<float>(i) - kSize / 2, 0,
                          spacing * static_cast<float>(j) - kSize / 2);
  const std::vector<btScalar> masses(points.size(), 1.0f / static_cast<float>(n * n));
  auto cloth =
      std::make_unique<btSoftBody>(&info, static_cast<int>(points.size()), points.data(), masses.data());
  cloth->appendMaterial();
  for (const auto& [di, dj] : {std::pair(1, 0), {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}})
    for (int j = 0; j + dj < n; ++j)
      for (int i = std::max(0, -di); i < n - std::max(0, di); ++i)
        cloth->appendLink(j * n + i, (j + dj) * n + i + di);
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      cloth->appendFace(a, a + n, a + n + 1);
      cloth->appendFace(a, a + n + 1, a + 1);
    }
  for (const int corner : {0, n - 1, n * (n - 1), n * n - 1}) cloth->setMass(corner, 0);
  cloth->m_cfg.piterations = kIterations;
  cloth->m_cfg.kDF = 0.4f;
  cloth->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
  return cloth;
}

double cpuMilliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int n = std::atoi(argv[1]), settle = std::atoi(argv[4]), frames = std::atoi(argv[5]);
  const std::vector<float> start = readFloats(argv[2]);
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity({0, -9.81f, 0});
  world.getWorldInfo().m_gravity = {0, -9.81f, 0};
  world.getWorldInfo().m_sparsesdf.Initialize();
  world.getSolverInfo().m_numIterations = kIterations;
  const std::unique_ptr<btSoftBody> cloth = makeCloth(world.getWorldInfo(), n);
  world.addSoftBody(cloth.get());
  btSphereShape sphere(kRadius);
  btVector3 inertia(0, 0, 0);
  sphere.calculateLocalInertia(kGrainMass, inertia);
  std::vector<std::unique_ptr<btRigidBody>> grains;
  for (std::size_t g = 0; g + 2 < start.size(); g += 3) {
    btRigidBody::btRigidBodyConstructionInfo info(kGrainMass, nullptr, &sphere, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({start[g], start[g + 1], start[g + 2]});
    info.m_friction = kFriction;
    grains.push_back(std::make_unique<btRigidBody>(info));
    grains.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(grains.back().get());
  }

  std::string cpu_ms;
  for (int f = 0; f < settle + frames; ++f) {
    const double begin = cpuMilliseconds();
    world.stepSimulation(kStep, 0, kStep);
    if (f >= settle) cpu_ms += (cpu_ms.empty() ? "" : ", ") + std::to_string(cpuMilliseconds() - begin);
  }
  std::ofstream end(argv[3], std::ios::binary);
  for (int p = 0; p < cloth->m_nodes.size(); ++p) writePlace(end, cloth->m_nodes[p].m_x);
  for (const auto& grain : grains) writePlace(end, grain->getWorldTransform().getOrigin());
  std::printf("{\"version\": \"%d.%02d\", \"cpu_ms\": [%s]}\n", btGetVersion() / 100, btGetVersion() % 100,
              cpu_ms.c_str());
  for (const auto& grain : grains) world.removeRigidBody(grain.get());
  world.removeSoftBody(cloth.get());
}
