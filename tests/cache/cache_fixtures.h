// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the tests of the cache share: a folder of their own and a small mesh.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cache/abc_writer.h"

namespace repose {

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("repose_") + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "test.abc").string();
    options_.first_frame = 1001;
    options_.durable = false;
    options_.date = "a day";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<AbcWriter> create() const {
    auto writer = AbcWriter::create(path_, options_);
    EXPECT_TRUE(writer.ok()) << writer.status().message();
    return writer.ok() ? std::move(*writer) : nullptr;
  }
  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
  std::string path_;
  AbcOptions options_;
};

#define ASSERT_OK(expression)                           \
  do {                                                  \
    const ::repose::Status status_of = (expression);    \
    ASSERT_TRUE(status_of.ok()) << status_of.message(); \
  } while (false)

// A quad and a triangle with one attribute of each owner.
inline Geometry smallMesh() {
  Geometry g;
  g.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0.5f, 1}};
  g.face_counts = {4, 3};
  g.face_indices = {0, 1, 2, 3, 1, 4, 2};
  Attribute uv;
  uv.name = "uv";
  uv.owner = AttributeOwner::corner;
  uv.width = 2;
  uv.floats = {0, 0, 1, 0, 1, 1, 0, 1};
  uv.indices = {0, 1, 2, 3, 0, 1, 2};
  Attribute mass;
  mass.name = "mass";
  mass.floats = {1, 2, 3, 4, 5};
  Attribute part;
  part.name = "part";
  part.owner = AttributeOwner::face;
  part.type = AttributeType::string;
  part.strings = {"sleeve", ""};
  Attribute seam;
  seam.name = "seam";
  seam.owner = AttributeOwner::corner;
  seam.type = AttributeType::i32;
  seam.ints = {10, 11, 12, 13, 14, 15, 16};
  g.attributes = {uv, mass, part, seam};
  return g;
}

inline std::vector<Vec3f> moved(std::vector<Vec3f> points, float by) {
  for (Vec3f& p : points) p += Vec3f{by, 2 * by, -by};
  return points;
}

inline std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace repose
