// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/output_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "params/text.h"

namespace repose {

std::vector<std::string> outputFieldNames() {
  std::vector<std::string> names;
  for (const OutputFieldRow& row : kOutputFields) names.emplace_back(row.name);
  return names;
}

Status checkOutputFields(const Scene& scene, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto* row = std::find_if(std::begin(kOutputFields), std::end(kOutputFields),
                                   [&](const OutputFieldRow& r) { return r.name == name; });
    if (row == std::end(kOutputFields)) {
      const std::vector<std::string> known = outputFieldNames();
      return badInput(fmt::format("there is no output attribute \"{}\"{}; there are {}", name,
                                  didYouMean(name, known), joinText(known)));
    }
    const auto has = [&](const Body& body) { return row->of(body.kind); };
    if (std::none_of(scene.bodies.begin(), scene.bodies.end(), has))
      return badInput(fmt::format("the output attribute \"{}\" belongs to {}, and the scene has none", name,
                                  row->soft && !row->cloth ? "soft bodies"
                                  : row->rigid             ? "rigid bodies"
                                  : row->grain             ? "grains"
                                                           : "cloth"));
  }
  return {};
}

}  // namespace repose
