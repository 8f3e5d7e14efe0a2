// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The frames of an Alembic cache as the tracer takes them. Reading is const and may go on in several threads.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cache/abc_reader.h"
#include "render/colormap.h"
#include "render/render_scene.h"

namespace repose {

// The space and the values of all frames.
struct CacheExtent {
  Bounds bounds;
  ValueRange values;
  std::vector<std::string> warnings;  // frames with points that cannot be drawn
};

class CacheSource {
 public:
  // `attribute` is what the points' values are taken from: "" = nothing, "speed" = the length of the
  // velocity, else a point attribute, of which vectors give their length. Fails when no object has it.
  static Result<std::unique_ptr<CacheSource>> open(const std::string& path, const std::string& attribute);

  const std::vector<int>& frames() const { return frames_; }
  // What can be drawn of a frame; `lost` counts the points that cannot.
  Result<RenderScene> load(int frame, std::size_t& lost) const;
  Result<CacheExtent> measure() const;

 private:
  CacheSource(std::unique_ptr<AbcReader> reader, std::string attribute)
      : reader_(std::move(reader)), attribute_(std::move(attribute)) {}
  Status addObject(int object, double seconds, RenderScene& scene) const;
  Status listFrames();
  Status countIds();
  Status chooseDefaultRadii();
  Status checkAttribute() const;

  std::unique_ptr<AbcReader> reader_;
  std::string attribute_;
  std::vector<int> frames_;
  std::vector<std::uint64_t> id_counts_;  // by object: one more than the last id of its points
  float default_grain_radius_ = 0, default_curve_radius_ = 0;  // of points and curves without widths [m]
};

}  // namespace repose
