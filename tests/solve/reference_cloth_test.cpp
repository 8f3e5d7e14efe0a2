// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tables (b), T2 and U4 of reference.md: the summed stretch of a hanging sheet for each solver, and its
// kinetic energy.
#include <gtest/gtest.h>

#include <cstdlib>

#include "bench/sheet.h"

namespace repose {

using M = SolverMethod;

double meanStretch(Sheet sheet, int frames = 200) {
  double sum = 0;
  for (int f = 0; f < frames; ++f) {
    sheet.advance();
    sum += sheet.stretchSum();
  }
  return sum / frames;
}

SolverParams solver(M method, int iterations, float omega) {
  return Sheet::solverParams(method, iterations, omega);
}

SolverParams asPublished(int iterations, float omega) {
  SolverParams p = solver(M::accelerated_jacobi, iterations, omega);
  p.boost = false;
  p.momentumcap = 0.999f;
  return p;
}

// rho = .985 from the first iteration on, as the reference was made.
SolverParams chebyshev(int iterations, float omega) {
  SolverParams p = solver(M::chebyshev, iterations, omega);
  p.spectralradius = 0.985f;
  p.delay = 0;
  return p;
}

Sheet::Shape shape(int n, float spacing, bool shear = false, bool across = false) {
  Sheet::Shape s;
  s.n = n;
  s.spacing = spacing;
  s.shear = shear;
  s.across = across;
  return s;
}

bool longRun() { return std::getenv("REPOSE_LONG") != nullptr; }
constexpr const char* kWhySkipped = "takes long; set REPOSE_LONG=1 to run it";

constexpr double kTolerance = 0.02;  // reference.md (b): 2 % for the same order of rows
// Over-relaxed with shear the sheet is chaotic: in double, moving points by 1e-6 m moves this mean from 78.9
// to 78.1.
constexpr double kChaoticTolerance = 0.03;

struct Case {
  const char* name;
  Sheet::Shape shape;
  SolverParams solver;
  double expected;
  int frames = 200;
  bool slow = false;  // only with REPOSE_LONG=1
  double tolerance = kTolerance;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
std::string nameOf(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class ReferenceB : public testing::TestWithParam<Case> {};

TEST_P(ReferenceB, MeanOfSummedStretch) {
  const Case& c = GetParam();
  if (c.slow && !longRun()) GTEST_SKIP() << kWhySkipped;
  EXPECT_NEAR(meanStretch({c.shape, c.solver, makeTbbBackend(1)}, c.frames), c.expected,
              c.expected * c.tolerance);
}

const Sheet::Shape kPlain = shape(100, 0.1f), kShear = shape(100, 0.1f, true);

INSTANTIATE_TEST_SUITE_P(
    Table15, ReferenceB,
    testing::Values(Case{"GaussSeidel", kPlain, solver(M::gauss_seidel, 15, 1), 186.2},
                    Case{"Sor12", kPlain, solver(M::gauss_seidel, 15, 1.2f), 124.0},
                    Case{"Sor15", kPlain, solver(M::gauss_seidel, 15, 1.5f), 65.0},
                    Case{"SplitBoosted", kPlain, solver(M::accelerated_jacobi, 15, 0), 171.1},
                    Case{"Jacobi", kPlain, solver(M::jacobi, 15, 0.5f), 527.6},
                    Case{"ImprovedJacobi", kPlain, solver(M::improved_jacobi, 15, 0.5f), 272.9},
                    Case{"AcceleratedJacobi", kPlain, asPublished(15, 0.5f), 258.3},
                    Case{"Boosted", kPlain, solver(M::accelerated_jacobi, 15, 0.5f), 157.6},
                    Case{"Chebyshev", kPlain, chebyshev(15, 0.5f), 129.7}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Table50, ReferenceB,
    testing::Values(Case{"GaussSeidel", kPlain, solver(M::gauss_seidel, 50, 1), 60.2},
                    Case{"Sor12", kPlain, solver(M::gauss_seidel, 50, 1.2f), 42.0, 200, true},
                    Case{"Sor15", kPlain, solver(M::gauss_seidel, 50, 1.5f), 21.5, 200, true},
                    Case{"Jacobi", kPlain, solver(M::jacobi, 50, 0.5f), 224.8},
                    Case{"ImprovedJacobi", kPlain, solver(M::improved_jacobi, 50, 0.5f), 66.2},
                    Case{"AcceleratedJacobi", kPlain, asPublished(50, 0.5f), 34.8},
                    Case{"Boosted", kPlain, solver(M::accelerated_jacobi, 50, 0.5f), 21.2},
                    Case{"Chebyshev", kPlain, chebyshev(50, 0.5f), 43.7}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Shear15, ReferenceB,
    testing::Values(Case{"GaussSeidel", kShear, solver(M::gauss_seidel, 15, 1), 187.4},
                    Case{"Sor12", kShear, solver(M::gauss_seidel, 15, 1.2f), 133.6, 200, true},
                    Case{"Sor15", kShear, solver(M::gauss_seidel, 15, 1.5f), 78.8, 200, true,
                         kChaoticTolerance},
                    Case{"Jacobi", kShear, solver(M::jacobi, 15, 0.25f), 1006},
                    Case{"ImprovedJacobi", kShear, solver(M::improved_jacobi, 15, 0.25f), 492.4},
                    Case{"AcceleratedJacobi", kShear, asPublished(15, 0.25f), 463.8},
                    Case{"Boosted", kShear, solver(M::accelerated_jacobi, 15, 0.25f), 288.0},
                    Case{"Chebyshev", kShear, chebyshev(15, 0.25f), 249.0}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Shear50, ReferenceB,
    testing::Values(Case{"GaussSeidel", kShear, solver(M::gauss_seidel, 50, 1), 57.9, 200, true},
                    Case{"Sor12", kShear, solver(M::gauss_seidel, 50, 1.2f), 40.2, 200, true},
                    Case{"Jacobi", kShear, solver(M::jacobi, 50, 0.25f), 402.9, 200, true},
                    Case{"ImprovedJacobi", kShear, solver(M::improved_jacobi, 50, 0.25f), 124.2, 200, true},
                    Case{"AcceleratedJacobi", kShear, asPublished(50, 0.25f), 61.9, 200, true},
                    Case{"Boosted", kShear, solver(M::accelerated_jacobi, 50, 0.25f), 38.2},
                    Case{"Chebyshev", kShear, chebyshev(50, 0.25f), 83.6, 200, true}),
    nameOf);

// The hold-out cloths: nothing was tuned on them.
const Sheet::Shape kHoldPlain = shape(60, 0.05f), kHoldShear = shape(60, 0.05f, true),
                   kHoldBend = shape(60, 0.05f, true, true), kHoldLarge = shape(150, 0.2f);

std::vector<Case> holdOut(const Sheet::Shape& s, int iterations, int frames, float omega,
                          const double (&expected)[6]) {
  return {{"GaussSeidel", s, solver(M::gauss_seidel, iterations, 1), expected[0], frames},
          {"Sor12", s, solver(M::gauss_seidel, iterations, 1.2f), expected[1], frames},
          {"ImprovedJacobi", s, solver(M::improved_jacobi, iterations, omega), expected[2], frames},
          {"AcceleratedJacobi", s, asPublished(iterations, omega), expected[3], frames},
          {"Boosted", s, solver(M::accelerated_jacobi, iterations, omega), expected[4], frames},
          {"SplitBoosted", s, solver(M::accelerated_jacobi, iterations, 0), expected[5], frames}};
}

INSTANTIATE_TEST_SUITE_P(HoldOut, ReferenceB,
                         testing::ValuesIn(holdOut(kHoldPlain, 30, 200, 0.5f,
                                                   {18.13, 13.03, 21.67, 15.81, 9.43, 10.13})),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(HoldOutShear, ReferenceB,
                         testing::ValuesIn(holdOut(kHoldShear, 30, 200, 0.25f,
                                                   {19.04, 13.03, 42.26, 30.12, 17.42, 18.50})),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(HoldOutBend, ReferenceB,
                         testing::ValuesIn(holdOut(kHoldBend, 30, 200, 0.25f,
                                                   {14.62, 10.43, 34.77, 23.55, 13.88, 21.16})),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(HoldOutLarge, ReferenceB,
                         testing::ValuesIn(holdOut(kHoldLarge, 20, 150, 0.5f,
                                                   {195.9, 159.5, 225.8, 209.0, 161.2, 173.7})),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(HoldOutChebyshev, ReferenceB,
                         testing::Values(Case{"Small", kHoldPlain, chebyshev(30, 0.5f), 13.59},
                                         Case{"Large", kHoldLarge, chebyshev(20, 0.5f), 164.9, 150}),
                         nameOf);

// A radius that was tuned elsewhere does not transfer: on two of the four the reference finds it worse than
// Gauss-Seidel (42.2 against 19.0, 73.8 against 14.6), and chaotic, so that no figure repeats.
TEST(ReferenceChebyshev, ATunedRadiusDoesNotTransfer) {
  const auto mean = [](const Sheet::Shape& s) {
    return meanStretch({s, chebyshev(30, 0.25f), makeTbbBackend(1)}, 200);
  };
  EXPECT_GT(mean(kHoldShear), 19.04);
  EXPECT_GT(mean(kHoldBend), 14.62);
}

// T2: a sheet that has come to rest under a drag of 2 % a frame; mean over the last 50 of 800 frames.
double stretchAtRest(const SolverParams& solver) {
  Sheet::Shape s = shape(50, 0.1f);
  s.by_point = true;
  Sheet sheet(s, solver, makeTbbBackend(1));
  double sum = 0;
  for (int f = 0; f < 800; ++f) {
    sheet.advance();
    for (Vec4f& v : sheet.state.v) v = {v.x * 0.98f, v.y * 0.98f, v.z * 0.98f, 0};
    if (f >= 750) sum += sheet.stretchSum();
  }
  return sum / 50;
}

class ReferenceT2 : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(ReferenceT2, StretchAtRest) {
  const auto [row, column] = GetParam();
  const int iterations = 5 << row;
  if (column == 0 && iterations > 20 && !longRun()) GTEST_SKIP() << kWhySkipped;
  constexpr double kExpected[5][5] = {{48.2, 187, 109, 124, 92.9},
                                      {25.5, 97.5, 43.1, 46.3, 30.9},
                                      {13.6, 51.0, 19.1, 16.0, 9.80},
                                      {7.31, 26.9, 8.73, 5.38, 3.12},
                                      {3.94, 14.3, 4.09, 2.22, 1.27}};
  SolverParams published = solver(M::accelerated_jacobi, iterations, 0.5f);
  published.boost = false;
  const SolverParams solvers[5] = {solver(M::gauss_seidel, iterations, 1),
                                   solver(M::jacobi, iterations, 0.5f),
                                   solver(M::improved_jacobi, iterations, 0.5f), published,
                                   solver(M::accelerated_jacobi, iterations, 0.5f)};
  EXPECT_NEAR(stretchAtRest(solvers[column]), kExpected[row][column], kExpected[row][column] * kTolerance);
}

INSTANTIATE_TEST_SUITE_P(IterationsAndSolver, ReferenceT2,
                         testing::Combine(testing::Range(0, 5), testing::Range(0, 5)));

// U4: largest kinetic energy in each of eight "seconds" of 62 frames, and the stretch that damping costs at
// the end.
TEST(ReferenceU4, DampingCalmsTheSwing) {
  const float h = 0.016f;
  const double expected[2][8] = {{10622, 9033, 7513, 5019, 5024, 3946, 2814, 3185},
                                 {10233, 7751, 5326, 3224, 2515, 1498, 1664, 1209}};
  const double stretch_at_end[2] = {1.7, 23.6};
  for (int damped = 0; damped < 2; ++damped) {
    Sheet::Shape s = shape(30, 0.1f, true);
    s.by_point = true;
    s.damping = damped ? 10 * h : 0;
    Sheet sheet(s, M::gauss_seidel, 30, 1);
    for (int second = 0; second < 8; ++second) {
      double largest = 0;
      for (int f = 0; f < 62; ++f) {
        sheet.advance();
        largest = std::max(
            largest, measureMotion(sheet.model, sheet.state, *sheet.work, *sheet.backend).kinetic_energy);
      }
      EXPECT_NEAR(largest, expected[damped][second], expected[damped][second] * kTolerance)
          << "second " << second;
    }
    EXPECT_NEAR(sheet.stretchSum(), stretch_at_end[damped], stretch_at_end[damped] * 0.03);
  }
}

}  // namespace repose
