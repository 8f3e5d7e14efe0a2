// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies by the multilevel solver: what comes back from what, what is kept, and how many cycles it
// takes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/hash.h"
#include "model/build.h"
#include "soft_world.h"
#include "solve/multilevel/multilevel_soft.h"
#include "solve/workspace.h"

namespace repose {

// A scene by hand, because a Simulation keeps its model and state to itself.
struct SoftByHand {
  explicit SoftByHand(const Scene& source, float h = 1.0f / 60) : scene(source), built(*buildModel(scene)) {
    params.h = h;
    params.world = scene.world.base, params.solver = scene.solver.base;
    params.soft = {scene.bodies[0].soft.base};
    params.cloth = {skinOf(params.soft[0])};
    for (const ModelPin& pin : built.model.pins)
      params.pin_targets.push_back(scene.bodies[0].tets.geometry.points[pin.source]);
    built.state.x_low.resize(built.state.x.size());
    work = std::make_unique<Workspace>(built.model, params);
  }
  StepResult advance(int steps) {
    StageSeconds seconds{};
    StepResult result;
    for (int k = 0; k < steps; ++k) result = step(built.model, built.state, params, *work, *backend, seconds);
    return result;
  }
  template <class Move>
  void move(const Move& to) {
    for (int p = 0; p < built.model.numPoints(); ++p)
      if (built.model.source[p] >= 0) {
        const Vec3f at = to(xyz(built.state.x[p]));
        built.state.x[p] = {at.x, at.y, at.z, built.state.x[p].w};
      }
  }
  // Largest strain of an edge of a tetrahedron, and how many are inside out.
  float worstStrain(int* inverted = nullptr) const {
    const TetElements& tets = built.model.tets;
    float worst = 0;
    int wrong = 0;
    for (std::size_t t = 0; t < scene.bodies[0].tets.tets.size(); ++t) {
      Vec3f now[4], rest[4];
      for (int s = 0; s < 4; ++s) {
        const int p = tets.corner[s * tets.size() + static_cast<int>(t)];
        now[s] = xyz(built.state.x[p]);
        rest[s] = scene.bodies[0].tets.geometry.points[built.model.source[p]];
      }
      for (int a = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b)
          worst = std::max(worst, std::abs(length(now[a] - now[b]) / length(rest[a] - rest[b]) - 1));
      wrong += dot(now[1] - now[0], cross(now[2] - now[0], now[3] - now[0])) < 0;
    }
    if (inverted) *inverted = wrong;
    return worst;
  }

