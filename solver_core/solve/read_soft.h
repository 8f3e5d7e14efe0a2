// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A soft body as a host sees it: the artist's surface, carried by the tetrahedra.
#pragma once
#include "model/model.h"
#include "model/state.h"
#include "solve/body_view.h"

namespace repose {

// pace: seconds of the simulation for one of the shot.
void readSoft(const Model& model, const State& state, int body, const Body& source, float pace,
              BodyView& view);

}  // namespace repose
