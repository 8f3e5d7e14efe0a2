// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/tearing.h"

#include <algorithm>
#include <limits>
#include <map>

#include "model/topology.h"

namespace repose {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The frame at which each point is cut: a cut goes from its first point to its last.
std::vector<double> cutFrames(const Cut& cut, std::size_t points) {
  std::vector<double> frames(points, kNever);
  const auto last = static_cast<double>(std::max<std::size_t>(cut.points.size(), 2) - 1);
  for (std::size_t k = 0; k < cut.points.size(); ++k)
    frames[cut.points[k]] =
        cut.first_frame + (cut.last_frame - cut.first_frame) * static_cast<double>(k) / last;
  return frames;
}

}  // namespace

// Faces that have some points in common, by the numbers of the geometry.
class Tearing::Finder {
 public:
  explicit Finder(const Geometry& g) {
    int first = 0;
    for (std::size_t f = 0; f < g.face_counts.size(); ++f) {
      const int n = g.face_counts[f];
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          if (j != k) {
            std::vector<int>& both = faces_[{g.face_indices[first + j], g.face_indices[first + k]}];
            if (both.empty() || both.back() != static_cast<int>(f)) both.push_back(static_cast<int>(f));
          }
      first += n;
    }
    for (const std::array<int, 3>& a : buildTopology(g).across) between_[{a[0], a[1]}] = a[2];
  }

  std::vector<int> with(int a, int b) const {
    const auto found = faces_.find({a, b});
    return found == faces_.end() ? std::vector<int>() : found->second;
  }
  std::vector<int> with(int a, int b, int c) const {
    std::vector<int> all;
    const std::vector<int> one = with(a, b), other = with(b, c);
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(all));
    return all;
  }
  // Of second neighbours: all faces beside the two edges between them.
  std::vector<int> across(int a, int b) const {
    auto middle = between_.find({a, b});
    if (middle == between_.end()) middle = between_.find({b, a});
    if (middle == between_.end()) return {};
    std::vector<int> all = with(a, middle->second);
    for (const int f : with(middle->second, b)) all.push_back(f);
    return all;
  }

 private:
  std::map<std::pair<int, int>, std::vector<int>> faces_;
  std::map<std::pair<int, int>, int> between_;
};

Tearing::Tearing(const Scene& scene, const Model& model, State& state) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (!body.tears()) continue;
    const auto faces = static_cast<int>(body.geometry.face_counts.size());
    sheets_.push_back({static_cast<int>(b), static_cast<int>(state.torn.size()), faces});
    state.torn.resize(state.torn.size() + faces, 0);
    addBody(body, model, model.bodies[b]);
    part_body_.resize(parts_.size(), static_cast<int>(b));
  }
}

void Tearing::addBody(const Body& body, const Model& model, const ModelBody& shape) {
  const Finder finder(body.geometry);
  const auto source = [&](int point) { return model.source[point]; };
  const auto add = [&](Kind kind, int index, const std::vector<int>& faces, bool needs_all) {
    parts_.push_back(
        {kind, index, static_cast<int>(faces_.size()), static_cast<int>(faces.size()), needs_all, kNever});
    for (const int f : faces) faces_.push_back(sheets_.back().first_face + f);
  };
  std::vector<std::vector<double>> cuts;
  for (const Cut& cut : body.cuts) cuts.push_back(cutFrames(cut, body.geometry.points.size()));
  for (const RowKind kind : {RowKind::stretch, RowKind::shear, RowKind::neighbour, RowKind::limit}) {
    const Range rows = shape.rows[static_cast<int>(kind)];
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
      const int a = source(model.distance.a[i]), b = source(model.distance.b[i]);
      const bool edge = kind == RowKind::stretch, across = kind == RowKind::neighbour;
      add(edge ? Kind::edge : Kind::distance, i, across ? finder.across(a, b) : finder.with(a, b), across);
      for (const std::vector<double>& frame : cuts)
        if (edge) parts_.back().cut = std::min(parts_.back().cut, std::max(frame[a], frame[b]));
    }
  }
  const HingeRows& hinges = model.hinges(shape);
  for (int i = shape.hinges.first; i < shape.hinges.first + shape.hinges.count; ++i)
    add(shape.bend == BendModel::dihedral ? Kind::dihedral : Kind::quadratic, i,
        finder.with(source(hinges.corner[2 * hinges.size() + i]),
                    source(hinges.corner[3 * hinges.size() + i])),
        true);
  const AirTriangles& air = model.air;
  for (int t = shape.triangles.first; t < shape.triangles.first + shape.triangles.count; ++t)
    add(Kind::triangle, t,
        finder.with(source(air.corner[t]), source(air.corner[air.size() + t]),
                    source(air.corner[2 * air.size() + t])),
        true);
}

bool Tearing::gone(const Part& part, const State& state) const {
  const auto begin = faces_.begin() + part.first, end = begin + part.count;
  const auto torn = [&](int face) { return state.torn[face] != 0; };
  return part.needs_all ? std::any_of(begin, end, torn) : part.count > 0 && std::all_of(begin, end, torn);
}

bool Tearing::tear(double frame, const StepParams& params, const Model& model, State& state) const {
  bool torn = false;
  const std::vector<float>& rest = restLengths(model, state);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    if (part.kind != Kind::edge || gone(part, state)) continue;
    const float most = params.cloth[part_body_[k]].tearstretch * rest[part.index];
    const float now =
        length(xyz(state.x[model.distance.a[part.index]]) - xyz(state.x[model.distance.b[part.index]]));
    if (!(most > 0 && now > most) && frame < part.cut) continue;
    for (int f = part.first; f < part.first + part.count; ++f) state.torn[faces_[f]] = 1;
    torn = torn || part.count > 0;
  }
  return torn;
}

void Tearing::apply(const State& state, Model& model) const {
  for (const Part& part : parts_) {
    if (!gone(part, state)) continue;
    switch (part.kind) {
      case Kind::edge:
      case Kind::distance:
        model.distance.rest[part.index] = model.distance.stiffness[part.index] = 0;
        break;
      case Kind::quadratic:
        model.quadratic.stiffness[part.index] = 0;
        break;
      case Kind::dihedral:
        model.dihedral.stiffness[part.index] = 0;
        break;
      case Kind::triangle:
        for (int k = 1; k < 3; ++k)
          model.air.corner[k * model.air.size() + part.index] = model.air.corner[part.index];
    }
  }
}

void Tearing::readFaces(int body, const State& state, std::vector<unsigned char>& torn) const {
  torn.clear();
  for (const Sheet& sheet : sheets_)
    if (sheet.body == body)
      torn.assign(state.torn.begin() + sheet.first_face, state.torn.begin() + sheet.first_face + sheet.faces);
}

}  // namespace repose
