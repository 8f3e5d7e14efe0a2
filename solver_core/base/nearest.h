// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the valid name nearest to a wrong one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace repose {

// The candidate with the fewest edits from `wrong` (the first of equals), or "" when none is near enough to
// be a plausible slip of the hand.
std::string nearestName(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace repose
