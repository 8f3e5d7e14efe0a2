// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Places on a triangle by the shares of its corners: the formulas of kernel/triangle.h on types of the host.
#pragma once
#include "base/types.h"

namespace repose {

namespace on_triangle {
#define RE_FN static inline __attribute__((always_inline))  // as in kernel/shim_cpp.h
typedef Vec3f point3;
#include "kernel/point3.h"
#include "kernel/triangle.h"
}  // namespace on_triangle

using Shares = on_triangle::triangle_shares;

inline Vec3f mix(Shares s, Vec3f a, Vec3f b, Vec3f c) { return on_triangle::triangle_mix(s, a, b, c); }

// The corners' shares in the place of a triangle that is nearest to p.
inline Shares nearestOnTriangle(Vec3f p, Vec3f a, Vec3f b, Vec3f c) {
  return on_triangle::triangle_nearest(p, a, b, c);
}

}  // namespace repose
