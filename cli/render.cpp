// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "frames.h"
#include "params/text.h"
#include "render/render_cache.h"
#include "stop.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose render flag.abc --sheet flag.png --color speed\n"
    "  repose render flag.abc --out flag.%04d.png --frames 1001-1048x2 --size 1280x720\n"
    "  repose render flag.abc --sheet flag.png --color strain --range 0,0.05 --camera 4,2,6,0,1,0,35\n"
    "  repose render pile.abc --scene pile.json --sheet pile.png\n"
    "\n%04d, ####, $F4 and <F4> in --out all stand for the frame number with four digits.\n";

struct CommandOptions {
  std::string cache, scene, out, sheet, frames, size, range, camera;
  bool no_floor = false;
  RenderOptions render;
};

// "a,b,c" as numbers, as many as `count` says.
Result<std::vector<float>> parseNumbers(const char* option, const std::string& text, char separator,
                                        std::initializer_list<std::size_t> counts, const char* form) {
  std::vector<float> numbers;
  bool good = true;
  for (const std::string& part : splitText(text, separator)) {
    const std::optional<float> number = parseNumber<float>(part);
    good = good && number.has_value();
    numbers.push_back(number.value_or(0));
  }
  good = good && std::find(counts.begin(), counts.end(), numbers.size()) != counts.end();
  if (!good) return badInput(fmt::format("{} \"{}\" is not understood; write it as {}", option, text, form));
  return numbers;
}

Status applySize(const std::string& text, RenderOptions& render) {
  const auto numbers = parseNumbers("--size", text, 'x', {2}, "WIDTHxHEIGHT, e.g. 960x540");
  if (!numbers) return numbers.status();
  for (const float number : *numbers)
    if (number < 16 || number > 16384 || number != static_cast<int>(number))
      return badInput(fmt::format("--size \"{}\" must have whole numbers from 16 to 16384", text));
  render.width = static_cast<int>((*numbers)[0]);
  render.height = static_cast<int>((*numbers)[1]);
  return {};
}

Status applyRange(const std::string& text, RenderOptions& render) {
  const auto numbers = parseNumbers("--range", text, ',', {2}, "LEAST,GREATEST, e.g. 0,0.05");
  if (!numbers) return numbers.status();
  if ((*numbers)[0] >= (*numbers)[1])
    return badInput(fmt::format("--range \"{}\" must have the smaller number first", text));
  render.range = ValueRange{(*numbers)[0], (*numbers)[1]};
  return {};
}

Status applyCamera(const std::string& text, RenderOptions& render) {
  const auto numbers = parseNumbers("--camera", text, ',', {6, 7},
                                    "eye and target and, if wanted, the angle of "
                                    "view in degrees: EX,EY,EZ,TX,TY,TZ[,FOV]");
  if (!numbers) return numbers.status();
  const std::vector<float>& n = *numbers;
  Camera camera;
  camera.eye = {n[0], n[1], n[2]};
  camera.target = {n[3], n[4], n[5]};
  if (camera.eye == camera.target)
    return badInput(fmt::format("--camera \"{}\" has the eye at the target; they must differ", text));
  if (n.size() > 6) camera.fov = n[6];
  if (!(camera.fov >= 1 && camera.fov <= 170))
    return badInput(fmt::format(
        "--camera \"{}\" has an angle of view of {} degrees; it must be from 1 to 170", text, camera.fov));
  render.camera = camera;
  return {};
}

Status applyFrames(const std::string& text, RenderOptions& render) {
  Result<std::vector<int>> frames = parseFrameList(text);
  if (!frames) return frames.status();
  render.frames = std::move(*frames);
  return {};
}

Status applyTexts(const CommandOptions& options, RenderOptions& render) {
  using Apply = Status (*)(const std::string&, RenderOptions&);
  const std::pair<const std::string&, Apply> texts[] = {{options.frames, applyFrames},
                                                        {options.size, applySize},
                                                        {options.range, applyRange},
                                                        {options.camera, applyCamera}};
  for (const auto& [text, apply] : texts)
    if (!text.empty())
      if (Status applied = apply(text, render); !applied) return applied;
  return {};
}

