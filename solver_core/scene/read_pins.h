// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pins, attachments and cuts of cloth and soft bodies.
#pragma once
#include "scene/read_source.h"

namespace repose {

// The lists "pins" and "attachments", once the geometry of the body is there.
void readPins(ObjectReader& object, Body& body, const SceneContext& context);

// The list "cuts" of a cloth.
void readCuts(ObjectReader& object, Body& body, Problems& problems);

}  // namespace repose
