// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The global step by a sparse Cholesky factor, which is made once and used until the matrix changes.
#pragma once
#include <memory>
#include <vector>

#include "solve/projective/point_matrix.h"

namespace repose {

class DirectSolver {
 public:
  DirectSolver();
  ~DirectSolver();
  void factor(const PointMatrix& matrix);
  // A step = -gradient, on one thread.
  void solve(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step);
  std::size_t bytes() const;
  std::size_t passBytes() const;  // that one pass over the factor reads and writes

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace repose
