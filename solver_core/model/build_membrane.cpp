// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/build_membrane.h"

#include <algorithm>
#include <cmath>

#include "model/point_scale.h"

namespace repose {

namespace {

struct Vec3d {
  double x = 0, y = 0, z = 0;
};
Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(Vec3d a) { return std::sqrt(dot(a, a)); }
Vec3d cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3d wide(Vec3f a) { return {a.x, a.y, a.z}; }

// A triangle at rest in its own plane.
struct RestTriangle {
  Vec3d normal;       // 1 long
  Vec3d gradient[3];  // of the barycentric coordinates [1/m]
  double twice_area;

  RestTriangle(const Geometry& g, const MeshTriangle& t) {
    const Vec3d a = wide(g.points[t.a]), b = wide(g.points[t.b]), c = wide(g.points[t.c]);
    const Vec3d n = cross(b - a, c - a);
    twice_area = std::max(length(n), 1e-20);
    normal = n * (1 / twice_area);
    const Vec3d opposite[3] = {c - b, a - c, b - a};
    for (int s = 0; s < 3; ++s) gradient[s] = cross(normal, opposite[s]) * (1 / twice_area);
  }
};

// The attribute uv, by point or by corner of a face.
class UvMap {
 public:
  explicit UvMap(const Geometry& g) : geometry_(g) {
    for (const AttributeOwner owner : {AttributeOwner::corner, AttributeOwner::point}) {
      const Attribute* a = g.find(owner, "uv");
      if (!a || a->type != AttributeType::f32 || a->width < 2) continue;
      const std::size_t elements =
          a->indices.empty() ? a->floats.size() / static_cast<std::size_t>(a->width) : a->indices.size();
      if (elements == (owner == AttributeOwner::corner ? g.face_indices.size() : g.points.size())) {
        uv_ = a;
        return;
      }
    }
  }

  // u at a point of the face whose n corners begin at `first`.
  double u(int point, int first, int n) const {
    std::size_t element = static_cast<std::size_t>(point);
    if (uv_->owner == AttributeOwner::corner) {
      const auto corners = geometry_.face_indices.begin() + first;
      element =
          static_cast<std::size_t>(std::find(corners, corners + n, point) - geometry_.face_indices.begin());
    }
    const std::size_t value = uv_->indices.empty() ? element : uv_->indices[element];
    return uv_->floats[value * static_cast<std::size_t>(uv_->width)];
  }
  bool empty() const { return uv_ == nullptr; }

 private:
  const Geometry& geometry_;
  const Attribute* uv_ = nullptr;
};

// Below this share of its length an axis that is laid onto a triangle has lost its direction.
constexpr double kLeastShadow = 0.05;

// Without uv: the x axis laid onto the triangles, or the z axis on a cloth that faces x for the most part.
// One axis for the whole cloth, so that neighbours do not disagree; the other one only where the first stands
// upright.
struct ClothAxis {
  Vec3d first{1, 0, 0}, second{0, 0, 1};

  ClothAxis(const Geometry& g, const MeshTopology& t) {
    double facing = 0, all = 0;
    for (const MeshTriangle& f : t.triangles) {
      const RestTriangle rest(g, f);
      facing += rest.twice_area * rest.normal.x * rest.normal.x;
      all += rest.twice_area;
    }
    if (facing > 0.5 * all) std::swap(first, second);
  }

  Vec3d on(const RestTriangle& rest) const {
    const auto laid = [&](Vec3d axis) { return axis - rest.normal * dot(axis, rest.normal); };
    const Vec3d shadow = laid(first);
    return length(shadow) > kLeastShadow ? shadow : laid(second);
  }
};

}  // namespace

void addMembrane(const Geometry& g, const MeshTopology& t, const ClothParams& params, ModelBuilder& builder) {
  const PointScale stretch(g, "stretchstiffness"), shear(g, "shearstiffness"), rest_scale(g, "restscale");
  const UvMap uv(g);
  const ClothAxis axis(g, t);
  const double angle = params.warpangle * (3.14159265358979323846 / 180);
  const double cosine = std::cos(angle), sine = std::sin(angle);

  std::size_t next = 0;
  int first = 0;
  for (const std::int32_t n : g.face_counts) {
    for (int k = 0; k < n - 2; ++k) {  // triangles follow one another face by face
      const MeshTriangle& f = t.triangles[next++];
      const int corner[3] = {f.a, f.b, f.c};
      const RestTriangle rest(g, f);
      Vec3d along;
      for (int s = 1; s < 3 && !uv.empty(); ++s)
        along = along + rest.gradient[s] * (uv.u(corner[s], first, n) - uv.u(corner[0], first, n));
      if (!(length(along) > 0)) along = axis.on(rest);  // also where uv has no area
      along = along * (1 / length(along));
      const Vec3d warp = along * cosine + cross(rest.normal, along) * sine;
      const Vec3d weft = cross(rest.normal, warp);
      // C = (|fibre| - scale) is scale (|fibre / scale| - 1): the scale of the points goes into weights and
      // area
      const float scale = rest_scale.mean(f.a, f.b, f.c), area = f.area * scale * scale;
      float warp_weight[3], weft_weight[3];
      for (int s = 1; s < 3; ++s) {
        warp_weight[s] = static_cast<float>(dot(rest.gradient[s], warp) / scale);
        weft_weight[s] = static_cast<float>(dot(rest.gradient[s], weft) / scale);
      }
      // a fibre pulls its ends together and nothing else
      warp_weight[0] = -(warp_weight[1] + warp_weight[2]);
      weft_weight[0] = -(weft_weight[1] + weft_weight[2]);
      builder.addMembrane(corner, warp_weight, weft_weight, area * stretch.mean(f.a, f.b, f.c),
                          area * shear.mean(f.a, f.b, f.c));
    }
    first += n;
  }
}

}  // namespace repose
