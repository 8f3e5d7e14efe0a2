// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace repose {

// Where the eigenvalues of P^-1 A lie.
struct Spectrum {
  double least = 1, largest = 1;
};

// From the steps alpha and the ratios beta of preconditioned conjugate gradients: the extreme eigenvalues of
// their tridiagonal matrix (Lanczos), which come near those of P^-1 A from within in far fewer products than
// a power iteration takes.
Spectrum lanczosSpectrum(const std::vector<double>& alpha, const std::vector<double>& beta);

}  // namespace repose
