// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A frame ready for rays: Embree finds what a ray meets, this class says how it looks there.
#pragma once
#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "base/status.h"
#include "render/camera.h"
#include "render/colormap.h"
#include "render/render_scene.h"

namespace repose {

// What light meets at the end of a ray.
struct Surface {
  Vec3f position;  // on the smooth surface and clear of it: rays may start here
  Vec3f normal;    // unit, smooth, towards the side that was met
  Color albedo;
};

class RayScene {
 public:
  // `range` belongs to the values of the scene. Fails with Code::memory when Embree finds no room.
  static Result<std::unique_ptr<RayScene>> create(RenderScene scene, const ValueRange& range);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  // The nearest surface before `farthest` [m]; false leaves the surface as it was. Only the camera sees
  // containers.
  enum class Eye { camera, light };
  bool nearest(const Ray& ray, float farthest, Surface& surface, Eye eye = Eye::camera) const;
  bool blocked(const Ray& ray) const;

 private:
  enum class Kind { mesh, spheres, curves };
  struct Part {
    Kind kind;
    std::size_t index;
  };

  RayScene(RenderScene scene, const ValueRange& range);
  void addGeometry(RTCGeometry geometry, Part part);
  void addMesh(std::size_t index);
  void addSpheres(std::size_t index);
  void addCurves(std::size_t index);
  template <class Rounds>
  void setRoundVertices(RTCGeometry geometry, const Rounds& rounds);
  Surface meshSurface(const RenderMesh& mesh, std::size_t index, const RTCHit& hit, const Ray& ray) const;
  Surface roundSurface(const RTCRayHit& found, const Ray& ray, Color albedo) const;
  Vec3f clearOf(Vec3f position, Vec3f normal) const;

  RenderScene scene_;
  ValueRange range_;
  std::vector<Part> parts_;                                      // by Embree's geometry number
  std::vector<std::vector<std::array<Vec3f, 3>>> mesh_normals_;  // by mesh, triangle, corner
  std::vector<std::vector<std::uint32_t>> curve_segments_;       // by curve set: first point of each segment
  float clearance_ = 0;                                          // [m]
  RTCDevice device_ = nullptr;
  RTCScene embree_ = nullptr;
};

}  // namespace repose
