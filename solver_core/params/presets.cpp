// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "params/presets.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "params/text.h"

namespace repose {

namespace {

template <class Visit>
void forValues(Preset preset, Visit visit) {
  for (const PresetValue& value : kPresetValues)
    if (value.preset == preset) visit(value, rowOf(value));
}

std::string valueText(const PresetValue& value) { return formatParam(rowOf(value), {value.value}); }

}  // namespace

void applyPreset(Preset preset, ClothParams& params) {
  forValues(preset,
            [&](const PresetValue& value, const ParamRow& row) { storeParam(row, {value.value}, &params); });
}

std::string presetsText() {
  std::string text;
  for (const PresetRow& preset : kPresetRows) {
    text += fmt::format("{}{}: {}; {}\n\n", text.empty() ? "" : "\n", preset.name, preset.what, preset.look);
    forValues(preset.preset, [&](const PresetValue& value, const ParamRow& row) {
      const std::string start = fmt::format("  {:<16} {:>10} {:<6}  ", row.name, valueText(value), row.unit);
      text += start + wrapText(value.source, start.size(), 100).substr(start.size());
    });
  }
  return text;
}

std::string presetsJson() {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const PresetRow& preset : kPresetRows) {
    nlohmann::ordered_json values, sources;
    forValues(preset.preset, [&](const PresetValue& value, const ParamRow& row) {
      const std::string name(row.name), text = valueText(value);
      if (row.type == ParamType::choice)
        values[name] = text;
      else
        values[name] = nlohmann::ordered_json::parse(text);  // with the digits of the float
      sources[name] = value.source;
    });
    table.push_back({{"name", preset.name},
                     {"what", preset.what},
                     {"look", preset.look},
                     {"values", std::move(values)},
                     {"sources", std::move(sources)}});
  }
  return table.dump(2) + "\n";
}

std::string presetsMarkdown() {
  std::string text =
      "# Fabrics\n\n"
      "Made by `repose params --presets --markdown > docs/fabrics.md` from "
      "`solver_core/params/presets.def`.\n\n"
      "`\"preset\": \"denim\"` in a body, or `--set BODY.preset=denim`, fills in the values below. What the "
      "body\n"
      "says itself goes before the preset, and `--set` goes before both. The same motion in the same mesh "
      "makes\n"
      "the difference visible: `examples_hip/fabrics.json` hangs all five side by side.\n\n"
      "The values are those of one piece of each fabric; a heavier or finished one differs by factors. To "
      "make\n"
      "a fabric heavier, raise `density` by the ratio of the masses and `bendstiffness` by its cube.\n"
      "*Estimate* says that a value was not found measured for this fabric.\n\n"
      "How the numbers were made: 1 gf cm^2/cm of bending is 9.807e-5 N m and 1 gf/(cm deg) of shear is 56.2 "
      "N/m\n"
      "(units of the Kawabata system, KES-F). A woven fabric stretches by e = EMT (F/Fm)^(LT/(2-LT)) under "
      "the\n"
      "load F, where EMT is its elongation at Fm = 490 N/m and LT the linearity of its curve; the stretch\n"
      "stiffness is F/e at Fm/10, about the pull at a held corner of a metre of cloth. *Wang 2011* is Wang,\n"
      "O'Brien and Ramamoorthi, \"Data-driven elastic models for cloth\", ACM Transactions on Graphics "
      "30(4), with\n"
      "its published material files; a quarter of their bending numbers is the bending stiffness of a plate, "
      "as\n"
      "their hinge energy is k l^2/(8A) angle^2. A time of damping is the loss factor divided by 2 pi 5 "
      "Hz.\n";
  for (const PresetRow& preset : kPresetRows) {
    text += fmt::format("\n## {}\n\n{}. Looks: {}.\n\n", preset.name, preset.what, preset.look);
    text += "| parameter | value | unit | source |\n|---|---|---|---|\n";
    forValues(preset.preset, [&](const PresetValue& value, const ParamRow& row) {
      text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, valueText(value), row.unit, value.source);
    });
  }
  return text;
}

}  // namespace repose
