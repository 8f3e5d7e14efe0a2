// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose validate flag.json\n"
    "  repose validate flag.json --set iterations=40 --set flag.density=0.3\n"
    "\nExit code 0 when the scene is good, 2 when it is not.\n";

struct ValidateOptions {
  std::string scene;
  std::vector<std::string> sets;
};

int runValidate(const ValidateOptions& options) {
  const Result<Scene> scene = readScene(options.scene, options.sets);
  if (!scene) return fail(scene.status());
  fmt::print("{} is a good scene\n", options.scene);
  return 0;
}

}  // namespace

void addValidate(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("validate", "List all errors of a scene, each with its place; run nothing");
  command->footer(kFooter);
  auto options = std::make_shared<ValidateOptions>();
  command->add_option("SCENE", options->scene, "Scene file (.json)")->required()->type_name("");
  command->add_option("--set", options->sets, "Change a parameter: NAME=VALUE or BODY.NAME=VALUE")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->callback([options, &exit_code] { exit_code = runValidate(*options); });
}

}  // namespace repose
