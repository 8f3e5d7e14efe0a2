// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/host_push.h"

#include <cmath>

#include "houdini_nodes/attributes.h"
#include "scene/mesh_check.h"

namespace repose::nodes {

namespace {

// Of each point of the geometry what it weighs, and which share of a force it takes.
struct Weights {
  std::vector<double> mass, share;
};

double settingOf(const Part& part, const char* name) {
  return part.settings.value(name, findParam(part.kind, name)->value[0]);
}

const std::vector<float>* numbersOf(const Part& part, const char* name) {
  const Attribute* found = part.mesh.find(AttributeOwner::point, name);
  return found ? &found->floats : nullptr;
}

void weighGrains(const Part& part, Weights& weights) {
  const std::vector<float>*radii = numbersOf(part, "pscale"), *scales = numbersOf(part, "density");
  const double density = settingOf(part, "density");
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    const double radius = radii ? (*radii)[k] : settingOf(part, "radius");
    weights.mass[part.points[k]] = kSphere * std::pow(radius, 3) * density * (scales ? (*scales)[k] : 1);
  }
}

void weighCloth(const Part& part, Weights& weights) {
  const std::vector<float>*own = numbersOf(part, "pointmass"), *scales = numbersOf(part, "density");
  const double third = settingOf(part, "density") / 3;
  const std::vector<Vec3f>& at = part.mesh.points;
  for (const auto& [a, b, c] : fanTriangles(part.mesh)) {
    const double area = 0.5 * length(cross(at[b] - at[a], at[c] - at[a]));
    for (const int p : {a, b, c}) weights.mass[part.points[p]] += third * area * (scales ? (*scales)[p] : 1);
  }
  for (std::size_t k = 0; own && k < own->size(); ++k)
    if ((*own)[k] > 0) weights.mass[part.points[k]] = (*own)[k];
}

void weighPieces(const Part& part, Weights& weights) {
  std::vector<double> volumes(part.pieces.size(), 0), points(part.pieces.size(), 0);
  for (const std::array<int, 3>& corners : fanTriangles(part.mesh))
    volumes[part.piece_of[corners[0]]] += enclosedVolume({corners}, part.mesh.points);
  for (std::size_t k = 0; k < part.points.size(); ++k) points[part.piece_of[k]] += !part.repeats(k);
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    const int piece = part.piece_of[k];
    weights.mass[part.points[k]] = settingOf(part, "density") * std::abs(volumes[piece]);
    weights.share[part.points[k]] = 1 / points[piece];
  }
}

Weights weigh(const Assembly& assembly, std::size_t points) {
  Weights weights{std::vector<double>(points, 0), std::vector<double>(points, 1)};
  for (const Part& part : assembly.bodies) {
    if (part.kind == "grain") weighGrains(part, weights);
    if (part.kind == "cloth") weighCloth(part, weights);
    if (part.kind == "rigid") weighPieces(part, weights);
  }
  return weights;
}

}  // namespace

void addPushes(const std::vector<HostPush>& pushes, const Assembly& assembly, NodeGeometry& geometry) {
  const Weights weights = weigh(assembly, geometry.points.size());
  const PointVectors given(geometry, "force"), v(geometry, "v"), w(geometry, "w");
  std::vector<Vec3f> forces;
  for (std::size_t p = 0; p < geometry.points.size(); ++p) forces.push_back(given ? given.at(p) : Vec3f{});
  for (const HostPush& push : pushes)
    for (std::size_t p = push.first; p < push.first + push.count; ++p)
      forces[p] +=
          push.force(geometry.points[p], v ? v.at(p) : Vec3f{}, w ? w.at(p) : Vec3f{}, weights.mass[p]) *
          static_cast<float>(weights.share[p]);
  geometry.write(Owner::point, "force", 3, flat(forces));
}

}  // namespace repose::nodes
