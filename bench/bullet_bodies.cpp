// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S2 and S3 of peers.md by Bullet: bullet_bodies START END SETTLE FRAMES [boxes]. START holds x, y, z of each
// grain, of each box also the quaternion x, y, z, w, and at its end half the width of the container, as
// floats; END gets the same of each at the end. Prints one JSON object with the milliseconds of each frame.
#include <btBulletDynamicsCommon.h>

#include <chrono>
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

constexpr float kRadius = 0.05f, kGrainStep = 0.016f, kHalfBox = 0.2f, kBoxStep = 1 / 60.0f;
const float kFriction = std::sqrt(0.4f);  // the two sides are multiplied

std::vector<float> readFloats(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const auto* data = reinterpret_cast<const float*>(bytes.data());
  return {data, data + bytes.size() / sizeof(float)};
}

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  explicit World(const btDefaultCollisionConstructionInfo& pools) : configuration(pools) {
    dynamics.setGravity({0, -9.81f, 0});
    dynamics.getSolverInfo().m_numIterations = 15;
  }
  ~World() {
    for (const auto& body : bodies) dynamics.removeRigidBody(body.get());
  }
  void add(btCollisionShape* shape, float mass, btVector3 at, btQuaternion turn = {0, 0, 0, 1}) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(at);
    info.m_startWorldTransform.setRotation(turn);
    info.m_friction = kFriction;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    dynamics.addRigidBody(bodies.back().get());
  }
};

double cpuMilliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  const bool boxes = argc == 6 && std::string(argv[5]) == "boxes";
  if (argc != 5 && !boxes) return 2;
  const std::vector<float> start = readFloats(argv[1]);
  const int numbers = boxes ? 7 : 3;
  const float step = boxes ? kBoxStep : kGrainStep;
  const int bodies = static_cast<int>(start.size()) / numbers, settle = std::atoi(argv[3]),
            frames = std::atoi(argv[4]);
  const float half = start.back(), high = 4 * half + 2;
  btDefaultCollisionConstructionInfo pools;
  pools.m_defaultMaxPersistentManifoldPoolSize = pools.m_defaultMaxCollisionAlgorithmPoolSize = bodies * 10;
  World world(pools);
  const auto wall = [&](btVector3 half_size, btVector3 at) {
    world.shapes.push_back(std::make_unique<btBoxShape>(half_size));
    world.add(world.shapes.back().get(), 0, at);
  };
  wall({half + 2, 1, half + 2}, {0, -1, 0});
  for (const float side : {-1.0f, 1.0f}) {
    wall({1, high, half + 2}, {side * (half + 1), high, 0});
    wall({half + 2, high, 1}, {0, high, side * (half + 1)});
  }
  const std::size_t walls = world.bodies.size();
  if (boxes) {
    world.shapes.push_back(std::make_unique<btBoxShape>(btVector3(kHalfBox, kHalfBox, kHalfBox)));
    world.shapes.back()->setMargin(0.01f);
  } else {
    world.shapes.push_back(std::make_unique<btSphereShape>(kRadius));
  }
  for (int i = 0; i < bodies; ++i) {
    const float* p = start.data() + numbers * i;
    world.add(world.shapes.back().get(), boxes ? 64 : 1, {p[0], p[1], p[2]},
              boxes ? btQuaternion(p[3], p[4], p[5], p[6]) : btQuaternion(0, 0, 0, 1));
  }

  std::string wall_ms, cpu_ms;
  for (int f = 0; f < settle + frames; ++f) {
    const double cpu_begin = cpuMilliseconds();
    const auto begin = std::chrono::steady_clock::now();
    world.dynamics.stepSimulation(step, 0, step);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (f < settle) continue;
    wall_ms += (wall_ms.empty() ? "" : ", ") + std::to_string(took.count());
    cpu_ms += (cpu_ms.empty() ? "" : ", ") + std::to_string(cpuMilliseconds() - cpu_begin);
  }
  std::ofstream end(argv[2], std::ios::binary);
  for (std::size_t b = walls; b < world.bodies.size(); ++b) {
    const btTransform& place = world.bodies[b]->getWorldTransform();
    const btVector3 at = place.getOrigin();
    const btQuaternion turn = place.getRotation();
    const float x[7] = {at.x(), at.y(), at.z(), turn.x(), turn.y(), turn.z(), turn.w()};
    end.write(reinterpret_cast<const char*>(x), static_cast<std::streamsize>(numbers * sizeof(float)));
  }
  std::printf("{\"version\": \"%d.%02d\", \"wall_ms\": [%s], \"cpu_ms\": [%s]}\n", btGetVersion() / 100,
              btGetVersion() % 100, wall_ms.c_str(), cpu_ms.c_str());
}
