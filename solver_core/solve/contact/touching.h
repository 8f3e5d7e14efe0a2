// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A step in which bodies touch: contacts are found once, then solved together with the cloth in substeps.
#pragma once
#include "base/profile.h"
#include "solve/step.h"

namespace repose {

// Between find() and store() of work.contacts: all contact substeps.
StepResult solveTouching(const Model& model, State& state, const StepParams& params, Workspace& work,
                         Backend& backend);

StepResult stepTouching(const Model& model, State& state, const StepParams& params, Workspace& work,
                        Backend& backend, StageSeconds& seconds);

}  // namespace repose
