// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "errors.h"
#include "mesh.h"
#include "params/text.h"
#include "parts.h"

namespace repose_python {

namespace {

using repose::Attribute;
using repose::AttributeOwner;
using repose::AttributeType;

void addAttribute(Mesh& mesh, const std::string& name, nb::handle values, const std::string& owner) {
  const repose::Geometry& g = mesh.geometry;
  Attribute attribute;
  attribute.name = name;
  std::size_t elements = 1;
  if (owner == "point")
    elements = g.points.size();
  else if (owner == "face")
    attribute.owner = AttributeOwner::face, elements = g.face_counts.size();
  else if (owner == "corner")
    attribute.owner = AttributeOwner::corner, elements = g.face_indices.size();
  else if (owner == "detail")
    attribute.owner = AttributeOwner::detail;
  else
    raiseBadInput(fmt::format("owner is \"{}\", but must be point, face, corner or detail", owner));
  const Numbers numbers = readNumbers(values, name, 0);
  if (numbers.rows != elements)
    raiseBadInput(
        fmt::format("{} has {} rows, but the mesh has {} {}s", name, numbers.rows, elements, owner));
  attribute.width = static_cast<int>(numbers.width);
  attribute.type = numbers.whole ? AttributeType::i32 : AttributeType::f32;
  if (numbers.whole)
    attribute.ints = readIndices(values, name, numbers.width);
  else
    attribute.floats.assign(numbers.values.begin(), numbers.values.end());
  mesh.geometry.attributes.push_back(std::move(attribute));
}

// Names are what matters: which points there are is checked with the scene.
void addGroup(Mesh& mesh, const std::string& name, nb::handle points) {
  std::vector<std::int32_t> members = readIndices(points, name);
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const auto count = static_cast<std::int32_t>(mesh.geometry.points.size());
  if (!members.empty() && (members.front() < 0 || members.back() >= count))
    raiseBadInput(fmt::format("group {} names point {}, but the points are 0 to {}", name,
                              members.front() < 0 ? members.front() : members.back(), count - 1));
  mesh.geometry.groups.push_back({name, std::move(members)});
}

void moveMesh(Mesh& mesh, double frame, nb::handle points) {
  if (!std::isfinite(frame)) raiseBadInput("frame must be a finite number");
  std::vector<repose::Vec3f> moved = readVectors(points, "points");
  if (moved.size() != mesh.geometry.points.size())
    raiseBadInput(fmt::format("points has {} rows, but the mesh has {} points", moved.size(),
                              mesh.geometry.points.size()));
  for (std::size_t p = 0; p < moved.size(); ++p)
    if (!(std::isfinite(moved[p].x) && std::isfinite(moved[p].y) && std::isfinite(moved[p].z)))
      raiseBadInput(fmt::format("point {} at frame {} is not finite", p, frame));
  mesh.motion.set(frame, std::move(moved));
}

Mesh makeMesh(nb::handle points, nb::handle faces, nb::handle face_counts, nb::handle tets) {
  Mesh mesh;
  repose::Geometry& g = mesh.geometry;
  g.points = readVectors(points, "points");
  if (!tets.is_none()) {
    if (!faces.is_none()) raiseBadInput("a mesh has faces or tets, not both: the surface of tets is found");
    g.face_indices = readIndices(tets, "tets", 4);
    g.face_counts.assign(g.face_indices.size() / 4, 4);
    mesh.tets = true;
    return mesh;
  }
  if (faces.is_none()) return mesh;
  const bool flat = !face_counts.is_none();
  if (flat) g.face_counts = readIndices(face_counts, "face_counts");
  const std::size_t width = flat ? 1 : readNumbers(faces, "faces", 0).width;
  if (!flat && width < 3)
    raiseBadInput("faces must be an array of shape (n, 3) or (n, 4), or flat with face_counts beside it");
  g.face_indices = readIndices(faces, "faces", width);
  if (!flat) g.face_counts.assign(g.face_indices.size() / width, static_cast<int>(width));
  return mesh;
}

LoadedScene loadText(const std::string& text, const std::string& path,
                     const std::map<std::string, Mesh>& meshes, const std::vector<std::string>& sets) {
  repose::HostMeshes host;
  for (const auto& [name, mesh] : meshes)
    host[name] = {mesh.geometry, mesh.motion.empty() ? nullptr : std::make_shared<KeyedMotion>(mesh.motion)};
  repose::SceneLoad loaded;
  {
    const nb::gil_scoped_release others_may_run;
    loaded = repose::loadSceneText(text, path, host, sets);
  }
  if (!loaded.ok()) raise({loaded.code, repose::joinText(loaded.errors, "\n")});
  return {std::make_shared<const repose::Scene>(std::move(loaded.scene)), std::move(loaded.warnings)};
}

}  // namespace

void bindScene(nb::module_& module) {
  nb::class_<Mesh>(
      module, "Mesh",
      "Points and, if any, faces [counter-clockwise seen from outside], with attributes and groups. "
      "The arrays are copied.")
      .def(
          "__init__",
          [](Mesh* self, nb::handle points, nb::handle faces, nb::handle face_counts, nb::handle tets) {
            new (self) Mesh(makeMesh(points, faces, face_counts, tets));
          },
          nb::arg("points").none(), nb::arg("faces").none() = nb::none(),
          nb::arg("face_counts").none() = nb::none(), nb::arg("tets").none() = nb::none(),
          nb::sig("def __init__(self, points: object, faces: object = None, face_counts: object = None, "
                  "tets: object = None) -> None"))
      .def("attribute", addAttribute, nb::arg("name"), nb::arg("values").none(), nb::arg("owner") = "point",
           nb::sig("def attribute(self, name: str, values: object, owner: str = \"point\") -> None"),
           "Adds an attribute: one row for each point, face, corner, or one for the whole (detail).")
      .def("group", addGroup, nb::arg("name"), nb::arg("points").none(),
           nb::sig("def group(self, name: str, points: object) -> None"), "Adds a named group of points.")
      .def("move", moveMesh, nb::arg("frame"), nb::arg("points").none(),
           nb::sig("def move(self, frame: float, points: object) -> None"),
           "Where the points are at a frame: between two of them they go straight, outside they stay. Moves "
           "colliders, and what is pinned or rigid with animated=True.")
      .def_prop_ro("point_count", [](const Mesh& mesh) { return mesh.geometry.points.size(); })
      .def_ro("has_tets", &Mesh::tets)
      .def_prop_ro("face_count", [](const Mesh& mesh) { return mesh.geometry.face_counts.size(); });

  nb::class_<LoadedScene>(module, "LoadedScene", "A scene that has been read and checked.")
      .def_prop_ro("frames",
                   [](const LoadedScene& s) {
                     return std::pair<int, int>{s.scene->first_frame, s.scene->last_frame};
                   })
      .def_prop_ro("fps", [](const LoadedScene& s) { return s.scene->world.base.fps; })
      .def_ro("warnings", &LoadedScene::warnings);
  module.def("load", loadText, nb::arg("text"), nb::arg("path"), nb::arg("meshes"), nb::arg("sets"),
             "Reads and checks the text of a scene; BadInput has every mistake, a line each.");
}

}  // namespace repose_python
