// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics: the rotation of a tetrahedron, gradients against differences of energies written down
// again, one solution whatever solves the matrix, closed forms, and the same bits everywhere.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "base/hash.h"
#include "bench/sheet.h"
#include "kernel/lane1.h"
#include "one_spring.h"
#include "params/text.h"
#include "soft_scene.h"
#include "solve/motion.h"
#include "solve/projective/projective_loop.h"

namespace repose {

struct ProjectiveProbe {
  static const std::vector<Vec4f>& gradient(const Projective& pd) { return pd.gradient_; }
};

namespace {

using M = SolverMethod;
using G = GlobalStep;

constexpr G kWays[] = {G::jacobi, G::gauss_seidel, G::gauss_seidel_coloured, G::direct,
                       G::conjugate_gradients};

Eigen::Matrix3d matrixOf(const lane1::mat3& m) {
  Eigen::Matrix3d a;
  for (int c = 0; c < 3; ++c) a.col(c) << m.c[c].x, m.c[c].y, m.c[c].z;
  return a;
}

// By the signed singular value decomposition, in double.
Eigen::Matrix3d nearestRotation(const Eigen::Matrix3d& f) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d sign(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant());
  return svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
}

TEST(Polar, IsTheNearestRotationAlsoOfWhatIsInsideOut) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> entry(-1, 1);
  double worst = 0, worst_turned = 0;
  for (int k = 0; k < 20000; ++k) {
    lane1::mat3 f;
    for (auto& c : f.c) c = {entry(random), entry(random), entry(random)};
    const Eigen::Matrix3d exact = matrixOf(f), rotation = nearestRotation(exact);
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(exact);
    const Eigen::Vector3d s = svd.singularValues();
    const bool turned = exact.determinant() < 0;
    // where s2 = s3 of a matrix that turns space inside out, no rotation is the nearest
    const double apart = turned ? (s[1] - s[2]) / s[0] : (s[1] + s[2]) / s[0];
    const Eigen::Matrix3d got = matrixOf(lane1::polar_rotation(f));
    ASSERT_NEAR(got.determinant(), 1, 1e-4);
    ASSERT_LT((got * got.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-4);
    double& most = turned ? worst_turned : worst;
    most = std::max(most, (got - rotation).cwiseAbs().maxCoeff() * apart);
  }
  EXPECT_LT(worst, 5e-6);
  EXPECT_LT(worst_turned, 5e-6);
}

TEST(Polar, OfSpecialMatrices) {
  const auto diagonal = [](float x, float y, float z) {
    return lane1::mat3{{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
  };
  for (const auto& f :
       {diagonal(1, 1, 1), diagonal(3, 3, 3), diagonal(1e-3f, 1e-3f, 1e-3f), diagonal(2, 1, 0),
        diagonal(2, 1, 1), diagonal(2, 2, 1), diagonal(1e3f, 1, 0.5f), diagonal(2, 1, -0.1f)}) {
    const Eigen::Matrix3d got = matrixOf(lane1::polar_rotation(f));
    EXPECT_LT((got - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 2e-6) << matrixOf(f);
  }
  // flat to a point, a line, inside out: some rotation
  for (const auto& f : {diagonal(0, 0, 0), diagonal(1, 0, 0), diagonal(-1, -1, -1), diagonal(1, 1, -1)}) {
    const Eigen::Matrix3d got = matrixOf(lane1::polar_rotation(f));
    EXPECT_NEAR(got.determinant(), 1, 1e-5) << matrixOf(f);
  }
}

// ---- gradients ----

struct Trial {
  Model model;
  State state;
  StepParams params;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<Backend> backend = makeTbbBackend(1);

  explicit Trial(const Scene& scene) {
    Result<Built> built = buildModel(scene);
    EXPECT_TRUE(built.ok());
    model = std::move(built->model), state = std::move(built->state);
    params.h = 0.02f;
    params.solver = scene.solver.base;
    params.cloth.push_back(scene.bodies[0].cloth.base);
    params.soft.push_back(scene.bodies[0].soft.base);
    if (scene.bodies[0].kind == BodyKind::soft) params.cloth[0] = skinOf(params.soft[0]);
    work = std::make_unique<Workspace>(model, params);
    work->x_start = state.x;
    work->prepare(model, state, params);
    work->projective->begin(state, work->x_start);
  }

  void shake(float by) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> way(-by, by);
    for (Vec4f& x : state.x)
      if (x.w > 0) x.x += way(random), x.y += way(random), x.z += way(random);
  }

  // Times h^2, without inertia, which the start of the step makes 0 at its aim.
  void expectGradientOf(const std::function<double(const std::vector<Eigen::Vector3d>&)>& energy) {
    std::vector<Eigen::Vector3d> x;
    for (const Vec4f& p : state.x) x.emplace_back(p.x, p.y, p.z);
    work->projective->begin(state, work->x_start);
    work->projective->findGradient(model, state, *backend);
    const std::vector<Vec4f>& gradient = ProjectiveProbe::gradient(*work->projective);
    double largest = 0;
    for (const Vec4f& g : gradient) largest = std::max<double>(largest, length(xyz(g)));
    ASSERT_GT(largest, 0);
    for (int p = 0; p < model.numPoints(); ++p) {
      if (!(state.x[p].w > 0)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        const double h = 1e-5;
        std::vector<Eigen::Vector3d> at = x;
        at[p][axis] += h;
        const double above = energy(at);
        at[p][axis] -= 2 * h;
        const double difference = params.h * params.h * (above - energy(at)) / (2 * h);
        const float got = axis == 0 ? gradient[p].x : axis == 1 ? gradient[p].y : gradient[p].z;
        ASSERT_NEAR(got, difference, 1e-4 * largest) << "point " << p << ", axis " << axis;
      }
    }
  }
};

Scene projectiveCloth(Geometry geometry, G way = G::jacobi) {
  Scene scene = sceneOf(std::move(geometry));
  scene.solver.base.method = M::projective;
  scene.solver.base.globalstep = way;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.stretchstiffness = 40, cloth.shearstiffness = 10, cloth.bendstiffness = 0.05f;
  scene.bodies[0].pins.push_back({"corner", {0}, {}, false});
  return scene;
}

double springEnergy(const Model& model, const std::vector<Eigen::Vector3d>& x, const ClothParams& cloth) {
  double sum = 0;
  for (const RowKind kind : {RowKind::stretch, RowKind::shear, RowKind::neighbour}) {
    const Range rows = model.bodies[0].rows[static_cast<int>(kind)];
    const double stiffness = kind == RowKind::stretch ? cloth.stretchstiffness
                             : kind == RowKind::shear ? cloth.shearstiffness
                                                      : cloth.bendstiffness;
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
      const double c = (x[model.distance.a[i]] - x[model.distance.b[i]]).norm() - model.distance.rest[i];
      sum += 0.5 * stiffness * model.distance.stiffness[i] * c * c;
    }
  }
  return sum;
}

TEST(ProjectiveGradient, OfSpringsAndFlatHinges) {
  Scene scene = projectiveCloth(makeGrid(3, 3, 0.3f, 0.3f));
  Trial trial(scene);
  trial.shake(0.02f);
  trial.expectGradientOf([&](const std::vector<Eigen::Vector3d>& x) {
    double sum = springEnergy(trial.model, x, scene.bodies[0].cloth.base);
    const HingeRows& hinges = trial.model.quadratic;
    for (int i = 0; i < trial.model.bodies[0].hinges.count; ++i) {
      Eigen::Vector3d c(0, 0, 0);
      for (int s = 0; s < 4; ++s)
        c += hinges.weight[s * hinges.size() + i] * x[hinges.corner[s * hinges.size() + i]];
      sum += 0.5 * scene.bodies[0].cloth.base.bendstiffness * hinges.stiffness[i] * c.squaredNorm();
    }
    return sum;
  });
}

TEST(ProjectiveGradient, OfHingesWithARestAngle) {
  Geometry folded = makeGrid(2, 1, 0.4f, 0.2f);
  for (Vec3f& p : folded.points)
    if (p.x > 0.3f) p = {p.x - 0.05f, 0.1f, p.z};
  Scene scene = projectiveCloth(folded);
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.bendmodel = BendModel::dihedral;
  Trial trial(scene);
  trial.shake(0.02f);
  trial.expectGradientOf([&](const std::vector<Eigen::Vector3d>& x) {
    double sum = springEnergy(trial.model, x, cloth);
    const HingeRows& rows = trial.model.dihedral;
    for (int i = 0; i < trial.model.bodies[0].hinges.count; ++i) {
      const auto at = [&](int s) { return x[rows.corner[s * rows.size() + i]]; };
      const Eigen::Vector3d e = at(3) - at(2), n1 = (at(0) - at(2)).cross(at(0) - at(3)),
                            n2 = (at(1) - at(3)).cross(at(1) - at(2));
      const double angle = std::atan2(n1.cross(n2).dot(e.normalized()), n1.dot(n2)) - rows.rest_angle[i];
      sum += 0.5 * cloth.bendstiffness * rows.stiffness[i] * angle * angle;
    }
    return sum;
  });
}

TEST(ProjectiveGradient, OfMembraneTriangles) {
  Scene scene = projectiveCloth(makeGrid(2, 2, 0.2f, 0.2f));
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.membrane = Membrane::triangles;
  cloth.weftstiffness = 30;
  cloth.bendmodel = BendModel::none;
  cloth.restscale = 0.9f;
  Trial trial(scene);
  trial.shake(0.02f);
  trial.expectGradientOf([&](const std::vector<Eigen::Vector3d>& x) {
    const MembraneTriangles& m = trial.model.membrane;
    double sum = 0;
    for (int i = 0; i < trial.model.bodies[0].membrane.count; ++i) {
      Eigen::Vector3d warp(0, 0, 0), weft(0, 0, 0);
      for (int s = 0; s < 3; ++s) {
        warp += m.warp[s * m.size() + i] * x[m.corner[s * m.size() + i]];
        weft += m.weft[s * m.size() + i] * x[m.corner[s * m.size() + i]];
      }
      const auto fibre = [&](double stiffness, const Eigen::Vector3d& f) {
        sum += 0.5 * stiffness * std::pow(f.norm() - cloth.restscale, 2);
      };
      const double shear = cloth.shearstiffness * m.shear[i];
      fibre(cloth.stretchstiffness * m.stretch[i] - shear, warp);
      fibre(cloth.weftstiffness * m.stretch[i] - shear, weft);
      fibre(2 * shear, (warp + weft) / std::sqrt(2.0));
      fibre(2 * shear, (warp - weft) / std::sqrt(2.0));
    }
    return sum;
  });
}

TEST(ProjectiveGradient, OfTetrahedraAlsoInsideOut) {
  Scene scene = softScene({2, 1, 1, {0.4f, 0.2f, 0.2f}, {}}, SoftMaterial::corotated, M::projective);
  scene.bodies[0].soft.base.youngsmodulus = 5000;
  for (const float by : {0.03f, 0.15f}) {
    Trial trial(scene);
    trial.shake(by);
    trial.expectGradientOf([&](const std::vector<Eigen::Vector3d>& x) {
      const TetElements& tets = trial.model.tets;
      double sum = 0;
      for (int i = 0; i < trial.model.bodies[0].tets.count; ++i) {
        Eigen::Matrix3d edges, inverse;
        for (int k = 0; k < 3; ++k) {
          edges.col(k) = x[tets.corner[(k + 1) * tets.size() + i]] - x[tets.corner[i]];
          for (int axis = 0; axis < 3; ++axis) inverse(k, axis) = tets.y[(3 * k + axis) * tets.size() + i];
        }
        const Eigen::Matrix3d f = edges * inverse;
        sum += 0.5 * 5000 * tets.volume[i] * (f - nearestRotation(f)).squaredNorm();
      }
      return sum;
    });
  }
}

// ---- solutions ----

std::string wayName(G way) {
  return formatParam(*findParam("solver", "globalstep"), {static_cast<double>(way)});
}

std::vector<Vec3f> positionsAfter(const Scene& scene, int frames) {
  auto simulation = start(scene);
  advanceFrames(*simulation, frames);
  BodyView view;
  simulation->readBody(0, view);
  return view.positions;
}

float farthest(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  float most = 0;
  for (std::size_t p = 0; p < a.size(); ++p) most = std::max(most, length(a[p] - b[p]));
  return most;
}

class ProjectiveWays : public testing::TestWithParam<G> {};
INSTANTIATE_TEST_SUITE_P(All, ProjectiveWays, testing::ValuesIn(kWays),
                         [](const auto& way) { return wayName(way.param); });

// Every way to solve the matrix ends where the direct one does, with damping and every sort of element;
// pulled so little that directions stay, so that there is one solution.
TEST_P(ProjectiveWays, ConvergeToOneSolution) {
  for (const BendModel bend : {BendModel::quadratic, BendModel::dihedral, BendModel::neighbour})
    for (const Membrane membrane : {Membrane::springs, Membrane::triangles})
      for (const bool chebyshev : {false, true}) {
        const auto solve = [&](G way) {
          Scene scene = projectiveCloth(makeGrid(6, 6, 0.6f, 0.6f), way);
          scene.world.base.substeps = 1;
          scene.world.base.gravity = {0.3f, -0.1f, 1};
          scene.solver.base.iterations = chebyshev ? 800 : 4000;
          scene.solver.base.chebyshev = chebyshev;
          ClothParams& cloth = scene.bodies[0].cloth.base;
          cloth.membrane = membrane, cloth.bendmodel = bend;
          cloth.stretchdamping = 0.01f, cloth.benddamping = 0.01f;
          scene.bodies[0].pins[0].points = {0, 6};
          return positionsAfter(scene, 2);
        };
        EXPECT_LT(farthest(solve(GetParam()), solve(G::direct)), 2e-4f)
            << static_cast<int>(bend) << static_cast<int>(membrane) << chebyshev;
      }
}

TEST_P(ProjectiveWays, SoftBodiesConvergeToOneSolution) {
  const auto solve = [&](G way) {
    Scene scene = cantilever(2, 5e4f, 0, SoftMaterial::corotated, M::projective);
    scene.solver.base.globalstep = way;
    scene.solver.base.iterations = 800;
    scene.bodies[0].soft.base.stiffdamping = 0.01f;
    return positionsAfter(scene, 6);
  };
  EXPECT_LT(farthest(solve(GetParam()), solve(G::direct)), 2e-4f);
}

TEST_P(ProjectiveWays, SameBitsForEveryThreadCountAndInstructionSet) {
  Scene cloth = gustyScene(36, BendModel::dihedral, M::projective);
  cloth.solver.base.iterations = 12;
  Scene soft = cantilever(3, 1e5f, 0, SoftMaterial::corotated, M::projective);
  soft.bodies[0].soft.base.stiffdamping = 0.01f;
  for (Scene* scene : {&cloth, &soft}) {
    scene->solver.base.globalstep = GetParam();
    const auto hashOn = [&](int threads, Isa isa) {
      auto simulation = Simulation::create(*scene, makeTbbBackend(threads, isa));
      EXPECT_TRUE(simulation.ok());
      advanceFrames(**simulation, 3);
      return hexHash((*simulation)->stateHash());
    };
    const std::string expected = hashOn(1, Isa::sse2);
    for (const Isa isa : supportedIsas())
      for (const int threads : {1, 2, 7})
        EXPECT_EQ(hashOn(threads, isa), expected) << isaName(isa) << ", " << threads << " threads";
  }
}

// One spring to a pin, pulled along itself: implicit Euler in closed form (algorithms.md 2.3).
TEST_P(ProjectiveWays, ASpringIsImplicitEuler) {
  SolverParams solver;
  solver.method = M::projective, solver.globalstep = GetParam(), solver.iterations = 60;
  expectImplicitEuler(solver, 2e-6);
}

// Springs and fibres that are slack do not push ropes; ropes hold what hangs on them.
TEST_P(ProjectiveWays, TethersHoldAtFewIterations) {
  Scene scene = projectiveCloth(makeGrid(4, 30, 0.2f, 1.5f), GetParam());
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.stretchstiffness = 20, cloth.bendstiffness = 1e-5f, cloth.tethers = true;
  scene.bodies[0].pins[0].points = {0, 1, 2, 3, 4};
  scene.solver.base.iterations = 20;
  const std::vector<Vec3f> x = positionsAfter(scene, 60);
  float lowest = 0;
  for (const Vec3f& p : x) lowest = std::min(lowest, p.y);
  EXPECT_GT(lowest, -1.56f);
}

// ---- the matrix ----

TEST(ProjectiveColours, TwoWhereTheMeshAllowsThem) {
  const auto colours = [](bool shear, bool across) {
    Sheet::Shape shape;
    shape.n = 20, shape.stiffness = 100, shape.shear = shear, shape.across = across;
    SolverParams solver = Sheet::solverParams(M::projective, 5, 0);
    solver.globalstep = G::gauss_seidel_coloured;
    return Sheet(shape, solver, makeTbbBackend(1)).work->projective->colours();
  };
  EXPECT_EQ(colours(false, false), 2);
  EXPECT_LE(colours(true, false), 5);  // four without the pins, which have no colour
  EXPECT_LE(colours(true, true), 9);
}

// Over-relaxed red-black beats Gauss-Seidel, and a stiffness of 1e12 N/m does no harm.
TEST(Projective, NothingExplodesWhateverTheStiffness) {
  for (const G way : kWays)
    for (const float stiffness : {1e-3f, 1e4f, 1e12f}) {
      Scene scene = gustyScene(16, BendModel::quadratic, M::projective);
      scene.solver.base.globalstep = way;
      scene.bodies[0].cloth.base.stretchstiffness = stiffness;
      auto simulation = start(scene);
      StepReport report;
      for (int f = 0; f < 48; ++f) {
        ASSERT_TRUE(simulation->advance(1, report).ok()) << wayName(way) << " " << stiffness;
        ASSERT_LT(report.max_speed, 100) << wayName(way) << " " << stiffness;
      }
      EXPECT_EQ(simulation->notes().size(), stiffness > 1e10f ? 1u : 0u);
    }
}

// The same energy as co-rotated material without narrowing has under the method multilevel.
TEST(Projective, ABeamBendsAsMultilevelSays) {
  const auto tip = [](M method) {
    Scene scene = cantilever(2, 2e5f, 0, SoftMaterial::corotated, method);
    scene.bodies[0].soft.base.veldamping = 8;
    scene.solver.base.globalstep = G::direct;
    scene.solver.base.iterations = 30;
    auto simulation = start(scene);
    advanceFrames(*simulation, 150);
    return tipDeflection(*simulation, scene);
  };
  const float expected = tip(M::multilevel);
  EXPECT_GT(expected, 0.1f);
  EXPECT_NEAR(tip(M::projective), expected, 0.005f * expected);
}

// Half of the elements begin inside out.
TEST(Projective, AScrambledBodyComesBack) {
  Scene scene = softScene({3, 3, 3, {0.3f, 0.3f, 0.3f}, {}}, SoftMaterial::corotated, M::projective);
  scene.world.base.gravity = {};
  scene.bodies[0].soft.base.veldamping = 3;
  Trial trial(scene);
  trial.params.world = scene.world.base;
  trial.shake(0.15f);
  StageSeconds seconds{};
  for (int f = 0; f < 400; ++f)
    step(trial.model, trial.state, trial.params, *trial.work, *trial.backend, seconds);
  const TetElements& tets = trial.model.tets;
  for (int i = 0; i < trial.model.bodies[0].tets.count; ++i) {
    const auto at = [&](int s) { return xyz(trial.state.x[tets.corner[s * tets.size() + i]]); };
    const float six = dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0)));
    EXPECT_NEAR(six / (6 * tets.volume[i]), 1, 0.02) << "tetrahedron " << i;
  }
}

TEST(Projective, StopsAtTheToleranceAndSaysWhenItMissedIt) {
  Scene scene = projectiveCloth(makeGrid(12, 12, 1, 1));
  scene.bodies[0].cloth.base.stretchstiffness = 1e5f;
  scene.solver.base.iterations = 5000;
  scene.solver.base.tolerance = 0.02f;
  auto easy = start(scene);
  StepReport report;
  for (int f = 0; f < 20; ++f) {
    ASSERT_TRUE(easy->advance(1, report).ok());
    ASSERT_TRUE(report.converged);
    ASSERT_LT(report.iterations, 4 * 5000);
  }
  scene.solver.base.iterations = 2;
  scene.solver.base.tolerance = 1e-5f;
  auto hard = start(scene);
  bool missed = false;
  for (int f = 0; f < 20; ++f) {
    ASSERT_TRUE(hard->advance(1, report).ok());
    missed = missed || !report.converged;
  }
  EXPECT_TRUE(missed);
}

}  // namespace
}  // namespace repose
