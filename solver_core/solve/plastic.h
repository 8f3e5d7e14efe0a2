// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rest shapes of tetrahedra that change over the run: they grow with restscale, and strain beyond
// plasticyield flows into them (kernel/tet_flow.h). They are in State::tet_y, which stays empty when nothing
// changes them.
#pragma once
#include "scene/scene.h"
#include "solve/step.h"

namespace repose {

// Gives the state its shapes when some body will ever need them.
void beginShapes(const Scene& scene, const Model& model, State& state);

// Once a step, before it is solved: the size of this step, and what the strain at its start leaves for good.
void reshape(const Model& model, State& state, const StepParams& params, Backend& backend);

// Share of something that decays with time constant 1 which is lost after t.
float lostShare(double t);

}  // namespace repose
