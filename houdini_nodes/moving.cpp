// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/moving.h"

#include <fmt/format.h>

#include <numeric>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/packed_parts.h"

namespace repose::nodes {

namespace {

// The animated source, in the points of the geometry.
class SourcePlaces {
 public:
  // False after a report.
  bool match(const NodeGeometry& source, const NodeGeometry& geometry, CookResult& result) {
    std::vector<int> same(geometry.points.size());
    std::iota(same.begin(), same.end(), 0);
    const Result<std::vector<int>> match = &source == &geometry
                                               ? Result<std::vector<int>>(std::move(same))
                                               : matchPoints(source, geometry, "the animated source has");
    if (!match) return result.fail(match.status().message()), false;
    points_ = geometry.points;
    for (std::size_t k = 0; k < match->size(); ++k)
      if ((*match)[k] >= 0) points_[(*match)[k]] = source.points[k];
    ways_.resize(geometry.packed.empty() ? 0 : points_.size());
    for (const Packed& packed : geometry.packed)
      if (const int hook = hookOf(geometry, packed); hook >= 0)
        if (const std::optional<Placement> back = startOf(geometry, packed).inverse()) ways_[hook] = *back;
    for (const Packed& packed : source.packed)
      if (const int hook = hookOf(source, packed); hook >= 0 && (*match)[hook] >= 0 && !ways_.empty())
        ways_[(*match)[hook]] = ways_[(*match)[hook]].then(packed.transform);
    return true;
  }
  Vec3f placeOf(const Part& part, std::size_t k) const {
    const auto p = static_cast<std::size_t>(part.points[k]);
    return part.isPacked(k) ? ways_[p].point(part.mesh.points[k]) : points_[p];
  }
  bool empty() const { return points_.empty(); }

 private:
  std::vector<Vec3f> points_;
  std::vector<Placement> ways_;  // of packed pieces, from the start to the source
};

}  // namespace

std::vector<std::vector<Vec3f>> placesOfMoving(const WorldInput& input, const Assembly& assembly,
                                               CookResult& result) {
  std::vector<std::vector<Vec3f>> all;
  SourcePlaces source;
  for (const Part& part : assembly.bodies) {
    if (!part.moves) continue;
    if (input.source && source.empty() && !source.match(*input.source, *input.geometry, result)) return all;
    all.emplace_back();
    for (std::size_t k = 0; k < part.points.size(); ++k)
      all.back().push_back(input.source ? source.placeOf(part, k) : part.mesh.points[k]);
  }
  Assembly now;
  const std::vector<Part> colliders =
      input.colliders ? takeColliders(*input.colliders, input.frame, now) : std::vector<Part>();
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

void keepUntouched(const NodeGeometry& given, const NodeGeometry& shown, const Part& body,
                   const std::vector<Vec3f>& last, std::vector<Vec3f>& now) {
  std::vector<char> turned(given.points.size(), 0);
  for (std::size_t k = 0; k < given.packed.size(); ++k)
    if (const int hook = hookOf(given, given.packed[k]); hook >= 0)
      for (int i = 0; i < 9; ++i)
        if (static_cast<float>(given.packed[k].transform.rows[i / 3][i % 3]) !=
            static_cast<float>(shown.packed[k].transform.rows[i / 3][i % 3]))
          turned[hook] = 1;
  for (std::size_t k = 0; k < now.size(); ++k) {
    const auto p = static_cast<std::size_t>(body.points[k]);
    const bool same = given.points[p] == shown.points[p] && !turned[p];
    if (same || (!given.as_shown.empty() && given.as_shown[p])) now[k] = last[k];
  }
}

}  // namespace repose::nodes
