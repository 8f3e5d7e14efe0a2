// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/ogawa_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cache/ogawa_writer.h"

namespace repose {
namespace {

constexpr std::uint64_t kHeaderBytes = 16;
constexpr std::uint64_t kWordBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kMaxHeaderBlock = 256u << 20;

}  // namespace

Result<std::unique_ptr<OgawaReader>> OgawaReader::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return badInput(std::strerror(errno));
  std::unique_ptr<OgawaReader> reader(new OgawaReader(fd));
  if (Status s = reader->readRoot(); !s.ok()) return s;
  return reader;
}

OgawaReader::~OgawaReader() { close(fd_); }

Status OgawaReader::readRoot() {
  unsigned char header[kHeaderBytes] = {};
  struct stat status;
  if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return badInput("it is not a file");
  if (static_cast<std::uint64_t>(status.st_size) < sizeof header)
    return badInput("it is too short for an Alembic file");
  if (Status s = readAt(0, header, sizeof header); !s.ok()) return s;
  // Only after the root is the size taken: a writer at work may have added both in between.
  if (fstat(fd_, &status) != 0) return ioError(std::strerror(errno));
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (std::memcmp(header, "Ogawa", 5) != 0) return badInput("it is not an Alembic file of the Ogawa kind");
  if (header[5] != 0xff) return badInput("its writer has not finished it");
  if (header[6] != 0 || header[7] != 1) return badInput("its format version is not 1");
  std::uint64_t word = 0;
  std::memcpy(&word, header + 8, sizeof word);
  if (Status s = group(word, root_); !s.ok()) return s;
  return root_.count >= 6 ? Status() : badInput("its root has fewer than six parts");
}

Status OgawaReader::group(std::uint64_t word, OgawaGroup& group) const {
  group = {};
  if (word == kOgawaEmptyGroup) return {};
  if (word & kOgawaDataBit) return badInput("there is data where a group belongs");
  if (word < kHeaderBytes || word > size_ - kWordBytes) return badInput("a group lies outside the file");
  group.offset = word;
  if (Status s = readAt(word, &group.count, sizeof group.count); !s.ok()) return s;
  if (group.count == 0 || group.count > (size_ - word - kWordBytes) / kWordBytes)
    return badInput("a group is longer than the file");
  return {};
}

Status OgawaReader::data(std::uint64_t word, OgawaData& data) const {
  data = {};
  if (!(word & kOgawaDataBit)) return badInput("there is a group where data belongs");
  if (word == kOgawaEmptyData) return {};
  const std::uint64_t offset = word & ~kOgawaDataBit;
  if (offset < kHeaderBytes || offset > size_ - kWordBytes) return badInput("data lies outside the file");
  if (Status s = readAt(offset, &data.bytes, sizeof data.bytes); !s.ok()) return s;
  if (data.bytes > size_ - offset - kWordBytes) return badInput("data is longer than the file");
  data.offset = offset + kWordBytes;
  return {};
}

Status OgawaReader::child(const OgawaGroup& group, std::uint64_t index, std::uint64_t& word) const {
  if (index >= group.count) return badInput("a group has too few parts");
  return readAt(group.offset + kWordBytes * (index + 1), &word, sizeof word);
}

Status OgawaReader::children(const OgawaGroup& group, std::vector<std::uint64_t>& words) const {
  words.resize(group.count);
  if (words.empty()) return {};
  return readAt(group.offset + kWordBytes, words.data(), words.size() * kWordBytes);
}

Status OgawaReader::childData(const OgawaGroup& group, std::uint64_t index, OgawaData& data_out) const {
  std::uint64_t word = 0;
  if (Status s = child(group, index, word); !s.ok()) return s;
  return data(word, data_out);
}

Status OgawaReader::childGroup(const OgawaGroup& parent, std::uint64_t index, OgawaGroup& child_group) const {
  std::uint64_t word = 0;
  if (Status s = child(parent, index, word); !s.ok()) return s;
  return group(word, child_group);
}

Status OgawaReader::read(const OgawaData& data, std::string& bytes) const {
  if (data.bytes > kMaxHeaderBlock) return badInput("a header is too long to be true");
  bytes.resize(data.bytes);
  return readAt(data.offset, bytes.data(), bytes.size());
}

Status OgawaReader::readAt(std::uint64_t offset, void* bytes, std::size_t count) const {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = pread(fd_, next, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ioError(std::strerror(errno));
    if (got == 0) return badInput("it ends too early");
    next += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace repose
