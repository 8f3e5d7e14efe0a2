// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Damaged files: a sentence, never a crash and never a wrong size (alembic.md 7).
#include <random>

#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache_fixtures.h"

namespace repose {
namespace {

class Malformed : public CacheTest {
 protected:
  // One object of each kind, three frames.
  std::string goodFile() {
    auto writer = create();
    const Geometry mesh = smallMesh();
    const int cloth = writer->addMesh("cloth", mesh), stone = writer->addRigid("stone", mesh);
    const int grains = writer->addPoints("grains"), hair = writer->addCurves("hair", {2, 3});
    for (int k = 0; k < 3; ++k) {
      const auto points = moved(mesh.points, static_cast<float>(k));
      Mat4d matrix;
      matrix.m[1][3] = k;
      EXPECT_TRUE(writer->setMesh(cloth, 0, points, points).ok());
      EXPECT_TRUE(writer->setTransform(stone, 0, matrix).ok());
      EXPECT_TRUE(writer->setPoints(grains, 0, points, points, {}, {0.1f}).ok());
      EXPECT_TRUE(writer->setCurves(hair, 0, points, points).ok());
      EXPECT_TRUE(writer->endFrame(1001 + k).ok());
    }
    EXPECT_TRUE(writer->close().ok());
    return readFile(path_);
  }

  // Everything a caller may ask of a file; what comes back must at least fit together.
  void use(const std::string& bytes) {
    const std::string path = (folder_ / "bad.abc").string();
    writeFile(path, bytes);
    const AbcReport report = verifyAlembic(path);
    EXPECT_TRUE(report.ok || report.problem.find(path) != std::string::npos) << report.problem;
    auto reader = AbcReader::open(path);
    if (!reader.ok()) return;
    (void)summarize(**reader);
    for (int object = 0; object < static_cast<int>((*reader)->objects().size()); ++object) {
      for (int sample = -1; sample < 4; ++sample) {
        if (const auto mesh = (*reader)->mesh(object, sample); mesh.ok()) {
          for (const std::int32_t index : mesh->face_indices)
            ASSERT_LT(static_cast<std::size_t>(index), mesh->points.size());
        }
        (void)(*reader)->points(object, sample);
        (void)(*reader)->curves(object, sample);
        (void)(*reader)->xform(object, sample);
      }
    }
  }
};

TEST_F(Malformed, TruncatedAnywhere) {
  const std::string good = goodFile();
  ASSERT_TRUE(verifyAlembic(path_).ok) << verifyAlembic(path_).problem;
  for (std::size_t length = 0; length < good.size(); length += 97) {
    use(good.substr(0, length));
    const std::string path = (folder_ / "bad.abc").string();
    EXPECT_FALSE(verifyAlembic(path).ok) << length;
  }
}

// Times of such a rate are frames beyond all numbers.
TEST_F(Malformed, ARateNobodyCanMean) {
  std::string bytes = goodFile();
  const std::string rate = "_ai_DCC_FPS=24.000000";
  bytes.replace(bytes.find(rate), rate.size(), "_ai_DCC_FPS=1.000e308");
  use(bytes);
  const auto reader = AbcReader::open((folder_ / "bad.abc").string());
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->info().frames, 1);
}

TEST_F(Malformed, FlippedBits) {
  const std::string good = goodFile();
  std::mt19937 random(1);
  for (int k = 0; k < 2000; ++k) {
    std::string bad = good;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
    use(bad);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Malformed, OverwrittenWords) {
  const std::string good = goodFile();
  std::mt19937 random(2);
  const std::uint64_t nasty[] = {0,         1, 16, ~0ull, 1ull << 63, (1ull << 63) | 8, 0x7fffffffffffffffull,
                                 1ull << 32};
  for (int k = 0; k < 1000; ++k) {
    std::string bad = good;
    const std::uint64_t word = random() % 3 ? nasty[random() % 8] : random() % good.size();
    bad.replace(random() % (bad.size() - 8), 8, reinterpret_cast<const char*>(&word), 8);
    use(bad);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Malformed, AFlippedBitInASampleIsFoundByItsKey) {
  std::string bytes = goodFile();
  const Vec3f p = smallMesh().points[4];
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&p), sizeof p));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  writeFile(path_, bytes);
  const AbcReport report = verifyAlembic(path_);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.problem.find("damaged sample"), std::string::npos) << report.problem;
}

TEST_F(Malformed, OtherThingsAreRefusedInOneSentence) {
  EXPECT_EQ(AbcReader::open((folder_ / "none.abc").string()).status().code(), Code::bad_input);
  EXPECT_EQ(AbcReader::open(folder_.string()).status().code(), Code::bad_input);
  writeFile(path_, "this is a text file, not a cache");
  const Status status = AbcReader::open(path_).status();
  EXPECT_EQ(status.message(),
            "The Alembic file '" + path_ + "' cannot be read: it is not an Alembic file of the Ogawa kind.");
}

}  // namespace
}  // namespace repose
