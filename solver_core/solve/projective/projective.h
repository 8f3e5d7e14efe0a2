// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics of all cloth and soft bodies (algorithms.md 7): the gradient of the step's energy, and
// the ways to solve the constant matrix for it. What belongs to a step lives here between prepare and
// integrate; nothing outlives it.
#pragma once
#include <memory>
#include <vector>

#include "solve/projective/direct.h"
#include "solve/projective/elements.h"
#include "solve/projective/spectrum.h"
#include "solve/step.h"

namespace repose {

class Projective {
 public:
  // colours: of the points, from a matrix in which no others were neighbours; empty: to be found.
  Projective(const Model& model, const StepParams& params, const std::vector<int>& colours);

  // Weights for the parameters of this step; rest lengths as the state has them.
  void weigh(const Model& model, const State& state, const StepParams& params);
  void takeRest(const Model& model, const State& state) { elements_.takeRest(model, state); }

  // The step aims at where the points are; x_start is where they were.
  void begin(const State& state, const std::vector<Vec4f>& x_start);
  void findGradient(const Model& model, const State& state, Backend& backend);
  double gradientNorm(Backend& backend);
  // The strain by which the stress around some point is wrong, by the last gradient; of tetrahedra alone.
  float strainError(Backend& backend);

  // step() from the last gradient. Sweeps of Gauss-Seidel go forwards, or forwards and backwards.
  void jacobi(Backend& backend);
  void gaussSeidel(float omega, bool symmetric, Backend& backend);
  void direct();
  // One iteration of nonlinear conjugate gradients, which moves the points; first: without a past.
  void conjugate(State& state, bool first, Backend& backend);
  void move(State& state, float gain, float beta, Backend& backend) {
    move(state, step_, gain, beta, backend);
  }

  void forgetLast(const State& state) { last_ = state.x; }

  // Gradient times the way of the last iteration: above 0 where that went up; not among conjugate gradients.
  double uphill(const State& state, Backend& backend);

  // Of D^-1 A, or of A with symmetric sweeps for D^-1. Known until the weights change.
  const Spectrum& spectrum(GlobalStep way, float omega, Backend& backend);
  // What Jacobi or symmetric sweeps with this gain leave of the current gradient, from one iteration to the
  // next, after so many of them (algorithms.md 7.3 i).
  float contraction(GlobalStep way, float omega, float gain, int iterations, Backend& backend);
  // The same of noise: the spectral radius of the iterations. Known until the weights change.
  float powerRadius(GlobalStep way, float omega, float gain, Backend& backend);

  std::size_t factorBytes() const { return direct_ ? direct_->passBytes() : 0; }
  const std::vector<int>& colourOfPoints() const { return matrix_.colourOfPoints(); }
  int colours() const { return matrix_.colours(); }
  int oddRing() const { return matrix_.oddRing(); }
  const PullElements& elements() const { return elements_; }
  std::size_t bytes() const;

 private:
  friend struct ProjectiveProbe;  // tests look at gradients

  template <class Args, class Elements>
  void launchElements(Args& a, const Model& model, const Elements& elements, Backend& backend) const;
  void launchGradient(const Model& model, const State& state, Backend& backend);

  void move(State& state, const std::vector<Vec4f>& along, float gain, float beta, Backend& backend);
  void precondition(GlobalStep way, float omega, Backend& backend);
  Spectrum measure(GlobalStep way, float omega, Backend& backend);
  double dot(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, Backend& backend);
  void fillWithNoise(std::vector<Vec4f>& v) const;

  PullElements elements_;
  PointMatrix matrix_;
  std::unique_ptr<DirectSolver> direct_;
  std::vector<Vec4f> aim_, last_, gradient_, step_, direction_, product_;
  const Vec4f* start_ = nullptr;
  std::vector<float> partial_;
  double last_rz_ = 0;
  bool spectrum_known_ = false, soft_;
  float power_radius_ = 0;  // 0: not known
  Spectrum spectrum_;
  std::vector<double> alphas_, betas_;  // of its measurement
};

}  // namespace repose
