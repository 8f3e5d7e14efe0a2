// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The subcommands of `repose`, one a file, and what they share.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "scene/scene.h"

namespace repose {

// Each adds its subcommand; chosen, it leaves the exit code of the program in `exit_code`.
void addSim(CLI::App& app, int& exit_code);
void addPlan(CLI::App& app, int& exit_code);
void addInfo(CLI::App& app, int& exit_code);
void addVerify(CLI::App& app, int& exit_code);
void addValidate(CLI::App& app, int& exit_code);
void addRender(CLI::App& app, int& exit_code);
void addWedge(CLI::App& app, int& exit_code);
void addCompare(CLI::App& app, int& exit_code);
void addParams(CLI::App& app, int& exit_code);
void addDevices(CLI::App& app, int& exit_code);
void addBench(CLI::App& app, int& exit_code);

// The one way to fail: the sentence on standard error after "repose: ", and the exit code of design
// section 6.
int fail(const Status& status);

// The file of this program, which other processes of it are started from.
std::string programPath();

// Reads a scene and prints its errors and warnings, each as one line on standard error.
Result<Scene> readScene(const std::string& path, const std::vector<std::string>& sets,
                        const std::vector<std::string>& roots = {});

// True when the name ends like this, in any mix of small and capital letters.
bool hasExtension(const std::string& path, const std::string& extension);

}  // namespace repose
