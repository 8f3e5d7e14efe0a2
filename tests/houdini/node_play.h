// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Nodes one after another, without a host: geometry configured and played from frame to frame.
#pragma once
#include <gtest/gtest.h>

#include <functional>

#include "tests/houdini/node_shapes.h"

namespace repose::nodes {

inline NodeGeometry configured(const char* kind, const NodeGeometry& geometry,
                               const std::function<void(Parms&)>& change = {}) {
  Parms parms = parmsOf((std::string("repose::configure_") + kind).c_str());
  if (change) change(parms);
  const CookResult result = cook(parms, {&geometry});
  EXPECT_TRUE(result.ok()) << lines(result.errors);
  return result.geometry;
}

inline Parms world() {
  Parms parms = parmsOf("repose::solver");
  parms.setNumbers("useground", 1);
  return parms;
}

struct Play {
  NodeGeometry geometry;
  std::vector<std::string> hashes;
};

// From frame 1 on; `warm` keeps the simulation in memory.
inline Play play(const NodeGeometry& start, const Parms& parms, int last, bool warm,
                 const NodeGeometry* constraints = nullptr,
                 const std::function<NodeGeometry(int)>& colliders = {}) {
  Play played{start, {}};
  std::unique_ptr<NodeMemory> memory;
  for (int frame = 1; frame <= last; ++frame) {
    const NodeGeometry walls = colliders ? colliders(frame) : NodeGeometry();
    const CookResult result =
        cook(parms, {&played.geometry, constraints, colliders ? &walls : nullptr, nullptr}, frame,
             warm ? &memory : nullptr);
    EXPECT_TRUE(result.ok()) << lines(result.errors);
    if (!result.ok()) break;
    played.geometry = result.geometry;
    played.hashes.push_back(hashOf(result.geometry));
  }
  return played;
}

}  // namespace repose::nodes
