// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Implicit steps of cloth by conjugate gradients without a matrix (algorithms.md 8): products are differences
// of forces, and between iterations contacts filter the motion. Solves in displacements, velocity times h.
#pragma once
#include <cmath>
#include <vector>

#include "solve/projective/elements.h"

namespace repose {

class Interleaved {
 public:
  explicit Interleaved(const Model& model);
  void weigh(const Model& model, const State& state, const StepParams& params) {
    elements_.weigh(model, state, params, nullptr);
  }
  void takeRest(const Model& model, const State& state) { elements_.takeRest(model, state); }

  // From x_start towards state.x, where the points would be without forces of the cloth.
  void begin(const Model& model, const State& state, const std::vector<Vec4f>& x_start, bool second_order,
             Backend& backend);
  // One iteration; false when nothing is left to gain.
  bool iterate(const Model& model, Backend& backend);
  // What is left of the residual, over that at the start.
  double left() const { return start_ > 0 ? std::sqrt(residual_ / start_) : 0.0; }
  // Where the points are now, and after filters have moved them from there.
  void place(State& state, Backend& backend);
  void takeFiltered(const State& state, Backend& backend);
  const PullElements& elements() const { return elements_; }
  std::size_t bytes() const;

 private:
  void findPull(const Model& model, const std::vector<Vec4f>& off, std::vector<Vec4f>& pull,
                Backend& backend);
  // y = inertia M p - h^2 K p.
  void multiply(const Model& model, const std::vector<Vec4f>& p, float inertia, std::vector<Vec4f>& y,
                Backend& backend);
  static void keepAlong(const Model& model, std::vector<Vec4f>& v);
  void axpy(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, float s, std::vector<Vec4f>& y,
            Backend& backend);
  double dot(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, Backend& backend);

  PullElements elements_;
  bool second_order_ = false;
  float edge_ = 1;  // mean length [m]
  const Vec4f* x_ = nullptr;
  // way: free motion of the step; change: what conjugate gradients add to it
  std::vector<Vec4f> way_, change_, residual_vector_, direction_, product_, off_, rest_pull_, above_, below_,
      spare_;
  std::vector<float> partial_;
  double residual_ = 0, start_ = 0;  // squared
};

}  // namespace repose
