// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The innermost loop of tet_ref.cpp (peers.md 2), eight tetrahedra wide: XPBD of stable neo-Hookean in two
// rows, with fused multiply-adds, hardware estimates and fast-math. None of what the solver promises.
#pragma once

namespace repose {

struct ReferenceBlock {
  int corner[4][8];
  float y[9][8];
  float alpha_deviatoric[8], alpha_volume[8], lambda_deviatoric[8], lambda_volume[8];
};

// x: four floats a point, the last its inverse mass. No two tetrahedra of [first, end) share a point.
void visitReference(ReferenceBlock* first, ReferenceBlock* end, float* x, float rest_volume);

}  // namespace repose
