// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Fabrics by name: rows made from presets.def. A preset fills in cloth parameters before the body's own
// values.
#pragma once
#include <string>
#include <string_view>

#include "params/params.h"

namespace repose {

struct PresetRow {
  Preset preset;
  std::string_view name, what, look;
};

inline constexpr PresetRow kPresetRows[] = {
#define REPOSE_PRESET(name, what, look) PresetRow{Preset::name, #name, what, look},
#include "params/presets.def"
};

struct PresetValue {
  Preset preset;
  std::size_t offset;  // of the field in ClothParams
  std::string_view name;
  double value;  // as ParamRow::value
  std::string_view source;
};

inline constexpr PresetValue kPresetValues[] = {
#define REPOSE_VALUE(preset, name, value, source) \
  PresetValue{Preset::preset, offsetof(ClothParams, name), #name, double(value), source},
#include "params/presets.def"
};

// The row of a cloth parameter.
constexpr const ParamRow& rowOf(const PresetValue& value) {
  const ParamRow* row = kParamRows;
  while (row->group != kGroupOf<ClothParams> || row->name != value.name) ++row;
  return *row;
}

// What is wrong with the table; "" for a good one.
constexpr std::string_view presetFault() {
  for (const PresetValue& value : kPresetValues) {
    const ParamRow& row = rowOf(value);
    if (value.source.empty()) return "a value has no source";
    if (!(value.value >= row.least && value.value <= row.greatest)) return "a value is outside its range";
    for (const PresetValue* other = kPresetValues; other != &value; ++other)
      if (other->preset == value.preset && other->offset == value.offset) return "a preset has a value twice";
  }
  return "";
}
static_assert(presetFault().empty(), "presets.def: see presetFault()");

// Preset::none changes nothing.
void applyPreset(Preset preset, ClothParams& params);

// The whole table, for a terminal, a program and docs/fabrics.md.
std::string presetsText();
std::string presetsJson();
std::string presetsMarkdown();

}  // namespace repose
