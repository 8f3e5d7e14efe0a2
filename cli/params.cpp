// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "params/params.h"

#include <cstdio>

#include "commands.h"
#include "params/presets.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose params\n"
    "  repose params --json | jq '.[].name'\n"
    "  repose params --markdown > docs/params.md\n"
    "  repose params --presets\n";

using Writer = std::string (*)();

// How the tables of parameters and of presets are written.
struct Format {
  Writer params = paramsText, presets = presetsText;
};

}  // namespace

void addParams(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("params", "Print the table of all parameters");
  command->footer(kFooter);
  auto format = std::make_shared<Format>();
  auto presets = std::make_shared<bool>(false);
  const auto addFormat = [&](const char* name, const char* help, Format chosen) {
    return command->add_flag_callback(
        name, [format, chosen] { *format = chosen; }, help);
  };
  CLI::Option* json = addFormat("--json", "For programs", {paramsJson, presetsJson});
  CLI::Option* markdown = addFormat("--markdown", "As in docs/", {paramsMarkdown, presetsMarkdown});
  CLI::Option* dialog = addFormat("--dialog-script", "For Houdini", {paramsDialogScript, nullptr});
  CLI::Option* fabrics = command->add_flag("--presets", *presets, "The fabrics that a preset names instead");
  json->excludes(markdown)->excludes(dialog);
  markdown->excludes(dialog);
  fabrics->excludes(dialog);
  command->callback([format, presets, &exit_code] {
    const std::string text = *presets ? format->presets() : format->params();
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    exit_code = written ? 0 : fail(ioError("the parameter table could not be written to standard output"));
  });
}

}  // namespace repose
