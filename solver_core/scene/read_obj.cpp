// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "params/text.h"
#include "scene/text_file.h"

namespace repose {

namespace {

constexpr std::string_view kBlanks = " \t\r";

class ObjParser {
 public:
  ObjParser(std::string_view text, const std::string& name, bool points_only = false)
      : text_(text), name_(name), points_only_(points_only) {}

  Result<Geometry> parse() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      line = line.substr(0, line.find('#'));
      if (Status status = parseLine(line); !status.ok()) return status;
    }
    return finish();
  }

 private:
  struct Corner {
    std::int32_t point, uv;
  };

  // A positive index may point at what comes later in the file; the farthest one is checked at the end.
  struct Farthest {
    std::int64_t index = 0;
    int line = 0;
  };

  Status fail(int line, std::string_view sentence) const {
    return badInput(fmt::format("{}:{}: {}", name_, line, sentence));
  }

  static std::string_view takeWord(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    rest.remove_prefix(word.size());
    return word;
  }

  Status parseLine(std::string_view rest) {
    const std::string_view keyword = takeWord(rest);
    if (keyword == "v") return parsePoint(rest);
    if (points_only_) return {};
    if (keyword == "vt") return parseUv(rest);
    if (keyword == "f") return parseFace(rest);
    if (keyword == "g" || keyword == "o") chooseGroups(rest);
    return {};
  }

  Status parseNumbers(std::string_view rest, std::string_view keyword, int count, float* out) const {
    for (int k = 0; k < count; ++k) {
      std::string_view word = takeWord(rest);
      if (word.empty())
        return fail(line_, fmt::format("\"{}\" needs {} numbers and has {}", keyword, count, k));
      const std::string_view shown = word;
      if (word.front() == '+') word.remove_prefix(1);
      const std::optional<float> number = parseNumber<float>(word);
      if (!number) return fail(line_, fmt::format("\"{}\" is not a finite number", shown));
      out[k] = *number;
    }
    return {};
  }

  Status parsePoint(std::string_view rest) {
    Vec3f p;
    Status status = parseNumbers(rest, "v", 3, &p.x);
    geometry_.points.push_back(p);
    return status;
  }

  Status parseUv(std::string_view rest) {
    float uv[2] = {0, 0};
    Status status = parseNumbers(rest, "vt", 2, uv);
    uv_.floats.insert(uv_.floats.end(), uv, uv + 2);
    return status;
  }

  // One of the numbers of "5/7/2", from 1 or, negative, backwards from the last one read.
  Status parseIndex(std::string_view word, const char* what, std::size_t count, Farthest& farthest,
                    std::int32_t& out) const {
    const std::optional<std::int32_t> number = parseNumber<std::int32_t>(word);
    if (!number || *number == 0) return fail(line_, fmt::format("\"{}\" is not a {} number", word, what));
    const std::int64_t index = *number > 0 ? *number - 1 : static_cast<std::int64_t>(count) + *number;
    if (index < 0)
      return fail(line_, fmt::format("{} {} is before the first of {} so far", what, *number, count));
    if (index > farthest.index || farthest.line == 0) farthest = {index, line_};
    out = static_cast<std::int32_t>(index);
    return {};
  }

  Status parseCorner(std::string_view word, Corner& corner) {
    const std::size_t slash = word.find('/');
    Status status =
        parseIndex(word.substr(0, slash), "point", geometry_.points.size(), far_point_, corner.point);
    corner.uv = -1;
    if (!status.ok() || slash == std::string_view::npos) return status;
    word.remove_prefix(slash + 1);
    word = word.substr(0, word.find('/'));
    if (word.empty()) return status;
    return parseIndex(word, "uv", uv_.floats.size() / 2, far_uv_, corner.uv);
  }

  Status parseFace(std::string_view rest) {
    corners_.clear();
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
      corners_.emplace_back();
      if (Status status = parseCorner(word, corners_.back()); !status.ok()) return status;
    }
    if (corners_.size() < 3)
      return fail(line_, fmt::format("a face needs at least 3 points and has {}", corners_.size()));
    for (std::size_t a = 0; a < corners_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (corners_[a].point == corners_[b].point)
          return fail(line_, fmt::format("a face uses point {} twice", corners_[a].point + 1));
    geometry_.face_counts.push_back(static_cast<std::int32_t>(corners_.size()));
    for (const Corner& corner : corners_) {
      geometry_.face_indices.push_back(corner.point);
      uv_.indices.push_back(static_cast<std::uint32_t>(corner.uv));
      all_corners_have_uv_ &= corner.uv >= 0;
      for (const std::size_t group : current_groups_) geometry_.groups[group].points.push_back(corner.point);
    }
    return {};
  }

  // "g a b" puts the faces that follow into both groups; "o" is a group of one name.
  void chooseGroups(std::string_view rest) {
    current_groups_.clear();
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
      const auto [entry, fresh] = group_of_.try_emplace(std::string(word), geometry_.groups.size());
      if (fresh) geometry_.groups.push_back({entry->first, {}});
      current_groups_.push_back(entry->second);
    }
  }

  Status checkFarthest(const Farthest& farthest, const char* what, std::size_t count) const {
    if (farthest.line == 0 || farthest.index < static_cast<std::int64_t>(count)) return {};
    return fail(farthest.line,
                fmt::format("a face uses {} {}, but the file has {}", what, farthest.index + 1, count));
  }

  Result<Geometry> finish() {
    if (geometry_.points.empty()) return badInput(name_ + " has no points (\"v\" lines)");
    if (points_only_) return std::move(geometry_);
    if (geometry_.face_counts.empty()) return badInput(name_ + " has no faces (\"f\" lines)");
    const std::size_t uv_count = uv_.floats.size() / 2;
    if (Status status = checkFarthest(far_point_, "point", geometry_.points.size()); !status.ok())
      return status;
    if (Status status = checkFarthest(far_uv_, "uv", uv_count); !status.ok()) return status;
    for (PointGroup& group : geometry_.groups) {
      std::sort(group.points.begin(), group.points.end());
      group.points.erase(std::unique(group.points.begin(), group.points.end()), group.points.end());
    }
    const auto empty = [](const PointGroup& group) { return group.points.empty(); };
    geometry_.groups.erase(std::remove_if(geometry_.groups.begin(), geometry_.groups.end(), empty),
                           geometry_.groups.end());
    if (uv_count > 0 && all_corners_have_uv_) {
      uv_.name = "uv";
      uv_.owner = AttributeOwner::corner;
      uv_.width = 2;
      geometry_.attributes.push_back(std::move(uv_));
    }
    return std::move(geometry_);
  }

  std::string_view text_;
  const std::string& name_;
  bool points_only_;
  int line_ = 0;
  Geometry geometry_;
  Attribute uv_;
  bool all_corners_have_uv_ = true;
  Farthest far_point_, far_uv_;
  std::vector<Corner> corners_;
  std::unordered_map<std::string, std::size_t> group_of_;
  std::vector<std::size_t> current_groups_;
};

}  // namespace

Result<Geometry> parseObj(std::string_view text, const std::string& name) {
  return ObjParser(text, name).parse();
}

Result<Geometry> readObj(const std::string& path) {
  const Result<std::string> text = readTextFile(path);
  if (!text.ok()) return text.status();
  return parseObj(*text, path);
}

Result<Geometry> readObjPoints(const std::string& path) {
  const Result<std::string> text = readTextFile(path);
  if (!text.ok()) return text.status();
  return ObjParser(*text, path, true).parse();
}

}  // namespace repose
