// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <new>

#include "commands.h"
#include "params/text.h"

namespace repose {
namespace {

constexpr const char* kAbout =
    "Repose: a physics solver for cloth, sand, soft and rigid bodies that writes Alembic caches.";
constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose sim flag.json --frames 1001-1048 --out flag.abc\n"
    "  repose render flag.abc --sheet flag.png\n"
    "  repose COMMAND --help\n"
    "\nExit codes: 0 done, 1 unexpected, 2 wrong use or wrong scene, 3 unstable, 4 disk, 5 memory, 75 "
    "stopped early, 76 taken over by a later run\n";

// What was wrong with the command line; CLI11 has no sentence for a command that does not exist.
std::string wrongUse(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  const bool is_command = std::find(commands.begin(), commands.end(), first) != commands.end();
  if (!first.empty() && first[0] != '-' && !is_command)
    return "there is no command \"" + first + "\"" + didYouMean(first, commands) + "; see repose --help";
  return std::string(error.what()) + "; see repose " + (is_command ? first + " --help" : "--help");
}

int runProgram(int argc, char** argv) {
  int exit_code = 0;
  CLI::App app(kAbout, "repose");
  app.set_version_flag("--version", "repose " REPOSE_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  addSim(app, exit_code);
  addPlan(app, exit_code);
  addInfo(app, exit_code);
  addVerify(app, exit_code);
  addValidate(app, exit_code);
  addRender(app, exit_code);
  addWedge(app, exit_code);
  addCompare(app, exit_code);
  addParams(app, exit_code);
  addDevices(app, exit_code);
  addBench(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& wrong_use) {
    return fail(badInput(wrongUse(app, wrong_use, argc, argv)));
  }
  return exit_code;
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  using repose::Code;
  try {
    return repose::runProgram(argc, argv);
  } catch (const std::bad_alloc&) {
    return repose::fail({Code::memory, "out of memory"});
  } catch (const std::exception& defect) {
    return repose::fail(
        {Code::unexpected, std::string("unexpected failure, please report it: ") + defect.what()});
  }
}
