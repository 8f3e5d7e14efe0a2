// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/rest_shape.h"

#include "kernel/lane1.h"

namespace repose {

float RestShape::angle(const int corner[4]) const {
  const auto place = [&](int s) {
    const Vec3f p = points_[corner[s]];
    return lane1::vec3{p.x, p.y, p.z};
  };
  return lane1::hinge_at(place(0), place(1), place(2), place(3)).angle;
}

void measureRest(const Model& model, const ModelBody& body, const RestShape& shape, State& state) {
  const DistanceRows& rows = model.distance;
  const auto length = [&](int a, int b) { return shape.length(model.source[a], model.source[b]); };
  for (const RowKind kind : {RowKind::stretch, RowKind::shear, RowKind::neighbour, RowKind::limit}) {
    const Range range = body.rows[static_cast<int>(kind)];
    for (int i = range.first; i < range.first + range.count; ++i)
      state.rest[i] = length(rows.a[i], rows.b[i]) * shape.slack(kind);
  }
  // the way to the pin is that to the next point and on from there, which was measured before
  const Range tethers = body.rows[static_cast<int>(RowKind::tether)];
  const float slack = shape.slack(RowKind::tether);
  for (int k = 0; k < tethers.count; ++k) {
    const int i = tethers.first + k, next = tethers.first + body.tether_next[k];
    const bool at_pin = next < tethers.first;
    state.rest[i] =
        length(rows.a[i], at_pin ? rows.b[i] : rows.a[next]) * slack + (at_pin ? 0 : state.rest[next]);
  }
  if (state.rest_angle.empty() || body.bend != BendModel::dihedral) return;
  for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i) {
    int corner[4];
    for (int s = 0; s < 4; ++s)
      corner[s] = model.source[model.dihedral.corner[s * model.dihedral.size() + i]];
    state.rest_angle[i] = shape.angle(corner);
  }
}

}  // namespace repose
