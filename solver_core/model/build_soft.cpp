// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra become elements, and the triangles of their surface what the air and contacts meet.
#include "base/vec3d.h"
#include "model/build.h"
#include "model/point_scale.h"
#include "model/topology.h"

namespace repose {

namespace {

// Fibres of the corners, or one for all.
class FibreField {
 public:
  FibreField(const Geometry& g, Vec3f everywhere) : everywhere_(everywhere) {
    const Attribute* a = g.find(AttributeOwner::point, "fibre");
    if (a && a->type == AttributeType::f32 && a->width == 3) values_ = &a->floats;
  }
  // Unit; zero where the corners disagree to nothing.
  Vec3f mean(const std::array<std::int32_t, 4>& corner) const {
    Vec3f sum = everywhere_;
    if (values_) {
      sum = {};
      for (const int p : corner)
        sum = sum + Vec3f{(*values_)[3 * p], (*values_)[3 * p + 1], (*values_)[3 * p + 2]};
    }
    const float l = length(sum);
    return l > 0 ? sum * (1 / l) : Vec3f{};
  }

 private:
  Vec3f everywhere_;
  const std::vector<float>* values_ = nullptr;
};

}  // namespace

void buildSoft(const Body& body, int body_index, ModelBuilder& builder) {
  const Geometry& g = body.tets.geometry;
  const SoftParams& params = body.soft.base;
  const PointScale density(g, "density"), stiffness(g, "youngsmodulus");
  const FibreField fibres(g, params.fibredirection);

  const auto at = [&](int p) { return Vec3d{g.points[p].x, g.points[p].y, g.points[p].z}; };
  struct Shape {
    float y[9], volume;
  };
  std::vector<Shape> shapes;
  std::vector<float> masses(g.points.size(), 0.0f);
  for (const auto& t : body.tets.tets) {
    const Vec3d o = at(t[0]), e[3] = {at(t[1]) - o, at(t[2]) - o, at(t[3]) - o};
    const double six = dot(e[0], cross(e[1], e[2]));
    // rows of the inverse: the normals of the faces opposite, over the heights
    const Vec3d rows[3] = {cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])};
    Shape shape{{}, static_cast<float>(six / 6)};
    for (int k = 0; k < 3; ++k) {
      shape.y[3 * k] = static_cast<float>(rows[k].x / six);
      shape.y[3 * k + 1] = static_cast<float>(rows[k].y / six);
      shape.y[3 * k + 2] = static_cast<float>(rows[k].z / six);
    }
    shapes.push_back(shape);
    const float mass = params.density * density.mean(t[0], t[1], t[2], t[3]) * shape.volume;
    for (const int p : t) masses[p] += mass / 4;
  }
  takePointMasses(g, {}, masses);

  builder.beginBody(body.name);
  builder.addPoints(g.points, masses, body.velocity, spaceOrder(g.points));
  builder.addVelocities(g);
  for (std::size_t k = 0; k < body.pins.size(); ++k)
    for (const int p : body.pins[k].points) builder.pin(p, body_index, static_cast<int>(k));
  for (std::size_t t = 0; t < shapes.size(); ++t) {
    const auto& c = body.tets.tets[t];
    builder.addTet(c.data(), shapes[t].y, shapes[t].volume, stiffness.mean(c[0], c[1], c[2], c[3]),
                   fibres.mean(c));
  }
  for (const MeshTriangle& f : buildTopology(g).triangles) {
    const int corner[3] = {f.a, f.b, f.c};
    builder.addTriangle(corner, (masses[f.a] + masses[f.b] + masses[f.c]) / 3, 1, 1);
  }
  builder.endBody();
}

}  // namespace repose
