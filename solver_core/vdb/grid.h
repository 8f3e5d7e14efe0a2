// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a LevelSet is made of; for the files of this folder alone.
#pragma once
#include <openvdb/openvdb.h>

#include "vdb/level_set.h"

namespace repose {

struct LevelSet::Grid {
  openvdb::FloatGrid::Ptr grid;
};

}  // namespace repose
