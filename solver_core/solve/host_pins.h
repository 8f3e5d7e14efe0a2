// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where a host wants pinned points to be, instead of where the scene says.
#pragma once
#include <optional>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "scene/scene.h"

namespace repose {

class HostPins {
 public:
  // bad_input names the body and a point that is not pinned or a place that is not finite. No points: all
  // pins of the body are free again.
  Status set(const Body& source, int body, const std::vector<ModelPin>& pins,
             const std::vector<std::int32_t>& points, const std::vector<Vec3f>& places);
  // Of a pin of the model; nothing: the scene's.
  const std::optional<Vec3f>& of(std::size_t pin) const { return targets_.empty() ? kNone : targets_[pin]; }

 private:
  static const std::optional<Vec3f> kNone;
  std::vector<std::optional<Vec3f>> targets_;  // of each pin of the model; empty: none
};

}  // namespace repose
