// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Objects, properties and time samplings of an archive, read and checked when it is opened (alembic.md 3, and
// 7 points 4 to 9), and the samples of properties. A property may have more samples stored than its header
// says: its writer may be at work on the next frame.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "cache/abc_hash.h"
#include "cache/abc_types.h"
#include "cache/ogawa_reader.h"

namespace repose {

class ByteCursor;

struct AbcSampling {
  double time_per_cycle = 1;
  std::vector<double> times = {0.0};
  bool acyclic() const;
  double time(std::uint32_t sample) const;
  // The last of `samples` samples at or before that time, else 0.
  int sampleAt(double seconds, int samples) const;
};

struct AbcProperty {
  std::string name, metadata;
  bool compound = false, scalar = false;
  Pod pod = Pod::f32;
  int extent = 1;
  int time_sampling = 0;
  std::uint32_t samples = 0, first_changed = 0, last_changed = 0;
  OgawaGroup group;           // of the samples
  std::vector<int> children;  // of a compound

  bool constant() const { return last_changed == 0; }
  std::uint32_t storedSamples() const {
    return samples == 0 ? 0 : constant() ? 1 : last_changed - first_changed + 2;
  }
  std::uint32_t storedIndex(std::uint32_t sample) const {
    if (constant() || sample < first_changed) return 0;
    return (sample < last_changed ? sample : last_changed) - first_changed + 1;
  }
  bool is(Pod wanted_pod, int wanted_extent) const {
    return !compound && pod == wanted_pod && extent == wanted_extent;
  }
};

struct AbcNode {
  std::string name, path, metadata;
  int parent = -1;  // -1 for the top object
  int depth = 0;
  int top = -1;  // compound of all its properties
};

// Where a sample is, with its sizes checked.
struct AbcSample {
  Digest key;
  OgawaData payload;
  std::uint64_t elements = 0;
};

class AbcArchive {
 public:
  static Result<std::unique_ptr<AbcArchive>> open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& metadata() const { return metadata_; }
  const OgawaReader& file() const { return *file_; }
  const std::vector<AbcSampling>& samplings() const { return samplings_; }
  const std::vector<AbcNode>& nodes() const { return nodes_; }
  const std::vector<AbcProperty>& properties() const { return properties_; }
  // The property of that name in a compound (-1 or not a compound: none), or null.
  const AbcProperty* find(const AbcProperty* compound, const std::string& name) const;
  const AbcProperty* top(int node) const;

  // The stored sample number `stored` of a property.
  Status locate(const AbcProperty& property, std::uint32_t stored, AbcSample& sample) const;
  Status read(const AbcProperty& property, const AbcSample& sample, void* payload) const;
  Status readStrings(const AbcProperty& property, const AbcSample& sample,
                     std::vector<std::string>& strings) const;

 private:
  AbcArchive(std::string path, std::unique_ptr<OgawaReader> file);
  Status readAll();
  Status readMetadataTable(const std::string& bytes);
  Status readSamplings(const std::string& bytes);
  Status readObject(int node, const OgawaGroup& group);
  Status readCompound(int property, const OgawaGroup& group, int depth);
  Status readProperty(ByteCursor& cursor, AbcProperty& property) const;
  Status readMetadata(ByteCursor& cursor, int index, int width, std::string& metadata) const;
  Status checkSamples(const AbcProperty& property) const;
  Status visit(const OgawaGroup& group, int depth);
  Status inObject(const Status& status, int node) const;

  std::string path_, metadata_;
  std::unique_ptr<OgawaReader> file_;
  std::vector<std::string> metadata_table_ = {""};
  std::vector<AbcSampling> samplings_;
  std::vector<AbcNode> nodes_;
  std::vector<AbcProperty> properties_;
  std::unordered_set<std::uint64_t> visited_;  // offsets of groups
};

}  // namespace repose
