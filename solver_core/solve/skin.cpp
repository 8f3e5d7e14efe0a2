// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/step.h"

namespace repose {

ClothParams skinOf(const SoftParams& soft) {
  ClothParams skin;
  skin.pressure = soft.pressure;
  skin.normaldrag = soft.normaldrag, skin.tangentdrag = soft.tangentdrag;
  skin.friction = soft.friction, skin.dynamicfriction = soft.dynamicfriction;
  skin.restitution = soft.restitution;
  skin.thickness = soft.thickness, skin.selfcollision = soft.selfcollision;
  skin.veldamping = soft.veldamping;
  return skin;
}

}  // namespace repose
