// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Reads an input of a node from cook to cook. The host gives all data an id, and the same id is the same data
// for as long as it runs: what has kept its id is not read again.
#pragma once
#include <GU/GU_Detail.h>

#include <array>

#include "houdini_nodes/cook.h"

namespace repose::houdini {

class DetailReader {
 public:
  // Groups are only read when their names are given. `left` says what is as wrote() has seen it; without it
  // everything is read.
  nodes::NodeGeometry read(const GU_Detail& detail, const std::vector<std::string>& groups,
                           nodes::AsLeft* left = nullptr);
  // What a cook has written into the detail that comes back at the next one.
  void wrote(const nodes::NodeGeometry& geometry, const GU_Detail& detail);

 private:
  struct Known {
    GA_DataId id;
    nodes::NodeAttribute read;
  };
  using Shape = std::array<exint, 4>;

  bool knowsShape(const GU_Detail& detail);
  void readAttributes(const GU_Detail& detail, bool without_state, nodes::NodeGeometry& geometry);
  const nodes::NodeAttribute* known(nodes::Owner owner, const GA_Attribute& attribute) const;

  Shape shape_{GA_INVALID_DATAID, GA_INVALID_DATAID, 0, 0};  // ids and counts
  nodes::SharedList<nodes::Primitive> primitives_;
  nodes::SharedList<int> corners_;
  bool packed_ = false;       // their transforms are of P too
  std::vector<Known> known_;  // of that shape
  GA_DataId state_ = GA_INVALID_DATAID, places_ = GA_INVALID_DATAID, velocities_ = GA_INVALID_DATAID;
};

}  // namespace repose::houdini
