// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where an object of a host stands: its points are turned and moved into the world, and the results back.
#pragma once
#include <optional>

#include "base/pose.h"
#include "base/types.h"

namespace repose::nodes {

class NodeGeometry;

struct Placement {
  double rows[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};  // for row vectors

  bool isIdentity() const;
  Vec3f point(Vec3f p) const { return moved(p, 1, 1); }
  Vec3f vector(Vec3f v) const { return moved(v, 0, 1); }
  Vec3f turned(Vec3f w) const { return moved(w, 0, scale()); }  // an axis: without the scale
  double scale() const;                                         // the cube root of what volumes grow by
  std::optional<Placement> inverse() const;                     // nothing where it is flat
  Placement then(const Placement& next) const;                  // this first, and then the other

 private:
  Vec3f moved(Vec3f p, double along, double over) const;
};

// Places, velocities, forces and axes of the points; our own attributes are of the world already. What is
// marked as written stays so, and nothing else is.
void place(const Placement& by, NodeGeometry& geometry);

}  // namespace repose::nodes
