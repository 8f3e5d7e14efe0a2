// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit Euler or BDF2 for one cloth, or several that are sewn together: Newton's method with line search,
// each linear system by conjugate gradients with one V-cycle of smoothed aggregation as preconditioner
// (cloth_study.md 5, multilevel_study.md). The cloth keeps its length whatever its resolution, because the
// work of a step does not depend on how far a pull has to travel.
#pragma once
#include <array>
#include <vector>

#include "backend/backend.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/multilevel/cloth_rows.h"
#include "solve/multilevel/contact_terms.h"
#include "solve/multilevel/dense.h"
#include "solve/multilevel/hierarchy.h"
#include "solve/step.h"

namespace repose {

class MultilevelCloth {
 public:
  MultilevelCloth(const Model& model, BodySpan bodies);

  // Before predict: the step begins with the velocity of the last one, which keeps its tension as a warm
  // start.
  void begin(State& state, const StepParams& params, Backend& backend);
  // After predict, with state.x as it was before: solves for the end of the step and writes x, x_low and v.
  StepResult solve(const Model& model, State& state, const StepParams& params, Backend& backend);

  // With contacts (multilevel_contact.cpp, coupling_study.md 3). After a detection:
  void touch(const ContactRows& patches, const MoverView& movers);
  bool touches() const { return terms_.rows() > 0; }
  // In each contact substep, after begin and predict, with state.x as it was before and the impulses of the
  // rows already in the velocities: solves for cloth, impulses and the movers on the cloth at once.
  StepResult meet(const Model& model, const State& state, const StepParams& params, const SoftLaw& law,
                  ContactRows& patches, const MoverView& movers, Backend& backend);
  // After the contact loop, which moved the points by their masses alone: how the whole cloth answers to the
  // same impulses. Writes x, x_low and v.
  StepResult respond(State& state, const StepParams& params, ContactRows& patches, const MoverView& movers,
                     Backend& backend);

  const ClothRows& rows() const { return rows_; }
  std::size_t bytes() const;

 private:
  friend struct MultilevelProbe;  // tests look at single linear solves

  // Newton's method (multilevel.cpp)
  void aimPoints(const Model& model, const Vec4f* v, const StepParams& params, Backend& backend);
  void damp(const Model& model, const State& state, Backend& backend);
  StepResult newton(const StepParams& params, Backend& backend);  // moves off_
  template <class Args>
  void launchBodies(Args& args, Backend& backend);
  template <class Args>
  Args clothAt(const std::vector<Vec4f>& off);
  void pushCorners(const std::vector<Vec4f>& off, bool assembling, bool judging, Backend& backend);
  void assemble(Backend& backend);
  // Energy, and when a full step dx_ is judged what the quadratic model missed [J].
  struct Energy {
    double sum = 0, above = 0, below = 0;
  };
  Energy energyAt(const std::vector<Vec4f>& off, bool judging, Backend& backend);
  double sum(const std::vector<float>& values, Backend& backend);
  void setVelocities(const State& state, Vec4f* v, Backend& backend);
  void solveCoupled(ContactRows& patches, const MoverView& movers, Backend& backend);
  StepResult answerImpulses(const StepParams& params, Backend& backend);
  void addMomentum(const Vec4f* v, double sign);
  void keepMomentum(Vec4f* v);
  void axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend);

  // Conjugate gradients and the cycle (multilevel_cycle.cpp)
  int unknowns() const { return coupled_ ? terms_.unknowns() : rows_.points(); }
  void buildCoarse(Backend& backend);
  void updateSmoother(CoarseLevel& level, Backend& backend);
  void factorBottom();
  // dx_ from r_: cycles until one gains less than enough [J], or there were too many. May be called again to
  // go on.
  void beginLinearSolve();
  void conjugateGradients(int most, double enough, Backend& backend);
  double cycle(Backend& backend);  // z_ from r_; returns r.z
  void descend(std::size_t level, Backend& backend);
  void restrictTo(CoarseLevel& coarse, const std::vector<Vec4f>& t, Backend& backend);
  void prolongFrom(const CoarseLevel& coarse, std::vector<Vec4f>& z, Backend& backend);
  void solveBottom();
  double product(const std::vector<Vec4f>& x, int mode, std::vector<Vec4f>& y, Backend& backend);
  void productOn(CoarseLevel& level, const std::vector<Vec4f>& x, int mode, float omega,
                 std::vector<Vec4f>& y, Backend& backend);

  ClothRows rows_;
  ContactTerms terms_;
  std::array<double, 3> momentum_{};  // that the cloth should have, without pins [N s]
  bool coupled_ = false;              // contacts are in the linear system
  bool pinned_ = false;               // somewhere, so that it has no momentum of its own
  float h_ = 0, inv_h2_ = 0;          // inertia is mass * inv_h2
  float gain_ = 0;                    // how far the aim goes with the change of velocity in predict [s]
  float omega_;                       // of the fine smoother

  std::vector<Vec4f> off_, aim_, r_, z_, y_, p_, dx_;
  std::vector<float> inverse_, value_, partial_;
  std::vector<CoarseLevel> levels_;
  DenseCholesky bottom_;
  std::vector<double> bottom_rhs_;
  double last_rz_ = 0;  // of conjugate gradients
  int cycles_ = 0;
  const Vec4f* x_ = nullptr;  // of the cloth, during a solve
};

// Bodies differ in how they bend.
template <class Args>
void MultilevelCloth::launchBodies(Args& args, Backend& backend) {
  for (const ClothRows::OfBody& body : rows_.bodies) {
    args.bend = body.bend, args.first_entry = body.points.first;
    if constexpr (!std::is_same_v<Args, ml_edges_args>) args.straight = body.dihedral ? 0.0f : 1.0f;
    backend.launchLanes(body.points.padded(), args);
  }
}

}  // namespace repose
