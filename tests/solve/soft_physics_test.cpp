// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies on multipliers: the cantilever of reference.md (g), what free bodies keep, and that anything
// comes back.
#include "base/hash.h"
#include "model/build.h"
#include "soft_scene.h"
#include "solve/workspace.h"

namespace repose {

constexpr SoftMaterial kMaterials[] = {SoftMaterial::neohookean, SoftMaterial::corotated, SoftMaterial::stvk};
const char* nameOf(SoftMaterial m) {
  return m == SoftMaterial::neohookean ? "neohookean" : m == SoftMaterial::corotated ? "corotated" : "stvk";
}

// All motion is damped. The damping of a step also takes from gravity, 1/(1 + h c), which is given back.
void calm(Scene& scene) {
  const float damping = 6, h = 1 / (60 * static_cast<float>(scene.world.base.substeps));
  scene.bodies[0].soft.base.veldamping = damping;
  scene.world.base.gravity = scene.world.base.gravity * (1 + h * damping);
}

float restingTip(Scene scene, float seconds) {
  calm(scene);
  auto simulation = start(scene);
  advanceFrames(*simulation, static_cast<int>(seconds * 60));
  return tipDeflection(*simulation, scene);
}

// reference.md (g): Newton's solution of the same mesh hangs .1883 m.
TEST(SoftPhysics, CantileverHangsAsNewtonSays) {
  Scene scene = cantilever(2, 1e6f, 0.3f, SoftMaterial::stvk, SolverMethod::gauss_seidel_coloured);
  scene.solver.base.iterations = 200;
  EXPECT_NEAR(restingTip(scene, 2), 0.1883f, 0.02f * 0.1883f);
}

TEST(SoftPhysics, IndexOrderAndColoursAgree) {
  for (const SoftMaterial material : kMaterials) {
    float tip[2] = {};
    for (const SolverMethod method : {SolverMethod::gauss_seidel, SolverMethod::gauss_seidel_coloured}) {
      Scene scene = cantilever(2, 1e5f, 0.3f, material, method);
      scene.solver.base.iterations = 40;
      auto simulation = start(scene);
      advanceFrames(*simulation, 20);
      tip[method == SolverMethod::gauss_seidel] = tipDeflection(*simulation, scene);
    }
    EXPECT_NEAR(tip[0], tip[1], 0.01f * tip[0]) << nameOf(material);
  }
}

TEST(SoftPhysics, CantileverKeepsItsVolume) {
  Scene scene = cantilever(2, 1e6f, 0.3f, SoftMaterial::stvk, SolverMethod::gauss_seidel_coloured);
  scene.solver.base.iterations = 200;
  calm(scene);
  auto simulation = start(scene);
  advanceFrames(*simulation, 90);
  EXPECT_NEAR(volumesOf(*simulation, scene).whole, 1, 0.002f);
}

// reference.md (g): substeps x iterations.
TEST(SoftPhysics, StiffnessIsNotAMatterOfSubsteps) {
  for (const SoftMaterial material : kMaterials)
    for (const int substeps : {20, 50}) {
      Scene scene = cantilever(2, 1e6f, 0.3f, material, SolverMethod::gauss_seidel_coloured);
      scene.world.base.substeps = substeps;
      scene.solver.base.iterations = 1;
      EXPECT_NEAR(restingTip(scene, 2), 0.188f, (substeps == 20 ? 0.1f : 0.04f) * 0.188f)
          << nameOf(material) << ", " << substeps;
    }
}

// The residual stop, and the word of it.
TEST(SoftPhysics, ToleranceMakesTheCountNoMatter) {
  for (const SoftMaterial material : kMaterials)
    for (const int substeps : {5, 20, 50}) {
      Scene scene = cantilever(2, 1e6f, 0.3f, material, SolverMethod::gauss_seidel_coloured);
      scene.world.base.substeps = substeps;
      scene.solver.base.iterations = 400;
      scene.solver.base.tolerance = 0.003f;
      calm(scene);
      auto simulation = start(scene);
      StepReport report;
      for (int f = 0; f < 100; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
      EXPECT_TRUE(report.converged);
      EXPECT_LT(report.iterations, 400 * substeps);
      EXPECT_NEAR(tipDeflection(*simulation, scene), 0.188f, 0.03f * 0.188f)
          << nameOf(material) << ", " << substeps;
    }
  Scene hard = cantilever(2, 1e8f, 0.3f, SoftMaterial::stvk, SolverMethod::gauss_seidel_coloured);
  hard.solver.base.iterations = 5;
  hard.solver.base.tolerance = 1e-5f;
  auto simulation = start(hard);
  StepReport report;
  ASSERT_TRUE(simulation->advance(1, report).ok());
  EXPECT_FALSE(report.converged);
}

TEST(SoftPhysics, JacobiMethodsBendTheSameBeam) {
  for (const SolverMethod method :
       {SolverMethod::jacobi, SolverMethod::improved_jacobi, SolverMethod::accelerated_jacobi})
    for (const SoftMaterial material : kMaterials) {
      Scene scene = cantilever(2, 1e5f, 0.3f, material, method);
      scene.world.base.gravity = {0, -0.98f, 0};
      scene.world.base.substeps = 10;
      scene.solver.base.iterations = 20;
      EXPECT_NEAR(restingTip(scene, 2), 0.188f, 0.06f * 0.188f)
          << nameOf(material) << static_cast<int>(method);
    }
}

// A body whose places are set by hand.
struct SoftRun {
  explicit SoftRun(const Scene& scene) : built(std::move(*buildModel(scene))), backend(makeTbbBackend(1)) {
    params.world = scene.world.base, params.solver = scene.solver.base;
    params.soft = {scene.bodies[0].soft.base};
    params.cloth = {skinOf(params.soft[0])};
    params.h = 1 / (params.world.fps * static_cast<float>(params.world.substeps));
    work = std::make_unique<Workspace>(built.model, params);
  }
  void frames(int count) {
    for (int k = 0; k < count * params.world.substeps; ++k)
      step(built.model, built.state, params, *work, *backend, seconds);
  }
  Built built;
  StepParams params;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Workspace> work;
  StageSeconds seconds{};
};

// Momentum and angular momentum of a body that flies, spins and wobbles. A place is a float: each of the 300
// steps rounds a velocity by about 1e-7 m / h = 6e-5 m/s, which adds up to some 1e-4 of the momentum.
TEST(SoftPhysics, FreeBodiesKeepTheirMomentum) {
  for (const SoftMaterial material : kMaterials)
    for (const SolverMethod method :
         {SolverMethod::gauss_seidel_coloured, SolverMethod::accelerated_jacobi}) {
      Scene scene = softScene({3, 2, 2, {0.6f, 0.4f, 0.4f}, {0, 0, 0}}, material, method);
      scene.world.base.gravity = {};
      scene.world.base.substeps = 10;
      scene.solver.base.iterations = 20;
      scene.bodies[0].soft.base.youngsmodulus = 1e5f;
      SoftRun run(scene);
      State& state = run.built.state;
      for (std::size_t p = 0; p < state.x.size(); ++p) {
        const Vec4f x = state.x[p];
        if (x.w > 0) state.v[p] = {1 + x.y * 3, x.z * 2 - x.x * 3, x.x * x.y, 0};
      }
      const auto measure = [&](Vec3f& linear, Vec3f& angular) {
        linear = angular = {};
        for (std::size_t p = 0; p < state.x.size(); ++p)
          if (state.x[p].w > 0) {
            linear = linear + xyz(state.v[p]) * (1 / state.x[p].w);
            angular = angular + cross(xyz(state.x[p]), xyz(state.v[p])) * (1 / state.x[p].w);
          }
      };
      Vec3f linear[2], angular[2];
      measure(linear[0], angular[0]);
      run.frames(30);
      measure(linear[1], angular[1]);
      EXPECT_LT(length(linear[1] - linear[0]), 5e-4f * length(linear[0])) << nameOf(material);
      EXPECT_LT(length(angular[1] - angular[0]), 0.02f * length(angular[0])) << nameOf(material);
    }
}

// A cube pressed flat, one turned inside out and one crumpled to noise, let go.
TEST(SoftPhysics, AnythingComesBack) {
  enum Hurt { flat, inside_out, crumpled };
  for (const SoftMaterial material : kMaterials)
    for (const Hurt hurt : {flat, inside_out, crumpled}) {
      Scene scene = softScene({3, 3, 3, {1, 1, 1}, {0, 0, 0}}, material, SolverMethod::gauss_seidel_coloured);
      scene.world.base.gravity = {};
      scene.world.base.substeps = 20;
      scene.solver.base.iterations = 2;
      SoftParams& soft = scene.bodies[0].soft.base;
      soft.youngsmodulus = 1e5f, soft.poissonratio = 0.4f, soft.stiffdamping = 0.005f;
      SoftRun run(scene);
      const std::vector<Vec4f> rest = run.built.state.x;
      std::uint32_t noise = 1;
      const auto random = [&] {
        return static_cast<float>((noise = noise * 1664525u + 1013904223u) >> 8) / (1 << 24);
      };
      for (Vec4f& p : run.built.state.x) {
        if (hurt == flat) p.y = 0;
        if (hurt == inside_out) p.y = 1 - p.y;
        if (hurt == crumpled) p = {random(), random(), random(), p.w};
      }
      run.frames(150);
      float worst = 0;
      const std::vector<Vec4f>& x = run.built.state.x;
      for (std::size_t a = 0; a < 64; ++a)
        for (std::size_t b = 0; b < a; ++b)
          worst =
              std::max(worst, std::abs(length(xyz(x[a]) - xyz(x[b])) - length(xyz(rest[a]) - xyz(rest[b]))));
      EXPECT_LT(worst, 0.05f) << nameOf(material) << ", " << hurt;
    }
}

// reference.md (g): greatest kinetic energy of each second of the beam that is let go, as 50 iterations in
// the order of the index leave it, without damping and with rho_d = 10 h.
TEST(SoftPhysics, DampingTakesTheEnergiesOfTheReference) {
  const double reference[2][4] = {{12.6, 3.09, 1.21, 0.40}, {25.0, 2.93, 0.074, 0.009}};
  for (const bool damped : {false, true}) {
    Scene scene = cantilever(2, 1e6f, 0.3f, SoftMaterial::stvk, SolverMethod::gauss_seidel);
    scene.world.base.substeps = 1;
    scene.solver.base.iterations = 50;
    scene.bodies[0].soft.base.stiffdamping = damped ? 10.0f / 60 : 0;
    auto simulation = start(scene);
    StepReport report;
    for (const double expected : reference[damped]) {
      double most = 0;
      for (int f = 0; f < 60; ++f) {
        ASSERT_TRUE(simulation->advance(1, report).ok());
        most = std::max(most, report.kinetic_energy);
      }
      EXPECT_NEAR(most, expected, 0.15 * expected) << (damped ? "damped" : "not damped");
    }
  }
}

TEST(SoftPhysics, NearlyIncompressibleKeepsItsVolumeUnderLoad) {
  for (const SoftMaterial material : {SoftMaterial::neohookean, SoftMaterial::stvk}) {
    Scene scene = cantilever(2, 1e6f, 0.49f, material, SolverMethod::gauss_seidel_coloured);
    scene.world.base.substeps = 20;
    scene.solver.base.iterations = 4;
    calm(scene);
    auto simulation = start(scene);
    advanceFrames(*simulation, 60);
    EXPECT_NEAR(volumesOf(*simulation, scene).whole, 1, 0.01f) << nameOf(material);
  }
}

TEST(SoftPhysics, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const SolverMethod method : {SolverMethod::gauss_seidel_coloured, SolverMethod::accelerated_jacobi})
    for (const SoftMaterial material : kMaterials) {
      Scene scene = cantilever(4, 1e5f, 0.4f, material, method);
      scene.solver.base.iterations = 4;
      SoftParams& soft = scene.bodies[0].soft.base;
      soft.stiffdamping = 0.01f, soft.fibrestiffness = 1e4f, soft.fibredirection = {1, 1, 0};
      std::string expected;
      for (const Isa isa : supportedIsas())
        for (const int threads : {1, 2, 3, 7}) {
          auto simulation = Simulation::create(scene, makeTbbBackend(threads, isa));
          ASSERT_TRUE(simulation.ok());
          advanceFrames(**simulation, 4);
          const std::string hash = hexHash((*simulation)->stateHash());
          if (expected.empty()) expected = hash;
          EXPECT_EQ(hash, expected) << isaName(isa) << ", " << threads << " threads";
        }
    }
}

}  // namespace repose
