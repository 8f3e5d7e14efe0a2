// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the geometry and the settings of a scene, wherever it came from.
#pragma once
#include <string>
#include <vector>

#include "scene/scene.h"

namespace repose {

struct Finding {
  enum class About { scene, body, joint, collider, output };
  About about;
  int index;   // of the body, joint, collider or output
  bool error;  // else a warning
  std::string sentence;
};

std::vector<Finding> validateScene(const Scene& scene);
// Those about its colliders, as a part of the above.
void validateColliders(const Scene& scene, std::vector<Finding>& findings);
// Those about rigid bodies and joints.
void validateRigid(const Scene& scene, std::vector<Finding>& findings);
// Those about the tetrahedra of a soft body and what goes with them.
void validateTets(const Body& body, int index, std::vector<Finding>& findings);
// Those about what the solver can do with soft bodies.
void validateSoftSolver(const Scene& scene, std::vector<Finding>& findings);
// Those about bodies that have what solver.method has not.
void validateMethod(const Scene& scene, std::vector<Finding>& findings);

}  // namespace repose
