// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_tets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "params/text.h"
#include "scene/text_file.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

constexpr double kMostRows = 1e8;  // that a file may announce

// Words of a text with comments, and their lines.
class WordReader {
 public:
  WordReader(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}

  // Empty at the end.
  std::string_view next() {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    for (; at_ < text_.size() && (blank(text_[at_]) || text_[at_] == '#'); ++at_) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      if (text_[at_] == '\n') ++line_;
    }
    const std::size_t first = at_;
    while (at_ < text_.size() && !blank(text_[at_]) && text_[at_] != '#') ++at_;
    return std::string_view(text_).substr(first, at_ - first);
  }
  std::string_view peek() {
    const std::size_t at = at_;
    const int line = line_;
    const std::string_view word = next();
    at_ = at, line_ = line;
    return word;
  }
  Status fail(std::string_view sentence) const {
    return badInput(fmt::format("{}:{}: {}", name_, line_, sentence));
  }
  template <class Number>
  Status number(const char* what, double least, double greatest, Number& out) {
    const std::string_view word = next();
    if (word.empty()) return fail(fmt::format("the file ends where {} should be", what));
    const std::optional<Number> value = parseNumber<Number>(word);
    if (!value) return fail(fmt::format("\"{}\" is not a number, where {} should be", word, what));
    if (!(*value >= least && *value <= greatest))
      return fail(fmt::format("{} is {}, but must be from {} to {}", what, word, least, greatest));
    out = *value;
    return {};
  }

 private:
  std::string text_, name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

using Groups = std::map<int, std::vector<std::int32_t>>;  // points of each label

void addGroups(const Groups& groups, const char* prefix, Geometry& geometry) {
  for (const auto& [label, points] : groups)
    if (label > 0) geometry.groups.push_back({fmt::format("{}{}", prefix, label), points});
}

// Leaves out points of no tetrahedron, which would have no mass.
std::size_t dropUnused(TetMesh& mesh) {
  Geometry& g = mesh.geometry;
  std::vector<std::int32_t> place(g.points.size(), -1);
  for (const TetCorners& tet : mesh.tets)
    for (const int p : tet) place[p] = 0;
  std::int32_t kept = 0;
  for (std::size_t p = 0; p < place.size(); ++p)
    if (place[p] == 0) g.points[kept] = g.points[p], place[p] = kept++;
  const std::size_t dropped = g.points.size() - static_cast<std::size_t>(kept);
  if (dropped == 0) return 0;
  for (Attribute& a : g.attributes) {
    if (a.owner != AttributeOwner::point || !a.indices.empty()) continue;
    const auto width = static_cast<std::size_t>(a.width);
    for (std::size_t p = 0; p < place.size(); ++p)
      for (std::size_t k = 0; place[p] >= 0 && k < width; ++k) {
        const std::size_t from = p * width + k, to = static_cast<std::size_t>(place[p]) * width + k;
        if (from < a.floats.size()) a.floats[to] = a.floats[from];
        if (from < a.ints.size()) a.ints[to] = a.ints[from];
      }
    if (!a.floats.empty()) a.floats.resize(static_cast<std::size_t>(kept) * width);
    if (!a.ints.empty()) a.ints.resize(static_cast<std::size_t>(kept) * width);
  }
  g.points.resize(static_cast<std::size_t>(kept));
  for (TetCorners& tet : mesh.tets)
    for (std::int32_t& p : tet) p = place[p];
  for (PointGroup& group : g.groups) {
    std::vector<std::int32_t> points;
    for (const std::int32_t p : group.points)
      if (place[p] >= 0) points.push_back(place[p]);
    group.points = std::move(points);
  }
  return dropped;
}

// Turns what is inside out, and makes the surface.
TetSource finish(TetMesh mesh) {
  TetSource source;
  std::size_t turned = 0;
  for (TetCorners& tet : mesh.tets)
    if (sixVolumes(tet, mesh.geometry.points) < 0) std::swap(tet[2], tet[3]), ++turned;
  if (turned > 0 && turned < mesh.tets.size())  // all of them: another convention
    source.notes.push_back(fmt::format("has {} tetrahedra of {} that were inside out and have been turned",
                                       turned, mesh.tets.size()));
  if (const std::size_t dropped = dropUnused(mesh))
    source.notes.push_back(fmt::format("has {} points of no tetrahedron, which are left out", dropped));
  addSurface(mesh);
  source.mesh = std::move(mesh);
  return source;
}

