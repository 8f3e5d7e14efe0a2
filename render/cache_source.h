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
#include "scene/scene.h"

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
  // `scene` has the shapes of rigid pieces that the cache holds as points; null: they are drawn as boxes. It
  // must outlive the source.
  static Result<std::unique_ptr<CacheSource>> open(const std::string& path, const std::string& attribute,
                                                   const Scene* scene = nullptr);

  const std::vector<int>& frames() const { return frames_; }
  // What can be drawn of a frame; `lost` counts the points that cannot.
  Result<RenderScene> load(int frame, std::size_t& lost) const;
  Result<CacheExtent> measure() const;

 private:
  CacheSource(std::unique_ptr<AbcReader> reader, std::string attribute, const Scene* scene)
      : reader_(std::move(reader)), attribute_(std::move(attribute)), scene_(scene) {}
  Status addObject(int object, double seconds, RenderScene& scene) const;
  void addPoints(int object, AbcPoints points, RenderScene& scene) const;
  Status addMesh(int object, double seconds, Color color, RenderScene& scene) const;
  bool isPiece(int object) const;
  Status readPieces();
  Status listFrames();
  Status countIds();
  Status chooseDefaultRadii();
  Status checkAttribute() const;

  std::unique_ptr<AbcReader> reader_;
  std::string attribute_;
  const Scene* scene_;
  std::vector<int> frames_;
  std::vector<std::uint64_t> id_counts_;  // by object: one more than the last id of its points
  std::vector<RenderMesh> moved_;         // by object: of meshes that only an Xform moves all but the points
  std::size_t pieces_ = 0;                // rigid ones among the points
  float default_grain_radius_ = 0, default_curve_radius_ = 0;  // of points and curves without widths [m]
};

}  // namespace repose