  Scene scene;
  Built built;
  StepParams params;
  std::unique_ptr<Backend> backend = makeTbbBackend(2);
  std::unique_ptr<Workspace> work;
};

constexpr SoftMaterial kMaterials[] = {SoftMaterial::neohookean, SoftMaterial::corotated, SoftMaterial::stvk};
constexpr SoftSmoothing kSmoothings[] = {SoftSmoothing::none, SoftSmoothing::edges};

Scene freeCube(int cells, SoftMaterial material, SoftSmoothing smoothing) {
  Body cube = softBox({1, 1, 1}, {cells, cells, cells});
  cube.soft.base.youngsmodulus = 1e5f;
  cube.soft.base.poissonratio = 0.3f;
  cube.soft.base.material = material;
  cube.soft.base.smoothing = smoothing;
  cube.soft.base.stiffdamping = 0.02f;
  Scene scene = softScene(std::move(cube));
  scene.world.base.gravity = {};
  return scene;
}

TEST(SoftSolid, ASqueezedCubeComesBack) {
  for (const SoftMaterial material : kMaterials)
    for (const SoftSmoothing smoothing : kSmoothings) {
      SoftByHand cube(freeCube(4, material, smoothing));
      cube.move([](Vec3f p) { return Vec3f{p.x, 0, p.z}; });
      cube.advance(90);
      int inverted = 0;
      EXPECT_LT(cube.worstStrain(&inverted), 0.01f)
          << static_cast<int>(material) << " " << static_cast<int>(smoothing) << ", inverted " << inverted;
      EXPECT_EQ(inverted, 0);
    }
}

TEST(SoftSolid, ACubeTurnedInsideOutComesBack) {
  for (const SoftMaterial material : kMaterials)
    for (const SoftSmoothing smoothing : kSmoothings) {
      SoftByHand cube(freeCube(4, material, smoothing));
      cube.move([](Vec3f p) { return Vec3f{p.x, -p.y, p.z}; });
      cube.advance(200);
      int inverted = 0;
      EXPECT_LT(cube.worstStrain(&inverted), 0.01f)
          << static_cast<int>(material) << " " << static_cast<int>(smoothing) << ", inverted " << inverted;
      EXPECT_EQ(inverted, 0);
    }
}

// The patch test: faces held where a homogeneous strain puts them, all points inside go there too.
TEST(SoftSolid, HomogeneousStrainIsSolvedExactly) {
  for (const SoftMaterial material : kMaterials)
    for (const SoftSmoothing smoothing : kSmoothings) {
      Scene scene = freeCube(4, material, smoothing);
      pinWhere(scene.bodies[0], [](Vec3f p) {
        return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > 0.499f;
      });
      SoftByHand cube(scene, 1.0f);
      const auto strained = [](Vec3f p) {
        return Vec3f{1.1f * p.x + 0.05f * p.y, 0.95f * p.y, p.z - 0.03f * p.x};
      };
      for (Vec3f& target : cube.params.pin_targets) target = strained(target);
      cube.advance(6);
      float worst = 0;
      for (int p = 0; p < cube.built.model.numPoints(); ++p)
        if (const int source = cube.built.model.source[p]; source >= 0)
          worst = std::max(worst, length(xyz(cube.built.state.x[p]) -
                                         strained(scene.bodies[0].tets.geometry.points[source])));
      EXPECT_LT(worst, 2e-5f) << static_cast<int>(material) << " " << static_cast<int>(smoothing);
    }
}

// A free body keeps its momentum, and turns on.
TEST(SoftSolid, AFreeSpinningBodyKeepsItsMomentum) {
  SoftByHand cube(freeCube(3, SoftMaterial::neohookean, SoftSmoothing::edges), 1.0f / 240);
  cube.params.soft[0].youngsmodulus = 1e6f;
  for (int p = 0; p < cube.built.model.numPoints(); ++p) {
    const Vec3f x = xyz(cube.built.state.x[p]);
    if (cube.built.model.source[p] >= 0) cube.built.state.v[p] = {2 + 3 * x.y, 1 - 3 * x.x, 0, 0};
  }
  const auto momenta = [&] {
    std::array<double, 4> sum{};
    for (int p = 0; p < cube.built.model.numPoints(); ++p) {
      const double m = cube.built.model.inv_mass[p] > 0 ? 1 / cube.built.model.inv_mass[p] : 0;
      const Vec4f x = cube.built.state.x[p], v = cube.built.state.v[p];
      sum[0] += m * v.x, sum[1] += m * v.y, sum[2] += m * v.z;
      sum[3] += m * ((x.x - 2 * cube.built.state.seconds) * (v.y - 1) -
                     (x.y - cube.built.state.seconds) * (v.x - 2));
    }
    return sum;
  };
  const auto before = momenta();
  cube.advance(120);
  const auto after = momenta();
  EXPECT_NEAR(after[0], before[0], 1e-3 * before[0]);
  EXPECT_NEAR(after[1], before[1], 1e-3 * before[1]);
  EXPECT_NEAR(after[3], before[3], 0.04 * std::abs(before[3]));  // implicit Euler loses turning slowly
  EXPECT_LT(cube.worstStrain(), 0.02f);
}

// Conjugate gradients on the linear system of the first step under gravity, cycle by cycle.
struct MultilevelProbe {
  static std::array<int, 2> cycles(SoftByHand& body) {
    ImplicitBody& soft = *body.work->multilevel[0];
    State& state = body.built.state;
    soft.begin(state, body.params, *body.backend);
    for (Vec4f& v : state.v) v.y -= body.params.h * 9.8f;
    soft.x_ = state.x.data();
    soft.weigh(body.built.model, state, body.params);
    soft.aimPoints(body.built.model, state.v.data(), body.params, *body.backend);
    soft.damp(body.built.model, state, *body.backend);
    soft.forgetCoarse();
    soft.assemble(*body.backend);
    soft.buildCoarse(*body.backend);
    soft.beginLinearSolve();
    std::array<int, 2> found{};
    double first = 0;
    for (int k = 1; k <= 400; ++k) {
      soft.conjugateGradients(k, 0, *body.backend);
      if (k == 1) first = soft.last_rz_;
      const double share = std::sqrt(soft.last_rz_ / first);
      if (share <= 1e-2 && found[0] == 0) found[0] = k;
      if (share <= 1e-4 && found[1] == 0) found[1] = k;
      if (found[1] > 0) break;
    }
    return found;
  }
};

// The table of cloth_study.md 7: flat in size and stiffness.
TEST(SoftSolid, CyclesDependNeitherOnSizeNorOnStiffness) {
  const bool show = std::getenv("REPOSE_LONG") != nullptr;
  for (const SoftSmoothing smoothing : kSmoothings)
    for (const int cells : {2, 4, 6, 10, 16}) {
      if (cells > 6 && !show) continue;
      for (const float youngs : {1e3f, 1e5f, 1e7f, 5e8f, 1e9f}) {
        SoftByHand beam(cantilever(cells, youngs, 0.3f, SoftMaterial::stvk, smoothing));
        const std::array<int, 2> found = MultilevelProbe::cycles(beam);
        if (show)
          std::printf("%s %d cells, E %.0e: %d %d\n", smoothing == SoftSmoothing::edges ? "edges" : "none ",
                      cells, youngs, found[0], found[1]);
        EXPECT_GT(found[1], 0);
        EXPECT_LE(found[0], 13) << cells << " cells, E " << youngs;
        EXPECT_LE(found[1], 25) << cells << " cells, E " << youngs;
      }
    }
}

std::vector<float> tipPath(Scene scene, int cycles, int frames) {
  scene.world.base.fps = 60;
  scene.world.base.substeps = 1;
  scene.solver.base.cycles = cycles;
  auto simulation = start(scene);
  std::vector<float> path;
  StepReport report;
  for (int f = 0; f < frames; ++f) {
    EXPECT_TRUE(simulation->advance(1, report).ok());
    path.push_back(-tipOf(*simulation, scene));
  }
  return path;
}

// T-f of cloth_study.md: four cycles follow the converged path.
TEST(SoftSolid, Tf_FourCyclesFollowTheConvergedPath) {
  for (const SoftSmoothing smoothing : kSmoothings)
    for (const float youngs : {1e7f, 5e8f}) {
      const Scene scene = cantilever(4, youngs, 0.3f, SoftMaterial::stvk, smoothing);
      const std::vector<float> few = tipPath(scene, 4, 60), many = tipPath(scene, 200, 60);
      float worst = 0;
      for (std::size_t k = 0; k < few.size(); ++k) worst = std::max(worst, std::abs(few[k] - many[k]));
      const float peak = *std::max_element(many.begin(), many.end());
      EXPECT_LE(worst, 0.015f * peak) << youngs;
    }
}

// Stiffness is a property of the material: not of the cycles, the substeps or the step. E = 0.5 GPa holds at
// 16 ms.
TEST(SoftSolid, DeflectionDependsOnTheMaterialAlone) {
  for (const SoftMaterial material : kMaterials) {
    const auto rest = [&](float youngs, int cycles, int substeps) {
      Scene scene = cantilever(2, youngs, 0.3f, material, SoftSmoothing::edges);
      scene.bodies[0].soft.base.stiffdamping = 0.05f;
      scene.world.base.substeps = substeps;
      scene.world.base.fps = 62.5f;
      scene.solver.base.cycles = cycles;
      auto simulation = start(scene);
      advanceFrames(*simulation, 100);
      return -tipOf(*simulation, scene);
    };
    const float soft = rest(1e7f, 20, 1), stiff = rest(5e8f, 20, 1);
    EXPECT_NEAR(soft, 0.9 * 0.03828, 0.02 * 0.03828) << static_cast<int>(material);
    EXPECT_NEAR(stiff * 50, 0.9 * 0.03828, 0.02 * 0.03828) << static_cast<int>(material);
    for (const int cycles : {4, 50})
      for (const int substeps : {1, 4}) {
        EXPECT_NEAR(rest(1e7f, cycles, substeps), soft, 0.03f * soft) << cycles << " " << substeps;
        EXPECT_NEAR(rest(5e8f, cycles, substeps), stiff, 0.03f * stiff) << cycles << " " << substeps;
      }
  }
}

TEST(SoftSolid, ANearlyIncompressibleBodyKeepsItsVolume) {
  for (const SoftSmoothing smoothing : kSmoothings) {
    Scene scene = freeCube(6, SoftMaterial::neohookean, smoothing);
    scene.world.base.gravity = {0, -9.8f, 0};
    scene.bodies[0].soft.base.poissonratio = 0.49f;
    scene.bodies[0].soft.base.youngsmodulus = 5e4f;
    pinWhere(scene.bodies[0], [](Vec3f p) { return p.y < -0.499f; });
    auto simulation = start(scene);
    advanceFrames(*simulation, 48);
    BodyView view;
    simulation->readBody(0, view);
    float top = 0;
    for (const Vec3f p : view.positions) top = std::max(top, p.y);
    EXPECT_LT(top, 0.47f);  // it is loaded
    EXPECT_NEAR(volumeOf(scene.bodies[0], view.positions), 1, 0.01);
  }
}

TEST(SoftSolid, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const SoftSmoothing smoothing : kSmoothings) {
    Scene scene = cantilever(4, 1e5f, 0.4f, SoftMaterial::neohookean, smoothing);
    scene.bodies[0].soft.base.fibrestiffness = 1e5f;
    scene.bodies[0].soft.base.stiffdamping = 0.01f;
    const auto hash = [&](std::unique_ptr<Backend> backend) {
      auto simulation = Simulation::create(scene, std::move(backend));
      EXPECT_TRUE(simulation.ok());
      advanceFrames(**simulation, 6);
      return hexHash((*simulation)->stateHash());
    };
    const std::string expected = hash(makeTbbBackend(1, Isa::sse2));
    for (const Isa isa : supportedIsas())
      for (const int threads : {1, 2, 3, 7})
        EXPECT_EQ(hash(makeTbbBackend(threads, isa)), expected) << isaName(isa);
  }
}

TEST(SoftSolid, GoesOnFromTheStateAlone) {
  const Scene scene = cantilever(3, 1e5f, 0.3f, SoftMaterial::corotated, SoftSmoothing::edges);
  SoftByHand whole(scene), parted(scene);
  whole.advance(20);
  for (int part = 0; part < 4; ++part) {
    parted.work = std::make_unique<Workspace>(parted.built.model, parted.params);
    parted.advance(5);
  }
  EXPECT_EQ(stateHash(whole.built.state), stateHash(parted.built.state));
}

}  // namespace repose
