// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the processor can do with cloth S1 of peers.md when nothing else is asked: the two kernels of
// peers.md 2, j1a (one-pass Jacobi) and gs4 (coloured Gauss-Seidel), eight lanes wide for AVX2. Fused
// multiply-adds, hardware estimates of roots and one fixed scene: none of what the solver promises. The
// solver's time is judged by its ratio to these, measured in the same minute.
#pragma once
#include <memory>

namespace repose {

enum class ReferenceKernel { j1a, gs4 };

class ReferenceCloth {
 public:
  virtual ~ReferenceCloth() = default;
  virtual void frame(int iterations) = 0;  // of 16 ms
  virtual double meanStretch() const = 0;  // of the edges of the grid, for a check that it moves as it should
};

// n x n points, 2 x 2 m, 1 kg, stretch, shear and second-neighbour rows, two corners pinned. Null on a
// processor without AVX2 and FMA.
std::unique_ptr<ReferenceCloth> makeReferenceCloth(ReferenceKernel kernel, int n, int threads);

}  // namespace repose
