// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains of a scene file: fills, points of files, emitters and sinks.
#pragma once
#include "scene/read_source.h"

namespace repose {

// Shape and sizes of a volume by formula; false after a report.
bool readVolume(ObjectReader& object, Volume& volume, Problems& problems);

// What a grain body says beside its source and its parameters: velocity and emitters.
void readGrainBody(ObjectReader& object, Body& body, const SceneContext& context);
// The grains at the start, once all parameters are known: from the source of the body at `node`, if it has
// one.
void readGrainSource(const JsonNode& node, Body& body, const SceneContext& context);

Sink readSink(const JsonNode& node, const Scene& scene, Problems& problems);

}  // namespace repose
