// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/moving.h"

#include <fmt/format.h>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

std::vector<std::vector<Vec3f>> placesOfMoving(const WorldInput& input, const Assembly& assembly,
                                               CookResult& result) {
  std::vector<std::vector<Vec3f>> all;
  const NodeGeometry* source = input.source;
  std::vector<Vec3f> now_at;  // of the points of the geometry
  for (const Part& part : assembly.bodies) {
    if (!part.moves) continue;
    if (source && now_at.empty()) {
      const Result<std::vector<int>> match = matchPoints(*source, *input.geometry, "the animated source has");
      if (!match) {
        result.fail(match.status().message());
        return all;
      }
      now_at = input.geometry->points;
      for (std::size_t k = 0; k < match->size(); ++k)
        if ((*match)[k] >= 0) now_at[(*match)[k]] = source->points[k];
    }
    all.emplace_back();
    for (std::size_t k = 0; k < part.points.size(); ++k)
      all.back().push_back(source ? now_at[part.points[k]] : part.mesh.points[k]);
  }
  Assembly now;
  const std::vector<Part> colliders =
      input.colliders ? takeColliders(*input.colliders, now) : std::vector<Part>();
  for (const std::string& error : now.errors) result.fail(error);
  for (const Part& part : assembly.colliders) {
    if (!part.moves) continue;
    const Part* found = nullptr;
    for (const Part& candidate : colliders)
      if (candidate.name == part.name) found = &candidate;
    if (!found) {
      result.fail(fmt::format("the collider \"{}\" is missing at frame {:.6g}", part.name, input.frame));
      return all;
    }
    all.push_back(found->mesh.points);
  }
  return all;
}

}  // namespace repose::nodes
