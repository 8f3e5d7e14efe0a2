// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "commands.h"
#include "compare_page.h"
#include "frames.h"
#include "params/text.h"
#include "render/render_cache.h"
#include "wedge_list.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose compare sand_wedges\n"
    "  repose compare sand_wedges --pictures 3 --frames 1001-1012     (the preview of one wedge, for a "
    "farm)\n"
    "\nWrites sheet.png and index.html into the folder of the wedges. The page needs no network.\n";

struct CompareOptions {
  std::string folder, frames;
  int pictures = -1;
};

fs::path folderOf(const std::string& folder, int index) {
  return expandWedge((fs::path(folder) / (std::string("wedge_") + kWedgeToken)).string(), index);
}

// The cache in the folder of a wedge; empty: none yet.
std::string cacheIn(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / (name + ".abc");
  std::error_code none;
  return fs::exists(path, none) ? path.string() : "";
}

std::vector<ComparedRun> readRuns(const std::string& folder, const WedgeList& wedges) {
  std::vector<ComparedRun> runs;
  for (std::size_t k = 0; k < wedges.runs.size(); ++k) {
    const fs::path own = folderOf(folder, static_cast<int>(k));
    ComparedRun run;
    run.title = joinText(wedges.runs[k], "  ");
    run.outcome = "not run";
    if (const fs::path log = own / "log.json"; fs::exists(log)) {
      run.outcome = "in work";
      if (Status read = readLog(log.string(), run); !read) run.message = read.message();
    }
    run.cache = cacheIn(own, fs::path(wedges.scene).stem().string());
    runs.push_back(std::move(run));
  }
  return runs;
}

// The frames of a chunk, each as a picture.
Status drawPreview(const std::string& folder, const WedgeList& wedges, int index, const std::string& range,
                   const Scene& scene) {
  const int count = static_cast<int>(wedges.runs.size());
  if (index >= count)
    return badInput(
        fmt::format("there is no wedge {} in \"{}\", which has 0 to {}", index, folder, count - 1));
  const fs::path own = folderOf(folder, index);
  const std::string name = fs::path(wedges.scene).stem().string(), cache = cacheIn(own, name);
  if (cache.empty()) return badInput(fmt::format("wedge {} has no cache yet in \"{}\"", index, own.string()));
  RenderOptions render;
  render.scene = &scene;
  render.width = 480;
  if (!range.empty()) {
    Result<std::vector<int>> frames = parseFrameList(range);
    if (!frames) return frames.status();
    render.frames = std::move(*frames);
  }
  std::error_code error;
  fs::create_directories(own / "pictures", error);
  RenderReport report;
  return renderCache(cache, render, (own / "pictures" / (name + ".%04d.png")).string(), {}, report);
}

int runCompare(const CompareOptions& options) {
  if (options.pictures < 0) {
    const Status compared = compareWedges(options.folder);
    return compared ? 0 : fail(compared);
  }
  const Result<WedgeList> wedges = readWedges((fs::path(options.folder) / "wedges.json").string());
  if (!wedges) return fail(wedges.status());
  const Result<Scene> scene = readScene(wedges->scene, {});
  if (!scene) return fail(scene.status());
  const Status drawn = drawPreview(options.folder, *wedges, options.pictures, options.frames, *scene);
  return drawn ? 0 : fail(drawn);
}

}  // namespace

Status compareWedges(const std::string& folder) {
  const Result<WedgeList> wedges = readWedges((fs::path(folder) / "wedges.json").string());
  if (!wedges) return wedges.status();
  const Result<Scene> scene = readScene(wedges->scene, {});
  if (!scene) return scene.status();
  std::vector<ComparedRun> runs = readRuns(folder, *wedges);

  std::vector<ComparedCache> caches;
  for (std::size_t k = 0; k < runs.size(); ++k)
    if (!runs[k].cache.empty())
      caches.push_back({runs[k].cache, fmt::format("{:03}  {}", k, runs[k].title),
                        (folderOf(folder, static_cast<int>(k)) / "picture.png").string()});
  RenderOptions render;
  render.scene = &*scene;
  RenderReport report;
  if (!caches.empty())
    if (Status drawn = renderCompared(caches, render, (fs::path(folder) / "sheet.png").string(), report);
        !drawn)
      return drawn;
  for (const std::string& warning : report.warnings) fmt::print(stderr, "repose: warning: {}\n", warning);
  std::size_t next = 0;
  for (ComparedRun& run : runs) {
    if (run.cache.empty()) continue;
    Result<std::string> picture = readWholeFile(caches[next++].picture);
    if (picture) run.picture = std::move(*picture);
  }
  const std::string page = (fs::path(folder) / "index.html").string();
  const std::string title =
      fmt::format("{}: {} wedges", fs::path(wedges->scene).filename().string(), runs.size());
  if (Status written = replaceFile(page, {comparePage(title, runs)}); !written) return written;
  for (const std::string& file : report.files) fmt::print("wrote {}\n", file);
  fmt::print("wrote {}\n", page);
  return {};
}

void addCompare(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("compare", "Draw a sheet and a page that compare the runs of a wedge");
  command->footer(kFooter);
  auto options = std::make_shared<CompareOptions>();
  command->add_option("DIR", options->folder, "Folder of the wedges")->required()->type_name("");
  command->add_option("--pictures", options->pictures, "Instead draw the frames of this wedge")
      ->type_name("INDEX")
      ->check(CLI::Range(0, 1000000).description(""));
  command->add_option("--frames", options->frames, "Frames to draw; else all")->type_name("RANGE");
  command->callback([options, &exit_code] { exit_code = runCompare(*options); });
}

}  // namespace repose
