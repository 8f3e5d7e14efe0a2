// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of an Ogawa file being written (alembic.md 2): blocks are queued and get their place at once,
// append() writes them, and commit() switches the root. Nothing written before is ever changed, except that
// lists of samples grow behind their end, so the next blocks may be appended by one thread while another
// still commits the last ones.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cache/abc_hash.h"

namespace repose {

inline constexpr std::uint64_t kOgawaDataBit = 1ull << 63;
inline constexpr std::uint64_t kOgawaEmptyData = kOgawaDataBit;
inline constexpr std::uint64_t kOgawaEmptyGroup = 0;

// A group whose children increase from commit to commit. A reader of an older root sees more children than
// the older header names, which is harmless.
struct GrowingGroup {
  std::vector<std::uint64_t> words;  // all children
  std::uint64_t offset = 0;          // of the block, 0 = none
  std::size_t capacity = 0;          // children the block has room for
  std::size_t placed = 0;            // children the block on disk holds
};

class OgawaWriter {
 public:
  // Writes to PATH.tmp.<pid> until the first commit.
  static Result<std::unique_ptr<OgawaWriter>> create(const std::string& path);
  ~OgawaWriter();
  OgawaWriter(const OgawaWriter&) = delete;
  OgawaWriter& operator=(const OgawaWriter&) = delete;

  // Each returns the child word of the new block.
  std::uint64_t addData(std::string_view bytes);
  std::uint64_t addGroup(const std::vector<std::uint64_t>& words);
  // A key and its payload; a big payload is not copied and must stay until append().
  std::uint64_t addSample(const Digest& key, const void* payload, std::size_t bytes);
  // Brings the group on disk up to its words, in place or, if they do not fit, in a new block with room for
  // `reserve` children. The group must stay until append().
  std::uint64_t place(GrowingGroup& group, std::size_t reserve);

  Status append();  // all that is queued; if that fails the file is as before
  Status commit(std::uint64_t root, bool durable);
  Status synchronize();
  // Instead of a new file goes on with that at the path, as it was when `root` was its newest root and it had
  // so many bytes; what was queued or written before is dropped. Fails, with the file as it is, if that root
  // is not there.
  Status resume(std::uint64_t bytes, std::uint64_t root, const std::vector<std::uint64_t>& root_words,
                bool copy);
  std::uint64_t bytes() const { return written_; }  // as of append()

 private:
  // A run of queued bytes: in arena_ from `begin`, or outside.
  struct Piece {
    const void* outside;
    std::size_t begin, bytes;
  };
  OgawaWriter(std::string path, std::string temporary, int fd);
  void queue(const void* bytes, std::size_t count);
  void queueNumber(std::uint64_t value) { queue(&value, sizeof value); }
  Status copyFrom(int fd, std::uint64_t bytes);
  Status writeQueue();
  Status growInPlace();
  Status publish(bool durable);
  Status writeAt(std::uint64_t offset, const void* bytes, std::size_t count);
  Status failure(const char* action) const;

  std::string path_, temporary_;
  int fd_;
  bool published_ = false;
  std::uint64_t written_ = 0;  // bytes of the file
  std::uint64_t end_ = 0;      // the same with what is queued
  std::string arena_;
  std::vector<Piece> pieces_;
  std::vector<GrowingGroup*> grown_;
};

}  // namespace repose
