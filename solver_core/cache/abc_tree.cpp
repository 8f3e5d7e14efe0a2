// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_tree.h"

#include <algorithm>
#include <cstring>

namespace repose {
namespace {

constexpr std::int32_t kFileVersion = 0, kLibraryVersion = 10812;
constexpr std::size_t kMetadataEntries = 254;

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& bytes, const Digest& digest) {
  put(bytes, digest.word[0]);
  put(bytes, digest.word[1]);
}

// One, two or four bytes, as the size hint of the header says.
void putSized(std::string& bytes, int hint, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  bytes.append(reinterpret_cast<const char*>(&number), std::size_t{1} << hint);
}

int sizeHint(std::size_t largest) { return largest < 256 ? 0 : largest < 65536 ? 1 : 2; }

bool constantSoFar(const PropertyNode& p) { return p.first_changed == 0 && p.last_changed == 0; }

}  // namespace

std::uint64_t elementsIn(const PropertyNode& property, const void* payload, std::size_t bytes) {
  if (property.pod != Pod::string) return bytes / (podBytes(property.pod) * property.extent);
  const char* text = static_cast<const char*>(payload);
  return static_cast<std::uint64_t>(std::count(text, text + bytes, '\0'));
}

PropertyNode* PropertyNode::add(std::string child_name, PropertyType child_type, Pod child_pod,
                                int child_extent, int child_sampling, std::string child_metadata) {
  auto child = std::make_unique<PropertyNode>();
  child->name = std::move(child_name);
  child->metadata = std::move(child_metadata);
  child->type = child_type;
  child->pod = child_pod;
  child->extent = child_extent;
  child->time_sampling = child_sampling;
  children.push_back(std::move(child));
  return children.back().get();
}

ObjectNode* ObjectNode::add(std::string child_name, std::string child_metadata) {
  auto child = std::make_unique<ObjectNode>();
  child->name = std::move(child_name);
  child->metadata = std::move(child_metadata);
  children.push_back(std::move(child));
  return children.back().get();
}

AbcTree::AbcTree(OgawaWriter& file, const std::string& archive_metadata, std::vector<TimeSampling> samplings,
                 std::uint64_t expected_samples)
    : file_(file), samplings_(std::move(samplings)), expected_samples_(expected_samples) {
  std::string version;
  put(version, kFileVersion);
  version_word_ = file_.addData(version);
  version.clear();
  put(version, kLibraryVersion);
  library_word_ = file_.addData(version);
  archive_metadata_word_ = file_.addData(archive_metadata);
  root_.name = "ABC";
}

std::uint64_t AbcTree::store(const PropertyNode& property, const Digest& key, const void* payload,
                             std::size_t bytes) {
  if (!property.shared || bytes == 0) return file_.addSample(key, payload, bytes);
  const auto [block, is_new] = blocks_.try_emplace({key, bytes, property.pod == Pod::string}, 0);
  if (is_new) block->second = file_.addSample(key, payload, bytes);
  return block->second;
}

void AbcTree::addSample(PropertyNode& property, const Digest& key, const void* payload, std::size_t bytes) {
  append(property, key, payload, bytes, elementsIn(property, payload, bytes));
}

void AbcTree::addSample(PropertyNode& property, std::string payload) {
  kept_.push_back(std::move(payload));
  const std::string& bytes = kept_.back();
  addSample(property, murmur3(bytes.data(), bytes.size()), bytes.data(), bytes.size());
}

void AbcTree::replaceSample(PropertyNode& property, std::string payload) {
  property.samples = property.first_changed = property.last_changed = 0;
  property.single_elements = true;
  property.group = GrowingGroup();
  addSample(property, std::move(payload));
}

void AbcTree::addStrings(PropertyNode& property, const std::vector<std::string>& strings) {
  std::string payload;
  for (const std::string& s : strings) payload.append(s.c_str(), std::strlen(s.c_str()) + 1);
  addSample(property, std::move(payload));
}

