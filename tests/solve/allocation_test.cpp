// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The step loop allocates nothing after the first frame: every operator new of the process is counted.
// Sanitizers bring an operator new of their own, which may not be replaced.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <cstdlib>
#include <new>

#include "garment_scene.h"

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

void expectNoneAfterTheFirstFrame(const Scene& scene) {
  auto simulation = start(scene, 2);
  BodyView view;
  StepReport report;
  ASSERT_TRUE(simulation->advance(1, report).ok());
  simulation->readBody(0, view);
  const long before = allocations;
  for (int f = 0; f < 3; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    simulation->readBody(0, view);
  }
  EXPECT_EQ(allocations - before, 0);
}

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

}  // namespace repose

#endif
