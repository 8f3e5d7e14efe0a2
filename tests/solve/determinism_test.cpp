// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Same bits: for any thread count and instruction set, against a constant; and untouched by a distant
// stranger. A golden value changes only with a reason in the commit.
#include "base/hash.h"
#include "scenes.h"

namespace repose {

constexpr SolverMethod kMethods[] = {SolverMethod::gauss_seidel, SolverMethod::jacobi,
                                     SolverMethod::improved_jacobi, SolverMethod::accelerated_jacobi};

std::uint64_t hashAfter(const Scene& scene, std::unique_ptr<Backend> backend, int frames) {
  auto simulation = Simulation::create(scene, std::move(backend));
  EXPECT_TRUE(simulation.ok());
  advanceFrames(**simulation, frames);
  return (*simulation)->stateHash();
}

TEST(Determinism, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const BendModel bend : {BendModel::neighbour, BendModel::dihedral, BendModel::quadratic}) {
    const Scene scene = gustyScene(40, bend, SolverMethod::accelerated_jacobi);
    const std::uint64_t expected = hashAfter(scene, makeTbbBackend(1, Isa::sse2), 12);
    for (const Isa isa : supportedIsas())
      for (const int threads : {1, 2, 3, 7})
        EXPECT_EQ(hexHash(hashAfter(scene, makeTbbBackend(threads, isa), 12)), hexHash(expected))
            << isaName(isa) << ", " << threads << " threads";
  }
}

TEST(Determinism, GoldenHashes) {
  const char* golden[] = {"78a5c7672acf4fd7", "067f643f0765af34", "0057915bd07cba55", "63fc0e717381b34a"};
  for (int m = 0; m < 4; ++m) {
    const Scene scene = gustyScene(24, BendModel::quadratic, kMethods[m]);
    EXPECT_EQ(hexHash(hashAfter(scene, makeTbbBackend(2), 24)), golden[m]) << "method " << m;
  }
}

TEST(Determinism, AStrangerFarAwayChangesNothing) {
  Scene alone = gustyScene(20, BendModel::quadratic, SolverMethod::accelerated_jacobi);
  Scene company = alone;
  Body stranger = alone.bodies[0];
  stranger.name = "stranger";
  for (Vec3f& p : stranger.geometry.points) p.x += 100;
  stranger.cloth.base.density = 3;
  company.bodies.insert(company.bodies.begin(), stranger);
  auto one = start(alone), two = start(company);
  advanceFrames(*one, 12);
  advanceFrames(*two, 12);
  BodyView a, b;
  one->readBody(0, a);
  two->readBody(1, b);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
}

}  // namespace repose
