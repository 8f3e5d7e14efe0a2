// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/point_roll.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "houdini_nodes/attributes.h"
#include "params/text.h"

namespace repose::nodes {

namespace {

// The points of the geometry that a part has, each once.
std::vector<int> ownPoints(const Part& part) {
  std::vector<int> points;
  points.reserve(part.points.size());
  for (std::size_t k = 0; k < part.points.size(); ++k)
    if (!part.repeats(k)) points.push_back(part.points[k]);
  return points;
}

std::string bodyLine(const Part& part) { return part.kind + " " + part.name; }

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Ids and where they stand, ascending.
using Index = std::vector<std::pair<std::int64_t, std::size_t>>;
Index indexOf(const std::vector<std::int64_t>& ids) {
  Index index;
  for (std::size_t k = 0; k < ids.size(); ++k) index.emplace_back(ids[k], k);
  std::sort(index.begin(), index.end());
  return index;
}

class Matcher {
 public:
  Matcher(const PointRoll& before, Assembly& assembly, CookResult& result)
      : before_(before), now_(rollOf(assembly, result.geometry)), assembly_(assembly), result_(result) {}

  std::vector<BodyGrains> match() {
    const bool same_bodies = before_.bodies == now_.bodies && before_.counts == now_.counts;
    const bool known = !before_.ids.empty() && !now_.ids.empty();
    if (same_bodies && (!known || before_.ids == now_.ids) && before_.dead == now_.dead) return {};
    by_number_ = same_bodies && !known;
    if (!known && !by_number_) result_.fail(withoutIds());
    if (result_.ok() && !by_number_) takeIds();
    std::vector<BodyGrains> changes;
    std::size_t first = 0;
    for (Part& part : assembly_.bodies) {
      if (!result_.ok()) break;
      changes.push_back(matchBody(part, static_cast<int>(changes.size()), first));
      first += ownPoints(part).size();
    }
    for (const std::string& line : splitText(before_.bodies, '\n'))
      if (result_.ok() && numberIn(now_.bodies, line) < 0 && line.rfind("grain ", 0) != 0)
        result_.fail(
            fmt::format("the body \"{}\" is gone: only grains may be deleted in the middle of a "
                        "simulation; bring it back, or reset the simulation",
                        line.substr(line.find(' ') + 1)));
    if (!result_.ok()) return {};
    if (any_born_) writeRests();
    return changes;
  }

 private:
  std::string withoutIds() const {
    return fmt::format(
        "the geometry has {} points in {} bodies, but {} in {} at the frame before; grains are born and die "
        "by the point attribute id (int), which {} not there: keep it, or reset the simulation",
        sum(now_.counts), now_.counts.size(), sum(before_.counts), before_.counts.size(),
        now_.ids.empty() ? "is" : "was");
  }

  // The number of a body in a list of lines, or -1.
  static int numberIn(const std::string& lines, const std::string& line) {
    const std::vector<std::string> all = splitText(lines, '\n');
    const auto found = std::find(all.begin(), all.end(), line);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }

  void takeIds() {
    index_ = indexOf(before_.ids);
    const Index own = indexOf(now_.ids);
    const auto twice = std::adjacent_find(own.begin(), own.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == own.end()) return;
    std::vector<int> points;
    for (const Part& part : assembly_.bodies)
      for (const int p : ownPoints(part)) points.push_back(p);
    result_.fail(fmt::format(
        "points {} and {} both have the id {}; where points are added or deleted each needs an id of its own",
        points[twice->second], points[std::next(twice)->second], twice->first));
  }

  // Where a point stood in its body; -1: it was not there.
  std::int64_t placeBefore(std::size_t place, std::uint64_t first, std::uint64_t count) const {
    if (by_number_) return static_cast<std::int64_t>(place - first);
    const std::pair<std::int64_t, std::size_t> wanted{now_.ids[place], 0};
    const auto found = std::lower_bound(index_.begin(), index_.end(), wanted);
    if (found == index_.end() || found->first != wanted.first) return BodyGrains::kBorn;
    const bool inside = found->second >= first && found->second < first + count;
    return inside ? static_cast<std::int64_t>(found->second - first) : BodyGrains::kBorn;
  }

