// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit Euler for one cloth: Newton's method with line search, each linear system by conjugate gradients
// with one V-cycle of smoothed aggregation as preconditioner (cloth_study.md 5, multilevel_study.md). The
// cloth keeps its length whatever its resolution, because the work of a step does not depend on how far a
// pull has to travel.
#pragma once
#include <vector>

#include "backend/backend.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/multilevel/dense.h"
#include "solve/multilevel/hierarchy.h"
#include "solve/step.h"

namespace repose {

class MultilevelCloth {
 public:
  MultilevelCloth(const Model& model, int body);

  // Before predict: the step begins with the velocity of the last one, which keeps its tension as a warm
  // start.
  void begin(const State& state, float h, Backend& backend);
  // After predict, with state.x as it was before: solves for the end of the step and writes x, x_low and v.
  StepResult solve(const Model& model, State& state, const StepParams& params, Backend& backend);

  // The stretch stiffness that is solved for when the parameter asks for more [N/m].
  float enoughStiffness(const WorldParams& world) const;

  std::size_t bytes() const;

 private:
  void weigh(const Model& model, const StepParams& params);
  void aimPoints(const Model& model, const State& state, const StepParams& params, Backend& backend);
  template <class Args>
  Args clothAt(const std::vector<Vec4f>& off);
  void assemble(Backend& backend);
  double energyAt(const std::vector<Vec4f>& off, Backend& backend);
  double energyTolerance(const StepParams& params) const;  // [J], what the quadratic model may miss in a step
  void buildCoarse(Backend& backend);
  void updateSmoother(CoarseLevel& level, Backend& backend);
  void factorBottom();
  // dx_ from r_; counts iterations and returns the decrease of the energy that the quadratic model predicts
  // [J].
  double conjugateGradients(int most, int& iterations, Backend& backend);
  double cycle(Backend& backend);  // z_ from r_; returns r.z
  void descend(std::size_t level, Backend& backend);
  void restrictTo(CoarseLevel& coarse, const std::vector<Vec4f>& t, Backend& backend);
  void prolongFrom(const CoarseLevel& coarse, std::vector<Vec4f>& z, Backend& backend);
  void solveBottom();
  double product(const std::vector<Vec4f>& x, int mode, std::vector<Vec4f>& y, Backend& backend);
  void productOn(CoarseLevel& level, const std::vector<Vec4f>& x, int mode, float omega,
                 std::vector<Vec4f>& y, Backend& backend);
  double sum(const std::vector<float>& values, Backend& backend);
  void axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend);
  int points() const { return static_cast<int>(mass_.size()); }

  int body_, first_;  // first: of the body's points in the state
  float h_ = 0, inv_h2_ = 0;
  float omega_ = 0.75f;   // of the fine smoother, 1.5 / the bound 2 of an edge matrix (multilevel_study.md 2)
  float total_mass_ = 0;  // [kg]
  float mean_edge_ = 0;   // [m]
  float size_ = 0;        // of a square cloth with as many points [m]

  std::vector<float> mass_;  // [kg], 0 for pins and padding
  SlicedLists edges_;
  std::vector<int> edge_point_;
  std::vector<float> edge_rest_, edge_stiffness_, edge_;
  SlicedLists bends_;
  std::vector<int> bend_point_;
  std::vector<float> bend_weight_;  // [1/m^2]
  float bend_ = 0;                  // [N m]

  std::vector<Vec4f> off_, aim_, trial_, r_, z_, y_, p_, dx_;
  std::vector<float> inverse_, value_, partial_;
  std::vector<CoarseLevel> levels_;
  DenseCholesky bottom_;
  std::vector<double> bottom_rhs_;
  const Vec4f* x_ = nullptr;  // of the body, during a solve

  float last_stretch_ = -1, last_shear_ = -1, last_bend_ = -1;
};

}  // namespace repose
