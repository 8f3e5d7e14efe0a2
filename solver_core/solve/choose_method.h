// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which method solves a scene that leaves it open.
#pragma once
#include "scene/scene.h"

namespace repose {

// Never SolverMethod::automatic.
SolverMethod chosenMethod(const Scene& scene);

}  // namespace repose
