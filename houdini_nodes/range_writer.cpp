// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/range_writer.h"

#include <fmt/format.h>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/cache_node.h"
#include "houdini_nodes/job.h"

namespace repose::nodes {

struct RangeWriter::Files {
  JobWriter job;
  CacheWriter cache;
};

RangeWriter::RangeWriter(Parms parms, int first, int last)
    : parms_(std::move(parms)), first_(first), last_(last), files_(std::make_unique<Files>()) {}
RangeWriter::~RangeWriter() = default;

Status RangeWriter::add(int frame, const Parms& parms, const NodeGeometry& geometry,
                        const NodeGeometry* constraints, const NodeGeometry* colliders) {
  const bool begins = done_ == 0;
  if (frame != first_ + done_)
    return badInput(
        fmt::format("frame {} comes after frame {}: they must come in order, one by one; set the increment "
                    "f3 to 1, and render on one machine",
                    frame, first_ + done_ - 1));
  for (const NodeGeometry* input : {&geometry, constraints, colliders})
    if (input)
      if (Status good = checkGeometry(*input, "Geometry"); !good) return good;
  Status added;
  if (parms_.text("mode") == "cache") {
    added = files_->cache.add(parms_.text("file"), parms_.number("fps"), frame, begins, geometry);
  } else {
    if (begins)
      start_ = geometry;  // bodies are as they are at the first frame, and may be animated behind it
    if (geometry.points.size() != start_.points.size())
      return badInput(
          fmt::format("the geometry has {} points at frame {}, but {} at frame {}: a job has the "
                      "points of its first frame; write a cache, or simulate in the nodes",
                      geometry.points.size(), frame, start_.points.size(), first_));
    const WorldInput input{&start_, constraints, colliders, &geometry, &parms, static_cast<double>(frame)};
    if (begins) added = files_->job.begin(parms_.text("file"), input, last_);
    if (added.ok()) added = files_->job.addFrame(frame, input);
  }
  if (added.ok()) ++done_;
  return added;
}

Status RangeWriter::finish() {
  if (done_ != last_ - first_ + 1)
    return {};  // what was begun and not done is no job; a cache has its frames
  return parms_.text("mode") == "cache" ? files_->cache.close() : files_->job.finish();
}

}  // namespace repose::nodes
