// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The ways to solve A step = -gradient, wholly or by one iteration, and how fast they converge.
#include <cmath>

#include "base/random.h"
#include "solve/point_sums.h"
#include "solve/projective/projective.h"

namespace repose {

namespace {

// Lanczos sees the ends of the spectrum about as well as so many iterations can make use of.
constexpr int kMostProducts = 128;

}  // namespace

double Projective::dot(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, Backend& backend) {
  return dotPoints(a, b, elements_.live, partial_, backend);
}

double Projective::gradientNorm(Backend& backend) { return std::sqrt(dot(gradient_, gradient_, backend)); }

float Projective::strainError(Backend& backend) {
  if (!soft_) return 0;
  return largestOfPoints(gradient_, elements_.strain_scale, partial_, backend);
}

void Projective::jacobi(Backend& backend) {
  pd_scale_args a;
  a.gradient = gradient_.data(), a.inv_diagonal = matrix_.inverseDiagonal().data(), a.step = step_.data();
  backend.launchLanes(static_cast<int>(step_.size()), a);
}

void Projective::gaussSeidel(float omega, bool symmetric, Backend& backend) {
  std::fill(step_.begin(), step_.end(), Vec4f{});
  matrix_.visit(gradient_, step_, omega, false, backend);
  if (symmetric) matrix_.visit(gradient_, step_, omega, true, backend);
}

void Projective::direct() { direct_->solve(gradient_, step_); }

// algorithms.md 7.3: r = -gradient, z = D^-1 r, alpha = p.r / p.A p.
void Projective::conjugate(State& state, bool first, Backend& backend) {
  jacobi(backend);
  const double rz = -dot(step_, gradient_, backend);
  pd_direction_args d;
  d.step = step_.data(), d.direction = direction_.data();
  d.beta = first || !(last_rz_ > 0) ? 0.0f : static_cast<float>(rz / last_rz_);
  if (d.beta == 0) std::fill(direction_.begin(), direction_.end(), Vec4f{});
  backend.launchLanes(static_cast<int>(step_.size()), d);
  last_rz_ = rz;
  matrix_.multiply(direction_, product_, backend);
  const double curvature = dot(direction_, product_, backend);
  const double slope = -dot(direction_, gradient_, backend);
  // no way down: begin anew from here
  if (!(slope > 0) || !(curvature > 0)) last_rz_ = 0;
  if (curvature > 0) move(state, direction_, static_cast<float>(slope / curvature), 0, backend);
}

void Projective::move(State& state, const std::vector<Vec4f>& along, float gain, float beta,
                      Backend& backend) {
  pd_move_args a;
  a.x = state.x.data(), a.x_last = last_.data(), a.step = along.data(), a.gain = gain, a.beta = beta;
  backend.launchLanes(static_cast<int>(state.x.size()), a);
}

double Projective::uphill(const State& state, Backend& backend) {
  ml_axpy_args a;
  a.a = state.x.data(), a.b = last_.data(), a.y = product_.data(), a.s = -1;
  backend.launchLanes(static_cast<int>(product_.size()), a);
  return dot(gradient_, product_, backend);
}

void Projective::precondition(GlobalStep way, float omega, Backend& backend) {
  if (way == GlobalStep::jacobi)
    jacobi(backend);
  else
    gaussSeidel(omega, true, backend);
}

// A start that no symmetry of the mesh can hide from.
void Projective::fillWithNoise(std::vector<Vec4f>& v) const {
  for (std::size_t p = 0; p < v.size(); ++p)
    v[p] = {pointNoise(p, 0) * elements_.live[p], pointNoise(p, 1) * elements_.live[p],
            pointNoise(p, 2) * elements_.live[p], 0};
}

// Linear conjugate gradients on noise, in the memory of the step, which has not begun.
Spectrum Projective::measure(GlobalStep way, float omega, Backend& backend) {
  alphas_.clear(), betas_.clear();
  alphas_.reserve(kMostProducts), betas_.reserve(kMostProducts);
  fillWithNoise(gradient_);
  std::fill(direction_.begin(), direction_.end(), Vec4f{});
  double last = 0;
  for (int k = 0; k < kMostProducts; ++k) {
    precondition(way, omega, backend);
    const double rz = -dot(step_, gradient_, backend);
    if (!(rz > 0)) break;
    if (k > 0) betas_.push_back(rz / last);
    last = rz;
    pd_direction_args d;
    d.step = step_.data(), d.direction = direction_.data();
    d.beta = k > 0 ? static_cast<float>(betas_.back()) : 0.0f;
    backend.launchLanes(static_cast<int>(step_.size()), d);
    matrix_.multiply(direction_, product_, backend);
    const double curvature = dot(direction_, product_, backend);
    if (!(curvature > 0)) break;
    alphas_.push_back(rz / curvature);
    // the gradient of the quadratic form follows the step
    pd_direction_args r;
    r.step = gradient_.data(), r.direction = product_.data(), r.beta = static_cast<float>(alphas_.back());
    backend.launchLanes(static_cast<int>(step_.size()), r);
    std::swap(gradient_, product_);
  }
  return lanczosSpectrum(alphas_, betas_);
}

const Spectrum& Projective::spectrum(GlobalStep way, float omega, Backend& backend) {
  if (!spectrum_known_) spectrum_ = measure(way, omega, backend);
  spectrum_known_ = true;
  return spectrum_;
}

float Projective::contraction(GlobalStep way, float omega, float gain, int iterations, Backend& backend) {
  precondition(way, omega, backend);
  direction_ = step_;  // the error, as the map sees it
  double last = std::sqrt(dot(direction_, direction_, backend)), ratio = 0;
  for (int k = 0; k < iterations && last > 0; ++k) {
    matrix_.multiply(direction_, gradient_, backend);
    precondition(way, omega, backend);
    pd_direction_args d;  // error + gain P^-1 (-A error)
    d.step = direction_.data(), d.direction = step_.data(), d.beta = gain;
    backend.launchLanes(static_cast<int>(step_.size()), d);
    std::swap(step_, direction_);
    const double now = std::sqrt(dot(direction_, direction_, backend));
    ratio = now / last;
    last = now;
  }
  return static_cast<float>(ratio);
}

float Projective::powerRadius(GlobalStep way, float omega, float gain, Backend& backend) {
  if (power_radius_ > 0) return power_radius_;
  fillWithNoise(gradient_);
  return power_radius_ = contraction(way, omega, gain, kMostProducts, backend);
}

}  // namespace repose
