// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <openvdb/io/Archive.h>
#include <openvdb/io/File.h>
#include <openvdb/io/GridDescriptor.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/hash.h"
#include "vdb/grid.h"

namespace repose {
namespace {

// openvdb::io::File does not notice a full disk; a stream of our own does.
class SeekableArchive final : public openvdb::io::Archive {
 public:
  void writeGrids(std::ostream& out, const openvdb::GridCPtrVec& grids) const {
    openvdb::io::Archive::write(out, grids, true, openvdb::MetaMap());
  }
};

// OpenVDB gives every file a random name of 36 characters: one of what is in it makes equal files equal.
void nameByContent(std::iostream& file) {
  constexpr std::streamoff kNameAt = 21;
  constexpr std::size_t kDigits = 36;
  Hasher hasher;
  std::vector<char> part(1 << 20);
  file.seekg(kNameAt + static_cast<std::streamoff>(kDigits));
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0)
    hasher.add(part.data(), static_cast<std::size_t>(file.gcount()));
  file.clear();
  const std::string first = hexHash(hasher.value());
  hasher.add(first.data(), first.size());
  std::string name = first + hexHash(hasher.value());
  for (const std::size_t dash : {8, 13, 18, 23}) name.insert(dash, 1, '-');
  file.seekp(kNameAt).write(name.data(), static_cast<std::streamsize>(kDigits));
}

Status writeFile(const LevelSet& level_set, const std::string& path) {
  errno = 0;
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
  if (out) {
    const SeekableArchive archive;
    archive.writeGrids(out, {level_set.grid().grid});
    if (out) nameByContent(out);
    out.close();
  }
  if (out.fail())
    return ioError(fmt::format("cannot write \"{}\": {}", path, errno ? std::strerror(errno) : "disk full"));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fdatasync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  return synced ? Status() : ioError(fmt::format("cannot sync \"{}\": {}", path, std::strerror(reason)));
}

// Where the last grid must end: OpenVDB does not notice when a file ends within its last block.
class GridEnds final : public openvdb::io::Archive {
 public:
  std::uintmax_t last(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    readHeader(in);
    setFormatVersion(in);
    setLibraryVersion(in);
    setDataCompression(in);
    openvdb::MetaMap metadata;
    metadata.readMeta(in);
    std::int64_t end = 0;
    for (int k = readGridCount(in); k > 0; --k) {
      openvdb::io::GridDescriptor grid;
      grid.read(in);
      end = std::max(end, grid.getEndPos());
      grid.seekToEnd(in);
    }
    return static_cast<std::uintmax_t>(end);
  }
};

enum class Health { good, deadly, cut_short, greedy };

const char* sentence(Health health) {
  switch (health) {
    case Health::cut_short:
      return "it is cut short";
    case Health::greedy:
      return "it wants more memory than a file of its size can need";
    default:
      return "it is damaged";
  }
}

// A tree takes up to some fifty times the memory of its file, where all is inactive or one value.
constexpr std::uintmax_t kMemoryOfFile = 200, kMemoryOfAny = std::uintmax_t{1} << 30;

// No more memory for this process than it has and so many bytes.
void allowMemory(std::uintmax_t more) {
  std::uintmax_t pages = 0;
  if (std::ifstream("/proc/self/statm") >> pages) {
    const auto most = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + more);
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
  }
}

// OpenVDB trusts the sizes inside a file and writes behind its buffers when they are wrong. So a process of
// its own reads the file first; if that one dies, this one does not read it.
Health healthOf(const std::string& path) {
  const pid_t child = ::fork();
  if (child < 0) return Health::good;
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGALRM})
      ::signal(number, SIG_DFL);
    const rlimit none{};
    ::setrlimit(RLIMIT_CORE, &none);
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
    const rlim_t seconds = 5 + bytes / 1'000'000;  // plenty for a good file
    const rlimit patience{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &patience);
    // Grids end by TBB, whose threads and locks a fork does not bring along: good ones are never let go, and
    // a damaged one that is may wait for ever.
    ::alarm(static_cast<unsigned>(std::min<std::uintmax_t>(10 + bytes / 100'000, 86'400)));
    allowMemory(kMemoryOfAny + kMemoryOfFile * bytes);
    if (const int quiet = ::open("/dev/null", O_WRONLY); quiet >= 0) ::dup2(quiet, STDERR_FILENO);
    try {
      // first, as OpenVDB takes what it cannot read any more for sizes
      if (GridEnds().last(path) > bytes) ::_exit(static_cast<int>(Health::cut_short));
      auto* file = new openvdb::io::File(path);
      file->open(false);
      new openvdb::GridPtrVecPtr(file->getGrids());
    } catch (const std::bad_alloc&) {
      ::_exit(static_cast<int>(Health::greedy));
    } catch (...) {
      // refused in good order, which the reader itself will say
    }
    ::_exit(static_cast<int>(Health::good));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? static_cast<Health>(WEXITSTATUS(status)) : Health::deadly;
}

