// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/render_cache.h"

#include <fmt/format.h>

#include "base/frame_name.h"
#include "render/cache_source.h"
#include "render/draw_colliders.h"
#include "render/overlay.h"
#include "render/sheet.h"
#include "render/threads.h"

namespace repose {
namespace {

constexpr int kSmallestSide = 16, kLargestSide = 16384, kMostSamples = 4096;  // pixels, pixels, rays
constexpr double kAspect = 16.0 / 9.0;

struct Size {
  int width, height;
};

Size sizeOr(const RenderOptions& options, Size standard) {
  if (options.width == 0 && options.height == 0) return standard;
  if (options.height == 0) return {options.width, static_cast<int>(std::lround(options.width / kAspect))};
  if (options.width == 0) return {static_cast<int>(std::lround(options.height * kAspect)), options.height};
  return {options.width, options.height};
}

Status checkOptions(const RenderOptions& options, Size size) {
  for (int side : {size.width, size.height})
    if (side < kSmallestSide || side > kLargestSide) {
      return badInput(
          fmt::format("The picture size {} x {} is out of range; each side is from {} to {} pixels.",
                      size.width, size.height, kSmallestSide, kLargestSide));
    }
  if (options.samples < 1 || options.samples > kMostSamples) {
    return badInput(fmt::format("{} samples are out of range; there are from 1 to {} rays a pixel.",
                                options.samples, kMostSamples));
  }
  if (options.range && !(options.range->lo < options.range->hi)) {
    return badInput(fmt::format("The range from {} to {} is empty; its first value must be the smaller one.",
                                options.range->lo, options.range->hi));
  }
  if (!options.camera) return {};
  if (options.camera->eye == options.camera->target) {
    return badInput("The camera's eye and target are the same point; it cannot tell where to look.");
  }
  if (!(options.camera->fov >= 1 && options.camera->fov <= 170)) {
    return badInput(fmt::format("The field of view {} is out of range; it is from 1 to 170 degrees.",
                                options.camera->fov));
  }
  return {};
}

// A cache with everything decided that its pictures have in common.
struct Job {
  std::unique_ptr<CacheSource> source;
  std::vector<int> frames;
  Camera camera;
  TraceSettings settings;
  const Scene* scene = nullptr;       // of the colliders
  Bounds extent;                      // of what the cache holds
  std::optional<float> floor_height;  // that was asked for
};

Status checkFrames(const std::string& cache, const std::vector<int>& wanted,
                   const std::vector<int>& present) {
  for (int frame : wanted)
    if (frame < present.front() || frame > present.back()) {
      return badInput(fmt::format("{}: frame {} is not in the cache, which has the frames {}-{}.", cache,
                                  frame, present.front(), present.back()));
    }
  return {};
}

// All that can be refused is refused here, before the frames are read.
Result<Job> openJob(const std::string& cache, const RenderOptions& options, Size size) {
  if (Status status = checkOptions(options, size); !status) return status;
  auto source = CacheSource::open(cache, options.attribute, options.scene);
  if (!source) return source.status();
  if (Status status = checkFrames(cache, options.frames, (*source)->frames()); !status) return status;
  Job job;
  job.frames = options.frames.empty() ? (*source)->frames() : options.frames;
  job.source = std::move(*source);
  job.settings.width = size.width;
  job.settings.height = size.height;
  job.settings.samples = options.samples;
  job.settings.to_sun = options.to_sun;
  job.settings.threads = options.threads;
  job.scene = options.scene;
  job.floor_height = options.floor_height;
  return job;
}

// The space of the cache and of the colliders, but of no collider that dwarfs it: that is scenery.
Result<Bounds> withColliders(const Job& job) {
  constexpr float kScenery = 4;  // times the size of the cache
  Bounds seen = job.extent;
  if (!job.scene) return seen;
  const std::vector<int>& frames = job.source->frames();
  for (const int frame : {frames.front(), frames.back()}) {
    RenderScene colliders;
    if (Status status = addColliders(*job.scene, frame, job.extent, colliders); !status) return status;
    for (RenderMesh& mesh : colliders.meshes) {
      RenderScene alone;
      alone.meshes.push_back(std::move(mesh));
      const Bounds bounds = boundsOf(alone);
      if (length(bounds.hi - bounds.lo) < kScenery * length(job.extent.hi - job.extent.lo)) seen.add(bounds);
    }
  }
  return seen;
}

// Camera, floor and colour range from all frames.
Status measureJob(const std::string& cache, const RenderOptions& options, Job& job, RenderReport& report) {
  const auto extent = job.source->measure();
  if (!extent) return extent.status();
  report.warnings.insert(report.warnings.end(), extent->warnings.begin(), extent->warnings.end());
  if (extent->bounds.empty()) report.warnings.push_back(cache + ": there is nothing to draw in this cache.");
  job.extent = extent->bounds;
  const auto seen = withColliders(job);
  if (!seen) return seen.status();
  TraceSettings& settings = job.settings;
  job.camera = options.camera ? *options.camera : frameBounds(*seen, settings.width, settings.height);
  settings.floor = floorBelow(*seen);
  settings.floor.shown = options.floor;
  settings.range = options.range ? *options.range : extent->values;
  return {};
}

Result<Image> drawFrame(const Job& job, int frame, bool label) {
  std::size_t lost = 0;
  auto scene = job.source->load(frame, lost);
  if (!scene) return scene.status();
  TraceSettings settings = job.settings;
  if (job.scene) {
    if (Status status = addColliders(*job.scene, frame, job.extent, *scene); !status) return status;
    settings.floor.height = groundHeight(*job.scene, frame).value_or(settings.floor.height);
  }
  if (job.floor_height) settings.floor.height = *job.floor_height;
  auto image = trace(std::move(*scene), job.camera, settings);
  if (image && label) drawFrameNumber(*image, frame);
  return image;
}

Status stoppedAfter(int frame) {
  return {Code::stopped, fmt::format("Stopped on request after frame {}.", frame)};
}

// Draws the frames one after the other and hands each to `use(index, image)`.
template <class Use>
Status drawFrames(const Job& job, bool labels, const RenderProgress& progress, const Use& use) {
  const int total = static_cast<int>(job.frames.size());
  for (int i = 0; i < total; ++i) {
    auto image = drawFrame(job, job.frames[i], labels);
    if (!image) return image.status();
    if (Status status = use(i, *image); !status) return status;
    if (progress && !progress(i + 1, total) && i + 1 < total) return stoppedAfter(job.frames[i]);
  }
  return {};
}

// Runs on the threads asked for, and turns what the libraries throw into a Status.
template <class Work>
Status guarded(int threads, const Work& work) {
  try {
    return onThreads(threads, work);
  } catch (const std::bad_alloc&) {
    return {Code::memory, "The picture does not fit into memory."};
  } catch (const std::exception& error) {
    return {Code::unexpected, fmt::format("Drawing failed: {}.", error.what())};
  }
}

}  // namespace

std::vector<int> spreadFrames(const std::vector<int>& frames, int count) {
  const int last = static_cast<int>(frames.size()) - 1;
  if (count > last) return frames;
  std::vector<int> spread;
  for (int i = 0; i < count; ++i) {
    const double place = count > 1 ? static_cast<double>(i) * last / (count - 1) : last;
    spread.push_back(frames[static_cast<std::size_t>(std::lround(place))]);
  }
  return spread;
}

namespace {

// checkName(number of pictures): before anything is drawn.
Status drawPictures(const std::string& cache, const RenderOptions& options, const RenderProgress& progress,
                    RenderReport& report, const std::function<Status(std::size_t)>& checkName,
                    const TakeImage& take) {
  return guarded(options.threads, [&]() -> Status {
    auto job = openJob(cache, options, sizeOr(options, {960, 540}));
    if (!job) return job.status();
    if (Status named = checkName(job->frames.size()); !named) return named;
    if (Status status = measureJob(cache, options, *job, report); !status) return status;
    return drawFrames(*job, options.labels, progress, [&](int i, Image& image) -> Status {
      if (!options.attribute.empty()) drawColorBar(image, options.attribute, job->settings.range);
      return take(job->frames[i], image);
    });
  });
}

}  // namespace

Status renderImages(const std::string& cache, const RenderOptions& options, const RenderProgress& progress,
                    RenderReport& report, const TakeImage& take) {
  return drawPictures(
      cache, options, progress, report, [](std::size_t) { return Status(); }, take);
}

Status renderCache(const std::string& cache, const RenderOptions& options, const std::string& output,
                   const RenderProgress& progress, RenderReport& report) {
  const auto checkName = [&](std::size_t count) -> Status {
    if (count <= 1 || hasFrameToken(output)) return {};
    return badInput(fmt::format("{}: {} pictures need a frame number in their name, as in name.%04d.png.",
                                output, count));
  };
  return drawPictures(cache, options, progress, report, checkName,
                      [&](int frame, const Image& image) -> Status {
                        const std::string path = expandFrameToken(output, frame);
                        Status status = writePng(image, path);
                        if (status) report.files.push_back(path);
                        return status;
                      });
}

Status renderSheet(const std::string& cache, const RenderOptions& options, const std::string& output,
                   const RenderProgress& progress, RenderReport& report) {
  return guarded(options.threads, [&]() -> Status {
    const Size cell = sizeOr(options, {480, 270});
    auto job = openJob(cache, options, cell);
    if (!job) return job.status();
    if (Status status = measureJob(cache, options, *job, report); !status) return status;
    if (options.frames.empty()) job->frames = spreadFrames(job->frames, options.sheet_frames);
    const int count = static_cast<int>(job->frames.size());
    ContactSheet sheet(count, options.sheet_columns, cell.width, cell.height, options.sheet_title);
    const auto place = [&](int i, Image& image) -> Status {
      if (!options.attribute.empty() && i + 1 == count) {
        drawColorBar(image, options.attribute, job->settings.range);
      }
      sheet.place(i, image);
      return {};
    };
    if (Status status = drawFrames(*job, true, progress, place); !status) return status;
    Status status = writePng(sheet.image(), output);
    if (status) report.files.push_back(output);
    return status;
  });
}

Status renderCompared(const std::vector<ComparedCache>& caches, const RenderOptions& options,
                      const std::string& output, RenderReport& report) {
  return guarded(options.threads, [&]() -> Status {
    const Size cell = sizeOr(options, {480, 270});
    std::vector<Job> jobs;
    Bounds seen;
    for (const ComparedCache& compared : caches) {
      auto job = openJob(compared.cache, options, cell);
      if (!job) return job.status();
      if (Status status = measureJob(compared.cache, options, *job, report); !status) return status;
      const auto space = withColliders(*job);
      if (!space) return space.status();
      seen.add(*space);
      jobs.push_back(std::move(*job));
    }
    ContactSheet sheet(static_cast<int>(jobs.size()), options.sheet_columns, cell.width, cell.height,
                       options.sheet_title);
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      jobs[k].camera = options.camera ? *options.camera : frameBounds(seen, cell.width, cell.height);
      auto image = drawFrame(jobs[k], jobs[k].source->frames().back(), true);
      if (!image) return image.status();
      if (Status status = writePng(*image, caches[k].picture); !status) return status;
      drawTitle(*image, caches[k].title);
      sheet.place(static_cast<int>(k), *image);
    }
    Status status = writePng(sheet.image(), output);
    if (status) report.files.push_back(output);
    return status;
  });
}

}  // namespace repose
