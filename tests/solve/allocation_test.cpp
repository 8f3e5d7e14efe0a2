// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The step loop allocates nothing after the first frame: every operator new of the process is counted.
// Sanitizers bring an operator new of their own, which may not be replaced.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <cstdlib>
#include <new>

#include "garment_scene.h"
#include "soft_world.h"

namespace {
std::atomic<long> allocations{0};
void* counted(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace repose {

void expectNoneAfter(int frames, const Scene& scene) {
  auto simulation = start(scene, 2);
  BodyView view;
  StepReport report;
  for (int f = 0; f < frames; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    for (int b = 0; b < simulation->bodyCount(); ++b) simulation->readBody(b, view);
  }
  const long before = allocations;
  for (int f = 0; f < 3; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    for (int b = 0; b < simulation->bodyCount(); ++b) simulation->readBody(b, view);
  }
  EXPECT_EQ(allocations - before, 0);
}

void expectNoneAfterTheFirstFrame(const Scene& scene) { expectNoneAfter(1, scene); }

TEST(Allocation, NoneInTheStepLoopAfterTheFirstFrame) {
  for (int m = 0; m <= static_cast<int>(SolverMethod::multilevel); ++m)
    for (const BendModel bend : {BendModel::quadratic, BendModel::dihedral}) {
      const auto method = static_cast<SolverMethod>(m);
      Scene scene = gustyScene(32, bend, method);
      if (bend == BendModel::dihedral) scene.bodies[0].cloth.base.membrane = Membrane::triangles;
      scene.solver.base.tolerance = 1e-3f;
      Pin& pin = scene.bodies[0].pins[0];
      pin.translate.keys = {{1, {}}, {10, {0, 1, 0}}};
      expectNoneAfterTheFirstFrame(scene);
    }
}

TEST(Allocation, NoneForGarmentsThatChangeTheirRest) {
  for (int m = 0; m <= static_cast<int>(SolverMethod::multilevel); ++m)
    expectNoneAfterTheFirstFrame(garmentScene(16, static_cast<SolverMethod>(m)));
}

TEST(Allocation, NoneForTrianglesSewnToSprings) {
  for (const SolverMethod method :
       {SolverMethod::accelerated_jacobi, SolverMethod::gauss_seidel_coloured, SolverMethod::multilevel})
    expectNoneAfterTheFirstFrame(fabricScene(16, method));
}

TEST(Allocation, NoneForSoftBodies) {
  for (const SolverMethod method :
       {SolverMethod::multilevel, SolverMethod::gauss_seidel_coloured, SolverMethod::accelerated_jacobi})
    for (const SoftSmoothing smoothing : {SoftSmoothing::none, SoftSmoothing::edges}) {
      Scene scene = cantilever(2, 1e5f, 0.3f, SoftMaterial::neohookean, smoothing);
      scene.solver.base.method = method;
      SoftParams& soft = scene.bodies[0].soft.base;
      soft.stiffdamping = 0.01f, soft.fibrestiffness = 1e4f, soft.plasticyield = 0.05f;
      expectNoneAfterTheFirstFrame(scene);
    }
}

// ---- contacts: their arrays grow until there are no more of them than before ----

Body block(int across, float radius, Vec3f corner) {
  Body sand;
  sand.name = "sand", sand.kind = BodyKind::grain;
  for (int k = 0; k < across * across * across; ++k) {
    const auto at = [&](int step) { return 2 * radius * static_cast<float>(k / step % across); };
    sand.geometry.points.push_back(corner + Vec3f{at(1), at(across * across), at(across)});
    sand.radii.push_back(radius);
  }
  sand.grain.base.radius = radius;
  return sand;
}

Scene heapOfGrains() {
  Scene scene;
  scene.bodies = {block(12, 0.05f, {0, 0.05f, 0})};
  Collider floor, wall;
  floor.name = "floor", wall.name = "wall";
  wall.point = {-0.05f, 0, 0}, wall.normal = {1, 0, 0};
  scene.colliders = {floor, wall};
  return scene;
}

TEST(Allocation, NoneForAHeapAtRest) {
  constexpr int kSettled = 60;
  for (const bool sleep : {false, true})
    for (const bool rolls : {false, true}) {
      Scene scene = heapOfGrains();
      scene.solver.base.sleep = sleep;
      scene.bodies[0].grain.base.rotation = rolls,
      scene.bodies[0].grain.base.rollingfriction = rolls ? 0.1f : 0;
      expectNoneAfter(kSettled, scene);
    }
  for (const ContactMethod method : {ContactMethod::accelerated_jacobi, ContactMethod::gauss_seidel}) {
    Scene scene = heapOfGrains();
    scene.solver.base.sleep = false, scene.solver.base.contactmethod = method;
    expectNoneAfter(kSettled, scene);
  }
}

TEST(Allocation, NoneForSandOnCloth) {
  for (const SolverMethod method :
       {SolverMethod::multilevel, SolverMethod::gauss_seidel_coloured, SolverMethod::accelerated_jacobi}) {
    Scene scene = gustyScene(16, BendModel::quadratic, method);
    scene.world.base.wind = {};
    Body& cloth = scene.bodies[0];
    cloth.pins.push_back({"others", {16 * 17, 16 * 17 + 16}, {}, false});
    Bounds box;
    for (const Vec3f p : cloth.geometry.points) box.add(p);
    const Vec3f middle = (box.lo + box.hi) * 0.5f;
    scene.bodies.push_back(block(4, 0.03f, middle + Vec3f{-0.1f, 0.05f, -0.1f}));
    for (Body& body : scene.bodies) body.cloth.base.veldamping = body.grain.base.veldamping = 3;
    expectNoneAfter(150, scene);
  }
}

TEST(Allocation, NoneForASoftBodyAtRest) {
  for (const SolverMethod method : {SolverMethod::multilevel, SolverMethod::gauss_seidel_coloured}) {
    Body box = softBox({0.3f, 0.3f, 0.3f}, {3, 3, 3}, {0, 0.156f, 0});
    box.soft.base.youngsmodulus = 1e5f, box.soft.base.stiffdamping = 0.01f;
    Scene scene = softScene(std::move(box));
    scene.solver.base.method = method;
    scene.colliders.emplace_back();
    expectNoneAfter(24, scene);
  }
}

}  // namespace repose

#endif