void AbcTree::append(PropertyNode& property, const Digest& key, const void* payload, std::size_t bytes,
                     std::uint64_t elements) {
  const bool changed = property.samples == 0 || property.key != key || property.payload_bytes != bytes;
  if (changed) {
    const auto push = [&property] {
      property.group.words.push_back(property.value_word);
      if (property.type == PropertyType::array) property.group.words.push_back(property.dimensions_word);
    };
    if (property.first_changed != 0)
      for (std::uint32_t k = property.last_changed + 1; k < property.samples; ++k) push();
    // The number of strings cannot be told from their bytes (alembic.md 3.8).
    property.dimensions_word = kOgawaEmptyData;
    if (property.pod == Pod::string) {
      std::string dimensions;
      put(dimensions, elements);
      property.dimensions_word = file_.addData(dimensions);
    }
    property.value_word = store(property, key, payload, bytes);
    push();
    if (property.first_changed == 0) property.first_changed = property.samples;
    property.last_changed = property.samples;
    property.key = property.digest = key;
    property.payload_bytes = bytes;
    if (elements != 1) property.single_elements = false;
    if (property.type == PropertyType::array) {
      std::string dimensioned;
      put(dimensioned, elements);
      put(dimensioned, key);
      property.digest = spooky(dimensioned);
    }
  }
  count(property);
}

void AbcTree::repeatSample(PropertyNode& property) { count(property); }

void AbcTree::count(PropertyNode& property) {
  property.accumulated =
      property.samples == 0 ? property.digest : accumulate(property.accumulated, property.digest);
  ++property.samples;
  property.dirty = true;
  std::uint32_t& most = samplings_[property.time_sampling].max_samples;
  most = std::max(most, constantSoFar(property) ? 1u : property.samples);
}

// Children to make room for: what the expected frames will need, else twice what there is. A property that is
// still constant gets no spare room.
std::size_t AbcTree::reserve(const PropertyNode& property) const {
  const std::size_t now = property.group.words.size();
  if (constantSoFar(property)) return now;
  const std::size_t per_sample = property.type == PropertyType::array ? 2 : 1;
  const std::uint64_t last = property.first_changed + now / per_sample;
  if (expected_samples_ > last) return (expected_samples_ - property.first_changed + 1) * per_sample;
  return 2 * now;
}

int AbcTree::metadataIndex(const std::string& metadata) {
  if (metadata.empty()) return 0;
  if (const auto known = metadata_.find(metadata); known != metadata_.end()) return known->second;
  if (metadata.size() > 255 || metadata_.size() >= kMetadataEntries) return kInlineMetadata;
  const int index = static_cast<int>(metadata_.size()) + 1;
  metadata_.emplace(metadata, index);
  metadata_table_ += static_cast<char>(metadata.size());
  metadata_table_ += metadata;
  return index;
}

std::string AbcTree::header(const PropertyNode& p) {
  using namespace header_bits;
  const bool sampled = p.type != PropertyType::compound;
  const int metadata_index = metadataIndex(p.metadata);
  std::size_t largest = std::max(p.name.size(), p.metadata.size());
  if (sampled)
    largest = std::max({largest, std::size_t{p.samples}, static_cast<std::size_t>(p.time_sampling)});
  const int hint = sizeHint(largest);

  std::uint32_t info = static_cast<std::uint32_t>(hint) << kSizeHintShift |
                       static_cast<std::uint32_t>(metadata_index) << kMetadataShift;
  const bool explicit_range = !constantSoFar(p) && (p.first_changed != 1 || p.last_changed != p.samples - 1);
  if (sampled) {
    info |= p.type == PropertyType::scalar ? 1u : p.single_elements ? 3u : 2u;
    info |= static_cast<std::uint32_t>(p.pod) << kPodShift | static_cast<std::uint32_t>(p.extent)
                                                                 << kExtentShift;
    info |= kHomogeneous;
    if (p.time_sampling != 0) info |= kHasTimeSampling;
    if (constantSoFar(p)) info |= kConstant;
    if (explicit_range) info |= kHasChangeRange;
  }
  std::string bytes;
  put(bytes, info);
  if (sampled) {
    putSized(bytes, hint, p.samples);
    if (explicit_range) {
      putSized(bytes, hint, p.first_changed);
      putSized(bytes, hint, p.last_changed);
    }
    if (p.time_sampling != 0) putSized(bytes, hint, static_cast<std::size_t>(p.time_sampling));
  }
  putSized(bytes, hint, p.name.size());
  bytes += p.name;
  if (metadata_index == kInlineMetadata) {
    putSized(bytes, hint, p.metadata.size());
    bytes += p.metadata;
  }
  return bytes;
}

