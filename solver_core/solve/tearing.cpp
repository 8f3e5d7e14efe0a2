// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/tearing.h"

#include <algorithm>
#include <limits>

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

// An edge between two points of the mesh, and by how much it is too long.
struct LongEdge {
  float excess;
  int a, b;
};

// The worst first; around it the others are left alone, as it relieves them.
void tearEdges(std::vector<LongEdge> edges, TornMesh& mesh, std::size_t points) {
  std::stable_sort(edges.begin(), edges.end(),
                   [](const LongEdge& a, const LongEdge& b) { return a.excess > b.excess; });
  std::vector<bool> relieved(points, false);
  for (LongEdge edge : edges) {
    if (relieved[edge.a] || relieved[edge.b]) continue;
    // a tear grows from where it has come
    if (!mesh.isBorder(edge.a) && mesh.isBorder(edge.b)) std::swap(edge.a, edge.b);
    const std::vector<int> near[] = {mesh.around(edge.a), mesh.around(edge.b)};
    const bool first = mesh.splitTowards(edge.a, edge.b);
    if (!first && !mesh.splitTowards(edge.b, edge.a)) continue;
    for (const int p : near[first ? 0 : 1]) relieved[p] = true;
  }
}

}  // namespace

PointNumbers::PointNumbers(const Model& model) {
  for (const ModelBody& body : model.bodies) {
    of.emplace_back(body.points.count);
    for (int p = body.points.first; p < body.points.first + body.points.count; ++p)
      of.back()[model.source[p]] = p;
  }
}

void carrySplits(const Splits& splits, const PointNumbers& before, const std::vector<Vec4f>& x,
                 const std::vector<Vec4f>& v, const Model& model, State& state) {
  for (std::size_t b = 0; b < splits.size(); ++b) {
    const std::vector<int>& number = before.of[b];
    const auto known = static_cast<int>(number.size());
    const Range points = model.bodies[b].points;
    for (int p = points.first; p < points.first + points.count; ++p) {
      int source = model.source[p];
      while (source >= known) source = splits[b][source - known];
      const Vec4f at = x[number[source]];
      state.x[p] = {at.x, at.y, at.z, model.inv_mass[p]};
      state.v[p] = v[number[source]];
    }
  }
  if (state.rest.empty()) return;
  state.rest = model.distance.rest;
  state.rest_scale.assign(state.rest_scale.size(), 1.0f);
  ++state.rest_changes;
}

double Tearing::Sheet::cutFrame(int a, int b) const {
  double first = kNever;
  for (const std::vector<double>& frame : cuts) first = std::min(first, std::max(frame[a], frame[b]));
  return first;
}

Tearing::Tearing(const Scene& scene) : first_frame_(scene.first_frame) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (!body.tears()) continue;
    sheets_.push_back({static_cast<int>(b), body.geometry.face_indices, {}});
    for (const Cut& cut : body.cuts)
      sheets_.back().cuts.push_back(cutFrames(cut, body.geometry.points.size()));
  }
}

Splits Tearing::tear(double from, double to, const StepParams& params, const Model& model, State& state,
                     Scene& scene) const {
  Splits splits(scene.bodies.size());
  bool any = false;
  for (const Sheet& sheet : sheets_) {
    tearSheet(sheet, from, to, params, model, state, scene.bodies[sheet.body], splits[sheet.body]);
    any = any || !splits[sheet.body].empty();
  }
  if (!any) return {};
  note(scene, state);
  return splits;
}

void Tearing::tearSheet(const Sheet& sheet, double from, double to, const StepParams& params,
                        const Model& model, const State& state, Body& body, std::vector<int>& splits) const {
  const auto whole = [&body](int point) { return wholePoint(body, point); };
  const float most = params.cloth[sheet.body].tearstretch;
  const std::vector<float>& rest = restLengths(model, state);
  std::vector<LongEdge> edges;
  std::vector<int> cut;  // ends of edges
  const Range rows = model.bodies[sheet.body].rows[static_cast<int>(RowKind::stretch)];
  for (int i = rows.first; i < rows.first + rows.count; ++i) {
    const int p = model.distance.a[i], q = model.distance.b[i], a = model.source[p], b = model.source[q];
    const float stretch = length(xyz(state.x[p]) - xyz(state.x[q])) / rest[i];
    if (most > 0 && stretch > most) edges.push_back({stretch, a, b});
    if (sheet.cuts.empty()) continue;
    const double frame = sheet.cutFrame(whole(a), whole(b));
    if (frame <= to && (frame > from || from <= first_frame_)) cut.insert(cut.end(), {a, b});
  }
  if (edges.empty() && cut.empty()) return;

  const Range points = model.bodies[sheet.body].points;
  std::vector<Vec3f> places(points.count);
  std::vector<bool> held(points.count);
  for (int p = points.first; p < points.first + points.count; ++p) {
    places[model.source[p]] = xyz(state.x[p]);
    held[model.source[p]] = model.inv_mass[p] == 0;
  }
  TornMesh mesh(body, places, held, [&](int a, int b) { return sheet.cutFrame(whole(a), whole(b)) <= to; });
  for (const int p : cut) mesh.separate(p);
  tearEdges(std::move(edges), mesh, static_cast<std::size_t>(points.count));
  splits = mesh.parents();
}

// Of each sheet the number of copies, what they are copies of, and the points of all corners.
void Tearing::note(const Scene& scene, State& state) const {
  state.torn.clear();
  for (const Sheet& sheet : sheets_) {
    const Body& body = scene.bodies[sheet.body];
    state.torn.push_back(static_cast<std::int32_t>(body.copied.size()));
    for (const std::vector<std::int32_t>* part : {&body.copied, &body.geometry.face_indices})
      state.torn.insert(state.torn.end(), part->begin(), part->end());
  }
}

bool Tearing::restore(const std::vector<std::int32_t>& torn, Scene& scene) const {
  auto at = torn.begin();
  const auto take = [&](std::size_t count, std::size_t below, std::vector<std::int32_t>& out) {
    if (static_cast<std::size_t>(torn.end() - at) < count) return false;
    out.assign(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
    return std::all_of(out.begin(), out.end(),
                       [&](std::int32_t p) { return p >= 0 && static_cast<std::size_t>(p) < below; });
  };
  for (const Sheet& sheet : sheets_) {
    Body& body = scene.bodies[sheet.body];
    const std::size_t whole = body.geometry.points.size() - body.copied.size();
    std::vector<std::int32_t> count, copied, corners = sheet.corners;
    // there are never more points than corners
    if (!torn.empty() && (!take(1, sheet.corners.size() + 1, count) ||
                          !take(static_cast<std::size_t>(count[0]), whole, copied) ||
                          !take(sheet.corners.size(), whole + copied.size(), corners)))
      return false;
    setCopies(body, copied);
    body.geometry.face_indices = corners;
  }
  return at == torn.end();
}

}  // namespace repose
