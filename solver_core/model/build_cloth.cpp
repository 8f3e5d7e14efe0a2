// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A polygon mesh becomes cloth. Stiffness factors follow the area that a row stands for, so that a finer mesh
// of the same cloth is the same cloth (cloth_study.md 2; multilevel_study.md 3: k = K area / L^2).
#include <algorithm>

#include "kernel/lane1.h"
#include "model/build.h"
#include "model/build_membrane.h"
#include "model/point_scale.h"
#include "model/rest_shape.h"
#include "model/tethers.h"
#include "model/topology.h"

namespace repose {

namespace {

// Cotangent of the angle at p between the directions to q and r.
double cotangent(Vec3f p, Vec3f q, Vec3f r) {
  const Vec3f u = q - p, v = r - p;
  return dot(u, v) / std::max<double>(length(cross(u, v)), 1e-20);
}

// Stencil of isometric bending (algorithms.md 6): k over (o1, o2, e1, e2), times sqrt(1/(A0+A1)). With the
// printed 3 in place of the 1 a regular mesh would bend three times as hard as a plate of this stiffness.
void quadraticWeights(const std::vector<Vec3f>& x, const MeshHinge& h, float weight[4]) {
  const double c01 = cotangent(x[h.e1], x[h.e2], x[h.o1]), c02 = cotangent(x[h.e1], x[h.e2], x[h.o2]);
  const double c03 = cotangent(x[h.e2], x[h.e1], x[h.o1]), c04 = cotangent(x[h.e2], x[h.e1], x[h.o2]);
  const double scale = std::sqrt(1.0 / std::max<double>(h.area, 1e-20));
  weight[0] = static_cast<float>(scale * (-c01 - c03));
  weight[1] = static_cast<float>(scale * (-c02 - c04));
  weight[2] = static_cast<float>(scale * (c03 + c04));
  weight[3] = static_cast<float>(scale * (c01 + c02));
}

lane1::vec3 kernelVec(Vec3f p) { return {p.x, p.y, p.z}; }

void addBending(const Geometry& g, const MeshTopology& t, const ClothParams& params, const RestShape& shape,
                ModelBuilder& builder) {
  const PointScale scale(g, "bendstiffness");
  if (params.bendmodel == BendModel::neighbour) {
    for (const auto& [a, b, middle] : t.across) {
      const float rest = length(g.points[a] - g.points[b]);
      builder.addDistance(RowKind::neighbour, a, b, shape.length(a, b),
                          4.0f / (rest * rest) * scale.mean(a, b, middle));
    }
    return;
  }
  for (const MeshHinge& h : t.hinges) {
    const int corner[4] = {h.o1, h.o2, h.e1, h.e2};
    const float factor = scale.mean(h.o1, h.o2, h.e1, h.e2);
    float weight[4];
    if (params.bendmodel == BendModel::quadratic) {
      quadraticWeights(g.points, h, weight);
      builder.addHinge(BendModel::quadratic, corner, weight, 0, factor);
    } else {
      const lane1::hinge rest = lane1::hinge_at(kernelVec(g.points[h.o1]), kernelVec(g.points[h.o2]),
                                                kernelVec(g.points[h.e1]), kernelVec(g.points[h.e2]));
      for (int s = 0; s < 4; ++s)
        weight[s] = std::copysign(std::sqrt(lane1::v3_dot(rest.gradient[s], rest.gradient[s])),
                                  lane1::v3_dot(rest.gradient[s], rest.gradient[0]));
      const Vec3f e = g.points[h.e2] - g.points[h.e1];
      builder.addHinge(BendModel::dihedral, corner, weight, rest.angle,
                       factor * dot(e, e) / std::max(h.area, 1e-20f));
    }
  }
}

// Rows that only pull: limits of the edges, and ropes to the nearest pin along them.
void addPulls(const Body& body, const MeshTopology& t, const RestShape& shape, ModelBuilder& builder) {
  const ClothParams& params = body.cloth.base;
  if (params.strainlimit > 0)
    for (const MeshEdge& e : t.edges)
      builder.addDistance(RowKind::limit, e.a, e.b, shape.length(e.a, e.b) * shape.slack(RowKind::limit), 1);
  if (!params.tethers) return;
  std::vector<WayEdge> edges;
  for (const MeshEdge& e : t.edges) edges.push_back({e.a, e.b, shape.length(e.a, e.b)});
  std::vector<bool> pinned(body.geometry.points.size(), false);
  for (const Pin& pin : body.pins)
    for (const int p : pin.points) pinned[p] = pinned[p] || !pin.slides();
  for (const Tether& tether : findTethers(edges, pinned))
    builder.addTether(tether.point, tether.pin, tether.length * shape.slack(RowKind::tether), tether.next);
}

// Copies come last, so that tears leave all others in their places.
std::vector<int> pointOrder(const Body& body) {
  std::vector<Vec3f> whole = body.geometry.points;
  whole.resize(whole.size() - body.copied.size());
  std::vector<int> order = spaceOrder(whole);
  for (std::size_t p = whole.size(); p < body.geometry.points.size(); ++p)
    order.push_back(static_cast<int>(p));
  return order;
}

}  // namespace

void buildCloth(const Body& body, int body_index, ModelBuilder& builder) {
  Geometry g = body.geometry;  // at rest: lengths, areas and masses are those of this shape
  if (!body.rest_points.empty()) g.points = body.rest_points;
  const RestShape shape(body, g.points);
  const ClothParams& params = body.cloth.base;
  const MeshTopology t = buildTopology(g);

  // a third of the mass of each triangle to each of its corners
  const PointScale density(g, "density"), normal(g, "normaldrag"), tangent(g, "tangentdrag");
  std::vector<float> masses(g.points.size(), 0.0f);
  const auto mass = [&](const MeshTriangle& f) {
    return params.density * density.mean(f.a, f.b, f.c) * f.area;
  };
  for (const MeshTriangle& f : t.triangles)
    for (const int p : {f.a, f.b, f.c}) masses[p] += mass(f) / 3;
  const std::vector<float> heavier = takePointMasses(g, body.copied, masses);

  builder.beginBody(body.name);
  builder.addPoints(body.geometry.points, masses, body.velocity, pointOrder(body));
  builder.addVelocities(body.geometry);
  for (const bool slides : {false, true})
    for (std::size_t k = 0; k < body.pins.size(); ++k) {
      const Pin& pin = body.pins[k];
      if (pin.slides() != slides) continue;
      for (const int p : pin.points)
        slides ? builder.slide(p, body_index, static_cast<int>(k), pin.line)
               : builder.pin(p, body_index, static_cast<int>(k));
    }

  for (const MeshTriangle& f : t.triangles) {
    const int corner[3] = {f.a, f.b, f.c};
    const float ratio = heavier.empty() ? 1 : (heavier[f.a] + heavier[f.b] + heavier[f.c]) / 3;
    builder.addTriangle(corner, mass(f) * ratio, normal.mean(f.a, f.b, f.c), tangent.mean(f.a, f.b, f.c));
  }
  const auto addSprings = [&](RowKind kind, const std::vector<MeshEdge>& edges, const char* attribute,
                              float share) {
    const PointScale scale(g, attribute);
    for (const MeshEdge& e : edges) {
      const float rest = length(g.points[e.a] - g.points[e.b]);
      builder.addDistance(kind, e.a, e.b, shape.length(e.a, e.b),
                          share * e.area / (rest * rest) * scale.mean(e.a, e.b));
    }
  };
  if (params.membrane == Membrane::triangles) {
    addMembrane(g, t, params, builder);
  } else {
    addSprings(RowKind::stretch, t.edges, "stretchstiffness", 1);
    if (params.shearstiffness > 0) addSprings(RowKind::shear, t.diagonals, "shearstiffness", 2);
  }
  if (params.bendmodel != BendModel::none && params.bendstiffness > 0)
    addBending(g, t, params, shape, builder);
  addPulls(body, t, shape, builder);
  builder.endBody();
}

}  // namespace repose
