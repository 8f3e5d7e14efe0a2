// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the geometry and the settings of a scene, wherever it came from.
#pragma once
#include <string>
#include <vector>

#include "scene/scene.h"

namespace repose {

struct Finding {
  enum class About { scene, body, output };
  About about;
  int index;   // of the body or output
  bool error;  // else a warning
  std::string sentence;
};

std::vector<Finding> validateScene(const Scene& scene);

}  // namespace repose
