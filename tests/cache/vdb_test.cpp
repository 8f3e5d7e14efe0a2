// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "vdb/level_set.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

constexpr double kPi = 3.14159265358979;

class Vdb : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("repose_vdb_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t filesThere() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

LevelSet skin(const std::vector<Vec3f>& centres, const std::vector<float>& widths, GrainSkin how,
              int threads = 0) {
  Result<LevelSet> made = skinOfGrains(centres, widths, how, threads);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return *made;
}

// By the divergence theorem: above zero when the faces are counter-clockwise from outside.
double volumeOf(const Geometry& mesh) {
  double six = 0;
  std::size_t first = 0;
  for (const std::int32_t count : mesh.face_counts) {
    const auto at = [&](std::int32_t k) { return mesh.points[mesh.face_indices[first + k]]; };
    for (std::int32_t k = 1; k + 1 < count; ++k) six += dot(at(0), cross(at(k), at(k + 1)));
    first += static_cast<std::size_t>(count);
  }
  return six / 6;
}

// Grains of a lattice that touch each other.
std::vector<Vec3f> lattice(int side, float spacing) {
  std::vector<Vec3f> centres;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k)
        centres.push_back(Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} *
                          spacing);
  return centres;
}

TEST_F(Vdb, ALoneGrainKeepsItsSize) {
  const float r = 0.1f;
  for (const float scale : {1.0f, 1.5f}) {
    const Geometry mesh = meshOf(skin({{1, 2, 3}}, {2 * r}, {0.01f, scale, 0}), 0);
    EXPECT_NEAR(volumeOf(mesh), 4 * kPi / 3 * r * r * r, 0.06 * 4 * r * r * r) << scale;
    for (const Vec3f p : mesh.points) EXPECT_NEAR(length(p - Vec3f{1, 2, 3}), r, 0.01f);
  }
}

// Touching spheres fill pi/6 of their lattice. Its gaps, 0.73 radii from the spheres at most, close; the
// whole does not swell.
TEST_F(Vdb, GrownSpheresCloseTheGapsBetweenThem) {
  const int side = 6;
  const float r = 0.05f;
  const std::vector<Vec3f> centres = lattice(side, 2 * r);
  const std::vector<float> widths(centres.size(), 2 * r);
  const double block = std::pow(side * 2 * r, 3), spheres = block * kPi / 6;
  const Geometry bare = meshOf(skin(centres, widths, {0.015f, 1, 0}), 0);
  const Geometry closed = meshOf(skin(centres, widths, {0.015f, 2, 0}), 0);
  EXPECT_NEAR(volumeOf(bare), spheres, 0.06 * spheres);
  EXPECT_GT(volumeOf(closed), 0.8 * block);
  EXPECT_LT(volumeOf(closed), block);
  EXPECT_LT(closed.points.size(), bare.points.size() / 2);
}

TEST_F(Vdb, SmoothingLeavesFewerBumps) {
  const std::vector<Vec3f> centres = lattice(6, 0.1f);
  const std::vector<float> widths(centres.size(), 0.1f);
  const auto roughness = [&](int smooth) {  // spread of the heights over the middle of the top
    const Geometry mesh = meshOf(skin(centres, widths, {0.02f, 2, smooth}), 0);
    float lo = 1e9f, hi = -1e9f;
    for (const Vec3f p : mesh.points)
      if (p.y > 0.4f && std::abs(p.x - 0.25f) < 0.1f && std::abs(p.z - 0.25f) < 0.1f)
        lo = std::min(lo, p.y), hi = std::max(hi, p.y);
    return hi - lo;
  };
  EXPECT_LT(roughness(8), 0.7f * roughness(0));
}

TEST_F(Vdb, AFileHoldsWhatWasWritten) {
  const std::vector<Vec3f> centres = lattice(4, 0.1f);
  const LevelSet made = skin(centres, std::vector<float>(centres.size(), 0.1f), {0.01f, 1.5f, 2});
  ASSERT_TRUE(writeVdb(made, path("sand.0001.vdb")).ok());
  EXPECT_EQ(filesThere(), 1u);  // nothing unfinished
  const auto back = readVdb(path("sand.0001.vdb"));
  ASSERT_TRUE(back.ok()) << back.status().message();
  const Geometry before = meshOf(made, 0), after = meshOf(*back, 0);
  EXPECT_EQ(before.points, after.points);
  EXPECT_EQ(before.face_indices, after.face_indices);

  const auto summary = summarizeVdb(path("sand.0001.vdb"));
  ASSERT_TRUE(summary.ok()) << summary.status().message();
  EXPECT_EQ(summary->bytes, fs::file_size(path("sand.0001.vdb")));
  ASSERT_EQ(summary->grids.size(), 1u);
  const VdbGridSummary& grid = summary->grids[0];
  EXPECT_EQ(grid.name, "surface");
  EXPECT_EQ(grid.type, "float");
  EXPECT_FLOAT_EQ(grid.voxel, 0.01f);
  EXPECT_GT(grid.active_voxels, 1000u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(grid.bounds.lo[k], -0.05f, 0.05f);
    EXPECT_NEAR(grid.bounds.hi[k], 0.35f, 0.05f);
  }
}