// A count in place on a terminal, a farm's line elsewhere.
void showProgress(int done, int total) {
  if (isatty(STDOUT_FILENO))
    fmt::print("\rpicture {} of {}{}", done, total, done == total ? "\n" : "");
  else
    fmt::print("ALF_PROGRESS {}%\n", 100 * done / total);
  std::fflush(stdout);
}

int runRender(const CommandOptions& options) {
  if (options.out.empty() == options.sheet.empty())
    return fail(badInput("render needs either --out for pictures or --sheet for one contact sheet"));
  RenderOptions render = options.render;
  render.floor = !options.no_floor;
  if (Status applied = applyTexts(options, render); !applied) return fail(applied);

  std::optional<Scene> scene;
  if (!options.scene.empty()) {
    Result<Scene> read = readScene(options.scene, {});
    if (!read) return fail(read.status());
    scene = std::move(*read);
    render.scene = &*scene;
  }

  const std::atomic<bool>& stop = catchStopSignals();
  const auto progress = [&stop](int done, int total) {
    showProgress(done, total);
    return !stop.load();
  };
  RenderReport report;
  const bool sheet = !options.sheet.empty();
  const Status drawn = (sheet ? renderSheet : renderCache)(
      options.cache, render, sheet ? options.sheet : options.out, progress, report);
  for (const std::string& warning : report.warnings) fmt::print(stderr, "repose: warning: {}\n", warning);
  if (!drawn) return fail(drawn);
  for (const std::string& file : report.files) fmt::print("wrote {}\n", file);
  return 0;
}

void addPictureOptions(CLI::App& command, CommandOptions& options) {
  command.add_option("--size", options.size, "Of one picture; else 960x540, on a sheet 480x270")
      ->type_name("WxH");
  command
      .add_option("--color", options.render.attribute,
                  "speed, strain, stress or any point attribute; else by object")
      ->type_name("NAME");
  command
      .add_option("--range", options.range, "Values of the first and last colour; else those of the cache")
      ->type_name("A,B");
  command
      .add_option("--camera", options.camera, "Eye, target, angle of view; else the whole motion is in view")
      ->type_name("EX,EY,EZ,TX,TY,TZ[,FOV]");
  command.add_option("--samples", options.render.samples, "Most rays a pixel")
      ->type_name("N")
      ->check(CLI::Range(1, 65536).description(""));
  command.add_flag("--no-floor", options.no_floor, "Without the ground");
  command.add_flag("--labels", options.render.labels, "The frame number on each picture");
}

}  // namespace

void addRender(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("render", "Draw PNG pictures of a cache, or one contact sheet");
  command->footer(kFooter);
  auto options = std::make_shared<CommandOptions>();
  command->add_option("FILE", options->cache, "Cache (.abc)")->required()->type_name("");
  command
      ->add_option("--scene", options->scene,
                   "Scene (.json) of the cache: its colliders and shapes are drawn too")
      ->type_name("SCENE.json");
  command->add_option("--out", options->out, "Pictures to write, e.g. flag.%04d.png")->type_name("PATTERN");
  command->add_option("--sheet", options->sheet, "Contact sheet to write")->type_name("FILE.png");
  command
      ->add_option("--frames", options->frames,
                   "Frames to draw, e.g. 1001-1048x4; else all, or a choice for a sheet")
      ->type_name("RANGE");
  command->add_option("--sheet-frames", options->render.sheet_frames, "Pictures of a sheet without --frames")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command->add_option("--columns", options->render.sheet_columns, "Columns of a sheet")
      ->type_name("N")
      ->check(CLI::Range(1, 100).description(""));
  command->add_option("--title", options->render.sheet_title, "Title of a sheet")->type_name("TEXT");
  command->add_option("--threads", options->render.threads, "Threads; else all cores")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  addPictureOptions(*command, *options);
  command->callback([options, &exit_code] { exit_code = runRender(*options); });
}

}  // namespace repose
