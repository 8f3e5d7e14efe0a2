// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with the grains of a scene: sizes, room, masses, emitters and sinks.
#pragma once
#include "scene/validate.h"

namespace repose {

void checkGrains(const Scene& scene, std::vector<Finding>& findings);

}  // namespace repose
