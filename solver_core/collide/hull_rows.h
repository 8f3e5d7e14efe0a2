// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Manifolds of rigid bodies as the solver keeps them, in ContactRows: one or two bodies, fields of the
// manifold, then those of each of its four points. kernel/hull.h keeps the numbers.
#pragma once
#include "collide/contact_rows.h"

namespace repose {

enum HullField {
  kHullNormal = 0,    // from the second side to the first
  kHullFriction = 3,  // mu while sticking
  kHullSlide,         // mu while sliding
  kHullGive,          // how far it gives way at most [m]
  kHullPoint          // the first point
};
enum HullPointField {
  kPointGap = 0,
  kPointStart,  // gap at the start of the step [m]
  kPointPush,   // p_n [N s]
  kPointDrag,   // p_t [N s]
  kPointArmA = 6,
  kPointArmB = 9,  // levers from the centres [m]; of rows with one body the velocity of the other side [m/s]
  kPointAnswer = 12,  // what an impulse of 1 changes; -1: no such point
  kPointStop,         // over that, across the normal
  kPointBounce,       // speed at which the two shall part [m/s]
  kPointPeak,         // greatest p_n of the step [N s]
  kPointFields
};
inline constexpr int kHullFields = kHullPoint + 4 * kPointFields;
inline int hullField(int point, int field) { return kHullPoint + point * kPointFields + field; }

}  // namespace repose
