// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/bytes.h"
#include "base/file.h"
#include "base/frame_name.h"
#include "base/hash.h"

namespace repose {
namespace {

constexpr char kMagic[8] = {'R', 'E', 'P', 'O', 'S', 'E', 'C', 'P'};
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kMostSections = 1000;
constexpr std::string_view kPrefix = "frame.", kSuffix = ".checkpoint";

struct SectionHead {
  char name[16] = {};
  std::uint64_t length = 0, checksum = 0;
};

// Four sums side by side over blocks, so that none waits for the other: as fast as memory.
std::uint64_t checksum(std::string_view bytes) {
  constexpr std::size_t kLanes = 4;
  std::uint64_t lanes[kLanes] = {1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + sizeof lanes <= bytes.size(); at += sizeof lanes) {
    std::uint64_t words[kLanes];
    std::memcpy(words, bytes.data() + at, sizeof words);
    for (std::size_t k = 0; k < kLanes; ++k) {
      const std::uint64_t sum = (lanes[k] ^ words[k]) * 0x9e3779b97f4a7c15ull;
      lanes[k] = sum ^ sum >> 29;
    }
  }
  Hasher hasher;
  hasher.add(lanes, sizeof lanes);
  hasher.add(bytes.data() + at, bytes.size() - at);
  return hasher.value();
}

// Files NAME.tmp.<pid> in a folder whose NAME is wanted.
template <class Wanted>
void removeAside(const std::string& folder, const Wanted& wanted) {
  std::vector<std::filesystem::path> left;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    const std::size_t end = name.rfind(".tmp.");
    if (end != std::string::npos && wanted(name.substr(0, end))) left.push_back(entry.path());
  }
  for (const std::filesystem::path& path : left) std::filesystem::remove(path, none);
}

}  // namespace

Status writeCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
  std::string head;
  ByteWriter bytes(head);
  bytes(kMagic)(kVersion)(static_cast<std::uint32_t>(checkpoint.sections.size()))(checkpoint.frame);
  std::vector<std::string_view> pieces(1);
  for (const CheckpointSection& section : checkpoint.sections) {
    SectionHead about;
    section.name.copy(about.name, sizeof about.name - 1);
    about.length = section.bytes.size();
    about.checksum = checksum(section.bytes);
    bytes(about);
    pieces.push_back(section.bytes);
  }
  bytes(checksum(head));
  pieces[0] = head;
  return replaceFile(path, pieces);
}

Result<Checkpoint> readCheckpoint(const std::string& path) {
  Result<std::string> file = readWholeFile(path);
  if (!file) return file.status();
  const auto bad = [&](const std::string& why) {
    return ioError(fmt::format("the checkpoint \"{}\" cannot be used: {}", path, why));
  };
  const std::string_view all = *file;
  ByteReader bytes(all);
  char magic[8];
  std::uint32_t version = 0, count = 0;
  Checkpoint checkpoint;
  bytes(magic)(version)(count)(checkpoint.frame);
  if (!bytes.good() || !std::equal(magic, magic + 8, kMagic)) return bad("it is not a checkpoint");
  if (version != kVersion)
    return bad(fmt::format("it is of version {}, and this program reads version {}", version, kVersion));
  if (count > kMostSections) return bad("its head is damaged");
  std::vector<SectionHead> heads(count);
  for (SectionHead& head : heads) bytes(head);
  const std::size_t head_bytes = sizeof kMagic + 8 + 8 + count * sizeof(SectionHead);
  std::uint64_t sum = 0;
  bytes(sum);
  if (!bytes.good()) return bad("it is short");
  if (sum != checksum(all.substr(0, head_bytes))) return bad("its head is damaged");
  std::size_t at = head_bytes + sizeof sum;
  for (const SectionHead& head : heads) {
    const std::string name(head.name, std::find(head.name, head.name + sizeof head.name, '\0'));
    if (head.length > all.size() - at) return bad(fmt::format("its section '{}' is short", name));
    const std::string_view section = all.substr(at, head.length);
    if (checksum(section) != head.checksum) return bad(fmt::format("its section '{}' is damaged", name));
    checkpoint.sections.push_back({name, std::string(section)});
    at += head.length;
  }
  if (at != all.size()) return bad("it has bytes behind its end");
  return checkpoint;
}

std::string checkpointPath(const std::string& folder, std::int64_t frame) {
  return (std::filesystem::path(folder) / fmt::format("{}{}{}", kPrefix, frame, kSuffix)).string();
}

std::vector<std::int64_t> checkpointsIn(const std::string& folder) {
  std::vector<std::int64_t> frames;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= kPrefix.size() + kSuffix.size() || name.compare(0, kPrefix.size(), kPrefix) != 0 ||
        name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) != 0)
      continue;
    const char* first = name.data() + kPrefix.size();
    const char* last = name.data() + name.size() - kSuffix.size();
    std::int64_t frame = 0;
    if (const auto parsed = std::from_chars(first, last, frame); parsed.ptr == last) frames.push_back(frame);
  }
  std::sort(frames.begin(), frames.end(), std::greater<>());
  return frames;
}

void removeOldCheckpoints(const std::string& folder, std::size_t keep) {
  const std::vector<std::int64_t> frames = checkpointsIn(folder);
  std::error_code none;
  for (std::size_t k = keep; k < frames.size(); ++k)
    std::filesystem::remove(checkpointPath(folder, frames[k]), none);
}

void removeCheckpointsBehind(const std::string& folder, std::int64_t frame) {
  std::error_code none;
  for (const std::int64_t later : checkpointsIn(folder))
    if (later > frame) std::filesystem::remove(checkpointPath(folder, later), none);
}

void removeUnfinished(const std::string& folder) {
  removeAside(folder, [](const std::string&) { return true; });
}

void removeUnfinishedOutput(const std::string& path) {
  const std::filesystem::path output(path);
  const std::string name = output.filename().string(), folder = output.parent_path().string();
  removeAside(folder.empty() ? "." : folder, [&](const std::string& of) { return isOfPattern(of, name); });
}

}  // namespace repose
