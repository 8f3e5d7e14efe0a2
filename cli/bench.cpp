// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "bench/sizes/sizes_bench.h"
#include "commands.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose bench                            every family at one size, about two minutes\n"
    "  repose bench --family grains 300000     one family at one size\n"
    "  repose bench --all --out results        from small to large (half an hour), tables and figures kept\n"
    "\nA time alone says little of a machine that does other work; the shares of its bandwidth, measured in "
    "the same minute, can be compared.\n";

int runBench(const SizesBench& bench) {
  std::error_code error;  // said now, not after minutes of measuring
  if (!bench.out.empty() && !std::filesystem::is_directory(bench.out) &&
      !std::filesystem::create_directories(bench.out, error))
    return fail({Code::io, fmt::format("the folder \"{}\" cannot be made: {}", bench.out, error.message())});
  benchSizes(bench);
  return 0;
}

}  // namespace

void addBench(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("bench", "How fast this machine simulates, beside what its memory can do");
  command->footer(kFooter);
  auto bench = std::make_shared<SizesBench>();
  addSizesOptions(*command, *bench);
  command->add_flag("--all", bench->all, "every size of each family");
  command->callback([bench, &exit_code] { exit_code = runBench(*bench); });
}

}  // namespace repose
