// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A simulation that is made anew from its scene and given the bytes of another goes on with the same bits.
#include <filesystem>

#include "scenes.h"

namespace repose {
namespace {

Scene example(const std::string& name, const std::vector<std::string>& sets = {}) {
  SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/" + name + ".json", sets);
  EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  return std::move(loaded.scene);
}

std::vector<std::uint64_t> hashes(Simulation& simulation, int frames) {
  std::vector<std::uint64_t> all;
  for (int f = 0; f < frames; ++f) {
    advanceFrames(simulation, 1);
    all.push_back(simulation.stateHash());
  }
  return all;
}

void expectSameAfterResume(const Scene& scene, int before, int after) {
  const auto first = start(scene, 2);
  advanceFrames(*first, before);
  std::string bytes;
  ByteWriter writer(bytes);
  first->save(writer);
  const std::vector<std::uint64_t> went_on = hashes(*first, after);

  const auto second = start(scene, 1);
  ByteReader reader(bytes);
  second->load(reader);
  ASSERT_TRUE(reader.done());
  EXPECT_EQ(second->frame(), scene.first_frame + before);
  EXPECT_EQ(hashes(*second, after), went_on);
}

TEST(Resume, ClothOfEveryKind) {
  expectSameAfterResume(gustyScene(12, BendModel::dihedral, SolverMethod::multilevel), 5, 4);
  expectSameAfterResume(gustyScene(12, BendModel::quadratic, SolverMethod::accelerated_jacobi), 5, 4);
  expectSameAfterResume(gustyScene(12, BendModel::dihedral, SolverMethod::gauss_seidel_coloured), 5, 4);
  Scene chebyshev = gustyScene(12, BendModel::quadratic, SolverMethod::chebyshev);
  expectSameAfterResume(chebyshev, 5, 4);
  Scene second_order = gustyScene(12, BendModel::quadratic, SolverMethod::multilevel);
  second_order.solver.base.secondorder = true;
  expectSameAfterResume(second_order, 5, 4);
}

TEST(Resume, RestShapesThatGrowAndCrease) {
  Scene scene = gustyScene(12, BendModel::dihedral, SolverMethod::multilevel);
  scene.bodies[0].cloth.base.creaseangle = 5;
  scene.bodies[0].cloth.base.restscale = 1.1f;
  expectSameAfterResume(scene, 5, 4);
}

TEST(Resume, SandInAnHourglass) { expectSameAfterResume(example("hourglass"), 6, 4); }
TEST(Resume, SandOnCloth) { expectSameAfterResume(example("sand_over_cloth"), 10, 3); }
TEST(Resume, RagdollsOnStairs) { expectSameAfterResume(example("ragdolls"), 20, 6); }
TEST(Resume, BodiesInSand) { expectSameAfterResume(example("bodies_in_sand"), 12, 3); }
TEST(Resume, BoxesThatFallAsleep) { expectSameAfterResume(example("stack"), 60, 10); }

TEST(Resume, JellyThatFlowsAndStacks) {
  expectSameAfterResume(example("jelly_cubes"), 10, 3);
  Scene dough = example("jelly_cubes");
  for (Body& body : dough.bodies)
    if (body.kind == BodyKind::soft) body.soft.base.plasticyield = 0.05f;
  expectSameAfterResume(dough, 8, 3);
}

TEST(Resume, BytesOfAnotherSceneAreRefused) {
  std::string bytes;
  ByteWriter writer(bytes);
  start(gustyScene(8, BendModel::quadratic, SolverMethod::jacobi))->save(writer);
  const auto other = start(gustyScene(12, BendModel::quadratic, SolverMethod::jacobi));
  ByteReader reader(bytes);
  other->load(reader);
  EXPECT_FALSE(reader.good());
}

}  // namespace
}  // namespace repose
