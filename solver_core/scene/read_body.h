// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One body of a scene file: kind, source, transform, parameters, pins and attachments. The source of grains
// is read later (scene/read_grains.h), as it depends on parameters.
#pragma once
#include <optional>

#include "scene/read_source.h"

namespace repose {

// The name of a body, a collider or a joint.
void readOwnName(ObjectReader& object, std::string& name, Problems& problems);
// The joints that the source of a rigid body makes are added to `joints`.
Body readBody(const JsonNode& node, std::vector<Joint>& joints, const SceneContext& context);
// The cloth parameters of a body: those of its preset, or of the given one in its place, then its own.
void readCloth(ObjectReader& object, std::optional<Preset> preset, Keyed<ClothParams>& cloth,
               Problems& problems);

}  // namespace repose