class MeditReader {
 public:
  explicit MeditReader(WordReader words) : words_(std::move(words)) {}

  Result<TetSource> read() {
    for (std::string_view word = words_.next(); !word.empty() && word != "End"; word = words_.next()) {
      Status status;
      const std::string keyword(word);
      int dimension = 3;
      if (keyword == "Dimension")
        status = words_.number("the dimension", 3, 3, dimension);
      else if (keyword == "Vertices")
        status = readVertices();
      else if (keyword == "Tetrahedra")
        status = readTets();
      else if (std::isalpha(static_cast<unsigned char>(keyword[0])))
        skipNumbers();
      else
        status = words_.fail(fmt::format("\"{}\" is where a section should begin", keyword));
      if (!status) return status;
    }
    if (mesh_.tets.empty()) return words_.fail("the file has no section \"Tetrahedra\"");
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t)
      for (const std::int32_t p : mesh_.tets[t])
        if (static_cast<std::size_t>(p) >= mesh_.geometry.points.size())
          return words_.fail(fmt::format("tetrahedron {} names vertex {}, but there are only {}", t + 1,
                                         p + 1, mesh_.geometry.points.size()));
    addGroups(groups_, "ref", mesh_.geometry);
    return finish(std::move(mesh_));
  }

 private:
  void skipNumbers() {
    const auto word = [](std::string_view w) { return std::isalpha(static_cast<unsigned char>(w[0])) != 0; };
    while (!words_.peek().empty() && !word(words_.peek())) words_.next();
  }
  Status readVertices() {
    int count = 0;
    if (Status s = words_.number("the number of vertices", 1, kMostRows, count); !s) return s;
    for (int k = 0; k < count; ++k) {
      Vec3f p;
      int label = 0;
      for (int a = 0; a < 3; ++a)
        if (Status s = words_.number("a coordinate", -1e9, 1e9, p[a]); !s) return s;
      if (Status s = words_.number("a reference", -2e9, 2e9, label); !s) return s;
      groups_[label].push_back(static_cast<std::int32_t>(mesh_.geometry.points.size()));
      mesh_.geometry.points.push_back(p);
    }
    return {};
  }
  Status readTets() {
    int count = 0;
    if (Status s = words_.number("the number of tetrahedra", 1, kMostRows, count); !s) return s;
    for (int k = 0; k < count; ++k) {
      TetCorners tet;
      int label = 0;
      for (std::int32_t& p : tet) {
        if (Status s = words_.number("a vertex of a tetrahedron", 1, 2e9, p); !s) return s;
        --p;
      }
      if (Status s = words_.number("a reference", -2e9, 2e9, label); !s) return s;
      mesh_.tets.push_back(tet);
    }
    return {};
  }

  WordReader words_;
  TetMesh mesh_;
  Groups groups_;
};

class TetGenReader {
 public:
  TetGenReader(WordReader nodes, WordReader elements)
      : nodes_(std::move(nodes)), elements_(std::move(elements)) {}

  Result<TetSource> read() {
    if (Status s = readNodes(); !s) return s;
    if (Status s = readElements(); !s) return s;
    addGroups(groups_, "marker", mesh_.geometry);
    return finish(std::move(mesh_));
  }

