// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Soft bodies of a scene file: a surface, the tetrahedra that fill it, and how it goes with them.
#pragma once
#include "scene/read_source.h"

namespace repose {

void readSoftBody(ObjectReader& object, Body& body, const SceneContext& context);

}  // namespace repose
