// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How an archive is continued: what its writer knew behind a frame goes into bytes and comes back after the
// same objects have been declared. The samples themselves stay in the file.
#include <algorithm>

#include "cache/abc_writer_impl.h"

namespace repose {
namespace {

constexpr std::uint32_t kVersion = 1;

template <class Bytes, class Group>
void passGroup(Bytes& bytes, Group& group) {
  bytes(group.words)(group.offset)(group.capacity)(group.placed);
}

// Children that came with later samples (velocities, .animChans) are behind those that were declared.
template <class Bytes, class Property>
void passProperty(Bytes& bytes, Property& p) {
  bytes(p.shared)(p.samples)(p.first_changed)(p.last_changed)(p.single_elements);
  bytes(p.value_word)(p.dimensions_word)(p.payload_bytes)(p.key)(p.digest)(p.accumulated);
  passGroup(bytes, p.group);
  bytes(p.dirty)(p.word)(p.headers_word)(p.headers)(p.hash);

  std::uint64_t count = p.children.size();
  bytes(count);
  if constexpr (Bytes::kReads) {
    if (count < p.children.size()) bytes.refuse();
    for (std::uint64_t k = 0; k < count && bytes.good(); ++k) {
      PropertyNode is;
      bytes(is.name)(is.metadata)(is.type)(is.pod)(is.extent)(is.time_sampling);
      if (k == p.children.size()) p.add(is.name, is.type, is.pod, is.extent, is.time_sampling, is.metadata);
      if (p.children[k]->name != is.name) bytes.refuse();
      if (bytes.good()) passProperty(bytes, *p.children[k]);
    }
  } else {
    for (const auto& child : p.children) {
      bytes(child->name)(child->metadata)(child->type)(child->pod)(child->extent)(child->time_sampling);
      passProperty(bytes, *child);
    }
  }
}

// Objects are all declared.
template <class Bytes, class Object>
void passObject(Bytes& bytes, Object& object) {
  std::uint64_t count = object.children.size();
  bytes(count)(object.word)(object.hash);
  passProperty(bytes, object.top);
  if constexpr (Bytes::kReads)
    if (count != object.children.size()) bytes.refuse();
  for (auto& child : object.children) {
    std::string name = child->name;
    bytes(name);
    if constexpr (Bytes::kReads) {
      if (name != child->name) bytes.refuse();
      if (!bytes.good()) return;
    }
    passObject(bytes, *child);
  }
}

PropertyNode* childNamed(PropertyNode* parent, const char* name) {
  if (!parent) return nullptr;
  for (const auto& child : parent->children)
    if (child->name == name) return child.get();
  return nullptr;
}

}  // namespace

template <class Bytes, class Tree>
void AbcTree::pass(Bytes& bytes, Tree& tree) {
  bytes(tree.samplings_)(tree.version_word_)(tree.library_word_)(tree.archive_metadata_word_);
  bytes(tree.metadata_word_)(tree.metadata_written_)(tree.metadata_table_);
  passObject(bytes, tree.root_);
}

void AbcTree::save(ByteWriter& bytes) const {
  pass(bytes, *this);
  // in the order of the file, as that of a hash table is no order
  struct Block {
    BlockId id;
    std::uint64_t word;
  };
  std::vector<Block> blocks;
  for (const auto& [id, word] : blocks_) blocks.push_back({id, word});
  std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.word < b.word; });
  bytes(std::uint64_t{blocks.size()});
  for (const Block& block : blocks) bytes(block.id.key)(block.id.bytes)(block.id.text)(block.word);
}

void AbcTree::load(ByteReader& bytes, const std::vector<std::uint64_t>& root_words) {
  pass(bytes, *this);
  root_words_ = root_words;
  metadata_.clear();
  for (std::size_t at = 0; at < metadata_table_.size();) {
    const std::size_t length = static_cast<unsigned char>(metadata_table_[at]);
    metadata_.emplace(metadata_table_.substr(at + 1, length), static_cast<int>(metadata_.size()) + 1);
    at += 1 + length;
  }
  blocks_.clear();
  std::uint64_t count = 0;
  bytes(count);
  for (std::uint64_t k = 0; k < count && bytes.good(); ++k) {
    BlockId id{};
    std::uint64_t word = 0;
    bytes(id.key)(id.bytes)(id.text)(word);
    blocks_.emplace(id, word);
  }
  kept_.clear();
}

