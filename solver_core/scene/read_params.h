// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of the table from a scene file: a value, or a list of [frame, value] keys.
#pragma once
#include <optional>

#include "params/keyed.h"
#include "params/params.h"
#include "scene/object_reader.h"

namespace repose {

// A value with or without keys; the value of keys is the first one.
struct ParamSetting {
  ParamValue value;
  Keys<Vec3f> keys;  // a single number is in x
};

std::optional<ParamSetting> readParam(const ParamRow& row, const JsonNode& node, Problems& problems);
// [[frame, [x, y, z]], ...] with frames ascending, or one [x, y, z] for all frames.
bool readVectorKeys(const JsonNode& node, std::string_view name, Keys<Vec3f>& keys, Problems& problems);

// Takes the place of what the field and its keys were before.
template <class Params>
void assignParam(const ParamRow& row, const ParamSetting& setting, Keyed<Params>& params) {
  auto& tracks = params.tracks;
  for (std::size_t k = tracks.size(); k-- > 0;)
    if (tracks[k].offset == row.offset) tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(k));
  storeParam(row, setting.value, &params.base);
  if (!setting.keys.empty()) tracks.push_back({row.offset, paramWidth(row), setting.keys});
}

// Reads every row of the struct's group that the object has.
template <class Params>
void readParams(ObjectReader& object, Keyed<Params>& params, Problems& problems) {
  for (const ParamRow& row : kParamRows)
    if (row.group == kGroupOf<Params>)
      if (const JsonNode* node = object.find(row.name))
        if (const auto setting = readParam(row, *node, problems)) assignParam(row, *setting, params);
}

}  // namespace repose
