// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cache/abc_verify.h"
#include "commands.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose verify flag.abc\n"
    "  repose verify flag.abc && publish flag.abc\n"
    "\nReads every sample and checks its key. Exit code 0 when the cache is complete, 1 when it is not.\n";

int runVerify(const std::string& path) {
  const AbcReport report = verifyAlembic(path);
  if (!report.ok) return fail({Code::unexpected, report.problem});
  fmt::print("{}: complete, {} objects, {} frames, {} bytes of which {} are dead\n", path, report.objects,
             report.frames, report.bytes, report.dead_bytes);
  return 0;
}

}  // namespace

void addVerify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "Say whether a cache is complete, short or corrupt");
  command->footer(kFooter);
  auto path = std::make_shared<std::string>();
  command->add_option("PATH", *path, "Cache (.abc)")->required()->type_name("");
  command->callback([path, &exit_code] { exit_code = runVerify(*path); });
}

}  // namespace repose
