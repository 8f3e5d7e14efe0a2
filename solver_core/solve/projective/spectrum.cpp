// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/spectrum.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

// Eigenvalues below `at` of a symmetric tridiagonal matrix (Sturm's sequence).
int countBelow(const std::vector<double>& diagonal, const std::vector<double>& beside, double at) {
  int count = 0;
  double pivot = 1;
  for (std::size_t j = 0; j < diagonal.size(); ++j) {
    pivot = diagonal[j] - at - (j > 0 ? beside[j - 1] * beside[j - 1] / pivot : 0);
    if (pivot == 0) pivot = 1e-300;
    count += pivot < 0;
  }
  return count;
}

}  // namespace

Spectrum lanczosSpectrum(const std::vector<double>& alpha, const std::vector<double>& beta) {
  const std::size_t size = alpha.size();
  if (size == 0) return {};
  std::vector<double> diagonal(size), beside(size - 1);
  for (std::size_t j = 0; j < size; ++j) {
    diagonal[j] = 1 / alpha[j] + (j > 0 ? beta[j - 1] / alpha[j - 1] : 0);
    if (j + 1 < size) beside[j] = std::sqrt(beta[j]) / alpha[j];
  }
  double end = 0;  // Gershgorin
  for (std::size_t j = 0; j < size; ++j)
    end = std::max(end, diagonal[j] + (j > 0 ? beside[j - 1] : 0) + (j + 1 < size ? beside[j] : 0));
  // the eigenvalue with so many below it
  const auto find = [&](int below) {
    double low = 0, high = end;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (countBelow(diagonal, beside, middle) > below ? high : low) = middle;
    }
    return 0.5 * (low + high);
  };
  return {find(0), find(static_cast<int>(size) - 1)};
}

}  // namespace repose
