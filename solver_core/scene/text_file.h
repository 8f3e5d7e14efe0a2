// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Whole files in memory.
#pragma once
#include <string>

#include "base/status.h"

namespace repose {

// The sentence of a failure names the file.
Result<std::string> readTextFile(const std::string& path);

}  // namespace repose
