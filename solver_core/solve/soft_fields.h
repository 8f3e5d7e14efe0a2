// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the cache holds on request of a soft body: means over the tetrahedra at each corner, by volume,
// carried to the points of the artist's surface by their weights.
#pragma once
#include "scene/output_fields.h"
#include "solve/step.h"

namespace repose {

// strain: |stretch - 1| of the direction that is stretched or squeezed most. stress: von Mises' of Cauchy's
// stress [Pa], without that of damping and fibres. volume: over that at rest.
void softField(OutputField field, const Model& model, const State& state, int body, const Body& source,
               const SoftParams& soft, std::vector<float>& values);

// Of all tetrahedra.
struct SoftSummary {
  float least_volume = 1;     // over that at rest
  std::int64_t inverted = 0;  // how many are inside out
};
SoftSummary measureSoft(const Model& model, const State& state);

}  // namespace repose