// Of the caller's thread.
template <class Bytes, class Writer>
void AbcWriter::Impl::passGiven(Bytes& bytes, Writer& writer) {
  for (auto& object : writer.objects_) bytes(object.own_ids);
  for (auto& channel : writer.channels_) bytes(channel.elements);
}

// Of the writing thread.
template <class Bytes, class Writer>
void AbcWriter::Impl::passWritten(Bytes& bytes, Writer& writer) {
  bytes(writer.sample_index_);
  for (auto& object : writer.objects_) bytes(object.first_matrix)(object.moved);
}

void AbcWriter::Impl::saveGiven(Frame& frame, const std::string& note) const {
  frame.resume.clear();
  if (!frame.resumable) return;
  ByteWriter bytes(frame.resume);
  bytes(kVersion)(std::uint64_t{objects_.size()})(std::uint64_t{channels_.size()})(frame.number)(note);
  std::vector<char> with_velocities;
  for (const Object& object : objects_) with_velocities.push_back(object.velocities >= 0);
  bytes(with_velocities);
  passGiven(bytes, *this);
}

void AbcWriter::Impl::saveWritten(Frame& frame) const {
  if (!frame.resumable) return;
  ByteWriter bytes(frame.resume);
  bytes(frame.file_bytes)(frame.root)(tree.rootWords());
  passWritten(bytes, *this);
  tree.save(bytes);
}

std::string AbcWriter::Impl::state(const std::string& note) const {
  Frame last;
  last.number = next_frame_ - options.frame_step;
  last.resumable = true;
  last.file_bytes = file_bytes;
  last.root = root_;
  saveGiven(last, note);
  saveWritten(last);
  return std::move(last.resume);
}

// Properties that came with samples.
void AbcWriter::Impl::findLateProperties() {
  for (Object& object : objects_) {
    object.not_identity = childNamed(object.shape.xform, "isNotConstantIdentity");
    object.moved_list = childNamed(object.shape.xform, ".animChans");
    if (object.velocities >= 0)
      channels_[static_cast<std::size_t>(object.velocities)].property =
          childNamed(object.shape.geom, ".velocities");
  }
}

Status AbcWriter::Impl::resume(const std::string& state, std::string& note) {
  if (!declared_.ok()) return declared_;
  if (started_ || closed_) return badInput("The cache can only be continued before its first frame.");
  const auto other = [&] {
    return badInput("The cache cannot be continued: it was begun with other objects or by another version.");
  };
  ByteReader bytes(state);
  std::uint32_t version = 0;
  std::uint64_t objects = 0, channels = 0, file_length = 0, root = 0;
  int frame = 0;
  std::vector<char> with_velocities;
  std::vector<std::uint64_t> root_words;
  bytes(version)(objects)(channels)(frame)(note)(with_velocities);
  if (!bytes.good() || version != kVersion || objects != objects_.size() ||
      with_velocities.size() != objects_.size())
    return other();
  // velocities of meshes are not declared but come with the first sample
  for (std::size_t k = 0; k < objects_.size(); ++k)
    if (with_velocities[k] && objects_[k].velocities < 0)
      objects_[k].velocities = addChannel(static_cast<int>(k), nullptr, Count::per_point);
  if (channels != channels_.size()) return other();
  passGiven(bytes, *this);
  bytes(file_length)(root)(root_words);
  passWritten(bytes, *this);
  tree.load(bytes, root_words);
  if (!bytes.done()) return other();
  findLateProperties();
  if (Status s = file_->resume(file_length, root, root_words, options.resume_copy); !s.ok()) return s;
  started_ = true;
  root_ = root;
  next_frame_ = frame + options.frame_step;
  committed_frames = (next_frame_ - options.first_frame) / options.frame_step;
  file_bytes = file_length;
  return {};
}

}  // namespace repose
