// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Which method solves a scene that leaves it open.
#pragma once
#include "scene/scene.h"

namespace repose {

// Never SolverMethod::automatic.
SolverMethod chosenMethod(const Scene& scene);

double meanEdge(const TetMesh& mesh);  // of those of all tetrahedra [m]

}  // namespace repose
