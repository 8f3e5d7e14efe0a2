// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains as the cache holds them: of one body, in the order of their ids.
#pragma once
#include <vector>

#include "model/state.h"
#include "scene/output_fields.h"
#include "solve/body_view.h"

namespace repose {

// What contacts did to each grain in the last substep, by its place in the state; empty: nothing touched.
struct GrainFields {
  std::vector<float> contactforce;  // sum of |impulse| / h over its contacts [N]
  std::vector<int> ncontacts;
};

// Where the grains of a body are, in the order of their ids; and where that of a key is.
void orderGrains(const GrainState& grains, int body, GrainOrder& order);
inline std::size_t placeOf(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// Fills positions, velocities (times `pace`), ids, widths and order of a view.
void readGrains(const GrainState& grains, int body, float pace, BodyView& view);

// A field of the grains that readGrains() has just put into the view; numbers and switches as floats.
void readGrainField(const GrainState& grains, const GrainFields& fields, OutputField field,
                    const BodyView& view, std::vector<float>& values);

}  // namespace repose
