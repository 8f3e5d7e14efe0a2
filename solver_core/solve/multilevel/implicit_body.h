// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit Euler or BDF2 for one body, or several that are sewn together: Newton's method with line search,
// each linear system by conjugate gradients with one symmetric cycle as preconditioner (cloth_study.md 5 and
// 7, multilevel_study.md). What the body is made of, its matrix and its coarse levels are those of a derived
// class: MultilevelCloth, MultilevelSoft.
#pragma once
#include <array>
#include <vector>

#include "backend/backend.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/multilevel/body_points.h"
#include "solve/multilevel/contact_terms.h"
#include "solve/multilevel/followers.h"
#include "solve/step.h"

namespace repose {

class ImplicitBody {
 public:
  virtual ~ImplicitBody() = default;

  // Before predict: the step begins with the velocity of the last one, which keeps its tension as a warm
  // start.
  void begin(State& state, const StepParams& params, Backend& backend);
  // After predict, with state.x as it was before: solves for the end of the step and writes x, x_low and v.
  StepResult solve(const Model& model, State& state, const StepParams& params, Backend& backend);

  // With contacts (implicit_contact.cpp, coupling_study.md 3). After a detection; held: points that joints
  // hold, whose places may change in every substep.
  void touch(const ContactRows& patches, const MoverView& movers, const std::vector<HeldPoint>& held);
  bool touches() const { return terms_.rows() > 0 || followers_.any(); }
  const Followers& followers() const { return followers_; }
  // In each contact substep, after begin and predict, with state.x as it was before and the impulses of the
  // rows already in the velocities: solves for the body, impulses and the movers on it at once.
  StepResult meet(const Model& model, const State& state, const StepParams& params, const SoftLaw& law,
                  ContactRows& patches, const MoverView& movers, const std::vector<HeldPoint>& held,
                  Backend& backend);
  // After the contact loop, which moved the points by their masses alone: how the whole body answers to the
  // same impulses. Writes x, x_low and v.
  StepResult respond(State& state, const StepParams& params, ContactRows& patches, const MoverView& movers,
                     Backend& backend);

  virtual const BodyPoints& at() const = 0;
  // The greatest stretch stiffness of cloth that this solver makes use of [N/m].
  virtual float enoughStiffness(const WorldParams& world) const = 0;
  virtual std::size_t bytes() const;

 protected:
  friend struct MultilevelProbe;  // tests look at single linear solves

  enum Mode { kProduct, kResidual, kSmooth };  // ML_* of kernel/multilevel.h
  // Energy, and when a full step dx_ is judged what the quadratic model missed [J].
  struct Energy {
    double sum = 0, above = 0, below = 0;
  };

  // What a derived class has to know. Stiffness and rest shape for the parameters of this step:
  virtual void weigh(const Model& model, const State& state, const StepParams& params) = 0;
  // The solve with contacts: most steps of Newton's method, of which a single one is taken untested, cycles
  // of each, and those of the response (m1, m2 of coupling_study.md 3).
  struct Meeting {
    int newtons = 1, cycles = 4, response = 3;
  };
  virtual Meeting meeting() const { return {}; }
  virtual void damp(const Model& model, const State& state, Backend& backend) = 0;
  virtual double energyTolerance(const WorldParams& world) const = 0;  // [J] that Newton's model may miss
  // The matrix at x + off_, r_ = -gradient, inverse_ of the diagonal blocks and value_, the energy at points.
  virtual void assemble(Backend& backend) = 0;
  virtual Energy energyAt(const std::vector<Vec4f>& off, bool judging, Backend& backend) = 0;
  // y = A x, or what else the mode says, with value_ (kernel/multilevel.h).
  virtual void launchProduct(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                             Backend& backend) = 0;
  virtual void forgetCoarse() = 0;                 // what the last step left in the coarse levels
  virtual void buildCoarse(Backend& backend) = 0;  // from the matrix
  // z += the coarse levels' answer to t.
  virtual void correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend) = 0;

  void resize(const Model& model, float omega);
  int unknowns() const { return coupled_ ? terms_.unknowns() : at().points(); }
  template <class Args>
  Args productArgs(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y);
  Energy summedEnergy(Backend& backend);  // of y_
  void axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend);

  ContactTerms terms_;
  Followers followers_;
  bool coupled_ = false;      // contacts are in the linear system
  float h_ = 0, inv_h2_ = 0;  // inertia is mass * inv_h2
  float omega_ = 0;           // of the fine smoother
  std::vector<Vec4f> off_, aim_, r_, z_, y_, p_, dx_;
  std::vector<float> inverse_, value_, partial_;
  const Vec4f* x_ = nullptr;  // of the body, during a solve

 private:
  void aimPoints(const Model& model, const Vec4f* v, const StepParams& params, Backend& backend);
  StepResult newton(const StepParams& params, Backend& backend);  // moves off_
  double sum(const std::vector<float>& values, int count, Backend& backend);
  void setVelocities(const State& state, Vec4f* v, Backend& backend);
  int solveCoupled(const StepParams& params, ContactRows& patches, const MoverView& movers, Backend& backend);
  StepResult answerImpulses(const StepParams& params, Backend& backend);
  void assembleCoupled(Backend& backend);
  bool free() const { return !pinned_ && !followers_.held(); }
  void addMomentum(const Vec4f* v, const MoverView& movers, double sign);
  void keepMomentum(Vec4f* v, const MoverView& movers);
  // dx_ from r_: cycles until one gains less than enough [J], or there were too many. May be called again to
  // go on.
  void beginLinearSolve();
  void conjugateGradients(int most, double enough, Backend& backend);
  void takeCycles(int most, double enough, Backend& backend);
  double cycle(Backend& backend);  // z_ from r_; returns r.z
  double product(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y, Backend& backend);

  std::array<double, 3> momentum_{};  // that the body and what it carries should have, without pins [N s]
  bool pinned_ = false;               // somewhere, so that it has no momentum of its own
  float gain_ = 0;                    // how far the aim goes with the change of velocity in predict [s]
  double last_rz_ = 0, gained_ = 0;   // of conjugate gradients; what the quadratic model loses by dx_ [J]
  int cycles_ = 0;
};

// The cycle knows of contacts only their blocks, conjugate gradients whole rows.
template <class Args>
Args ImplicitBody::productArgs(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y) {
  Args a;
  a.x = x.data(), a.rhs = r_.data(), a.mass = at().mass.data();
  a.inverse = inverse_.data(), a.y = y.data(), a.dot = value_.data();
  a.stride = unknowns(), a.mode = mode, a.omega = omega_, a.inv_h2 = inv_h2_;
  if (coupled_ && mode != kProduct) a.contact = terms_.blocks(), a.contact_stride = terms_.points();
  return a;
}

}  // namespace repose
