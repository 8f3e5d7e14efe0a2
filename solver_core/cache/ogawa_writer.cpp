// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/ogawa_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file.h"

namespace repose {
namespace {

constexpr std::size_t kCopyLimit = 4096;  // smaller payloads are copied, to keep the vectors of writes short
constexpr std::size_t kVectorLimit = 1024;  // IOV_MAX of Linux
constexpr std::uint64_t kRootOffsetAt = 8;

Status cannotWrite(const std::string& path, const std::string& reason) {
  return ioError("The cache '" + path + "' cannot be written: " + reason + ".");
}

Status cannotResume(const std::string& path, const std::string& reason) {
  return badInput("The cache '" + path + "' cannot be continued: " + reason + ".");
}

}  // namespace

Result<std::unique_ptr<OgawaWriter>> OgawaWriter::create(const std::string& path) {
  struct stat existing;
  if (stat(path.c_str(), &existing) == 0) {
    if (!S_ISREG(existing.st_mode)) return cannotWrite(path, "it exists and is not a file");
    if (access(path.c_str(), W_OK) != 0) return cannotWrite(path, std::strerror(errno));
  }
  const std::string temporary = path + ".tmp." + std::to_string(getpid());
  unlink(temporary.c_str());  // of a dead process that had our number
  const int fd = open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return cannotWrite(path, std::strerror(errno));
  std::unique_ptr<OgawaWriter> writer(new OgawaWriter(path, temporary, fd));
  return writer;
}

OgawaWriter::OgawaWriter(std::string path, std::string temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {
  // The "complete" byte is set from the start: nobody sees the file before its first root is in place.
  const char header[16] = {'O', 'g', 'a', 'w', 'a', '\xff', 0, 1};
  queue(header, sizeof header);
}

OgawaWriter::~OgawaWriter() {
  close(fd_);
  if (!published_) unlink(temporary_.c_str());
}

void OgawaWriter::queue(const void* bytes, std::size_t count) {
  if (count == 0) return;
  if (pieces_.empty() || pieces_.back().outside) pieces_.push_back({nullptr, arena_.size(), 0});
  arena_.append(static_cast<const char*>(bytes), count);
  pieces_.back().bytes += count;
  end_ += count;
}

std::uint64_t OgawaWriter::addData(std::string_view bytes) {
  if (bytes.empty()) return kOgawaEmptyData;
  const std::uint64_t offset = end_;
  queueNumber(bytes.size());
  queue(bytes.data(), bytes.size());
  return offset | kOgawaDataBit;
}

std::uint64_t OgawaWriter::addGroup(const std::vector<std::uint64_t>& words) {
  if (words.empty()) return kOgawaEmptyGroup;
  const std::uint64_t offset = end_;
  queueNumber(words.size());
  queue(words.data(), words.size() * sizeof words[0]);
  return offset;
}

std::uint64_t OgawaWriter::addSample(const Digest& key, const void* payload, std::size_t bytes) {
  if (bytes == 0) return kOgawaEmptyData;
  const std::uint64_t offset = end_;
  queueNumber(sizeof key.word + bytes);
  queue(key.word, sizeof key.word);
  if (bytes < kCopyLimit) {
    queue(payload, bytes);
  } else {
    pieces_.push_back({payload, 0, bytes});
    end_ += bytes;
  }
  return offset | kOgawaDataBit;
}

std::uint64_t OgawaWriter::place(GrowingGroup& group, std::size_t reserve) {
  if (group.placed == group.words.size()) return group.offset;
  if (group.words.size() <= group.capacity) {
    grown_.push_back(&group);
    return group.offset;
  }
  group.capacity = std::max(reserve, group.words.size());
  group.placed = group.words.size();
  group.offset = addGroup(group.words);
  const std::uint64_t spare = 0;
  for (std::size_t k = group.placed; k < group.capacity; ++k) queueNumber(spare);
  return group.offset;
}

Status OgawaWriter::append() {
  Status status = writeQueue();
  if (status.ok()) status = growInPlace();
  if (status.ok()) {
    written_ = end_;
  } else {
    // If even this fails the tail is dead bytes; the last root is good either way.
    [[maybe_unused]] const int ignored = ftruncate(fd_, static_cast<off_t>(written_));
  }
  pieces_.clear();
  arena_.clear();
  grown_.clear();
  return status;
}

// The order is the promise: what the root leads to is on the disk before the eight bytes that lead to it.
Status OgawaWriter::commit(std::uint64_t root, bool durable) {
  if (durable)
    if (Status s = synchronize(); !s.ok()) return s;
  if (Status s = writeAt(kRootOffsetAt, &root, sizeof root); !s.ok()) return s;
  return published_ ? Status() : publish(durable);
}

Status OgawaWriter::resume(std::uint64_t bytes, std::uint64_t root,
                           const std::vector<std::uint64_t>& root_words, bool copy) {
  const int fd = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return cannotResume(path_, std::strerror(errno));
  std::vector<std::uint64_t> found(root_words.size() + 1);
  const auto size = static_cast<ssize_t>(found.size() * sizeof found[0]);
  struct stat existing;
  const bool same =
      fstat(fd, &existing) == 0 && static_cast<std::uint64_t>(existing.st_size) >= bytes &&
      pread(fd, found.data(), found.size() * sizeof found[0], static_cast<off_t>(root)) == size &&
      found[0] == root_words.size() && std::equal(root_words.begin(), root_words.end(), found.begin() + 1);
  if (!same) {
    close(fd);
    return cannotResume(path_, "it is not the file that the run was writing");
  }
  if (copy) {
    Status copied = copyFrom(fd, bytes);
    close(fd);
    if (!copied.ok()) return copied;
  } else {
    close(fd_);
    unlink(temporary_.c_str());
    fd_ = fd;
    published_ = true;
  }
  written_ = end_ = bytes;
  pieces_.clear();
  arena_.clear();
  grown_.clear();
  // first the older root, which leads to nothing behind the new end
  if (Status s = writeAt(kRootOffsetAt, &root, sizeof root); !s.ok()) return s;
  if (Status s = synchronize(); !s.ok()) return s;
  if (copy) return publish(true);
  return ftruncate(fd_, static_cast<off_t>(bytes)) == 0 ? Status() : failure("shortening");
}

// The first bytes of a file into the temporary one.
Status OgawaWriter::copyFrom(int fd, std::uint64_t bytes) {
  std::vector<char> block(std::size_t{1} << 22);
  for (std::uint64_t at = 0; at < bytes;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), bytes - at);
    const ssize_t got = pread(fd, block.data(), wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failure("copying");
    if (Status s = writeAt(at, block.data(), static_cast<std::size_t>(got)); !s.ok()) return s;
    at += static_cast<std::uint64_t>(got);
  }
  return {};
}

Status OgawaWriter::writeQueue() {
  std::vector<iovec> vectors;
  vectors.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    const void* begin = piece.outside ? piece.outside : arena_.data() + piece.begin;
    vectors.push_back({const_cast<void*>(begin), piece.bytes});
  }
  std::uint64_t offset = written_;
  for (std::size_t next = 0; next < vectors.size();) {
    const int count = static_cast<int>(std::min(vectors.size() - next, kVectorLimit));
    ssize_t written = pwritev(fd_, &vectors[next], count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure("writing");
    offset += static_cast<std::uint64_t>(written);
    for (; next < vectors.size() && static_cast<std::size_t>(written) >= vectors[next].iov_len; ++next)
      written -= static_cast<ssize_t>(vectors[next].iov_len);
    if (written == 0) continue;
    vectors[next].iov_base = static_cast<char*>(vectors[next].iov_base) + written;
    vectors[next].iov_len -= static_cast<std::size_t>(written);
  }
  return {};
}

Status OgawaWriter::growInPlace() {
  for (GrowingGroup* group : grown_) {
    const std::uint64_t at = group->offset + sizeof(std::uint64_t) * (1 + group->placed);
    const std::size_t bytes = sizeof(std::uint64_t) * (group->words.size() - group->placed);
    if (Status s = writeAt(at, &group->words[group->placed], bytes); !s.ok()) return s;
  }
  for (GrowingGroup* group : grown_) {
    const std::uint64_t count = group->words.size();
    if (Status s = writeAt(group->offset, &count, sizeof count); !s.ok()) return s;
    group->placed = group->words.size();
  }
  return {};
}

Status OgawaWriter::publish(bool durable) {
  if (durable)
    if (Status s = synchronize(); !s.ok()) return s;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return failure("renaming");
  published_ = true;
  if (durable) syncFolderOf(path_);
  return {};
}

Status OgawaWriter::writeAt(std::uint64_t offset, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = pwrite(fd_, next, count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure("writing");
    next += written;
    offset += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  return {};
}

Status OgawaWriter::synchronize() { return fdatasync(fd_) == 0 ? Status() : failure("syncing"); }

Status OgawaWriter::failure(const char* action) const {
  return cannotWrite(path_, std::string(action) + " failed with '" + std::strerror(errno) + "'");
}

}  // namespace repose
