// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which points a state is of, so that a later frame may have other ones: grains are born and die by their id,
// and the points of all other bodies stay as they are.
#pragma once
#include <string>
#include <vector>

#include "houdini_nodes/assembly.h"
#include "solve/host_grains.h"

namespace repose::nodes {

struct PointRoll {
  std::string bodies;                 // kind and name, one a line
  std::vector<std::uint64_t> counts;  // of their points
  std::vector<std::int64_t> ids;      // of their points, body after body; empty: the geometry has none
  std::vector<char> dead;             // of the same; empty: none is

  bool good() const;  // the lists fit each other
  template <class Bytes, class Roll>
  static void pass(Bytes& bytes, Roll& roll) {
    bytes(roll.bodies)(roll.counts)(roll.ids)(roll.dead);
  }
};

PointRoll rollOf(const Assembly& assembly, const NodeGeometry& geometry);

// What has to be done to the grains of a state whose points are `before`; nothing when they are the same.
// Points that are born begin where they are: their rest is written. Reports what cannot be.
std::vector<BodyGrains> pointChanges(const PointRoll& before, Assembly& assembly, CookResult& result);

}  // namespace repose::nodes
