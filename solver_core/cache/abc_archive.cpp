// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_archive.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

namespace repose {

// Takes numbers and texts from bytes in memory; after a step too far every answer is empty and ok() is false.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool atEnd() const { return bytes_.empty(); }

  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) ok_ = false;
    if (!ok_) return bytes_ = {};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class T>
  T number(std::size_t width = sizeof(T)) {
    T value{};
    const std::string_view bytes = take(width);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::uint32_t sized(int width) { return number<std::uint32_t>(static_cast<std::size_t>(width)); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

namespace {

constexpr double kAcyclic = DBL_MAX / 32;
constexpr double kTimeTolerance = 1e-5;  // seconds; the library's own
constexpr int kMaxDepth = 256;
constexpr std::size_t kMaxNodes = 1u << 22;
constexpr std::size_t kMaxMetadataTable = 65536;
constexpr std::uint32_t kMaxSamples = 1u << 24;

Status checkName(std::string_view name, std::set<std::string_view>& siblings) {
  if (name.empty() || name.find('/') != name.npos || name.find('\0') != name.npos)
    return badInput("a name is empty or has a forbidden character");
  if (!siblings.insert(name).second) return badInput("the name '" + std::string(name) + "' is there twice");
  return {};
}

}  // namespace

bool AbcSampling::acyclic() const { return time_per_cycle == kAcyclic; }

double AbcSampling::time(std::uint32_t sample) const {
  if (acyclic()) return times[std::min<std::size_t>(sample, times.size() - 1)];
  const std::size_t count = times.size(), cycle = sample / count;
  return times[sample % count] + time_per_cycle * static_cast<double>(cycle);
}

int AbcSampling::sampleAt(double seconds, int samples) const {
  int low = 0, high = std::max(samples - 1, 0);
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (time(static_cast<std::uint32_t>(middle)) <= seconds + kTimeTolerance) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Result<std::unique_ptr<AbcArchive>> AbcArchive::open(const std::string& path) {
  const auto sentence = [&path](const Status& s) {
    return Status(s.code(), "The Alembic file '" + path + "' cannot be read: " + s.message() + ".");
  };
  try {
    auto file = OgawaReader::open(path);
    if (!file.ok()) return sentence(file.status());
    std::unique_ptr<AbcArchive> archive(new AbcArchive(path, std::move(*file)));
    if (Status s = archive->readAll(); !s.ok()) return sentence(s);
    return archive;
  } catch (const std::bad_alloc&) {
    return sentence({Code::memory, "there is not enough memory for its headers"});
  }
}

AbcArchive::AbcArchive(std::string path, std::unique_ptr<OgawaReader> file)
    : path_(std::move(path)), file_(std::move(file)) {}

Status AbcArchive::readAll() {
  const OgawaGroup root = file_->root();
  OgawaData data;
  std::string bytes;
  const auto block = [&](std::uint64_t index) {
    Status s = file_->childData(root, index, data);
    return s.ok() ? file_->read(data, bytes) : s;
  };
  if (Status s = block(0); !s.ok()) return s;
  if (bytes != std::string(4, '\0')) return badInput("its Alembic version is unknown");
  if (Status s = block(1); !s.ok()) return s;
  if (Status s = block(3); !s.ok()) return s;
  metadata_ = bytes;
  if (Status s = block(4); !s.ok()) return s;
  if (Status s = readSamplings(bytes); !s.ok()) return s;
  if (Status s = block(5); !s.ok()) return s;
  if (Status s = readMetadataTable(bytes); !s.ok()) return s;
  OgawaGroup top;
  if (Status s = file_->childGroup(root, 2, top); !s.ok()) return s;
  nodes_.push_back({"ABC", "/", "", -1, 0, -1});
  return readObject(0, top);
}

Status AbcArchive::readMetadataTable(const std::string& bytes) {
  if (bytes.size() > kMaxMetadataTable) return badInput("its metadata table is too long");
  for (ByteCursor cursor(bytes); !cursor.atEnd();) {
    const std::string_view text = cursor.take(cursor.number<std::uint8_t>());
    if (!cursor.ok()) return badInput("its metadata table is cut off");
    metadata_table_.emplace_back(text);
  }
  return {};
}

Status AbcArchive::readSamplings(const std::string& bytes) {
  for (ByteCursor cursor(bytes); !cursor.atEnd();) {
    cursor.number<std::uint32_t>();  // the largest sample count; the properties say it better
    AbcSampling sampling;
    sampling.time_per_cycle = cursor.number<double>();
    const std::uint64_t count = cursor.number<std::uint32_t>();
    const std::string_view times = cursor.take(count * sizeof(double));
    if (!cursor.ok() || count == 0) return badInput("its table of times is cut off");
    sampling.times.resize(count);
    std::memcpy(sampling.times.data(), times.data(), times.size());
    const auto notFinite = [](double t) { return !std::isfinite(t); };
    const auto& t = sampling.times;
    if (std::any_of(t.begin(), t.end(), notFinite) ||
        std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()) != t.end())
      return badInput("its times do not increase");
    if (!std::isfinite(sampling.time_per_cycle) || sampling.time_per_cycle <= 0 ||
        (!sampling.acyclic() && t.back() - t.front() > sampling.time_per_cycle))
      return badInput("the cycle of its times is wrong");
    samplings_.push_back(std::move(sampling));
  }
  return samplings_.empty() ? badInput("it has no table of times") : Status();
}

// Groups form a tree in every archive: one that is met twice is a cycle or a forgery.
Status AbcArchive::visit(const OgawaGroup& group, int depth) {
  if (depth > kMaxDepth) return badInput("it is nested too deeply");
  if (nodes_.size() + properties_.size() > kMaxNodes)
    return badInput("it has too many objects or properties");
  if (group.offset != 0 && !visited_.insert(group.offset).second) return badInput("a group is used twice");
  return {};
}

Status AbcArchive::inObject(const Status& status, int node) const {
  if (status.ok() || status.message().rfind("in the object", 0) == 0) return status;
  return {status.code(),
          "in the object '" + nodes_[static_cast<std::size_t>(node)].path + "' " + status.message()};
}

Status AbcArchive::readMetadata(ByteCursor& cursor, int index, int width, std::string& metadata) const {
  if (index == kInlineMetadata) {
    metadata = cursor.take(cursor.sized(width));
  } else if (static_cast<std::size_t>(index) < metadata_table_.size()) {
    metadata = metadata_table_[static_cast<std::size_t>(index)];
  } else {
    return badInput("a metadata number is wrong");
  }
  return cursor.ok() ? Status() : badInput("a header is cut off");
}

Status AbcArchive::readObject(int node, const OgawaGroup& group) {
  const auto here = [&]() -> const AbcNode& { return nodes_[static_cast<std::size_t>(node)]; };
  const int depth = here().depth;
  if (Status s = visit(group, depth); !s.ok()) return inObject(s, node);
  if (group.count < 2) return inObject(badInput("an object has fewer than two parts"), node);
  OgawaGroup top;
  if (Status s = file_->childGroup(group, 0, top); !s.ok()) return inObject(s, node);
  const int compound = static_cast<int>(properties_.size());
  nodes_[static_cast<std::size_t>(node)].top = compound;
  properties_.emplace_back();
  properties_.back().compound = true;
  if (Status s = readCompound(compound, top, depth); !s.ok()) return inObject(s, node);

  OgawaData data;
  std::string bytes;
  if (Status s = file_->childData(group, group.count - 1, data); !s.ok()) return inObject(s, node);
  if (Status s = file_->read(data, bytes); !s.ok()) return inObject(s, node);
  const std::size_t headers = bytes.size() < kHashTailBytes ? 0 : bytes.size() - kHashTailBytes;
  std::set<std::string_view> names;
  std::uint64_t child = 0;
  for (ByteCursor cursor(std::string_view(bytes).substr(0, headers)); !cursor.atEnd();) {
    const std::string_view name = cursor.take(cursor.number<std::uint32_t>());
    AbcNode next;
    next.name = name;
    const int index = cursor.number<std::uint8_t>();
    Status s = cursor.ok() ? readMetadata(cursor, index, 4, next.metadata) : badInput("a header is cut off");
    if (s.ok()) s = checkName(name, names);
    if (s.ok() && ++child > group.count - 2) s = badInput("there are more names than child objects");
    if (!s.ok()) return inObject(s, node);
    next.path = (node == 0 ? "" : here().path) + "/" + next.name;
    next.parent = node;
    next.depth = depth + 1;
    nodes_.push_back(std::move(next));
    OgawaGroup child_group;
    const int number = static_cast<int>(nodes_.size()) - 1;
    if (s = file_->childGroup(group, child, child_group); !s.ok()) return inObject(s, number);
    if (s = readObject(number, child_group); !s.ok()) return s;
  }
  if (child != group.count - 2) return inObject(badInput("there are fewer names than child objects"), node);
  return {};
}

Status AbcArchive::readCompound(int property, const OgawaGroup& group, int depth) {
  if (Status s = visit(group, depth); !s.ok()) return s;
  if (group.count == 0) return {};
  OgawaData data;
  std::string bytes;
  if (Status s = file_->childData(group, group.count - 1, data); !s.ok()) return s;
  if (Status s = file_->read(data, bytes); !s.ok()) return s;
  std::set<std::string> names;
  std::set<std::string_view> views;
  std::uint64_t child = 0;
  for (ByteCursor cursor(bytes); !cursor.atEnd(); ++child) {
    AbcProperty next;
    if (Status s = readProperty(cursor, next); !s.ok()) return s;
    if (Status s = checkName(*names.insert(next.name).first, views); !s.ok()) return s;
    if (child + 1 >= group.count) return badInput("there are more names than properties");
    OgawaGroup samples;
    if (Status s = file_->childGroup(group, child, samples); !s.ok()) return s;
    const int number = static_cast<int>(properties_.size());
    properties_[static_cast<std::size_t>(property)].children.push_back(number);
    next.group = samples;
    properties_.push_back(next);
    Status s = next.compound ? readCompound(number, samples, depth + 1) : checkSamples(next);
    if (!s.ok()) return s;
    if (!next.compound)
      if (Status shared = visit(samples, depth); !shared.ok()) return shared;
  }
  return child + 1 == group.count ? Status() : badInput("there are fewer names than properties");
}

Status AbcArchive::readProperty(ByteCursor& cursor, AbcProperty& p) const {
  using namespace header_bits;
  const auto info = cursor.number<std::uint32_t>();
  const int hint = info >> kSizeHintShift & 3, pod = info >> kPodShift & 15, width = 1 << hint;
  if (hint == 3) return badInput("the width of a header is wrong");
  p.compound = (info & 3) == 0;
  p.scalar = (info & 3) == 1;
  if (!p.compound) {
    if (pod >= kPodCount) return badInput("the type of a property is unknown");
    p.pod = static_cast<Pod>(pod);
    p.extent = info >> kExtentShift & 255;
    if (p.extent == 0) return badInput("a property has no components");
    p.samples = cursor.sized(width);
    if (info & kHasChangeRange) {
      p.first_changed = cursor.sized(width);
      p.last_changed = cursor.sized(width);
    } else if (!(info & kConstant) && p.samples > 1) {
      p.first_changed = 1;
      p.last_changed = p.samples - 1;
    }
    if (info & kHasTimeSampling) p.time_sampling = static_cast<int>(cursor.sized(width));
  }
  p.name = cursor.take(cursor.sized(width));
  if (!cursor.ok()) return badInput("a header is cut off");
  return readMetadata(cursor, info >> kMetadataShift & 255, width, p.metadata);
}

Status AbcArchive::checkSamples(const AbcProperty& p) const {
  const auto wrong = [&p](const char* what) { return badInput("the property '" + p.name + "' " + what); };
  if (p.time_sampling < 0 || static_cast<std::size_t>(p.time_sampling) >= samplings_.size())
    return wrong("has an unknown time sampling");
  if (p.samples > kMaxSamples) return wrong("has more samples than can be true");
  const bool range_ok = p.last_changed == 0 ? p.first_changed == 0
                                            : p.first_changed >= 1 && p.first_changed <= p.last_changed &&
                                                  p.last_changed < p.samples;
  if (!range_ok) return wrong("has a wrong range of changes");
  const std::uint64_t stored = std::uint64_t{p.storedSamples()} * (p.scalar ? 1 : 2);
  if (p.group.count < stored) return wrong("has fewer samples stored than it says");
  const AbcSampling& sampling = samplings_[static_cast<std::size_t>(p.time_sampling)];
  if (sampling.acyclic() && sampling.times.size() < p.samples && !p.constant())
    return wrong("has more samples than times");
  return {};
}

const AbcProperty* AbcArchive::find(const AbcProperty* compound, const std::string& name) const {
  if (!compound) return nullptr;
  for (const int child : compound->children)
    if (properties_[static_cast<std::size_t>(child)].name == name)
      return &properties_[static_cast<std::size_t>(child)];
  return nullptr;
}

const AbcProperty* AbcArchive::top(int node) const {
  return &properties_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(node)].top)];
}

}  // namespace repose
