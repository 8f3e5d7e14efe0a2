// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How projective dynamics converges within one step: the sheet of reference.md (f), caught in the middle of
// its fall, and the bent beam of the same section.
#pragma once
#include <chrono>
#include <cmath>

#include "bench/sheet.h"
#include "solve/motion.h"
#include "solve/projective/projective_loop.h"

namespace repose {

inline SolverParams projectiveParams(GlobalStep way, int iterations, float omega, bool chebyshev,
                                     float radius = 0, int delay = 10) {
  SolverParams solver = Sheet::solverParams(SolverMethod::projective, iterations, omega);
  solver.globalstep = way, solver.chebyshev = chebyshev;
  solver.spectralradius = radius, solver.delay = delay;
  return solver;
}

// What the iterations of one step leave of the gradient of its energy.
struct Descent {
  std::vector<double> left;     // after each iteration, over that at the start
  std::vector<double> seconds;  // since the first began, without the measuring
  float gain = 0, radius = 0;   // as chosen
  int to(double share) const {  // iterations until so much is left; -1: never
    for (std::size_t k = 0; k < left.size(); ++k)
      if (left[k] <= share) return static_cast<int>(k) + 1;
    return -1;
  }
};

enum class Momentum { guarded, unguarded };

// The iterations of a step of projective dynamics, whose aim is where the points are.
inline void iterateAll(Sheet& sheet, const std::vector<Vec4f>& x_start,
                       Momentum momentum = Momentum::guarded) {
  const SolverParams& solver = sheet.params.solver;
  sheet.work->projective->begin(sheet.state, x_start);
  ProjectiveLoop loop(sheet.model, sheet.state, solver, *sheet.work->projective, *sheet.backend);
  if (momentum == Momentum::unguarded) loop.leaveUnguarded();
  loop.beginCycle(0, solver.iterations);
  for (int k = 0; k < solver.iterations; ++k) loop.iterate(k);
}

// state: predicted; ends when a thousandth is left.
inline Descent descend(const Model& model, State state, StepParams params, const SolverParams& solver,
                       Backend& backend, Momentum momentum = Momentum::guarded) {
  params.solver = solver;
  Workspace work(model, params);
  work.x_start = state.x;
  work.prepare(model, state, params);
  Projective& pd = *work.projective;
  pd.begin(state, work.x_start);
  ProjectiveLoop loop(model, state, params.solver, pd, backend);
  if (momentum == Momentum::unguarded) loop.leaveUnguarded();
  loop.beginCycle(0, solver.iterations);
  pd.findGradient(model, state, backend);
  const double start = pd.gradientNorm(backend);
  Descent descent;
  double spent = 0;
  for (int k = 0; k < solver.iterations && (k == 0 || descent.left.back() > 1e-3); ++k) {
    const auto begin = std::chrono::steady_clock::now();
    loop.iterate(k);
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    pd.findGradient(model, state, backend);
    descent.left.push_back(pd.gradientNorm(backend) / start);
    descent.seconds.push_back(spent);
  }
  descent.gain = loop.gain(), descent.radius = loop.radius();
  return descent;
}

// 100 x 100 points with stretch and shear springs, 25 steps of 1/30 s after it was let go, and predicted.
struct FallingSheet {
  explicit FallingSheet(float stiffness)
      : sheet(shape(stiffness), projectiveParams(GlobalStep::gauss_seidel, 400, 0, false),
              makeTbbBackend(1)) {
    sheet.params.h = 1.0f / 30;
    for (int f = 0; f < 25; ++f) sheet.advance();
    predict(sheet.model, sheet.state, sheet.params, *sheet.work, *sheet.backend);
  }
  static Sheet::Shape shape(float stiffness) {
    Sheet::Shape s;
    s.spacing = 0.02f, s.mass = 0.01f, s.shear = true, s.stiffness = stiffness;
    return s;
  }
  Descent descend(const SolverParams& solver, Backend& backend) const {
    return repose::descend(sheet.model, sheet.state, sheet.params, solver, backend);
  }
  Sheet sheet;
};

}  // namespace repose
