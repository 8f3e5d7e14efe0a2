// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/pose.h"

namespace repose {

// Where a pose goes with points that move: by the turn and the way that bring `from` nearest to `to`. Points
// that have not moved leave its bits alone.
Pose carried(const Pose& pose, const std::vector<Vec3f>& from, const std::vector<Vec3f>& to);

}  // namespace repose
