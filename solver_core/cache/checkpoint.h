// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A file from which a run goes on: named sections of bytes, each with its length and checksum. It appears
// complete or not at all.
//
//   "REPOSECP", version u32, sections u32, frame i64
//   of each section: name 16 bytes, length u64, checksum u64
//   checksum u64 of all above
//   the sections' bytes
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

struct CheckpointSection {
  std::string name;  // at most 15 characters
  std::string bytes;
};

struct Checkpoint {
  std::int64_t frame = 0;
  std::vector<CheckpointSection> sections;

  const std::string* find(const std::string& name) const {
    for (const CheckpointSection& section : sections)
      if (section.name == name) return &section.bytes;
    return nullptr;
  }
};

// Written to PATH.tmp.<pid>, synced, renamed, and its folder synced.
Status writeCheckpoint(const std::string& path, const Checkpoint& checkpoint);
// Fails with io, and a sentence, on a file that is short, changed or of another version.
Result<Checkpoint> readCheckpoint(const std::string& path);

// A folder of them, FOLDER/frame.<frame>.checkpoint.
std::string checkpointPath(const std::string& folder, std::int64_t frame);
std::vector<std::int64_t> checkpointsIn(const std::string& folder);  // frames, newest first
void removeOldCheckpoints(const std::string& folder, std::size_t keep);
void removeCheckpointsBehind(const std::string& folder, std::int64_t frame);
// What killed runs were writing: into such a folder, or as an output, whose name may have a frame token.
void removeUnfinished(const std::string& folder);
void removeUnfinishedOutput(const std::string& path);

}  // namespace repose
