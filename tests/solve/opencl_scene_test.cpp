// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Whole scenes on OpenCL end with the bits of TBB.
#include <filesystem>

#include "base/hash.h"
#include "scenes.h"
#include "tests/backend/opencl_card.h"

namespace repose {

struct OpenClCase {
  const char* name;
  int frames;
};

std::string hashOn(std::unique_ptr<Backend> backend, const Scene& scene, int frames) {
  auto simulation = Simulation::create(scene, std::move(backend));
  EXPECT_TRUE(simulation.ok()) << simulation.status().message();
  advanceFrames(**simulation, frames);
  return hexHash((*simulation)->stateHash());
}

class OpenClScene : public testing::TestWithParam<OpenClCase> {};

TEST_P(OpenClScene, HasTheHashOfTheHost) {
  const SceneLoad loaded =
      loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + GetParam().name + ".json", {});
  ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
  // all 48 frames where time does not matter
  const int frames = std::getenv("REPOSE_LONG") ? 48 : GetParam().frames;
  EXPECT_EQ(hashOn(openClHere(2), loaded.scene, frames), hashOn(makeTbbBackend(2), loaded.scene, frames));
}

// On a card, where arrays have to be copied, as many kernels run as on a device that has the arrays of the
// host: but for the first look at the scene, when nobody has said yet where its arrays lie.
void expectSameOnACard(const Scene& scene, int frames) {
  constexpr int kFirstLook = 8;
  const std::string of_device = hashOn(openClHere(watched::device(), 2), scene, frames);
  const int launches = watched::counts.launches;
  EXPECT_EQ(hashOn(openClHere(watched::card(), 2), scene, frames), of_device);
  EXPECT_LE(watched::counts.launches, launches);
  EXPECT_GE(watched::counts.launches, launches - kFirstLook);
  EXPECT_EQ(watched::counts.strangers, 0);
}

TEST_P(OpenClScene, HasTheHashOfTheHostOnACard) {
  const SceneLoad loaded =
      loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + GetParam().name + ".json", {});
  ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
  expectSameOnACard(loaded.scene, std::min(GetParam().frames, 12));
}

INSTANTIATE_TEST_SUITE_P(Example, OpenClScene,
                         testing::Values(OpenClCase{"flag", 48}, OpenClCase{"pile", 6},
                                         OpenClCase{"sand_on_cloth", 6}, OpenClCase{"boxes", 24},
                                         OpenClCase{"jelly_cubes", 6}, OpenClCase{"four_cloths", 12}),
                         [](const auto& test) { return test.param.name; });

// An upright sheet that is thrown at the floor folds onto itself, too fast for contacts alone.
TEST(OpenClCloth, ASheetThatFoldsHasTheHashOfTheHost) {
  Scene scene;
  scene.first_frame = 1, scene.last_frame = 100;
  Body body;
  body.name = "sheet";
  body.geometry = makeGrid(24, 24, 0.8f, 0.8f);
  for (Vec3f& p : body.geometry.points) p = {p.x, 0.02f + p.z, 0.02f * p.x * p.z};
  body.velocity = {0, -15, 0};
  body.cloth.base.selfcollision = true;
  scene.bodies.push_back(body);
  Collider floor;
  floor.name = "floor";
  scene.colliders.push_back(floor);
  EXPECT_EQ(hashOn(openClHere(2), scene, 6), hashOn(makeTbbBackend(2), scene, 6));
}

TEST(OpenClCloth, EveryMethodHasTheHashOfTheHostOnACard) {
  for (const SolverMethod method :
       {SolverMethod::jacobi, SolverMethod::improved_jacobi, SolverMethod::accelerated_jacobi,
        SolverMethod::gauss_seidel_coloured, SolverMethod::nesterov, SolverMethod::chebyshev,
        SolverMethod::minimum_residual, SolverMethod::conjugate_residuals, SolverMethod::projective,
        SolverMethod::interleaved, SolverMethod::multilevel}) {
    SCOPED_TRACE(static_cast<int>(method));
    expectSameOnACard(gustyScene(12, BendModel::quadratic, method), 2);
  }
}

// Every kind of array that an example works on is one that somebody counts.
TEST(OpenClCard, EveryExampleHasTheHashOfTheHost) {
  for (const auto& entry : std::filesystem::directory_iterator(REPOSE_SOURCE_DIR "/examples_hip")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const SceneLoad loaded = loadScene(entry.path().string(), {});
    ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
    expectSameOnACard(loaded.scene, 1);
  }
}

TEST(OpenClLost, ADeviceThatIsLostEndsTheRunWithAWord) {
  static int launches = 0;
  static OpenClApi api = *loadOpenCl();
  OpenClApi failing = api;
  failing.clFinish = [](cl_command_queue queue) {
    const cl_int finished = api.clFinish(queue);  // else it would write to memory that is gone
    return ++launches > 200 ? cl_int{CL_OUT_OF_RESOURCES} : finished;
  };
  OpenClOptions options;
  options.threads = 1;
  auto backend = makeOpenClBackend(failing, options);
  ASSERT_TRUE(backend.ok());
  auto simulation =
      Simulation::create(gustyScene(24, BendModel::quadratic, SolverMethod::jacobi), std::move(*backend));
  ASSERT_TRUE(simulation.ok());
  StepReport report;
  Status moved;
  for (int frame = 0; frame < 100 && moved; ++frame) moved = (*simulation)->advance(1, report);
  EXPECT_EQ(moved.code(), Code::io);
  EXPECT_NE(moved.message().find("was lost in the middle of a step: CL_OUT_OF_RESOURCES"), std::string::npos)
      << moved.message();
}

// A device with as much memory as the scene takes at its beginning, before there are contacts.
TEST(OpenClSmall, ASceneThatOutgrowsTheDeviceEndsOnTheHostWithTheSameHash) {
  const SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/pile.json", {});
  ASSERT_TRUE(loaded.ok()) << loaded.errors[0];
  auto on_host = Simulation::create(loaded.scene, makeTbbBackend(2));
  ASSERT_TRUE(on_host.ok());
  static cl_ulong memory;
  memory = (*on_host)->memoryBytes();
  advanceFrames(**on_host, 3);
  ASSERT_GT((*on_host)->memoryBytes(), memory);

  static OpenClApi api = *loadOpenCl();
  OpenClApi small = api;
  small.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, std::size_t bytes, void* value,
                             std::size_t* filled) {
    const cl_int error = api.clGetDeviceInfo(id, what, bytes, value, filled);
    if (what == CL_DEVICE_GLOBAL_MEM_SIZE && value) *static_cast<cl_ulong*>(value) = memory;
    return error;
  };
  std::vector<std::string> said;
  OpenClOptions options;
  options.threads = 2;
  options.say = [&](const std::string& text) { said.push_back(text); };
  auto backend = makeOpenClBackend(small, options);
  ASSERT_TRUE(backend.ok());
  EXPECT_EQ(hashOn(std::move(*backend), loaded.scene, 3), hexHash((*on_host)->stateHash()));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("MiB of memory, and the scene takes"), std::string::npos) << said[0];
}

}  // namespace repose