Digest AbcTree::sampledHash(const PropertyNode& p) const {
  std::string bytes = p.name + p.metadata;
  put(bytes, static_cast<std::uint8_t>(p.pod));
  put(bytes, static_cast<std::uint8_t>(p.extent));
  if (p.type == PropertyType::scalar) put(bytes, std::uint8_t{0});
  const TimeSampling& sampling = samplings_[p.time_sampling];
  put(bytes, sampling.time_per_cycle);
  put(bytes, std::uint32_t{1});
  put(bytes, sampling.start);
  if (p.samples > 0) put(bytes, p.accumulated);
  return spooky(bytes);
}

bool AbcTree::indexProperty(PropertyNode& property) {
  if (property.type == PropertyType::compound) return indexCompound(property);
  if (!property.dirty) return false;
  property.word = file_.place(property.group, reserve(property));
  property.hash = sampledHash(property);
  property.dirty = false;
  return true;
}

bool AbcTree::indexCompound(PropertyNode& compound) {
  bool changed = compound.dirty;
  for (auto& child : compound.children) changed |= indexProperty(*child);
  if (!changed) return false;
  compound.dirty = false;

  std::string headers, hashes;
  std::vector<std::uint64_t> words;
  for (const auto& child : compound.children) {
    headers += header(*child);
    put(hashes, child->hash);
    words.push_back(child->word);
  }
  if (headers != compound.headers) {
    const auto [known, is_new] = headers_.try_emplace(headers, 0);
    if (is_new) known->second = file_.addData(headers);
    compound.headers_word = known->second;
    compound.headers = std::move(headers);
  }
  if (!words.empty()) words.push_back(compound.headers_word);
  compound.word = file_.addGroup(words);
  compound.hash = spooky(hashes + compound.name + compound.metadata);
  return true;
}

bool AbcTree::indexObject(ObjectNode& object) {
  bool changed = indexCompound(object.top);
  for (auto& child : object.children) changed |= indexObject(*child);
  if (!changed) return false;

  std::string headers, child_hashes, property_hashes;
  std::vector<std::uint64_t> words = {object.top.word};
  for (const auto& child : object.children) {
    const int metadata_index = metadataIndex(child->metadata);
    put(headers, static_cast<std::uint32_t>(child->name.size()));
    headers += child->name;
    headers += static_cast<char>(metadata_index);
    if (metadata_index == kInlineMetadata) {
      put(headers, static_cast<std::uint32_t>(child->metadata.size()));
      headers += child->metadata;
    }
    put(child_hashes, child->hash);
    words.push_back(child->word);
  }
  for (const auto& property : object.top.children) put(property_hashes, property->hash);
  const Digest properties = spooky(property_hashes);
  put(headers, properties);
  put(headers, object.children.empty() ? Digest() : spooky(child_hashes));

  words.push_back(file_.addData(headers));
  object.word = file_.addGroup(words);
  put(child_hashes, properties);
  object.hash = spooky(child_hashes + object.metadata + object.name);
  return true;
}

std::uint64_t AbcTree::timeSamplingBlock() {
  std::string table;
  for (const TimeSampling& sampling : samplings_) {
    put(table, sampling.max_samples);
    put(table, sampling.time_per_cycle);
    put(table, std::uint32_t{1});
    put(table, sampling.start);
  }
  return file_.addData(table);
}

Status AbcTree::write(std::uint64_t& root) {
  indexObject(root_);
  headers_.clear();
  if (metadata_table_.size() != metadata_written_) {
    metadata_word_ = file_.addData(metadata_table_);
    metadata_written_ = metadata_table_.size();
  }
  root_words_ = {version_word_,          library_word_,       root_.word,
                 archive_metadata_word_, timeSamplingBlock(), metadata_word_};
  root = file_.addGroup(root_words_);
  Status status = file_.append();
  kept_.clear();
  return status;
}

}  // namespace repose
