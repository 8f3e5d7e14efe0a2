// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Frame ranges as artists and farms write them: "1001-1240", "1001", "1001-1240x2" or ":2" for every second
// frame, negatives as "-5-5", and lists of all these with commas.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

// The frames named by a range, ascending and each once; bad_input with one sentence when it is none.
Result<std::vector<int>> parseFrameList(const std::string& text);

// The distance between the frames of an evenly spaced list (1 for a single frame), or 0 when it is not even.
int frameStep(const std::vector<int>& frames);

}  // namespace repose
