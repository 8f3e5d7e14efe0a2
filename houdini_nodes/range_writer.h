// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the ROP does with the frames of a range: a job for the command line, or a cache.
#pragma once
#include <memory>

#include "base/status.h"
#include "houdini_nodes/cook.h"

namespace repose::nodes {

class RangeWriter {
 public:
  RangeWriter(Parms parms, int first, int last);
  ~RangeWriter();
  // In order, with the parameters of that frame; constraints and colliders may be null.
  Status add(int frame, const Parms& parms, const NodeGeometry& geometry, const NodeGeometry* constraints,
             const NodeGeometry* colliders);
  // Before, there is no job.
  Status finish();
  double share() const { return static_cast<double>(done_) / (last_ - first_ + 1); }  // that is done

 private:
  Parms parms_;
  int first_, last_, done_ = 0;
  NodeGeometry start_;
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace repose::nodes
