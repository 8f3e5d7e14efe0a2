// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/dense.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace repose {

void DenseCholesky::resize(int n) {
  n_ = n;
  a_.assign(static_cast<std::size_t>(n) * n, 0.0);
  inv_diagonal_.resize(n);
}

// Right-looking on the upper triangle: the inner loop runs along a row and vectorises without changing an
// operation.
void DenseCholesky::factor() {
  for (int k = 0; k < n_; ++k) {
    double* pivot = row(k);
    const double inv = 1 / std::sqrt(std::max(pivot[k], 1e-30));
    inv_diagonal_[k] = inv;
    for (int j = k; j < n_; ++j) pivot[j] *= inv;
    for (int i = k + 1; i < n_; ++i) {
      double* other = row(i);
      const double f = pivot[i];
      if (f == 0) continue;
      for (int j = i; j < n_; ++j) other[j] -= f * pivot[j];
    }
  }
}

void DenseCholesky::solve(std::vector<double>& b) const {
  const auto at = [&](int i) { return a_.data() + static_cast<std::size_t>(i) * n_; };
  for (int k = 0; k < n_; ++k) {
    b[k] *= inv_diagonal_[k];
    const double* u = at(k);
    for (int j = k + 1; j < n_; ++j) b[j] -= u[j] * b[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double* u = at(k);
    double sum = b[k];
    for (int j = k + 1; j < n_; ++j) sum -= u[j] * b[j];
    b[k] = sum * inv_diagonal_[k];
  }
}

}  // namespace repose
