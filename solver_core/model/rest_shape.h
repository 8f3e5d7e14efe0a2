// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a cloth is at rest in a shape of its points: that of the source, or of another mesh of the same
// points.
#pragma once
#include "model/model.h"
#include "model/point_scale.h"
#include "model/state.h"
#include "scene/scene.h"

namespace repose {

class RestShape {
 public:
  // points: in the order of the body's geometry, which outlive this.
  RestShape(const Body& body, const std::vector<Vec3f>& points)
      : cloth_(body.cloth.base), points_(points), scale_(body.geometry, "restscale") {}

  // [m] between two points, with the point attribute restscale.
  float length(int a, int b) const { return repose::length(points_[a] - points_[b]) * scale_.mean(a, b); }
  // [rad] of a hinge o1 o2 e1 e2
  float angle(const int corner[4]) const;
  // How much longer than the cloth a row of this kind may become before it acts.
  float slack(RowKind kind) const {
    return kind == RowKind::limit    ? 1 + cloth_.strainlimit
           : kind == RowKind::tether ? 1 + cloth_.tetherslack
                                     : 1;
  }

 private:
  const ClothParams& cloth_;
  const std::vector<Vec3f>& points_;
  PointScale scale_;
};

// Writes the rest lengths of a body's rows for this shape, and the rest angles when the state has them.
void measureRest(const Model& model, const ModelBody& body, const RestShape& shape, State& state);

}  // namespace repose
