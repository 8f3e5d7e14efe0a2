// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/model.h"

namespace repose {

// Calls visit(body, kind, rows) for all distance rows in their order; stitches have no body: -1.
template <class Visit>
void eachDistanceBatch(const Model& model, const Visit& visit) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int kind = 0; kind < kRowKinds; ++kind)
      visit(static_cast<int>(b), static_cast<RowKind>(kind), model.bodies[b].rows[kind]);
  visit(-1, RowKind::stitch, model.stitches);
}

}  // namespace repose
