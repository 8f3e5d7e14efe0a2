// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Objects and properties of an archive being written, and the index blocks they become (alembic.md 3). A
// commit writes anew only the headers and groups on the way from what changed to the root.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "cache/abc_hash.h"
#include "cache/abc_types.h"
#include "cache/ogawa_writer.h"

namespace repose {

struct TimeSampling {
  double time_per_cycle = 1;
  double start = 0;
  std::uint32_t max_samples = 0;
};

enum class PropertyType { compound, scalar, array };

struct PropertyNode {
  std::string name, metadata;
  PropertyType type = PropertyType::compound;
  Pod pod = Pod::f32;
  int extent = 1;
  int time_sampling = 0;
  bool shared = true;  // look in the archive's map for an equal block; a waste for what differs every time

  // Compounds.
  std::vector<std::unique_ptr<PropertyNode>> children;

  // Samples: alembic.md 3.8.
  std::uint32_t samples = 0, first_changed = 0, last_changed = 0;
  bool single_elements = true;
  std::uint64_t value_word = 0, dimensions_word = kOgawaEmptyData;  // of the last sample
  std::uint64_t payload_bytes = 0;
  Digest key, digest, accumulated;
  GrowingGroup group;

  // As of the last write.
  bool dirty = true;
  std::uint64_t word = 0, headers_word = 0;
  std::string headers;
  Digest hash;

  PropertyNode* add(std::string child_name, PropertyType child_type, Pod child_pod = Pod::f32,
                    int child_extent = 1, int child_sampling = 0, std::string child_metadata = "");
};

// Of a payload.
std::uint64_t elementsIn(const PropertyNode& property, const void* payload, std::size_t bytes);

struct ObjectNode {
  std::string name, metadata;
  PropertyNode top;
  std::vector<std::unique_ptr<ObjectNode>> children;

  // As of the last write.
  std::uint64_t word = 0;
  Digest hash;

  ObjectNode* add(std::string child_name, std::string child_metadata);
};

class AbcTree {
 public:
  AbcTree(OgawaWriter& file, const std::string& archive_metadata, std::vector<TimeSampling> samplings,
          std::uint64_t expected_samples);

  ObjectNode& root() { return root_; }

  // The next sample of a property; a big payload must stay until write(). Strings end with a NUL each.
  void addSample(PropertyNode& property, const Digest& key, const void* payload, std::size_t bytes);
  // The same for payloads that are not kept elsewhere: this one is, until write().
  void addSample(PropertyNode& property, std::string payload);
  // For a property that has one sample only, whose value is known better now.
  void replaceSample(PropertyNode& property, std::string payload);
  void addStrings(PropertyNode& property, const std::vector<std::string>& strings);
  void repeatSample(PropertyNode& property);

  // Writes the samples and an index of all so far; `root` is what to commit then.
  Status write(std::uint64_t& root);

  // All that later samples depend on, right behind a write(); abc_resume.cpp. What is loaded must have been
  // declared alike.
  void save(ByteWriter& bytes) const;
  void load(ByteReader& bytes, const std::vector<std::uint64_t>& root_words);
  const std::vector<std::uint64_t>& rootWords() const { return root_words_; }  // of the last write

 private:
  struct BlockId {
    Digest key;
    std::uint64_t bytes;
    bool text;  // the format keeps numbers and strings apart (alembic.md 3.8)
    bool operator==(const BlockId& o) const { return key == o.key && bytes == o.bytes && text == o.text; }
  };
  struct BlockHash {
    std::size_t operator()(const BlockId& id) const { return id.key.word[0] ^ id.bytes; }
  };

  std::uint64_t store(const PropertyNode& property, const Digest& key, const void* payload,
                      std::size_t bytes);
  void append(PropertyNode& property, const Digest& key, const void* payload, std::size_t bytes,
              std::uint64_t elements);
  void count(PropertyNode& property);
  std::size_t reserve(const PropertyNode& property) const;
  int metadataIndex(const std::string& metadata);
  std::string header(const PropertyNode& property);
  bool indexProperty(PropertyNode& property);
  bool indexCompound(PropertyNode& compound);
  bool indexObject(ObjectNode& object);
  Digest sampledHash(const PropertyNode& property) const;
  std::uint64_t timeSamplingBlock();
  template <class Bytes, class Tree>
  static void pass(Bytes& bytes, Tree& tree);

  OgawaWriter& file_;
  std::vector<TimeSampling> samplings_;
  std::uint64_t expected_samples_;
  ObjectNode root_;
  std::unordered_map<BlockId, std::uint64_t, BlockHash> blocks_;
  std::unordered_map<std::string, int> metadata_;
  std::deque<std::string> kept_;  // payloads of samples not yet written
  // Of this write: bodies that move alike share them.
  std::unordered_map<std::string, std::uint64_t> headers_;
  std::string metadata_table_;
  std::uint64_t version_word_, library_word_, archive_metadata_word_;
  std::uint64_t metadata_word_ = kOgawaEmptyData;
  std::size_t metadata_written_ = 0;
  std::vector<std::uint64_t> root_words_;
};

}  // namespace repose
