// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/varying_rest.h"

#include <algorithm>

#include "model/rest_shape.h"

namespace repose {

VaryingRest::VaryingRest(const Scene& scene, const Model& model, State& state)
    : scene_(scene), model_(model) {
  state.rest_scale.assign(scene.bodies.size(), 1.0f);
  bool lengths =
      std::any_of(scene.stitches.begin(), scene.stitches.end(), [](const Stitch& s) { return s.closes; });
  bool angles = false;
  for (const Body& body : scene.bodies) {
    lengths = lengths || body.rest_motion ||
              body.cloth.ever([](const ClothParams& cloth) { return cloth.restscale != 1; });
    angles = angles || body.rest_motion ||
             body.cloth.ever([](const ClothParams& cloth) { return cloth.creaseangle > 0; });
  }
  if (lengths) state.rest = model.distance.rest;
  if (angles) state.rest_angle = model.dihedral.rest_angle;
  for (int i = model.stitches.first; i < model.stitches.first + model.stitches.count; ++i)
    gap_.push_back(length(xyz(state.x[model.distance.a[i]]) - xyz(state.x[model.distance.b[i]])));
}

Status VaryingRest::update(double frame, const std::vector<ClothParams>& cloth, State& state) {
  if (state.rest.empty()) return {};
  for (std::size_t b = 0; b < state.rest_scale.size(); ++b) {
    Status updated = updateBody(b, frame, cloth[b].restscale, state);
    if (!updated) return updated;
  }
  closeStitches(frame, state);
  return {};
}

Status VaryingRest::updateBody(std::size_t body, double frame, float scale, State& state) {
  const Body& source = scene_.bodies[body];
  if (!source.rest_motion && scale == state.rest_scale[body]) return {};
  state.rest_scale[body] = scale;
  ++state.rest_changes;
  const ModelBody& part = model_.bodies[body];
  const std::vector<float>* lengths = &model_.distance.rest;
  if (source.rest_motion) {
    Status read = source.rest_motion->positionsAt(frame, points_);
    if (!read) return read;
    measureRest(model_, part, RestShape(source, points_), state);
    lengths = &state.rest;
  }
  for (const Range rows : part.rows)
    for (int i = rows.first; i < rows.first + rows.count; ++i) state.rest[i] = (*lengths)[i] * scale;
  return {};
}

void VaryingRest::closeStitches(double frame, State& state) {
  bool changed = false;
  int row = 0;  // of the stitches
  for (const Stitch& stitch : scene_.stitches) {
    const double frames = std::max(stitch.close_last - stitch.close_first, 1e-6);
    const auto closed = static_cast<float>(std::clamp((frame - stitch.close_first) / frames, 0.0, 1.0));
    for (std::size_t k = 0; k < stitch.pairs.size(); ++k, ++row) {
      if (!stitch.closes) continue;
      const float rest = gap_[row] + (stitch.restlength - gap_[row]) * closed;
      float& now = state.rest[model_.stitches.first + row];
      if (now == rest) continue;
      now = rest;
      changed = true;
    }
  }
  if (changed) ++state.rest_changes;
}

}  // namespace repose
