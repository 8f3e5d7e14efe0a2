// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Piles: the angle that friction says, whatever the settings (contact_study.md 4), and rest.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.1f;
constexpr int kFramesASecond = 60;

bool longRun() { return std::getenv("REPOSE_LONG") != nullptr; }
constexpr const char* kWhySkipped = "takes long; set REPOSE_LONG=1 to run it";

struct Heap {
  float friction = 0.4f;
  int grains = 1000;
  std::uint64_t seed = 0;
  int steps = 1;  // a frame
  SolverParams solver;
};

void lay(GrainWorld& world, const Heap& heap) {
  world.addPlane({0, 0, 0}, {0, 1, 0});
  world.setFriction(heap.friction);
  world.params.solver = heap.solver;
  world.params.solver.sleep = false;
  world.params.h = 1.0f / static_cast<float>(kFramesASecond * heap.steps);
}

// Pours a heap and gives it `seconds` to settle.
void pour(GrainWorld& world, const Heap& heap, double seconds = 3) {
  lay(world, heap);
  Pourer pourer(world, heap.grains, kRadius, heap.seed);
  while (!pourer.done()) pourer.frame(heap.steps);
  for (int f = 0; f < seconds * kFramesASecond; ++f) pourer.frame(heap.steps);
}

// Mean moment angle of `seeds` heaps [degrees].
double angle(Heap heap, int seeds = 2) {
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    heap.seed = static_cast<std::uint64_t>(seed);
    GrainWorld world(kRadius);
    pour(world, heap);
    sum += world.momentAngle() / seeds;
  }
  return sum;
}

std::vector<Vec3f> placesById(const GrainWorld& world) {
  std::vector<Vec3f> places(world.state.grains.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[world.state.grains.id[i]] = xyz(world.state.grains.x[i]);
  return places;
}

// How many grains have moved by more than a share of the radius, and the farthest of the others.
struct Moved {
  int fallen = 0;
  double creep = 0;
};
Moved movedSince(const std::vector<Vec3f>& before, const GrainWorld& world, double share) {
  Moved moved;
  const std::vector<Vec3f> now = placesById(world);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double way = static_cast<double>(length(now[i] - before[i])) / kRadius;
    if (way > share)
      ++moved.fallen;
    else
      moved.creep = std::max(moved.creep, way);
  }
  return moved;
}

// ---- the angle ----

TEST(PileReference, AngleIsThatOfFriction) {
  constexpr float kFriction[] = {0.1f, 0.2f, 0.3f, 0.4f};
  constexpr double kAngle[] = {10.6, 24.1, 40.9, 52.4};
  for (int k = 0; k < 4; ++k) {
    Heap heap;
    heap.friction = kFriction[k];
    EXPECT_NEAR(angle(heap), kAngle[k], 2) << "friction " << kFriction[k];
  }
}

// 9, 40 and 80 passes a contact and frame instead of 20.
TEST(PileReference, AngleDoesNotDependOnIterations) {
  constexpr int kSettings[][3] = {{3, 2, 1}, {5, 4, 4}, {5, 8, 8}};
  Heap heap;
  const double usual = angle(heap);
  for (const auto& [substeps, iterations, relax] : kSettings) {
    heap.solver.contactsubsteps = substeps;
    heap.solver.contactiterations = iterations;
    heap.solver.contactrelax = relax;
    EXPECT_NEAR(angle(heap), usual, 2) << substeps << "x(" << iterations << "+" << relax << ")";
  }
}

TEST(PileReference, AngleDoesNotDependOnSteps) {
  Heap heap;
  const double usual = angle(heap);
  for (const int steps : {2, 4}) {
    heap.steps = steps;
    EXPECT_NEAR(angle(heap), usual, 2) << steps * kFramesASecond << " steps a second";
  }
}

// Small piles are a little flatter: the loose foot is a larger share of them (docs/piles.md).
TEST(PileReference, AngleDoesNotDependOnSize) {
  Heap heap;
  heap.grains = 3000;
  const double usual = angle(heap);
  heap.grains = 1000;
  EXPECT_NEAR(angle(heap, 4), usual, 2);
  if (!longRun()) return;
  heap.grains = 30000;
  EXPECT_NEAR(angle(heap, 1), usual, 2);
}

// reference.md (c3): one step a frame, one after another, cold.
Heap published(float friction, int grains) {
  Heap heap;
  heap.friction = friction, heap.grains = grains;
  heap.solver.contactscheme = ContactScheme::vts;
  heap.solver.contactmethod = ContactMethod::gauss_seidel;
  heap.solver.contactiterations = 15;
  heap.solver.baumgarte = 0.5f;
  heap.solver.contactmargin = 0.1f;
  return heap;
}

