// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/attachments.h"

#include <limits>
#include <map>

#include "base/axis_search.h"
#include "base/triangle.h"
#include "model/topology.h"

namespace repose {

namespace {

Vec3f unit(Vec3f v) {
  const float l = length(v);
  return l > 0 ? v * (1 / l) : Vec3f{};
}

// Directions that turn with a triangle: along its first side, across it, and its normal.
struct Frame {
  Vec3f along, across, normal;
  Frame(Vec3f a, Vec3f b, Vec3f c) : along(unit(b - a)), across(), normal(unit(cross(b - a, c - a))) {
    across = cross(normal, along);
  }
};

// The triangles of a mesh as they are at one frame.
class TriangleSearch {
 public:
  TriangleSearch(const Geometry& geometry, const std::vector<Vec3f>& points)
      : points_(points), triangles_(buildTopology(geometry).triangles), search_(centres(), reach()) {}

  const MeshTriangle& nearest(Vec3f p) const {
    return triangles_[search_.nearest(p, std::numeric_limits<float>::max(), [&](int t) {
      const MeshTriangle& f = triangles_[t];
      const Vec3f a = points_[f.a], b = points_[f.b], c = points_[f.c];
      const Vec3f away = p - mix(nearestOnTriangle(p, a, b, c), a, b, c);
      return dot(away, away);
    })];
  }

 private:
  Vec3f centre(const MeshTriangle& f) const {
    return (points_[f.a] + points_[f.b] + points_[f.c]) * (1.0f / 3);
  }
  std::vector<Vec3f> centres() const {
    std::vector<Vec3f> all;
    for (const MeshTriangle& f : triangles_) all.push_back(centre(f));
    return all;
  }
  float reach() const {
    float most = 0;
    for (const MeshTriangle& f : triangles_)
      for (const int p : {f.a, f.b, f.c}) most = std::max(most, length(points_[p] - centre(f)));
    return most;
  }

  const std::vector<Vec3f>& points_;
  std::vector<MeshTriangle> triangles_;
  AxisSearch search_;
};

}  // namespace

Status Attachments::bind(const Scene& scene, const Model& model) {
  std::map<std::pair<int, int>, int> mesh_of;  // by body and pin
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (std::size_t k = 0; k < scene.bodies[b].pins.size(); ++k)
      if (const auto& to = scene.bodies[b].pins[k].to) {
        mesh_of[{static_cast<int>(b), static_cast<int>(k)}] = static_cast<int>(meshes_.size());
        meshes_.push_back({to, to->geometry.points});
      }
  if (meshes_.empty()) return {};
  Status moved = moveTo(scene.first_frame);
  if (!moved) return moved;
  std::vector<TriangleSearch> search;
  search.reserve(meshes_.size());
  for (const Mesh& mesh : meshes_) search.emplace_back(mesh.source->geometry, mesh.points);
  places_.resize(model.pins.size());
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    const ModelPin& pin = model.pins[k];
    const auto found = mesh_of.find({pin.body, pin.pin});
    if (found == mesh_of.end()) continue;
    const std::vector<Vec3f>& points = meshes_[found->second].points;
    const Vec3f p = scene.bodies[pin.body].simulated().points[pin.source];
    const MeshTriangle& f = search[found->second].nearest(p);
    const Vec3f a = points[f.a], b = points[f.b], c = points[f.c];
    const Shares s = nearestOnTriangle(p, a, b, c);
    const Vec3f away = p - mix(s, a, b, c);
    const Frame frame(a, b, c);
    places_[k] = {found->second,
                  {f.a, f.b, f.c},
                  {s.a, s.b, s.c},
                  {dot(away, frame.along), dot(away, frame.across), dot(away, frame.normal)}};
  }
  return {};
}

Status Attachments::moveTo(double frame) {
  for (Mesh& mesh : meshes_)
    if (mesh.source->motion) {
      Status read = mesh.source->motion->positionsAt(frame, mesh.points);
      if (!read) return read;
    }
  return {};
}

Vec3f Attachments::place(std::size_t pin) const {
  const Place& at = places_[pin];
  const std::vector<Vec3f>& points = meshes_[at.mesh].points;
  const Vec3f a = points[at.corner[0]], b = points[at.corner[1]], c = points[at.corner[2]];
  const Frame frame(a, b, c);
  return mix({at.share[0], at.share[1], at.share[2]}, a, b, c) + frame.along * at.offset.x +
         frame.across * at.offset.y + frame.normal * at.offset.z;
}

}  // namespace repose
