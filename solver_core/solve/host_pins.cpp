// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/host_pins.h"

#include <fmt/format.h>

#include <map>

namespace repose {

const std::optional<Vec3f> HostPins::kNone;

Status HostPins::set(const Body& source, int body, const std::vector<ModelPin>& pins,
                     const std::vector<std::int32_t>& points, const std::vector<Vec3f>& places) {
  if (points.size() != places.size())
    return badInput(fmt::format("body '{}': {} pinned points, but {} places were given", source.name,
                                points.size(), places.size()));
  std::map<std::int32_t, std::size_t> pin_of;
  for (std::size_t k = 0; k < pins.size(); ++k)
    if (pins[k].body == body) pin_of[pins[k].source] = k;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (pin_of.count(points[k]) == 0)
      return badInput(fmt::format("body '{}', point {}: it is not pinned; name it in \"pins\" of the scene",
                                  source.name, points[k]));
    if (!isFinite(places[k]))
      return badInput(
          fmt::format("body '{}', point {}: the target given is not finite", source.name, points[k]));
  }
  targets_.resize(pins.size());
  for (const auto& [point, pin] : pin_of)
    if (points.empty()) targets_[pin].reset();
  for (std::size_t k = 0; k < points.size(); ++k) targets_[pin_of[points[k]]] = places[k];
  return {};
}

}  // namespace repose
