// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The points of bodies that are solved together, which lie side by side in the state.
#pragma once
#include <vector>

#include "model/model.h"

namespace repose {

// Bodies [first, last] of the model; their points and rows lie side by side.
struct BodySpan {
  int first = 0, last = 0;
};

struct BodyPoints {
  BodyPoints(const Model& model, BodySpan bodies)
      : span(bodies), first(model.bodies[bodies.first].points.first) {
    const Range end = model.bodies[span.last].points;
    for (int p = first; p < end.first + end.padded(); ++p) {
      const float w = model.inv_mass[p];
      mass.push_back(w > 0 ? 1 / w : 0);
      total_mass += mass.back();
    }
  }
  int points() const { return static_cast<int>(mass.size()); }

  BodySpan span;
  int first = 0;            // of the points, in the state
  std::vector<float> mass;  // [kg], 0 for pins and padding
  float total_mass = 0;     // [kg]
};

}  // namespace repose
