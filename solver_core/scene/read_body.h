// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One body of a scene file: kind, source, transform, parameters and pins.
#pragma once
#include "scene/read_source.h"

namespace repose {

Body readBody(const JsonNode& node, const SceneContext& context);

}  // namespace repose
