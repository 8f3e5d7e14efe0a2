// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A mesh that comes apart: a point is split, and some of the faces around it get a copy. No face goes, points
// keep their numbers, copies come behind all others, with the attributes of what they are copies of.
#pragma once
#include <functional>
#include <vector>

#include "scene/scene.h"

namespace repose {

// As many copies as given, and no others; of points that are no copies.
void setCopies(Body& body, const std::vector<std::int32_t>& copied);
// What a point was before it was split.
int wholePoint(const Body& body, int point);

class TornMesh {
 public:
  using EdgeTest = std::function<bool(int a, int b)>;
  // places: of the points as they are now; held: which are never split; cut: whether an edge holds no more.
  TornMesh(Body& body, std::vector<Vec3f> places, std::vector<bool> held, EdgeTest cut);

  // The faces around a point on the side of another come off the rest. False: all are on one side.
  bool splitTowards(int point, int other);
  // Faces that hang together at a point by the point alone come apart.
  bool separate(int point);
  // Some face ends at the point.
  bool isBorder(int point) const;
  // All points of the faces around a point.
  std::vector<int> around(int point) const;
  // Of each copy that was made, in their order: which point was split.
  const std::vector<int>& parents() const { return parents_; }

 private:
  int neighbour(int corner, int steps) const;  // along its face
  Vec3f centre(int face) const;
  void giveCopy(int point, const std::vector<int>& corners);

  Body& body_;
  std::vector<Vec3f> places_;
  std::vector<bool> held_;
  EdgeTest cut_;
  std::vector<int> face_of_, first_of_;       // of corners, of faces
  std::vector<std::vector<int>> corners_of_;  // of points, ascending
  std::vector<int> parents_;
};

}  // namespace repose
