// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/scene_hash.h"

#include <cstring>

#include "base/hash.h"

namespace repose::nodes {

namespace {

// Many values in four rows at once, for each step of a hash waits for the one before.
template <class T>
void addAll(const std::vector<T>& values, Hasher& hash) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ull;
  std::uint64_t rows[] = {1, 2, 3, 4}, words[4];
  const auto* at = reinterpret_cast<const char*>(values.data());
  const std::uint64_t bytes = values.size() * sizeof(T);
  std::uint64_t left = bytes;
  for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
    std::memcpy(words, at, sizeof words);
    for (int k = 0; k < 4; ++k) {
      rows[k] = (rows[k] ^ words[k]) * kOdd;
      rows[k] ^= rows[k] >> 32;
    }
  }
  hash.add(rows, sizeof rows);
  hash.add(at, left);
  hash.add(&bytes, sizeof bytes);
}

}  // namespace

std::uint64_t hashScene(const std::string& text, const Assembly& assembly) {
  Hasher hash;
  hash.add(text.data(), text.size());
  for (const auto* parts : {&assembly.bodies, &assembly.colliders})
    for (const Part& part : *parts) {
      if (part.kind != "collider" || !part.moves) addAll(part.mesh.points, hash);
      addAll(part.mesh.face_counts, hash);
      addAll(part.mesh.face_indices, hash);
      for (const Attribute& a : part.mesh.attributes)
        if (a.name != "v") addAll(a.floats, hash);
    }
  return hash.value();
}

}  // namespace repose::nodes
