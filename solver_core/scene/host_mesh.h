// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry that a host (Python, Houdini) holds in memory. The text of its scene names it where a file could
// stand: "source": {"host": "NAME"}.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace repose {

struct HostMesh {
  Geometry geometry;               // with the attributes and groups that a file would have
  std::shared_ptr<Motion> motion;  // null: still
};

using HostMeshes = std::map<std::string, HostMesh>;

// Like loadScene() for a text that is not in a file. `path` stands in messages; its folder is what other
// paths are relative to.
SceneLoad loadSceneText(const std::string& text, const std::string& path, const HostMeshes& meshes,
                        const std::vector<std::string>& sets = {},
                        const std::vector<std::string>& roots = {});

}  // namespace repose
