// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One collider of a scene file: shape, source or field, transform, keys and parameters.
#pragma once
#include "scene/read_source.h"

namespace repose {

Collider readCollider(const JsonNode& node, const SceneContext& context);

}  // namespace repose
