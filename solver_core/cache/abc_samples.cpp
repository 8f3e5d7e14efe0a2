// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Samples of properties in an archive being read (alembic.md 3.8, and 7 point 7).
#include <algorithm>

#include "cache/abc_archive.h"
#include "cache/abc_hash.h"

namespace repose {
namespace {

constexpr std::uint64_t kMaxRank = 8;

// The product of the dimensions; false if it does not fit.
bool product(const std::vector<std::uint64_t>& dimensions, std::uint64_t& result) {
  result = 1;
  for (const std::uint64_t d : dimensions)
    if (__builtin_mul_overflow(result, d, &result)) return false;
  return true;
}

}  // namespace

Status AbcArchive::locate(const AbcProperty& p, std::uint32_t stored, AbcSample& sample) const {
  const auto wrong = [&p](const std::string& what) {
    return badInput("the property '" + p.name + "' " + what);
  };
  sample = {};
  if (p.compound || stored >= p.storedSamples()) return wrong("has no such sample");
  OgawaData value;
  if (Status s = file_->childData(p.group, p.scalar ? stored : 2 * std::uint64_t{stored}, value); !s.ok())
    return wrong("is damaged: " + s.message());
  if (value.bytes > 0) {
    if (value.bytes < sizeof sample.key.word) return wrong("has a sample without a key");
    if (Status s = file_->readAt(value.offset, sample.key.word, sizeof sample.key.word); !s.ok()) return s;
    sample.payload = {value.offset + sizeof sample.key.word, value.bytes - sizeof sample.key.word};
  }
  const bool text = p.pod == Pod::string || p.pod == Pod::wide_string;
  const std::uint64_t element = podBytes(p.pod) * static_cast<std::uint64_t>(p.extent);
  if (!text && sample.payload.bytes % element != 0) return wrong("has a sample of a wrong size");
  sample.elements = text ? 1 : sample.payload.bytes / element;
  if (p.scalar) return sample.elements == 1 ? Status() : wrong("has a sample of a wrong size");

  OgawaData block;
  if (Status s = file_->childData(p.group, 2 * std::uint64_t{stored} + 1, block); !s.ok())
    return wrong("is damaged: " + s.message());
  if (block.bytes % sizeof(std::uint64_t) != 0 || block.bytes > kMaxRank * sizeof(std::uint64_t))
    return wrong("has wrong dimensions");
  std::vector<std::uint64_t> dimensions(block.bytes / sizeof(std::uint64_t));
  if (Status s = file_->readAt(block.offset, dimensions.data(), block.bytes); !s.ok()) return s;
  std::uint64_t elements = 0;
  if (!product(dimensions, elements)) return wrong("has wrong dimensions");
  if (text) {
    // Each string has its NUL, so there are never more strings than bytes.
    if (dimensions.empty() || elements > sample.payload.bytes / static_cast<std::uint64_t>(p.extent))
      return wrong("has wrong dimensions");
    sample.elements = elements;
  } else if (!dimensions.empty() && elements != sample.elements) {
    return wrong("has other dimensions than values");
  }
  return {};
}

Status AbcArchive::read(const AbcProperty& property, const AbcSample& sample, void* payload) const {
  if (Status s = file_->readAt(sample.payload.offset, payload, sample.payload.bytes); !s.ok()) return s;
  // Some writers leave keys out, and that of a wide string covers only a part of it (alembic.md 3.7); any
  // other tells a flipped bit from a strange value.
  const bool keyed = sample.key != Digest{} && property.pod != Pod::wide_string;
  if (keyed && murmur3(payload, sample.payload.bytes) != sample.key)
    return badInput("the property '" + property.name + "' has a damaged sample");
  return {};
}

Status AbcArchive::readStrings(const AbcProperty& p, const AbcSample& sample,
                               std::vector<std::string>& strings) const {
  std::string bytes(sample.payload.bytes, '\0');
  if (Status s = read(p, sample, bytes.data()); !s.ok()) return s;
  const auto count = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\0'));
  if (count != sample.elements * static_cast<std::uint64_t>(p.extent) ||
      (!bytes.empty() && bytes.back() != '\0'))
    return badInput("the property '" + p.name + "' has another number of strings than it says");
  strings.clear();
  for (std::size_t begin = 0; begin < bytes.size(); begin += strings.back().size() + 1)
    strings.emplace_back(bytes.c_str() + begin);
  return {};
}

}  // namespace repose
