// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the colliders of a scene. Files of fields are looked at when the run begins.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/mesh_check.h"
#include "scene/validate.h"
#include "scene/volume.h"

namespace repose {

namespace {

constexpr float kFarthest = 1e9f;  // from the origin [m], as scene files allow

class ColliderChecker {
 public:
  ColliderChecker(const Collider& collider, int index, std::vector<Finding>& findings)
      : collider_(collider), geometry_(collider.geometry), index_(index), findings_(findings) {}

  void check() {
    if (collider_.shape == Collider::Shape::volume) {
      Volume volume = collider_.volume;
      if (const Status status = foldScale(volume); !status.ok())
        error(fmt::format("is not possible: {}", status.message()));
    }
    if (collider_.shape == Collider::Shape::heightfield || collider_.shape == Collider::Shape::mesh)
      if (checkPoints() && checkFaces() && collider_.shape == Collider::Shape::mesh) checkSurface();
  }

 private:
  void report(bool is_error, std::string_view sentence) {
    findings_.push_back({Finding::About::collider, index_, is_error,
                         fmt::format("collider \"{}\" {}", collider_.name, sentence)});
  }
  bool error(std::string_view sentence) {
    report(true, sentence);
    return false;
  }

  bool checkPoints() {
    if (geometry_.points.empty()) return error("has no points");
    for (std::size_t p = 0; p < geometry_.points.size(); ++p) {
      const Vec3f x = geometry_.points[p];
      if (!isFinite(x)) return error(fmt::format("has a position at point {} that is not finite", p));
      if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > kFarthest)
        return error(fmt::format("has point {} at {}, {}, {}, but it must be within {} m of the origin", p,
                                 x.x, x.y, x.z, kFarthest));
    }
    return true;
  }

  bool checkFaces() {
    if (geometry_.face_counts.empty()) return error("has no faces");
    std::size_t corners = 0;
    for (const std::int32_t count : geometry_.face_counts) {
      if (count < 3) return error("has a face with fewer than 3 points");
      corners += static_cast<std::size_t>(count);
    }
    if (corners != geometry_.face_indices.size())
      return error(
          fmt::format("has {} corners, but its faces need {}", geometry_.face_indices.size(), corners));
    for (const std::int32_t p : geometry_.face_indices)
      if (p < 0 || static_cast<std::size_t>(p) >= geometry_.points.size())
        return error(
            fmt::format("has a face that uses point {}, but only {} points", p, geometry_.points.size()));
    return true;
  }

  void checkSurface() {
    const std::vector<Vec3f>& points = geometry_.points;
    TriangleList triangles = fanTriangles(geometry_);
    const bool closed = isClosed(triangles);
    const double volume = enclosedVolume(triangles, points);
    const auto flat = std::remove_if(triangles.begin(), triangles.end(), [&](const std::array<int, 3>& t) {
      return isDegenerate(points[t[0]], points[t[1]], points[t[2]]);
    });
    const auto skipped = triangles.end() - flat;
    if (flat == triangles.begin()) {
      error("has no triangle with an area");
      return;
    }
    if (skipped)
      report(false, fmt::format("has {} triangle{} without area, which {} left out", skipped,
                                skipped == 1 ? "" : "s", skipped == 1 ? "is" : "are"));
    if (closed && volume < 0) report(false, "is inside out, and is turned round");
    if (closed) return;
    if (collider_.inside) {
      error("must be closed to keep bodies inside");
    } else if (collider_.voxel > 0) {
      error("must be closed to be turned into a field");
    } else {
      report(false, "is open: it has no inside, and stops bodies from both sides");
    }
  }

  const Collider& collider_;
  const Geometry& geometry_;
  int index_;
  std::vector<Finding>& findings_;
};

}  // namespace

void validateColliders(const Scene& scene, std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < scene.colliders.size(); ++k) {
    const Collider& collider = scene.colliders[k];
    const auto taken = [&](const std::string& what, std::size_t index) {
      findings.push_back(
          {Finding::About::collider, static_cast<int>(k), true,
           fmt::format("the name \"{}\" is already that of {} {}", collider.name, what, index)});
    };
    for (std::size_t other = 0; other < scene.bodies.size() && !collider.name.empty(); ++other)
      if (scene.bodies[other].name == collider.name) taken("body", other);
    for (std::size_t other = 0; other < k && !collider.name.empty(); ++other)
      if (scene.colliders[other].name == collider.name) taken("collider", other);
    ColliderChecker(collider, static_cast<int>(k), findings).check();
  }
}

}  // namespace repose