  BodyGrains matchBody(Part& part, int number, std::size_t first) {
    BodyGrains change;
    change.before = numberIn(before_.bodies, bodyLine(part));
    const auto b = static_cast<std::size_t>(std::max(0, change.before));
    const std::uint64_t count = change.before < 0 ? 0 : before_.counts[b];
    const std::uint64_t first_before = std::accumulate(
        before_.counts.begin(), before_.counts.begin() + static_cast<std::ptrdiff_t>(b), std::uint64_t{0});
    std::vector<std::int64_t> was;
    const std::size_t points = ownPoints(part).size();
    for (std::size_t k = 0; k < points; ++k) was.push_back(placeBefore(first + k, first_before, count));
    if (part.kind != "grain") {
      checkSteady(part, was, change.before == number ? count : 0);
      return change;
    }
    const PointVectors v(result_.geometry, "v");
    for (std::size_t k = 0; k < was.size(); ++k) {
      const int p = part.points[k];
      if (was[k] >= 0 && !before_.dead.empty() &&
          before_.dead[first_before + static_cast<std::uint64_t>(was[k])])
        was[k] = BodyGrains::kBorn;  // perhaps it is no longer dead
      if (was[k] == BodyGrains::kBorn) any_born_ = true, part.mesh.points[k] = result_.geometry.points[p];
      if (!now_.dead.empty() && now_.dead[first + k]) was[k] = BodyGrains::kNone;
      change.velocities.push_back(v ? v.at(static_cast<std::size_t>(p)) : Vec3f{});
    }
    change.was = std::move(was);
    return change;
  }

  // All but grains have to keep their points, in their order.
  void checkSteady(const Part& part, const std::vector<std::int64_t>& was, std::uint64_t count) {
    bool same = was.size() == count;
    for (std::size_t k = 0; same && k < was.size(); ++k) same = was[k] == static_cast<std::int64_t>(k);
    if (same) return;
    result_.fail(
        fmt::format("body \"{}\" ({}) has {} points, but {} at the frame before{}; only grains may be added "
                    "or deleted in "
                    "the middle of a simulation: reset it",
                    part.name, part.kind, was.size(), count, was.size() == count ? " with other ids" : ""));
  }

  // What later cooks need of those that are born now.
  void writeRests() {
    NodeGeometry& geometry = result_.geometry;
    std::vector<Vec3f> rests = geometry.points;
    if (const PointVectors old(geometry, kRest); old)
      for (std::size_t p = 0; p < rests.size(); ++p) rests[p] = old.at(p);
    for (const Part& part : assembly_.bodies)
      for (std::size_t k = 0; k < part.points.size() && part.kind == "grain"; ++k)
        rests[part.points[k]] = part.mesh.points[k];
    geometry.write(Owner::point, kRest, 3, flat(rests));
  }

  const PointRoll& before_;
  const PointRoll now_;
  Assembly& assembly_;
  CookResult& result_;
  Index index_;
  bool by_number_ = false, any_born_ = false;
};

}  // namespace

bool PointRoll::good() const {
  const std::uint64_t points = sum(counts);
  return splitText(bodies, '\n').size() == counts.size() && (ids.empty() || ids.size() == points) &&
         (dead.empty() || dead.size() == points);
}

PointRoll rollOf(const Assembly& assembly, const NodeGeometry& geometry) {
  PointRoll roll;
  std::vector<std::string> lines;
  const NodeAttribute* ids = geometry.find(Owner::point, "id");
  const PointNumbers dead(geometry, "dead");
  bool any_dead = false;
  for (const Part& part : assembly.bodies) {
    lines.push_back(bodyLine(part));
    const std::vector<int> points = ownPoints(part);
    roll.counts.push_back(points.size());
    const std::size_t first = roll.dead.size();
    roll.dead.resize(first + points.size(), 0);
    if (ids)
      for (const int p : points)
        roll.ids.push_back(static_cast<std::int64_t>(ids->number(static_cast<std::size_t>(p))));
    if (dead && part.kind == "grain")
      for (std::size_t k = 0; k < points.size(); ++k)
        if (dead.at(static_cast<std::size_t>(points[k])) != 0) roll.dead[first + k] = 1, any_dead = true;
  }
  roll.bodies = joinText(lines, "\n");
  if (!any_dead) roll.dead.clear();
  return roll;
}

std::vector<BodyGrains> pointChanges(const PointRoll& before, Assembly& assembly, CookResult& result) {
  return Matcher(before, assembly, result).match();
}

}  // namespace repose::nodes
