// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the files of Contacts share.
#pragma once
#include <algorithm>
#include <cstdint>

#include "solve/contact/contacts.h"

namespace repose {

inline constexpr int kContactChunk = 1024;  // contacts or movers a task handles
inline int contactChunks(int count) { return (count + kContactChunk - 1) / kContactChunk; }

// Share of the radius by which what coheres may part before it lets go; less than the margin of the search.
inline constexpr float kHoldShare = 0.05f;

// A mover by a name that lasts: a grain by its place after the last step, a point by its number.
// A grain on cloth has another name than the same grain at a collider, so that the names ascend.
inline constexpr std::uint64_t kPatchMark = std::uint64_t{1} << 40, kPointMark = std::uint64_t{1} << 41;

template <class Visit>
void Contacts::findNear(const StepParams& params, bool sleepers, Backend& backend, const Visit& visit) {
  const int count = movers.first_point + movers.points, chunks = contactChunks(count);
  if (static_cast<int>(chunk_found_.size()) < chunks) chunk_found_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    std::vector<Found>& list = chunk_found_[chunk];
    list.clear();
    const int end = std::min(count, (chunk + 1) * kContactChunk);
    for (int first = chunk * kContactChunk; first < end; first += 16) {
      const Neighbours near = neighboursAt(first, params, sleepers);
      if (!near.box.empty()) visit(near, first, list);
    }
  });
  for (int chunk = 0; chunk < chunks; ++chunk)
    for (const Found& found : chunk_found_[chunk])
      (found.mover[0] < movers.grains && found.rigid < 0 ? found_ : patch_found_).push_back(found);
}

}  // namespace repose