TEST_F(Vdb, ThreadsDoNotChangeTheSurface) {
  const std::vector<Vec3f> centres = lattice(9, 0.09f);
  const std::vector<float> widths(centres.size(), 0.1f);
  const Geometry one = meshOf(skin(centres, widths, {0.02f, 1.5f, 2}, 1), 1);
  for (int again = 0; again < 3; ++again) {
    const Geometry two = meshOf(skin(centres, widths, {0.02f, 1.5f, 2}, 2), 2);
    EXPECT_EQ(one.points, two.points);
    EXPECT_EQ(one.face_indices, two.face_indices);
  }
}

TEST_F(Vdb, TheSameGrainsGiveTheSameFile) {
  const auto bytesOf = [&](const char* name, float width) {
    EXPECT_TRUE(
        writeVdb(skin(lattice(4, 0.02f), std::vector<float>(64, width), {0.005f, 1.5f, 0}), path(name)).ok());
    std::ifstream file(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string one = bytesOf("one.vdb", 0.02f), again = bytesOf("again.vdb", 0.02f);
  EXPECT_TRUE(one == again);
  const std::string other = bytesOf("other.vdb", 0.021f);
  EXPECT_NE(one.substr(21, 36), other.substr(21, 36));
  for (std::size_t k = 0; k < 36; ++k)
    EXPECT_EQ(one[21 + k] == '-', k == 8 || k == 13 || k == 18 || k == 23) << one.substr(21, 36);
}

TEST_F(Vdb, NoGrainsGiveAnEmptyGrid) {
  const LevelSet empty = skin({}, {}, {0.01f});
  EXPECT_TRUE(meshOf(empty, 0).points.empty());
  ASSERT_TRUE(writeVdb(empty, path("empty.vdb")).ok());
  const auto summary = summarizeVdb(path("empty.vdb"));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->grids[0].active_voxels, 0u);
}

TEST_F(Vdb, RefusesVoxelsThatDoNotFitTheGrains) {
  const auto coarse = skinOfGrains({{0, 0, 0}}, {0.02f}, {0.05f, 1.5f, 0}, 0);
  ASSERT_EQ(coarse.status().code(), Code::bad_input);
  EXPECT_NE(coarse.status().message().find("at most 0.01 m"), std::string::npos) << coarse.status().message();
  EXPECT_EQ(skinOfGrains({{0, 0, 0}}, {2.0f}, {1e-4f, 1, 0}, 0).status().code(), Code::bad_input);
}

TEST_F(Vdb, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(readVdb(path("none.vdb")).status().code(), Code::bad_input);
  std::ofstream(path("text.vdb")) << "not a volume";
  const auto text = readVdb(path("text.vdb"));
  ASSERT_EQ(text.status().code(), Code::bad_input);
  EXPECT_NE(text.status().message().find("text.vdb"), std::string::npos);
  EXPECT_EQ(summarizeVdb(path("text.vdb")).status().code(), Code::bad_input);
  EXPECT_EQ(writeVdb(skin({}, {}, {0.01f}), path("missing/a.vdb")).code(), Code::io);
}

// A length that says 1.9 GB in a file of some kilobytes: behind the header (57 bytes) metadata begin, and the
// first of them begins with the length of its name.
TEST_F(Vdb, AFileThatWantsFarTooMuchMemoryIsRefusedBeforeItGetsIt) {
  ASSERT_TRUE(writeVdb(skin({{0, 0, 0}}, {0.02f}, {0.005f, 1.5f, 0}), path("greedy.vdb")).ok());
  {
    std::fstream file(path("greedy.vdb"), std::ios::binary | std::ios::in | std::ios::out);
    const std::int32_t entries_and_length[2] = {1, 0x70000000};
    file.seekp(57).write(reinterpret_cast<const char*>(entries_and_length), sizeof entries_and_length);
  }
  const auto read = readVdb(path("greedy.vdb"));
  ASSERT_EQ(read.status().code(), Code::bad_input);
  EXPECT_NE(read.status().message().find("OpenVDB cannot read it (it "), std::string::npos)
      << read.status().message();
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    EXPECT_LT(used.ru_maxrss, 1'500'000) << "kB";
  }
}

}  // namespace
}  // namespace repose