// Calls work(file) on an open file; what OpenVDB throws becomes a sentence.
template <class T, class Work>
Result<T> reading(const std::string& path, const Work& work) {
  openvdb::initialize();
  if (!std::filesystem::is_regular_file(path))
    return badInput(fmt::format("the file {} does not exist", path));
  if (const Health health = healthOf(path); health != Health::good)
    return badInput(fmt::format("{}: OpenVDB cannot read it ({})", path, sentence(health)));
  try {
    openvdb::io::File file(path);
    file.open(false);
    return work(file);
  } catch (const std::bad_alloc&) {
    return Status(Code::memory, fmt::format("{}: not enough memory to read it", path));
  } catch (const std::exception& problem) {
    return badInput(fmt::format("{}: OpenVDB cannot read it ({})", path, problem.what()));
  }
}

Vec3f fromVdb(const openvdb::Vec3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

VdbGridSummary summarizeGrid(const openvdb::GridBase& grid) {
  VdbGridSummary summary;
  summary.name = grid.getName();
  summary.type = grid.valueType();
  summary.kind = openvdb::GridBase::gridClassToMenuName(grid.getGridClass());
  summary.active_voxels = grid.activeVoxelCount();
  summary.voxel = static_cast<float>(grid.voxelSize().x());
  const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  if (!box.empty())
    for (int corner = 0; corner < 8; ++corner) {
      const auto at = [&](int axis) { return (corner >> axis & 1 ? box.max() : box.min())[axis]; };
      summary.bounds.add(fromVdb(grid.indexToWorld(openvdb::Coord(at(0), at(1), at(2)))));
    }
  return summary;
}

}  // namespace

Status writeVdb(const LevelSet& level_set, const std::string& path) {
  const std::string unfinished = fmt::format("{}.tmp.{}", path, ::getpid());
  Status written;
  try {
    written = writeFile(level_set, unfinished);
  } catch (const std::bad_alloc&) {
    written = Status(Code::memory, fmt::format("not enough memory to write \"{}\"", path));
  } catch (const std::exception& problem) {
    written = ioError(fmt::format("cannot write \"{}\": {}", path, problem.what()));
  }
  if (written && std::rename(unfinished.c_str(), path.c_str()) != 0)
    written =
        ioError(fmt::format("cannot rename \"{}\" to \"{}\": {}", unfinished, path, std::strerror(errno)));
  if (written)
    syncFolderOf(path);
  else
    std::remove(unfinished.c_str());
  return written;
}

Result<LevelSet> readVdb(const std::string& path) {
  return reading<LevelSet>(path, [&](openvdb::io::File& file) -> Result<LevelSet> {
    for (auto name = file.beginName(); name != file.endName(); ++name) {
      auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(file.readGrid(name.gridName()));
      if (!grid || grid->getGridClass() != openvdb::GRID_LEVEL_SET) continue;
      auto made = std::make_shared<LevelSet::Grid>();
      made->grid = grid;
      return LevelSet(std::move(made));
    }
    return badInput(fmt::format("{}: there is no level set in it", path));
  });
}

Result<VdbSummary> summarizeVdb(const std::string& path) {
  return reading<VdbSummary>(path, [&](openvdb::io::File& file) -> Result<VdbSummary> {
    VdbSummary summary;
    summary.bytes = std::filesystem::file_size(path);
    const openvdb::GridPtrVecPtr grids = file.getGrids();
    for (const openvdb::GridBase::Ptr& grid : *grids) summary.grids.push_back(summarizeGrid(*grid));
    return summary;
  });
}

}  // namespace repose