 private:
  Status readNodes() {
    int count = 0, dimension = 0, attributes = 0, markers = 0, number = 0, label = 0;
    float ignored = 0;
    if (Status s = nodes_.number("the number of points", 1, kMostRows, count); !s) return s;
    if (Status s = nodes_.number("the dimension", 3, 3, dimension); !s) return s;
    if (Status s = nodes_.number("the number of attributes", 0, 1000, attributes); !s) return s;
    if (Status s = nodes_.number("the number of boundary markers", 0, 1, markers); !s) return s;
    for (int k = 0; k < count; ++k) {
      if (Status s = nodes_.number("the number of a point", k == 0 ? 0 : first_ + k, k == 0 ? 1 : first_ + k,
                                   number);
          !s)
        return s;
      if (k == 0) first_ = number;
      Vec3f p;
      for (int a = 0; a < 3; ++a)
        if (Status s = nodes_.number("a coordinate", -1e9, 1e9, p[a]); !s) return s;
      for (int a = 0; a < attributes; ++a)
        if (Status s = nodes_.number("an attribute", -1e30, 1e30, ignored); !s) return s;
      if (markers > 0)
        if (Status s = nodes_.number("a boundary marker", -2e9, 2e9, label); !s) return s;
      groups_[label].push_back(k);
      mesh_.geometry.points.push_back(p);
    }
    return {};
  }
  Status readElements() {
    int count = 0, corners = 0, attributes = 0, ignored = 0;
    float value = 0;
    const double last = first_ + static_cast<double>(mesh_.geometry.points.size()) - 1;
    if (Status s = elements_.number("the number of tetrahedra", 1, kMostRows, count); !s) return s;
    if (Status s = elements_.number("the number of corners", 4, 10, corners); !s) return s;
    if (Status s = elements_.number("the number of attributes", 0, 1000, attributes); !s) return s;
    for (int k = 0; k < count; ++k) {
      if (Status s = elements_.number("the number of a tetrahedron", -2e9, 2e9, ignored); !s) return s;
      TetCorners tet;
      for (int c = 0; c < corners; ++c) {
        std::int32_t p = 0;
        if (Status s = elements_.number("a point of a tetrahedron", first_, last, p); !s) return s;
        if (c < 4) tet[c] = p - first_;
      }
      for (int a = 0; a < attributes; ++a)
        if (Status s = elements_.number("an attribute", -1e30, 1e30, value); !s) return s;
      mesh_.tets.push_back(tet);
    }
    return {};
  }

  WordReader nodes_, elements_;
  int first_ = 0;
  TetMesh mesh_;
  Groups groups_;
};

}  // namespace

Result<TetSource> readMedit(const std::string& path) {
  Result<std::string> text = readTextFile(path);
  if (!text.ok()) return text.status();
  return MeditReader(WordReader(std::move(*text), path)).read();
}

Result<TetSource> readTetGen(const std::string& path) {
  const auto beside = [&](const char* extension) {
    return std::filesystem::path(path).replace_extension(extension).string();
  };
  Result<std::string> nodes = readTextFile(beside(".node")), elements = readTextFile(beside(".ele"));
  if (!nodes.ok()) return nodes.status();
  if (!elements.ok()) return elements.status();
  return TetGenReader(WordReader(std::move(*nodes), beside(".node")),
                      WordReader(std::move(*elements), beside(".ele")))
      .read();
}

Result<TetSource> tetsOfList(Geometry mesh, const std::string& list) {
  std::vector<std::int32_t> corners;
  if (list == "faces") {
    std::size_t first = 0;
    for (std::size_t f = 0; f < mesh.face_counts.size(); ++f) {
      if (mesh.face_counts[f] != 4)
        return badInput(fmt::format("face {} has {} corners, but each must have 4 to be a tetrahedron", f,
                                    mesh.face_counts[f]));
      corners.insert(corners.end(), mesh.face_indices.begin() + static_cast<std::ptrdiff_t>(first),
                     mesh.face_indices.begin() + static_cast<std::ptrdiff_t>(first + 4));
      first += 4;
    }
  } else {
    const Attribute* attribute = mesh.find(AttributeOwner::detail, list);
    if (!attribute || attribute->type != AttributeType::i32)
      return badInput(fmt::format("there is no attribute \"{}\" of whole numbers for the whole mesh", list));
    corners = attribute->ints;
  }
  if (corners.empty() || corners.size() % 4 != 0)
    return badInput(fmt::format("the list \"{}\" has {} numbers, but needs four for each tetrahedron", list,
                                corners.size()));
  TetMesh tets;
  for (std::size_t k = 0; k < corners.size(); k += 4) {
    tets.tets.push_back({corners[k], corners[k + 1], corners[k + 2], corners[k + 3]});
    for (const std::int32_t p : tets.tets.back())
      if (p < 0 || static_cast<std::size_t>(p) >= mesh.points.size())
        return badInput(fmt::format("tetrahedron {} names point {}, but there are only {}", k / 4, p,
                                    mesh.points.size()));
  }
  tets.geometry.points = std::move(mesh.points);
  tets.geometry.groups = std::move(mesh.groups);
  for (Attribute& a : mesh.attributes)
    if (a.owner == AttributeOwner::point) tets.geometry.attributes.push_back(std::move(a));
  return finish(std::move(tets));
}

}  // namespace repose
