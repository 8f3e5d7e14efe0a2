// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The source of a body: a shape by formula, a file, or a mesh of the host.
#pragma once
#include <optional>
#include <string>

#include "scene/host_mesh.h"
#include "scene/object_reader.h"
#include "scene/roots.h"

namespace repose {

struct FormulaShape;  // scene/shapes.h

// What reading a body depends on beside its own text.
struct SceneContext {
  const Scene& scene;
  std::string folder;  // of the scene file; "" for the working folder
  Problems& problems;
  Roots& roots;
  const HostMeshes& host;

  std::string resolve(const std::string& path) const;  // empty for a file that the scene may not name
};

struct Source {
  Geometry geometry;  // in world space
  std::shared_ptr<Motion> motion;
  std::shared_ptr<const FormulaShape> formula = {};  // null for a file
};

// The mesh of the host that a text names; null after a report.
const HostMesh* findHostMesh(const JsonNode& name, const SceneContext& context);

// Nothing after a report.
std::optional<Source> readSource(const JsonNode& node, const Mat4d& transform, const SceneContext& context);
// {"source": ..., "transform": ...}: a mesh beside that of the body.
std::optional<Source> readPlacedSource(const JsonNode& node, const char* what, const SceneContext& context);

}  // namespace repose
