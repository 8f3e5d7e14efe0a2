// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What every solver has to keep, whatever its path: same bits, no explosion, the tolerance, and the same
// solution.
#include <random>

#include "base/hash.h"
#include "bench/sheet.h"
#include "scenes.h"
#include "solve/relaxation.h"

namespace repose {

using M = SolverMethod;
constexpr M kFamily[] = {M::gauss_seidel,    M::gauss_seidel_coloured, M::jacobi,
                         M::improved_jacobi, M::accelerated_jacobi,    M::nesterov,
                         M::chebyshev,       M::minimum_residual,      M::conjugate_residuals};

std::string methodName(M method) {
  return formatParam(*findParam("solver", "method"), {static_cast<double>(method)});
}

class SolverFamily : public testing::TestWithParam<M> {};
INSTANTIATE_TEST_SUITE_P(All, SolverFamily, testing::ValuesIn(kFamily),
                         [](const auto& method) { return methodName(method.param); });

TEST_P(SolverFamily, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const BendModel bend : {BendModel::neighbour, BendModel::dihedral, BendModel::quadratic}) {
    Scene scene = gustyScene(36, bend, GetParam());
    scene.solver.base.iterations = 10;
    const auto hashOn = [&](int threads, Isa isa) {
      auto simulation = Simulation::create(scene, makeTbbBackend(threads, isa));
      EXPECT_TRUE(simulation.ok());
      advanceFrames(**simulation, 4);
      return hexHash((*simulation)->stateHash());
    };
    const std::string expected = hashOn(1, Isa::sse2);
    for (const Isa isa : supportedIsas())
      for (const int threads : {1, 2, 3, 7})
        EXPECT_EQ(hashOn(threads, isa), expected) << isaName(isa) << ", " << threads << " threads";
  }
}

// Stiff springs between masses from 1 g to 1 t, every point thrown about by up to three spacings, so that
// springs have turned round: nothing has to converge, but nothing may explode.
TEST_P(SolverFamily, HardStartStaysFinite) {
  Sheet::Shape shape;
  shape.n = 24;
  shape.shear = shape.across = true;
  Sheet sheet(shape, GetParam(), 20, 0);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> throws(-0.3f, 0.3f), exponent(-3, 3);
  for (int p = 0; p < sheet.model.numPoints(); ++p) {
    Vec4f& x = sheet.state.x[p];
    if (x.w == 0) continue;
    x.x += throws(random), x.y += throws(random), x.z += throws(random);
    x.w = sheet.model.inv_mass[p] = std::pow(10.0f, exponent(random));
  }
  for (int f = 0; f < 100; ++f) {
    sheet.advance();
    const MotionSummary motion = measureMotion(sheet.model, sheet.state, *sheet.work, *sheet.backend);
    ASSERT_TRUE(motion.finite) << "frame " << f;
    ASSERT_LT(motion.max_speed, 1e4f) << "frame " << f;
  }
}

TEST_P(SolverFamily, StopsAtTheToleranceAndSaysWhenItMissedIt) {
  Sheet::Shape shape;
  shape.n = 12;
  SolverParams solver = Sheet::solverParams(GetParam(), 20000, 0);
  solver.tolerance = 0.01f;
  Sheet easy(shape, solver, makeTbbBackend(1));
  for (int f = 0; f < 40; ++f) {
    const StepResult result = easy.advance();
    ASSERT_TRUE(result.converged) << "frame " << f;
    ASSERT_LE(largestStretch(easy.model, easy.state, easy.params.cloth, *easy.work, *easy.backend), 0.01f);
    ASSERT_LT(result.iterations, 20000);
  }
  solver.iterations = 2;
  solver.tolerance = 1e-5f;
  Sheet hard(shape, solver, makeTbbBackend(1));
  bool missed = false;
  for (int f = 0; f < 40; ++f) missed = !hard.advance().converged || missed;
  EXPECT_TRUE(missed);
}

// A compliant sheet with bending, pulled so little that directions stay, has one solution: that of
// Gauss-Seidel. This checks the multipliers of soft and bending rows of each solver.
TEST_P(SolverFamily, ConvergesToTheSolutionOfGaussSeidel) {
  const auto solve = [](M method, BendModel bend, int iterations) {
    Scene scene = sceneOf(makeGrid(6, 6, 0.6f, 0.6f));
    scene.world.base.substeps = 1;
    scene.world.base.gravity = {0.3f, -0.1f, 1};
    scene.solver.base.method = method;
    scene.solver.base.iterations = iterations;
    ClothParams& cloth = scene.bodies[0].cloth.base;
    cloth.bendmodel = bend;
    cloth.stretchstiffness = 20;
    cloth.stretchdamping = 0.01f;
    cloth.shearstiffness = 5;
    cloth.bendstiffness = 0.05f;
    cloth.benddamping = 0.01f;
    scene.bodies[0].pins.push_back({"corners", {0, 6}, {}, false});
    auto simulation = start(scene);
    advanceFrames(*simulation, 2);
    BodyView view;
    simulation->readBody(0, view);
    return view.positions;
  };
  for (const BendModel bend : {BendModel::quadratic, BendModel::dihedral, BendModel::neighbour}) {
    const auto expected = solve(M::gauss_seidel, bend, 2000);
    const auto got = solve(GetParam(), bend, 2000);
    float farthest = 0;
    for (std::size_t p = 0; p < got.size(); ++p) farthest = std::max(farthest, length(got[p] - expected[p]));
    EXPECT_LT(farthest, 5e-5f) << "bend model " << static_cast<int>(bend);
  }
}

