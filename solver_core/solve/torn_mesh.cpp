// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/torn_mesh.h"

#include <algorithm>

namespace repose {

namespace {

// The first `count` elements of an array with `width` numbers each, then one for each copy.
template <class T>
void copyElements(std::vector<T>& values, std::size_t count, std::size_t width,
                  const std::vector<std::int32_t>& copied) {
  if (values.empty()) return;
  values.resize(count * width);
  values.reserve((count + copied.size()) * width);
  for (const std::int32_t from : copied)
    for (std::size_t k = 0; k < width; ++k)
      values.push_back(values[static_cast<std::size_t>(from) * width + k]);
}

}  // namespace

void setCopies(Body& body, const std::vector<std::int32_t>& copied) {
  Geometry& g = body.geometry;
  const std::size_t whole = g.points.size() - body.copied.size();
  copyElements(g.points, whole, 1, copied);
  copyElements(body.rest_points, whole, 1, copied);
  for (Attribute& a : g.attributes) {
    if (a.owner != AttributeOwner::point) continue;
    const auto width = static_cast<std::size_t>(a.width);
    if (!a.indices.empty()) {
      copyElements(a.indices, whole, 1, copied);
      continue;
    }
    copyElements(a.floats, whole, width, copied);
    copyElements(a.ints, whole, width, copied);
    copyElements(a.strings, whole, 1, copied);
  }
  body.copied = copied;
}

int wholePoint(const Body& body, int point) {
  const int whole = static_cast<int>(body.geometry.points.size() - body.copied.size());
  return point < whole ? point : body.copied[point - whole];
}

TornMesh::TornMesh(Body& body, std::vector<Vec3f> places, std::vector<bool> held, EdgeTest cut)
    : body_(body),
      places_(std::move(places)),
      held_(std::move(held)),
      cut_(std::move(cut)),
      corners_of_(places_.size()) {
  const Geometry& g = body.geometry;
  int first = 0;
  for (std::size_t f = 0; f < g.face_counts.size(); ++f) {
    first_of_.push_back(first);
    for (int k = 0; k < g.face_counts[f]; ++k) {
      face_of_.push_back(static_cast<int>(f));
      corners_of_[g.face_indices[first + k]].push_back(first + k);
    }
    first += g.face_counts[f];
  }
}

int TornMesh::neighbour(int corner, int steps) const {
  const Geometry& g = body_.geometry;
  const int first = first_of_[face_of_[corner]], count = g.face_counts[face_of_[corner]];
  return g.face_indices[first + (corner - first + steps + count) % count];
}

Vec3f TornMesh::centre(int face) const {
  const Geometry& g = body_.geometry;
  Vec3f sum;
  for (int k = 0; k < g.face_counts[face]; ++k) sum = sum + places_[g.face_indices[first_of_[face] + k]];
  return sum * (1 / static_cast<float>(g.face_counts[face]));
}

void TornMesh::giveCopy(int point, const std::vector<int>& corners) {
  std::vector<std::int32_t> copied = body_.copied;
  copied.push_back(wholePoint(body_, point));
  setCopies(body_, copied);
  const auto copy = static_cast<int>(places_.size());
  places_.push_back(places_[point]);
  held_.push_back(false);
  parents_.push_back(point);
  corners_of_.push_back(corners);
  std::vector<int>& left = corners_of_[point];
  for (const int c : corners) {
    body_.geometry.face_indices[c] = copy;
    left.erase(std::find(left.begin(), left.end(), c));
  }
}

bool TornMesh::splitTowards(int point, int other) {
  if (held_[point]) return false;
  const Vec3f along = places_[other] - places_[point];
  std::vector<int> sides[2];
  for (const int c : corners_of_[point])
    sides[dot(centre(face_of_[c]) - places_[point], along) > 0].push_back(c);
  if (sides[0].empty() || sides[1].empty()) return false;
  const std::vector<int> touched = around(point);
  giveCopy(point, sides[sides[0].front() < sides[1].front() ? 1 : 0]);
  separate(static_cast<int>(places_.size()) - 1);
  for (const int p : touched) separate(p);
  return true;
}

bool TornMesh::separate(int point) {
  if (held_[point]) return false;
  const std::vector<int> corners = corners_of_[point];
  const std::size_t count = corners.size();
  std::vector<std::size_t> piece(count);
  for (std::size_t i = 0; i < count; ++i) piece[i] = i;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const int step : {-1, 1}) {
        const int along = neighbour(corners[i], step);
        if (along != neighbour(corners[j], -step) && along != neighbour(corners[j], step)) continue;
        if (cut_(point, along) || piece[i] == piece[j]) continue;
        const std::size_t low = std::min(piece[i], piece[j]), high = std::max(piece[i], piece[j]);
        std::replace(piece.begin(), piece.end(), high, low);
      }
  bool any = false;
  for (std::size_t k = 1; k < count; ++k) {
    std::vector<int> own;
    for (std::size_t i = k; i < count; ++i)
      if (piece[i] == k) own.push_back(corners[i]);
    if (own.empty()) continue;
    giveCopy(point, own);
    any = true;
  }
  return any;
}

bool TornMesh::isBorder(int point) const {
  std::vector<int> ends;
  for (const int c : corners_of_[point])
    for (const int step : {-1, 1}) ends.push_back(neighbour(c, step));
  return std::any_of(ends.begin(), ends.end(),
                     [&](int end) { return std::count(ends.begin(), ends.end(), end) == 1; });
}

std::vector<int> TornMesh::around(int point) const {
  const Geometry& g = body_.geometry;
  std::vector<int> points = {point};
  for (const int c : corners_of_[point])
    for (int k = 0; k < g.face_counts[face_of_[c]]; ++k)
      points.push_back(g.face_indices[first_of_[face_of_[c]] + k]);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace repose
