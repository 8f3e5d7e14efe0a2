// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/model.h"

namespace repose {

// The stencil of a hinge in a matrix that does not change with its angle: of one that is not flat at rest
// only the part that is, so that it sums to 0.
inline void flatStencil(const HingeRows& rows, int i, bool dihedral, float weight[4]) {
  for (int s = 0; s < 4; ++s) weight[s] = rows.weight[s * rows.size() + i];
  const float edge_sum = weight[2] + weight[3];
  if (dihedral && edge_sum != 0)
    for (int s = 2; s < 4; ++s) weight[s] *= -(weight[0] + weight[1]) / edge_sum;
}

}  // namespace repose
