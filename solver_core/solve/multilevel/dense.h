// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cholesky factor of a small dense matrix in double, for the bottom of the hierarchy. Plain loops in a fixed
// order: the same bits from every compiler.
#pragma once
#include <vector>

namespace repose {

class DenseCholesky {
 public:
  void resize(int n);
  int size() const { return n_; }
  double* row(int i) {
    return a_.data() + static_cast<std::size_t>(i) * n_;
  }                                          // of the matrix before factor()
  void factor();                             // A = U^T U; only the upper triangle is read
  void solve(std::vector<double>& b) const;  // in place

 private:
  int n_ = 0;
  std::vector<double> a_, inv_diagonal_;
};

}  // namespace repose
