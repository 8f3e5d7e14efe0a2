// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rest lengths and angles that change over the run: by a keyed scale, by an animated rest shape, and those of
// stitches that close. They are in State::rest, which stays empty when nothing changes them.
#pragma once
#include "base/status.h"
#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"

namespace repose {

class VaryingRest {
 public:
  // Gives the state its arrays. Scene and model outlive this.
  VaryingRest(const Scene& scene, const Model& model, State& state);
  Status update(double frame, const std::vector<ClothParams>& cloth, State& state);

 private:
  Status updateBody(std::size_t body, double frame, float scale, State& state);
  void closeStitches(double frame, State& state);

  const Scene& scene_;
  const Model& model_;
  std::vector<float> gap_;     // [m] of each stitch row at the start
  std::vector<Vec3f> points_;  // of the rest shape being read
};

}  // namespace repose
