// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "params/params.h"

#include <cstdio>

#include "commands.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose params\n"
    "  repose params --json | jq '.[].name'\n"
    "  repose params --markdown > docs/params.md\n";

}  // namespace

void addParams(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("params", "Print the table of all parameters");
  command->footer(kFooter);
  using Writer = std::string (*)();
  auto writer = std::make_shared<Writer>(paramsText);
  const auto addFormat = [&](const char* name, const char* help, Writer format) {
    return command->add_flag_callback(
        name, [writer, format] { *writer = format; }, help);
  };
  CLI::Option* json = addFormat("--json", "For programs", paramsJson);
  CLI::Option* markdown = addFormat("--markdown", "As in docs/params.md", paramsMarkdown);
  CLI::Option* dialog = addFormat("--dialog-script", "For Houdini", paramsDialogScript);
  json->excludes(markdown)->excludes(dialog);
  markdown->excludes(dialog);
  command->callback([writer, &exit_code] {
    const std::string text = (*writer)();
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    exit_code = written ? 0 : fail(ioError("the parameter table could not be written to standard output"));
  });
}

}  // namespace repose
