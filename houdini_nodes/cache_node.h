// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry of a host as frames of one Alembic file: meshes with their velocities, loose points with ids and
// widths.
#pragma once
#include <memory>
#include <string>

#include "cache/abc_writer.h"
#include "houdini_nodes/cook.h"

namespace repose::nodes {

class CacheWriter : public NodeMemory {
 public:
  // A first frame makes the file anew, every other must follow the one before it.
  Status add(const std::string& path, double fps, int frame, bool first, const NodeGeometry& geometry);
  Status close() { return writer_ ? writer_->close() : Status(); }

 private:
  std::string path_;
  std::unique_ptr<AbcWriter> writer_;
  int object_ = 0, next_ = 0;
  bool mesh_ = false;
};

}  // namespace repose::nodes
