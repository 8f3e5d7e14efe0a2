// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pictures of an Alembic cache: one PNG a frame, or one contact sheet. Needs no display and no GPU. Camera,
// floor and colour range come from all frames of the cache, whichever are drawn, so that the frames of a job
// split over many machines fit together.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/trace.h"
#include "scene/scene.h"

namespace repose {

struct RenderOptions {
  std::vector<int> frames;    // empty = all of the cache; for a sheet: spread over it
  int width = 0, height = 0;  // of one frame; both 0 = 960 x 540, on a sheet 480 x 270; one 0 = 16:9
  int samples = TraceSettings().samples;  // most rays a pixel
  std::optional<Camera> camera;           // none = still, and the whole motion is in view
  std::string attribute;  // "" = a colour for each object; "speed", "strain", "stress" or any point attribute
  std::optional<ValueRange> range;  // of the colours; none = least to largest value in the cache
  const Scene* scene = nullptr;     // of the cache: its colliders and shapes are drawn too; null = none
  bool floor = true;
  std::optional<float> floor_height;  // [m]; none = a level plane of the scene, else the lowest point
  Vec3f to_sun;                       // direction; zero = over the camera's left shoulder
  bool labels = false;                // frame number on each picture; a sheet always has them
  int sheet_frames = 12;              // of a sheet without a list of frames
  int sheet_columns = 0;              // 0 = as many columns as rows, or one more
  std::string sheet_title;
  int threads = 0;  // 0 = all
};

// Called after each picture with the number of pictures done and in all; false stops with Code::stopped.
using RenderProgress = std::function<bool(int done, int total)>;

// What a caller may want to tell its user afterwards.
struct RenderReport {
  std::vector<std::string> files;     // in the order written
  std::vector<std::string> warnings;  // one sentence each
};

// Draws the frames one after the other and hands each picture over; a failure of `take` ends it.
using TakeImage = std::function<Status(int frame, const Image& image)>;
Status renderImages(const std::string& cache, const RenderOptions& options, const RenderProgress& progress,
                    RenderReport& report, const TakeImage& take);
// `output` has a frame token (frame_name.h); without one it names the picture of a single frame.
Status renderCache(const std::string& cache, const RenderOptions& options, const std::string& output,
                   const RenderProgress& progress, RenderReport& report);
// `output` is the name of the sheet.
Status renderSheet(const std::string& cache, const RenderOptions& options, const std::string& output,
                   const RenderProgress& progress, RenderReport& report);

// One of several caches to compare.
struct ComparedCache {
  std::string cache, title;
  std::string picture;  // PNG to write
};
// Their last frames, seen by one camera: a picture of each, and a sheet of all with titles.
Status renderCompared(const std::vector<ComparedCache>& caches, const RenderOptions& options,
                      const std::string& sheet, RenderReport& report);

// About `count` frames spread evenly from the first to the last of a list, both included.
std::vector<int> spreadFrames(const std::vector<int>& frames, int count);

}  // namespace repose
