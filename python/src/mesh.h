// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry that Python hands over (points, faces, attributes, groups), and scenes made of text and of it.
#pragma once
#include <memory>

#include "arrays.h"
#include "keyed_motion.h"
#include "scene/host_mesh.h"

namespace repose_python {

struct Mesh {
  repose::Geometry geometry;
  bool tets = false;  // faces of four corners are tetrahedra
  KeyedMotion motion;
};

// A checked scene; simulations hold on to it.
struct LoadedScene {
  std::shared_ptr<const repose::Scene> scene;
  std::vector<std::string> warnings;
};

}  // namespace repose_python
