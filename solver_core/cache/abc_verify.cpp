// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_verify.h"

#include <algorithm>
#include <new>
#include <unordered_set>

#include "cache/abc_archive.h"

namespace repose {
namespace {

constexpr std::uint64_t kFileHeaderBytes = 16, kSizeBytes = 8;

// Adds up the blocks that are reachable, each once, and checks the keys of samples on the way.
class Inspector {
 public:
  explicit Inspector(const AbcArchive& archive) : archive_(archive), file_(archive.file()) {}
  std::uint64_t liveBytes() const { return live_; }

  Status inspect() {
    const OgawaGroup root = file_.root();
    countGroup(root.offset, root.count);
    for (const std::uint64_t index : {0, 1, 3, 4, 5})
      if (Status s = countChild(root, index); !s.ok()) return s;
    OgawaGroup top;
    if (Status s = file_.childGroup(root, 2, top); !s.ok()) return s;
    if (Status s = countObject(top); !s.ok()) return s;
    for (const AbcProperty& property : archive_.properties())
      if (Status s = inspectSamples(property); !s.ok()) return s;
    return {};
  }

 private:
  void countGroup(std::uint64_t offset, std::uint64_t children) {
    if (offset != 0) live_ += kSizeBytes * (children + 1);
  }
  bool countData(const OgawaData& data) {
    if (data.bytes == 0 || !seen_.insert(data.offset).second) return false;
    live_ += kSizeBytes + data.bytes;
    return true;
  }
  Status countChild(const OgawaGroup& group, std::uint64_t index) {
    OgawaData data;
    if (Status s = file_.childData(group, index, data); !s.ok()) return s;
    countData(data);
    return {};
  }

  // The kinds and the tree were checked when the archive was opened.
  Status countObject(const OgawaGroup& object) {
    countGroup(object.offset, object.count);
    OgawaGroup group;
    if (Status s = file_.childGroup(object, 0, group); !s.ok()) return s;
    if (group.count > 0) {
      countGroup(group.offset, group.count);
      if (Status s = countChild(group, group.count - 1); !s.ok()) return s;
    }
    for (std::uint64_t child = 1; child + 1 < object.count; ++child) {
      if (Status s = file_.childGroup(object, child, group); !s.ok()) return s;
      if (Status s = countObject(group); !s.ok()) return s;
    }
    return countChild(object, object.count - 1);
  }

  Status inspectSamples(const AbcProperty& property) {
    if (property.compound) {
      countGroup(property.group.offset, property.group.count);
      return property.group.count > 0 ? countChild(property.group, property.group.count - 1) : Status();
    }
    const std::uint64_t parts = property.scalar ? 1 : 2;
    countGroup(property.group.offset, parts * property.storedSamples());
    for (std::uint32_t k = 0; k < property.storedSamples(); ++k) {
      if (!property.scalar)
        if (Status s = countChild(property.group, 2 * std::uint64_t{k} + 1); !s.ok()) return s;
      AbcSample sample;
      if (Status s = archive_.locate(property, k, sample); !s.ok()) return s;
      OgawaData block;
      if (Status s = file_.childData(property.group, parts * k, block); !s.ok()) return s;
      if (!countData(block)) continue;
      bytes_.resize(sample.payload.bytes);
      if (Status s = archive_.read(property, sample, bytes_.data()); !s.ok()) return s;
      std::vector<std::string> strings;
      if (property.pod == Pod::string)
        if (Status s = archive_.readStrings(property, sample, strings); !s.ok()) return s;
    }
    return {};
  }

  const AbcArchive& archive_;
  const OgawaReader& file_;
  std::uint64_t live_ = kFileHeaderBytes;
  std::unordered_set<std::uint64_t> seen_;  // offsets of data
  std::vector<char> bytes_;
};

// The samples at which something of the object may differ from the sample before.
int distinctSamples(const AbcReader& reader, int object) {
  const AbcArchive& archive = reader.archive();
  std::uint32_t last = 0;
  std::vector<const AbcProperty*> open = {archive.top(object + 1)};
  while (!open.empty()) {
    const AbcProperty* property = open.back();
    open.pop_back();
    last = std::max(last, property->last_changed);
    for (const int child : property->children)
      open.push_back(&archive.properties()[static_cast<std::size_t>(child)]);
  }
  const int samples = reader.objects()[static_cast<std::size_t>(object)].samples;
  return std::min(samples, static_cast<int>(last) + 1);
}

Status decodeObject(const AbcReader& reader, int object) {
  const AbcObject& o = reader.objects()[static_cast<std::size_t>(object)];
  const bool shape = o.kind != AbcKind::other && o.kind != AbcKind::xform;
  if (shape && o.samples == 0)
    return badInput("The object '" + o.path + "' of the Alembic file '" + reader.path() +
                    "' has no samples.");
  std::vector<Vec3f> positions;
  for (int sample = 0; sample < distinctSamples(reader, object); ++sample) {
    Status status;
    switch (o.kind) {
      case AbcKind::mesh:
        status = sample > 0 && o.constant_topology ? reader.positions(object, sample, positions)
                                                   : reader.mesh(object, sample).status();
        break;
      case AbcKind::points:
        status = reader.points(object, sample).status();
        break;
      case AbcKind::curves:
        status = reader.curves(object, sample).status();
        break;
      case AbcKind::xform:
        status = reader.xform(object, sample).status();
        break;
      case AbcKind::other:
        break;
    }
    if (!status.ok()) return status;
  }
  return {};
}

Status verify(const std::string& path, AbcReport& report) {
  auto reader = AbcReader::open(path);
  if (!reader.ok()) return reader.status();
  const AbcArchive& archive = (*reader)->archive();
  report.objects = static_cast<int>((*reader)->objects().size());
  report.frames = (*reader)->info().frames;
  report.first_frame = (*reader)->info().first_frame;
  report.last_frame = (*reader)->info().last_frame;
  report.bytes = archive.file().bytes();
  Inspector inspector(archive);
  if (Status s = inspector.inspect(); !s.ok())
    return {s.code(), "The Alembic file '" + path + "' is damaged: " + s.message() + "."};
  report.dead_bytes = report.bytes - std::min(report.bytes, inspector.liveBytes());
  for (int object = 0; object < report.objects; ++object)
    if (Status s = decodeObject(**reader, object); !s.ok()) return s;
  return {};
}

}  // namespace

AbcReport verifyAlembic(const std::string& path) {
  AbcReport report;
  Status status;
  try {
    status = verify(path, report);
  } catch (const std::bad_alloc&) {
    status = {Code::memory, "There is not enough memory to verify the Alembic file '" + path + "'."};
  }
  report.ok = status.ok();
  report.problem = status.message();
  return report;
}

}  // namespace repose
