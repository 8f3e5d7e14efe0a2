// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The ends of a step of cloth: forces and free motion at its start, velocities at its end.
#pragma once
#include "solve/step.h"

namespace repose {

// v~ and x~ of algorithms.md 2; the places at the start go to work.x_start, pins to their targets. Of all
// bodies, or of first to last.
void predict(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend);
void predict(const Model& model, int first, int last, State& state, const StepParams& params, Workspace& work,
             Backend& backend);
// Points that slide go to the nearest place on their line.
void holdOnLines(const Model& model, const StepParams& params, State& state);
// v = (x - x_start) / h.
void integrate(const Model& model, State& state, const StepParams& params, Workspace& work, Backend& backend);

}  // namespace repose