TEST_P(SolverFamily, MemoryStaysSmall) {
  Sheet::Shape shape;
  shape.shear = shape.across = true;
  Sheet sheet(shape, GetParam(), 2, 0);
  sheet.advance();
  EXPECT_LT(static_cast<double>(sheet.bytes()) / (shape.n * shape.n), 600);
}

// The coloured sweep is Gauss-Seidel in another order: the sequential solver on rows sorted by colour agrees.
TEST(ColouredGaussSeidel, IsGaussSeidelInTheOrderOfItsColours) {
  Sheet::Shape shape;
  shape.n = 40;
  shape.shear = true;
  for (const float omega : {1.0f, 1.4f}) {
    Sheet coloured(shape, M::gauss_seidel_coloured, 15, omega), sequential(shape, M::gauss_seidel, 15, omega);
    const ColourOrder& order = coloured.work->coloured.rigid.order;
    std::vector<int> rows;
    for (const Range& colour : order.colours)
      rows.insert(rows.end(), order.row.begin() + colour.first,
                  order.row.begin() + colour.first + colour.count);
    DistanceRows& d = sequential.model.distance;
    const DistanceRows from = d;
    auto next = rows.begin();
    for (const Range& batch : sequential.model.bodies[0].rows)
      for (int i = batch.first; i < batch.first + batch.count; ++i, ++next)
        d.a[i] = from.a[*next], d.b[i] = from.b[*next], d.rest[i] = from.rest[*next];
    for (int f = 0; f < 30; ++f) coloured.advance(), sequential.advance();
    EXPECT_NEAR(coloured.stretchSum(), sequential.stretchSum(), 1e-3 * sequential.stretchSum()) << omega;
  }
}

TEST(ColouredGaussSeidel, NoTwoRowsOfAColourShareAPoint) {
  const Scene scene = gustyScene(17, BendModel::dihedral, M::gauss_seidel_coloured);
  const Built built = *buildModel(scene);
  StepParams params;
  params.h = 0.01f;
  params.solver = scene.solver.base;
  params.cloth = {scene.bodies[0].cloth.base};
  const Workspace work(built.model, params);
  const auto check = [&](const ColourOrder& order, int corners, const auto& pointAt) {
    int rows = 0;
    for (const Range& colour : order.colours) {
      std::vector<bool> touched(built.model.numPoints(), false);
      rows += colour.count;
      for (int e = colour.first; e < colour.first + colour.count; ++e)
        for (int s = 0; s < corners; ++s) {
          EXPECT_FALSE(touched[pointAt(e, s)]);
          touched[pointAt(e, s)] = true;
        }
    }
    return rows;
  };
  const ColouredRows& c = work.coloured;
  int edges = 0;
  for (const ColouredRows::Edges* sort : {&c.rigid, &c.soft})
    edges += check(sort->order, 2, [&](int e, int s) { return s ? sort->b[e] : sort->a[e]; });
  const ModelBody& body = built.model.bodies[0];
  EXPECT_EQ(edges, body.rows[0].count + body.rows[1].count + body.rows[2].count);
  EXPECT_EQ(check(c.dihedral.order, 4,
                  [&](int e, int s) { return c.dihedral.corner[s * c.dihedral.order.size() + e]; }),
            body.hinges.count);
}

// reference.md (b): coloured and sequential Gauss-Seidel agree within 1 % on structural rows.
TEST(ColouredGaussSeidel, AgreesWithIndexOrderOnAPlainSheet) {
  const Sheet::Shape shape;
  Sheet sheet(shape, M::gauss_seidel_coloured, 15, 1);
  double sum = 0;
  for (int f = 0; f < 200; ++f) sheet.advance(), sum += sheet.stretchSum();
  EXPECT_NEAR(sum / 200, 186.2, 186.2 * 0.01);
}

// reference.md (b): rho(D^-1 A) of the flat sheet is 1.9968 with structural rows and 3.972 with shear;
// fifteen products come near from below.
TEST(Relaxation, PowerIterationFindsTheRadiusOfTheFlatSheet) {
  for (const bool shear : {false, true}) {
    Sheet::Shape shape;
    shape.shear = shear;
    SolverParams solver = Sheet::solverParams(M::jacobi, 1, 0);
    solver.relaxation = Relaxation::power;
    Sheet sheet(shape, solver, makeTbbBackend(1));
    sheet.work->prepare(sheet.model, sheet.state, sheet.params);
    const double exact = shear ? 3.972 : 1.9968;
    const float radius = rowRadius(sheet.model, sheet.state, *sheet.work, *sheet.backend);
    EXPECT_LT(radius, exact * 1.001);
    EXPECT_GT(radius * 1.05, exact) << "the safety factor of algorithms.md 3.1 a covers the rest";
  }
}

TEST(Relaxation, CountIsTheMostCrowdedRow) {
  SolverParams solver = Sheet::solverParams(M::jacobi, 1, 0);
  solver.relaxation = Relaxation::count;
  Sheet sheet({}, solver, makeTbbBackend(1));
  sheet.work->prepare(sheet.model, sheet.state, sheet.params);
  EXPECT_FLOAT_EQ(sheet.work->crowdBound(), 4);
}

TEST(Relaxation, EveryRuleKeepsAllMethodsStable) {
  for (const Relaxation rule : {Relaxation::split, Relaxation::power, Relaxation::count})
    for (const M method : kFamily) {
      Scene scene = gustyScene(16, BendModel::quadratic, method);
      scene.solver.base.relaxation = rule;
      auto simulation = start(scene);
      StepReport report;
      for (int f = 0; f < 24; ++f) ASSERT_TRUE(simulation->advance(1, report).ok());
      EXPECT_LT(report.max_speed, 20) << methodName(method) << ", rule " << static_cast<int>(rule);
    }
}

}  // namespace repose
