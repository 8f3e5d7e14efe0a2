// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/ray_scene.h"

#include <tbb/task_arena.h>

#include <cstring>

#include "render/normals.h"

namespace repose {
namespace {

constexpr Color kBackTint = {0.62f, 0.74f, 0.95f};  // the back of a sheet is cooler and darker than its front
constexpr float kClearance = 2e-5f;                 // of the scene's diagonal

RTCRay embreeRay(const Ray& ray, float farthest) {
  RTCRay r{};
  r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
  r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
  r.tfar = farthest;
  r.mask = ~0u;
  return r;
}

// What Embree hands on to the filters of containers.
struct Look {
  RTCIntersectContext context;  // first: Embree knows only this
  RayScene::Eye eye;

  explicit Look(RayScene::Eye looking) : eye(looking) { rtcInitIntersectContext(&context); }
};

// Lets rays pass through the outside of a container, and those of light through all of it.
void passContainer(const RTCFilterFunctionNArguments* hits) {
  const auto& mesh = *static_cast<const RenderMesh*>(hits->geometryUserPtr);
  const auto eye = reinterpret_cast<const Look*>(hits->context)->eye;
  for (unsigned k = 0; k < hits->N; ++k) {
    if (hits->valid[k] != -1) continue;
    const Triangle& t = mesh.triangles[RTCHitN_primID(hits->hit, hits->N, k)];
    const Vec3f a = mesh.points[t[0]], normal = cross(mesh.points[t[1]] - a, mesh.points[t[2]] - a);
    const Vec3f direction = {RTCRayN_dir_x(hits->ray, hits->N, k), RTCRayN_dir_y(hits->ray, hits->N, k),
                             RTCRayN_dir_z(hits->ray, hits->N, k)};
    if (eye == RayScene::Eye::light || dot(normal, direction) < 0) hits->valid[k] = 0;
  }
}

template <class T>
T* newBuffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
  return static_cast<T*>(rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), count));
}

}  // namespace

Result<std::unique_ptr<RayScene>> RayScene::create(RenderScene scene, const ValueRange& range) {
  try {
    std::unique_ptr<RayScene> made(new RayScene(std::move(scene), range));
    const RTCError error = made->device_ ? rtcGetDeviceError(made->device_) : rtcGetDeviceError(nullptr);
    if (error == RTC_ERROR_NONE) return made;
    return Status(error == RTC_ERROR_OUT_OF_MEMORY ? Code::memory : Code::unexpected,
                  "Embree cannot take the frame (its error " + std::to_string(error) + ").");
  } catch (const std::bad_alloc&) {
    return Status(Code::memory, "The frame does not fit into memory.");
  }
}

RayScene::RayScene(RenderScene scene, const ValueRange& range) : scene_(std::move(scene)), range_(range) {
  const Bounds bounds = boundsOf(scene_);
  if (!bounds.empty()) clearance_ = kClearance * length(bounds.hi - bounds.lo);
  device_ = rtcNewDevice(nullptr);
  if (!device_) return;
  embree_ = rtcNewScene(device_);
  rtcSetSceneFlags(embree_, RTC_SCENE_FLAG_ROBUST);
  mesh_normals_.resize(scene_.meshes.size());
  curve_segments_.resize(scene_.curves.size());
  for (std::size_t i = 0; i < scene_.meshes.size(); ++i) addMesh(i);
  for (std::size_t i = 0; i < scene_.spheres.size(); ++i) addSpheres(i);
  for (std::size_t i = 0; i < scene_.curves.size(); ++i) addCurves(i);
  // One thread builds the tree, so that it is the same on every machine, and with it who wins where surfaces
  // coincide.
  tbb::task_arena(1).execute([&] { rtcJoinCommitScene(embree_); });
}

RayScene::~RayScene() {
  if (embree_) rtcReleaseScene(embree_);
  if (device_) rtcReleaseDevice(device_);
}

void RayScene::addGeometry(RTCGeometry geometry, Part part) {
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(embree_, geometry);
  rtcReleaseGeometry(geometry);
  parts_.push_back(part);
}

void RayScene::addMesh(std::size_t index) {
  const RenderMesh& mesh = scene_.meshes[index];
  if (mesh.triangles.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* points = newBuffer<Vec3f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.points.size());
  auto* triangles =
      newBuffer<Triangle>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles.size());
  if (points && triangles) {
    std::copy(mesh.points.begin(), mesh.points.end(), points);
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
  }
  mesh_normals_[index] = cornerNormals(mesh);
  if (mesh.only_inside) {
    rtcSetGeometryUserData(geometry, const_cast<RenderMesh*>(&mesh));
    rtcSetGeometryIntersectFilterFunction(geometry, passContainer);
    rtcSetGeometryOccludedFilterFunction(geometry, passContainer);
  }
  addGeometry(geometry, {Kind::mesh, index});
}

template <class Rounds>
void RayScene::setRoundVertices(RTCGeometry geometry, const Rounds& rounds) {
  auto* vertices =
      newBuffer<Vec4f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, rounds.points.size());
  if (!vertices) return;
  for (std::size_t i = 0; i < rounds.points.size(); ++i) {
    const Vec3f p = rounds.points[i];
    vertices[i] = {p.x, p.y, p.z, rounds.radii[i]};
  }
}

