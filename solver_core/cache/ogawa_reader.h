// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of an Ogawa file being read (alembic.md 2). Nothing is trusted: every offset and count is
// compared with the size of the file before it is used (alembic.md 7, points 1 to 3 and 12). The message of a
// Status here is a phrase; the layer above makes a sentence of it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace repose {

struct OgawaGroup {
  std::uint64_t offset = 0;  // of the block, 0 = empty
  std::uint64_t count = 0;
};

struct OgawaData {
  std::uint64_t offset = 0;  // of the bytes themselves
  std::uint64_t bytes = 0;
};

class OgawaReader {
 public:
  static Result<std::unique_ptr<OgawaReader>> open(const std::string& path);
  ~OgawaReader();
  OgawaReader(const OgawaReader&) = delete;
  OgawaReader& operator=(const OgawaReader&) = delete;

  std::uint64_t bytes() const { return size_; }
  OgawaGroup root() const { return root_; }
  Status group(std::uint64_t word, OgawaGroup& group) const;
  Status data(std::uint64_t word, OgawaData& data) const;
  Status child(const OgawaGroup& group, std::uint64_t index, std::uint64_t& word) const;
  Status children(const OgawaGroup& group, std::vector<std::uint64_t>& words) const;
  Status childData(const OgawaGroup& group, std::uint64_t index, OgawaData& data) const;
  Status childGroup(const OgawaGroup& group, std::uint64_t index, OgawaGroup& child_group) const;
  Status read(const OgawaData& data, std::string& bytes) const;  // all of it, within a limit for headers
  Status readAt(std::uint64_t offset, void* bytes, std::size_t count) const;

 private:
  explicit OgawaReader(int fd) : fd_(fd) {}
  Status readRoot();

  int fd_;
  std::uint64_t size_ = 0;
  OgawaGroup root_;
};

}  // namespace repose