TEST(PileReference, PublishedSchemeGetsSteeperWithFriction) {
  double last = 0, first = 0;
  for (const float friction : {0.1f, 0.2f, 0.3f, 0.4f}) {
    const double now = angle(published(friction, 600), 1);
    EXPECT_GT(now, last) << friction;
    if (first == 0) first = now;
    last = now;
  }
  EXPECT_GT(last - first, 10);
}

TEST(PileReference, PublishedSchemeHasItsAngles) {
  if (!longRun()) GTEST_SKIP() << kWhySkipped;
  constexpr float kFriction[] = {0.1f, 0.2f, 0.3f, 0.4f};
  constexpr double kAngle[] = {10.1, 19.5, 24.5, 27.3};
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(angle(published(kFriction[k], 3000), 1), kAngle[k], 2) << kFriction[k];
}

// ---- rest ----

TEST(PileReference, RestsAndStays) {
  for (const float friction : {0.3f, 0.4f}) {
    Heap heap;
    heap.friction = friction, heap.grains = 3000;
    GrainWorld world(kRadius);
    pour(world, heap, 8);
    EXPECT_LT(world.rmsSpeed(), 1e-6) << friction;
    const std::vector<Vec3f> before = placesById(world);
    for (int f = 0; f < 500; ++f) world.step();
    EXPECT_LE(movedSince(before, world, 0.01).fallen, 3) << friction;
    // a grain or two that lean at the limit of their friction may creep, some 1e-5 m/s
    EXPECT_LT(world.rmsSpeed(), 2e-6) << friction;
  }
}

// A heap put into a new world without the impulses of its contacts.
TEST(PileReference, ReloadedHeapHoldsOrSlumpsToItsFriction) {
  Heap heap;
  GrainWorld old(kRadius);
  pour(old, heap, 8);
  for (const float friction : {0.4f, 0.3f}) {
    heap.friction = friction;
    GrainWorld world(kRadius);
    lay(world, heap);
    world.state = old.state;
    world.state.contacts = {};
    for (int& last : world.state.grains.last) last = -1;
    const std::vector<Vec3f> before = placesById(world);
    for (int f = 0; f < 8 * kFramesASecond; ++f) world.step();
    if (friction == 0.4f) {
      EXPECT_LE(movedSince(before, world, 0.05).fallen, 10);
      EXPECT_NEAR(world.momentAngle(), old.momentAngle(), 0.3);
    } else {
      EXPECT_NEAR(world.momentAngle(), 42, 2);
    }
    EXPECT_LT(world.rmsSpeed(), 1e-5) << friction;
  }
}

// Grains in a box, 46 layers and `across` x `across` columns.
ContactSummary deepBox(int across) {
  GrainWorld world(kRadius, 2);
  const float pitch = 2.02f * kRadius, half = 0.5f * static_cast<float>(across) * pitch;
  world.addPlane({0, 0, 0}, {0, 1, 0});
  world.addPlane({-half, 0, 0}, {1, 0, 0}), world.addPlane({half, 0, 0}, {-1, 0, 0});
  world.addPlane({0, 0, -half}, {0, 0, 1}), world.addPlane({0, 0, half}, {0, 0, -1});
  world.setFriction(0.3f);
  world.params.solver.sleep = false;
  Lcg random(1);
  for (int layer = 0; layer < 46; ++layer)
    for (int i = 0; i < across; ++i)
      for (int k = 0; k < across; ++k) {
        const float x = (static_cast<float>(i) + 0.5f) * pitch - half + random.around(0.01f * kRadius);
        const float z = (static_cast<float>(k) + 0.5f) * pitch - half + random.around(0.01f * kRadius);
        world.add({x, kRadius + static_cast<float>(layer) * pitch, z}, {}, kRadius, 1);
      }
  for (int f = 0; f < 180; ++f) world.step();
  EXPECT_LT(world.rmsSpeed(), 0.01);
  return world.contacts->summary(world.state);
}

TEST(PileReference, DeepBoxIsNotCompressed) {
  const double share = deepBox(longRun() ? 47 : 10).mean_penetration / kRadius;
  EXPECT_LT(share, 0.02) << "of the radius";
  EXPECT_LT(share / 2, 0.01) << "of the diameter";
}

}  // namespace

}  // namespace repose