void RayScene::addSpheres(std::size_t index) {
  const RenderSpheres& spheres = scene_.spheres[index];
  if (spheres.points.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  setRoundVertices(geometry, spheres);
  addGeometry(geometry, {Kind::spheres, index});
}

void RayScene::addCurves(std::size_t index) {
  const RenderCurves& curves = scene_.curves[index];
  std::vector<std::uint32_t>& firsts = curve_segments_[index];
  std::vector<std::uint8_t> neighbours;
  std::uint32_t begin = 0;
  for (std::int32_t count : curves.counts) {
    for (std::int32_t k = 0; k + 1 < count; ++k) {
      firsts.push_back(begin + static_cast<std::uint32_t>(k));
      neighbours.push_back(static_cast<std::uint8_t>((k > 0 ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                                     (k + 2 < count ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0)));
    }
    begin += static_cast<std::uint32_t>(count);
  }
  if (firsts.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
  setRoundVertices(geometry, curves);
  auto* indices = newBuffer<std::uint32_t>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, firsts.size());
  auto* flags = newBuffer<std::uint8_t>(geometry, RTC_BUFFER_TYPE_FLAGS, RTC_FORMAT_UCHAR, firsts.size());
  if (indices && flags) {
    std::copy(firsts.begin(), firsts.end(), indices);
    std::copy(neighbours.begin(), neighbours.end(), flags);
  }
  addGeometry(geometry, {Kind::curves, index});
}

bool RayScene::blocked(const Ray& ray) const {
  Look look(Eye::light);
  RTCRay r = embreeRay(ray, std::numeric_limits<float>::infinity());
  rtcOccluded1(embree_, &look.context, &r);
  return r.tfar < 0;
}

bool RayScene::nearest(const Ray& ray, float farthest, Surface& surface, Eye eye) const {
  Look look(eye);
  RTCRayHit found{embreeRay(ray, farthest), {}};
  found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(embree_, &look.context, &found);
  if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;

  const Part part = parts_[found.hit.geomID];
  const auto color = [&](const auto& object, const auto& value) {
    return object.values.empty() ? object.color : mapColor(range_, value());
  };
  switch (part.kind) {
    case Kind::mesh:
      surface = meshSurface(scene_.meshes[part.index], part.index, found.hit, ray);
      break;
    case Kind::spheres: {
      const RenderSpheres& spheres = scene_.spheres[part.index];
      const auto value = [&] { return spheres.values[found.hit.primID]; };
      surface = roundSurface(found, ray, color(spheres, value));
      if (!spheres.tones.empty()) surface.albedo = surface.albedo * spheres.tones[found.hit.primID];
      break;
    }
    case Kind::curves: {
      const RenderCurves& curves = scene_.curves[part.index];
      const auto value = [&] {
        const float* ends = &curves.values[curve_segments_[part.index][found.hit.primID]];
        return ends[0] + (ends[1] - ends[0]) * clamp01(found.hit.u);
      };
      surface = roundSurface(found, ray, color(curves, value));
      break;
    }
  }
  return true;
}

Surface RayScene::meshSurface(const RenderMesh& mesh, std::size_t index, const RTCHit& hit,
                              const Ray& ray) const {
  const Triangle& corners = mesh.triangles[hit.primID];
  const auto& normals = mesh_normals_[index][hit.primID];
  const float weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  Vec3f position, smooth;
  float value = 0;
  for (int k = 0; k < 3; ++k) {
    position += mesh.points[corners[k]] * weights[k];
    smooth += normals[k] * weights[k];
    if (!mesh.values.empty()) value += mesh.values[corners[k]] * weights[k];
  }
  const Vec3f a = mesh.points[corners[0]];
  const Vec3f flat = normalized(cross(mesh.points[corners[1]] - a, mesh.points[corners[2]] - a));
  const bool from_front = dot(flat, ray.direction) < 0;
  const float side = from_front ? 1.0f : -1.0f;

  // Lift the point from the flat triangle to the surface its normals describe, else coarse triangles show as
  // steps where the light turns away (Hanika, Ray Tracing Gems II, chapter 4).
  Vec3f lift;
  for (int k = 0; k < 3; ++k) {
    const Vec3f n = normals[k] * side;
    const float below = std::min(0.0f, dot(position - mesh.points[corners[k]], n));
    lift += n * (-below * weights[k]);
  }
  Surface surface;
  surface.normal = normalized(smooth * side);
  surface.position = clearOf(position + lift, flat * side);
  const Color front = mesh.values.empty() ? mesh.color : mapColor(range_, value);
  surface.albedo =
      from_front || mesh.only_inside || !mesh.values.empty() ? front : modulate(front, kBackTint);
  return surface;
}

Surface RayScene::roundSurface(const RTCRayHit& found, const Ray& ray, Color albedo) const {
  const Vec3f normal = normalized({found.hit.Ng_x, found.hit.Ng_y, found.hit.Ng_z});
  return {clearOf(ray.origin + ray.direction * found.ray.tfar, normal), normal, albedo};
}

// Rounding grows with the distance from the origin, so the clearance does too.
Vec3f RayScene::clearOf(Vec3f position, Vec3f normal) const {
  const float far_out = std::max({std::abs(position.x), std::abs(position.y), std::abs(position.z)});
  return position + normal * (clearance_ + 1e-6f * far_out);
}

}  // namespace repose
