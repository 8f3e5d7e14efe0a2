// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Alembic caches, ours and others', as numpy arrays by frame.
#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.h"
#include "cache/abc_reader.h"
#include "errors.h"
#include "parts.h"

namespace repose_python {

namespace {

using repose::AbcKind;
using repose::Attribute;
using repose::AttributeType;

struct Cache {
  std::shared_ptr<repose::AbcReader> reader;
};

Cache openCache(const std::string& path) {
  auto opened = repose::AbcReader::open(path);
  check(opened.status());
  return Cache{std::move(*opened)};
}

void addAttributes(const std::vector<Attribute>& attributes, nb::dict& to) {
  for (const Attribute& a : attributes) {
    if (a.type == AttributeType::string || !a.indices.empty()) continue;
    const auto width = static_cast<std::size_t>(a.width);
    to[a.name.c_str()] =
        a.type == AttributeType::f32 ? arrayOf<float>(a.floats, width) : arrayOf<std::int32_t>(a.ints, width);
  }
}

int objectNamed(const Cache& cache, const std::string& name) {
  const int object = cache.reader->find(name);
  if (object >= 0) return object;
  std::string known;
  for (const repose::AbcObject& each : cache.reader->objects())
    if (each.kind != AbcKind::other) known += (known.empty() ? "" : ", ") + each.path;
  raiseBadInput(
      fmt::format("{}: there is no object \"{}\"; the objects are {}", cache.reader->path(), name, known));
}

// Of the sample at a frame, or the last one before it.
nb::dict readFrame(const Cache& cache, const std::string& name, double frame) {
  const repose::AbcReader& reader = *cache.reader;
  const int object = objectNamed(cache, name);
  const double seconds = frame / reader.info().fps;
  nb::dict arrays;
  if (!std::isfinite(frame)) raiseBadInput("frame must be a finite number");
  switch (reader.objects()[object].kind) {
    case AbcKind::mesh: {
      auto mesh = reader.meshAt(object, seconds);
      check(mesh.status());
      arrays["positions"] = arrayOf<float>(mesh->points);
      arrays["face_counts"] = arrayOf<std::int32_t>(mesh->face_counts);
      arrays["face_indices"] = arrayOf<std::int32_t>(mesh->face_indices);
      addAttributes(mesh->attributes, arrays);
      if (arrays.contains("v")) arrays["velocities"] = arrays["v"];
      break;
    }
    case AbcKind::points: {
      auto points = reader.points(object, reader.sampleAt(object, seconds));
      check(points.status());
      arrays["positions"] = arrayOf<float>(points->positions);
      if (!points->velocities.empty()) arrays["velocities"] = arrayOf<float>(points->velocities);
      if (!points->ids.empty()) arrays["ids"] = arrayOf<std::uint64_t>(points->ids);
      if (!points->widths.empty()) arrays["widths"] = arrayOf<float>(points->widths);
      addAttributes(points->attributes, arrays);
      break;
    }
    case AbcKind::xform: {
      auto matrix = reader.xform(object, reader.sampleAt(object, seconds));
      check(matrix.status());
      std::vector<repose::Mat4d> one{*matrix};
      arrays["matrix"] = arrayOf<double>(std::move(one), 4);
      break;
    }
    default:
      raiseBadInput(
          fmt::format("{}: \"{}\" is neither a mesh nor points nor a transform", reader.path(), name));
  }
  return arrays;
}

}  // namespace

void bindCache(nb::module_& module) {
  nb::class_<Cache>(module, "Cache", "An Alembic file, open for reading; it may still be written.")
      .def_prop_ro("path", [](const Cache& c) { return c.reader->path(); })
      .def_prop_ro("fps", [](const Cache& c) { return c.reader->info().fps; })
      .def_prop_ro(
          "frames",
          [](const Cache& c) {
            const repose::AbcInfo& info = c.reader->info();
            return std::pair<int, int>{static_cast<int>(std::lround(info.first_frame)),
                                       static_cast<int>(std::lround(info.last_frame))};
          },
          "First and last.")
      .def_prop_ro(
          "objects",
          [](const Cache& c) {
            nb::dict kinds;
            for (const repose::AbcObject& each : c.reader->objects())
              kinds[each.path.c_str()] = repose::abcKindName(each.kind);
            return kinds;
          },
          nb::sig("def objects(self) -> dict[str, str]"), "Path and kind of everything in the file.")
      .def(
          "read", readFrame, nb::arg("object"), nb::arg("frame"),
          nb::sig("def read(self, object: str, frame: float) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "positions, velocities, face_counts and face_indices, ids, widths, matrix and all attributes at a "
          "frame, in "
          "world space; arrays of their own.");
  module.def("open", openCache, nb::arg("path"), "Opens an Alembic file.");
}

}  // namespace repose_python
