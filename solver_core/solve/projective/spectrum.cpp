// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/spectrum.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

// The tridiagonal matrix of conjugate gradients, row by row.
struct Row {
  double diagonal = 0, squared = 0;  // what stands before the diagonal, squared
};
Row rowOf(const std::vector<double>& alpha, const std::vector<double>& beta, std::size_t j) {
  if (j == 0) return {1 / alpha[0], 0};
  const double before = beta[j - 1] / alpha[j - 1];
  return {1 / alpha[j] + before, before / alpha[j - 1]};
}

// Eigenvalues below `at` (Sturm's sequence).
int countBelow(const std::vector<double>& alpha, const std::vector<double>& beta, double at) {
  int count = 0;
  double pivot = 1;
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    const Row row = rowOf(alpha, beta, j);
    pivot = row.diagonal - at - row.squared / pivot;
    if (pivot == 0) pivot = 1e-300;
    count += pivot < 0;
  }
  return count;
}

}  // namespace

Spectrum lanczosSpectrum(const std::vector<double>& alpha, const std::vector<double>& beta) {
  const std::size_t size = alpha.size();
  if (size == 0) return {};
  double end = 0;  // Gershgorin
  for (std::size_t j = 0; j < size; ++j) {
    const Row row = rowOf(alpha, beta, j);
    const double after = j + 1 < size ? rowOf(alpha, beta, j + 1).squared : 0;
    end = std::max(end, row.diagonal + std::sqrt(row.squared) + std::sqrt(after));
  }
  // the eigenvalue with so many below it
  const auto find = [&](int below) {
    double low = 0, high = end;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (countBelow(alpha, beta, middle) > below ? high : low) = middle;
    }
    return 0.5 * (low + high);
  };
  return {find(0), find(static_cast<int>(size) - 1)};
}

}  // namespace repose
