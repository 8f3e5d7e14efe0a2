// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pins and attachments of cloth and soft bodies.
#pragma once
#include "scene/read_source.h"

namespace repose {

// The lists "pins" and "attachments", once the geometry of the body is there.
void readPins(ObjectReader& object, Body& body, const SceneContext& context);

}  // namespace repose
