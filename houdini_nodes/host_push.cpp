// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/host_push.h"

#include <cmath>

#include "houdini_nodes/attributes.h"
#include "scene/mesh_check.h"

namespace repose::nodes {

namespace {

double settingOf(const Part& part, const char* name) {
  return part.settings.value(name, findParam(part.kind, name)->value[0]);
}

const std::vector<float>* numbersOf(const Part& part, const char* name) {
  const Attribute* found = part.mesh.find(AttributeOwner::point, name);
  return found ? &found->floats : nullptr;
}

void weighGrains(const Part& part, std::vector<double>& masses) {
  const std::vector<float>*radii = numbersOf(part, "pscale"), *scales = numbersOf(part, "density");
  const double density = settingOf(part, "density");
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    const double radius = radii ? (*radii)[k] : settingOf(part, "radius");
    masses[part.points[k]] = kSphere * std::pow(radius, 3) * density * (scales ? (*scales)[k] : 1);
  }
}

void weighCloth(const Part& part, std::vector<double>& masses) {
  const std::vector<float>*own = numbersOf(part, "pointmass"), *scales = numbersOf(part, "density");
  const double third = settingOf(part, "density") / 3;
  const std::vector<Vec3f>& at = part.mesh.points;
  for (const auto& [a, b, c] : fanTriangles(part.mesh)) {
    const double area = 0.5 * length(cross(at[b] - at[a], at[c] - at[a]));
    for (const int p : {a, b, c}) masses[part.points[p]] += third * area * (scales ? (*scales)[p] : 1);
  }
  for (std::size_t k = 0; own && k < own->size(); ++k)
    if ((*own)[k] > 0) masses[part.points[k]] = (*own)[k];
}

// What is pushed as a whole has no weight here.
std::vector<double> weigh(const Assembly& assembly, std::size_t points) {
  std::vector<double> masses(points, 0);
  for (const Part& part : assembly.bodies) {
    if (part.kind == "grain") weighGrains(part, masses);
    if (part.kind == "cloth") weighCloth(part, masses);
  }
  return masses;
}

}  // namespace

void addPushes(const std::vector<HostPush>& pushes, const Assembly& assembly, NodeGeometry& geometry) {
  const std::vector<double> masses = weigh(assembly, geometry.points.size());
  const PointVectors given(geometry, "force"), v(geometry, "v"), w(geometry, "w");
  std::vector<Vec3f> forces;
  for (std::size_t p = 0; p < geometry.points.size(); ++p) forces.push_back(given ? given.at(p) : Vec3f{});
  for (const HostPush& push : pushes)
    for (std::size_t p = push.first; p < push.first + push.count; ++p)
      if (masses[p] > 0)
        forces[p] +=
            push.force(geometry.points[p], v ? v.at(p) : Vec3f{}, w ? w.at(p) : Vec3f{}, masses[p]).force;
  geometry.write(Owner::point, "force", 3, flat(forces));
}

}  // namespace repose::nodes
