// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "wedge_list.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "params/text.h"
#include "scene/text_file.h"

namespace repose {
namespace {

constexpr std::size_t kMostRuns = 100'000;  // a slip of the hand must not fill a farm

using Values = std::vector<std::string>;

// "0.2:0.8:0.2" into its values; the end counts when it is within a thousandth of a step.
Status addRange(const std::string& axis, const std::vector<std::string>& ends, Values& values) {
  std::vector<double> n;
  for (const std::string& end : ends)
    if (const auto number = parseNumber<double>(end)) n.push_back(*number);
  if (n.size() != 3 || n[2] == 0 || (n[1] - n[0]) / n[2] < 0)
    return badInput(fmt::format(
        "\"{}\": the range \"{}\" is not understood; write FROM:TO:STEP with a step that leads there", axis,
        joinText(ends, ":")));
  const double steps = std::floor((n[1] - n[0]) / n[2] + 1e-3);
  if (steps >= static_cast<double>(kMostRuns))
    return badInput(fmt::format("\"{}\" has more than {} values", axis, kMostRuns));
  // rounded, so that 0.2 and two steps of 0.1 are 0.4 and not 0.4000000001
  for (int k = 0; k <= static_cast<int>(steps); ++k) values.push_back(fmt::format("{:.9g}", n[0] + k * n[2]));
  return {};
}

// The values of one axis, each as NAME=VALUE.
Result<Values> axisValues(const std::string& axis) {
  const std::size_t equals = axis.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == axis.size())
    return badInput(
        fmt::format("--vary \"{}\" is not understood; write NAME=0.2,0.4 or NAME=0.2:0.8:0.2", axis));
  Values values;
  for (const std::string& item : splitText(axis.substr(equals + 1), ',')) {
    const std::vector<std::string> ends = splitText(item, ':');
    if (item.empty()) return badInput(fmt::format("--vary \"{}\" has an empty value", axis));
    if (ends.size() == 1)
      values.push_back(item);
    else if (Status added = addRange(axis, ends, values); !added)
      return added;
  }
  for (std::string& value : values) value.insert(0, axis, 0, equals + 1);
  return values;
}

}  // namespace

Result<std::vector<std::vector<std::string>>> expandAxes(const std::vector<std::string>& axes, bool zip) {
  std::vector<Values> all;
  for (const std::string& axis : axes) {
    Result<Values> values = axisValues(axis);
    if (!values) return values.status();
    all.push_back(std::move(*values));
  }
  std::vector<Values> runs;
  if (zip) {
    for (const Values& values : all)
      if (values.size() != all[0].size())
        return badInput(
            fmt::format("--zip needs as many values of each parameter: \"{}\" has {}, \"{}\" has {}", axes[0],
                        all[0].size(), axes[static_cast<std::size_t>(&values - all.data())], values.size()));
    runs.resize(all[0].size());
    for (std::size_t k = 0; k < runs.size(); ++k)
      for (const Values& values : all) runs[k].push_back(values[k]);
    return runs;
  }
  runs.emplace_back();
  for (const Values& values : all) {
    if (runs.size() * values.size() > kMostRuns)
      return badInput(fmt::format("these are more than {} runs", kMostRuns));
    std::vector<Values> longer;
    for (const Values& run : runs)
      for (const std::string& value : values) {
        longer.push_back(run);
        longer.back().push_back(value);
      }
    runs = std::move(longer);
  }
  return runs;
}

Result<WedgeList> readWedges(const std::string& path) {
  Result<std::string> text = readTextFile(path);
  if (!text) return text.status();
  const auto wrong = [&](const std::string& why) { return badInput(path + ": " + why); };
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("runs") || !json["runs"].is_array())
    return wrong("this is no list of wedges; `repose wedge` writes them");
  WedgeList wedges;
  try {
    wedges.scene = json.value("scene", "");
    wedges.frames = json.value("frames", "");
    wedges.runs = json["runs"].get<std::vector<std::vector<std::string>>>();
  } catch (const nlohmann::json::exception&) {
    return wrong("runs must be lists of \"NAME=VALUE\"");
  }
  return wedges;
}

std::string wedgesAsJson(const WedgeList& wedges) {
  nlohmann::ordered_json json = {{"scene", wedges.scene}};
  if (!wedges.frames.empty()) json["frames"] = wedges.frames;
  json["runs"] = wedges.runs;
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string expandWedge(std::string text, int index) {
  const std::string_view token = kWedgeToken;
  const std::string number = fmt::format("{:03}", index);
  for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at))
    text.replace(at, token.size(), number);
  return text;
}

}  // namespace repose
