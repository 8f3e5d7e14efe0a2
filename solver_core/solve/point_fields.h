// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the cache holds on request of each point of a cloth, in the order of its geometry.
#pragma once
#include "model/model.h"
#include "model/state.h"
#include "scene/geometry.h"

namespace repose {

// The mean of |length/rest - 1| of the edges at each point, or of the warps and wefts of its triangles.
void pointStrain(const Model& model, const State& state, int body, const ClothParams& cloth,
                 std::vector<float>& strain);

// Tension [N/m], 0 where all is slack: the largest of the edges at each point, or the mean over its triangles
// (by area) of the largest principal tension.
void pointStress(const Model& model, const State& state, int body, const Geometry& geometry,
                 const ClothParams& cloth, std::vector<float>& stress);

}  // namespace repose
