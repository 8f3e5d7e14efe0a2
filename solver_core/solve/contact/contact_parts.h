// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the files of Contacts share.
#pragma once
#include <cstdint>

namespace repose {

inline constexpr int kContactChunk = 1024;  // contacts or movers a task handles
inline int contactChunks(int count) { return (count + kContactChunk - 1) / kContactChunk; }

// Share of the radius by which what coheres may part before it lets go; less than the margin of the search.
inline constexpr float kHoldShare = 0.05f;

// A mover by a name that lasts: a grain by its place after the last step, a point by its number.
// A grain on cloth has another name than the same grain at a collider, so that the names ascend.
inline constexpr std::uint64_t kPatchMark = std::uint64_t{1} << 40, kPointMark = std::uint64_t{1} << 41;

}  // namespace repose
