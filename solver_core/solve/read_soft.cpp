// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/read_soft.h"

namespace repose {

void readSoft(const Model& model, const State& state, int body, const Body& source, float pace,
              BodyView& view) {
  const TetElements& tets = model.tets;
  const int first = model.bodies[body].tets.first;
  view.positions.assign(source.embedding.size(), {});
  view.velocities.assign(source.embedding.size(), {});
  for (std::size_t k = 0; k < source.embedding.size(); ++k) {
    const Embedded& at = source.embedding[k];
    for (int s = 0; s < 4; ++s) {
      const int p = tets.corner[s * tets.size() + first + at.tet];
      view.positions[k] = view.positions[k] + xyz(state.x[p]) * at.weight[s];
      view.velocities[k] = view.velocities[k] + xyz(state.v[p]) * (at.weight[s] * pace);
    }
  }
}

}  // namespace repose
