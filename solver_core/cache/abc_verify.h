// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Is an Alembic archive whole, and what is in it: for `repose verify` and `repose info`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cache/abc_reader.h"

namespace repose {

struct AbcReport {
  bool ok = false;
  std::string problem;  // one sentence, if not ok
  int objects = 0;
  int frames = 0;
  double first_frame = 0, last_frame = 0;
  std::uint64_t bytes = 0;
  std::uint64_t dead_bytes = 0;  // not reachable from the root: old indices and reserved space
};

// Reads every sample of every property, computes its key again, and decodes every sample of every shape.
AbcReport verifyAlembic(const std::string& path);

struct AbcObjectSummary {
  std::string path;
  AbcKind kind = AbcKind::other;
  int depth = 0;
  int samples = 0;
  std::uint64_t points = 0, faces = 0;  // of the first sample; curves count as faces
  std::uint64_t last_points = 0;        // of the last sample
  bool constant_topology = true, moves = false;
  std::vector<std::string> attributes;
};

struct AbcSummary {
  AbcInfo info;
  std::uint64_t bytes = 0;
  Bounds bounds;  // world, of the first and last sample of every shape
  std::vector<AbcObjectSummary> objects;
};

Result<AbcSummary> summarize(const AbcReader& reader);
std::string toText(const AbcSummary& summary, const std::string& name);
std::string toJson(const AbcSummary& summary, const std::string& name);

}  // namespace repose
