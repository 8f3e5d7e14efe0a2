// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/render_cache.h"

#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cache/abc_writer.h"
#include "render/cache_source.h"
#include "render/sheet.h"

namespace repose {
namespace {

namespace fs = std::filesystem;
constexpr int kFirst = 1001, kFrames = 6;

Geometry sheetGeometry(int cells) {
  Geometry geometry;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      geometry.points.push_back({static_cast<float>(i) / cells, 1, static_cast<float>(j) / cells});
    }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i;
      geometry.face_counts.push_back(4);
      for (int corner : {a, a + cells + 1, a + cells + 2, a + 1}) geometry.face_indices.push_back(corner);
    }
  return geometry;
}

std::string bytesOf(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Width and height of a PNG as libpng sees them; zeros when it is none.
std::pair<int, int> pngSize(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, path.c_str())) return {};
  const std::pair<int, int> size(static_cast<int>(png.width), static_cast<int>(png.height));
  png_image_free(&png);
  return size;
}

class RenderCache : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("repose_render_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "out");
    options_.width = 64;
    options_.height = 36;
    options_.samples = 4;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t picturesMade() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_ / "out"), fs::directory_iterator()));
  }

  // A sheet that sinks one metre a second, two points and a curve that stay; with a spoilt frame on request.
  std::string writeCache(int spoilt_frame = 0) {
    AbcOptions abc;
    abc.first_frame = kFirst;
    auto made = AbcWriter::create(path("motion.abc"), abc);
    if (!made) {
      ADD_FAILURE() << made.status().message();
      return "";
    }
    AbcWriter& writer = **made;
    const Geometry sheet = sheetGeometry(4);
    const int mesh = writer.addMesh("sheet", sheet), points = writer.addPoints("grains");
    const int curves = writer.addCurves("hair", {3});
    const int strain = writer.addAttribute(mesh, "strain", AttributeType::f32);
    for (int frame = kFirst; frame < kFirst + kFrames; ++frame) {
      std::vector<Vec3f> positions = sheet.points;
      for (Vec3f& p : positions) p.y -= static_cast<float>(frame - kFirst) / 24;
      if (frame == spoilt_frame) positions[7].x = std::numeric_limits<float>::quiet_NaN();
      const std::vector<Vec3f> velocities(positions.size(), Vec3f{0, -1, 0});
      const std::vector<float> strains(positions.size(), static_cast<float>(frame - kFirst) / 100);
      expectOk(writer.setMesh(mesh, 0, positions, velocities));
      expectOk(writer.setAttribute(strain, 0, strains.data(), strains.size()));
      const std::vector<Vec3f> grains = {{0, 0.1f, 0}, {1, 0.1f, 1}};
      expectOk(writer.setPoints(points, 0, grains, std::vector<Vec3f>{{3, 0, 4}, {}}, {0, 1}, {0.2f}));
      expectOk(writer.setCurves(curves, 0, std::vector<Vec3f>{{0, 0, 1}, {0, 0.3f, 1}, {0, 0.6f, 1.1f}}));
      expectOk(writer.endFrame(frame));
    }
    expectOk(writer.close());
    return path("motion.abc");
  }
  static void expectOk(const Status& status) { EXPECT_TRUE(status) << status.message(); }

  Status render(const std::string& cache, const std::string& output, const RenderProgress& progress = {}) {
    report_ = {};
    return renderCache(cache, options_, path(output), progress, report_);
  }

  fs::path folder_;
  RenderOptions options_;
  RenderReport report_;
};

TEST_F(RenderCache, WritesOnePictureAFrame) {
  int calls = 0;
  expectOk(render(writeCache(), "out/a.####.png", [&](int done, int total) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(total, kFrames);
    return true;
  }));
  EXPECT_EQ(calls, kFrames);
  EXPECT_EQ(picturesMade(), static_cast<std::size_t>(kFrames));
  EXPECT_EQ(report_.files.front(), path("out/a.1001.png"));
  EXPECT_EQ(pngSize(path("out/a.1006.png")), std::pair(64, 36));
  EXPECT_NE(bytesOf(path("out/a.1001.png")), bytesOf(path("out/a.1006.png")));
  EXPECT_TRUE(report_.warnings.empty());
}

// A farm draws each frame on its own: camera, floor and colours must be those of the whole cache.
TEST_F(RenderCache, OneFrameAloneIsTheSameAsAmongAll) {
  const std::string cache = writeCache();
  options_.attribute = "strain";
  expectOk(render(cache, "out/all.$F4.png"));
  options_.frames = {1003};
  expectOk(render(cache, "out/alone.png"));
  EXPECT_EQ(bytesOf(path("out/all.1003.png")), bytesOf(path("out/alone.png")));
}

TEST_F(RenderCache, ReadsShapesAndValues) {
  std::size_t lost = 0;
  auto by_speed = CacheSource::open(writeCache(), "speed");
  ASSERT_TRUE(by_speed) << by_speed.status().message();
  EXPECT_EQ((*by_speed)->frames().front(), kFirst);
  EXPECT_EQ((*by_speed)->frames().back(), kFirst + kFrames - 1);
  const auto scene = (*by_speed)->load(1004, lost);
  ASSERT_TRUE(scene) << scene.status().message();
  ASSERT_EQ(scene->meshes.size(), 1u);
  EXPECT_EQ(scene->meshes[0].triangles.size(), 32u);
  EXPECT_EQ(scene->meshes[0].points[0].y, 1 - 3.0f / 24);
  EXPECT_EQ(scene->meshes[0].values, std::vector<float>(25, 1));
  ASSERT_EQ(scene->spheres.size(), 1u);
  EXPECT_EQ(scene->spheres[0].radii, (std::vector<float>{0.1f, 0.1f}));
  EXPECT_EQ(scene->spheres[0].values, (std::vector<float>{5, 0}));
  ASSERT_EQ(scene->curves.size(), 1u);
  EXPECT_EQ(scene->curves[0].counts, (std::vector<std::int32_t>{3}));
  EXPECT_NE(scene->meshes[0].color, scene->spheres[0].color);
  // The front of the sheet is its upper side.
  const Triangle t = scene->meshes[0].triangles[0];
  const auto& p = scene->meshes[0].points;
  EXPECT_GT(cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]).y, 0);

  const auto extent = (*by_speed)->measure();
  ASSERT_TRUE(extent) << extent.status().message();
  EXPECT_EQ(extent->values.lo, 0);
  EXPECT_EQ(extent->values.hi, 5);
  EXPECT_NEAR(extent->bounds.lo.y, 0, 0.01f);  // a curve stands on the ground
  EXPECT_EQ(extent->bounds.hi.y, 1);

  auto by_strain = CacheSource::open(path("motion.abc"), "strain");
  ASSERT_TRUE(by_strain) << by_strain.status().message();
  EXPECT_EQ((*by_strain)->measure()->values.hi, 0.05f);
  EXPECT_TRUE((*by_strain)->load(1004, lost)->spheres[0].values.empty());
}

TEST_F(RenderCache, SpoiltFrameWarnsAndIsDrawnWithoutThePoint) {
  expectOk(render(writeCache(1003), "out/a.%04d.png"));
  EXPECT_EQ(picturesMade(), static_cast<std::size_t>(kFrames));
  ASSERT_EQ(report_.warnings.size(), 1u);
  EXPECT_NE(report_.warnings[0].find("frame 1003"), std::string::npos) << report_.warnings[0];
}

TEST_F(RenderCache, RefusesWrongRequestsAndWritesNothing) {
  const std::string cache = writeCache();
  const auto refused = [&](const char* part, const std::string& output = "out/a.####.png") {
    const Status status = render(cache, output);
    EXPECT_EQ(status.code(), Code::bad_input);
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
    EXPECT_EQ(picturesMade(), 0u);
  };
  const RenderOptions good = options_;
  refused("%04d", "out/a.png");
  options_.frames = {1001, 2000};
  refused("1001-1006");
  options_ = good, options_.attribute = "strian";
  refused("did you mean \"strain\"");
  options_ = good, options_.width = 5;
  refused("5 x 36");
  options_ = good, options_.samples = 0;
  refused("samples");
  options_ = good, options_.range = ValueRange{2, 1};
  refused("range");
  options_ = good, options_.camera = Camera{{1, 1, 1}, {1, 1, 1}, 30};
  refused("camera");
  options_ = good, options_.camera = Camera{{1, 1, 1}, {0, 1, 1}, 400};
  refused("400");
}

TEST_F(RenderCache, MissingOrBrokenCacheIsOneSentence) {
  EXPECT_FALSE(render(path("nothing.abc"), "out/a.####.png"));
  std::ofstream(path("broken.abc")) << "not an archive";
  const Status broken = render(path("broken.abc"), "out/a.####.png");
  EXPECT_FALSE(broken);
  EXPECT_NE(broken.message().find("broken.abc"), std::string::npos) << broken.message();
  EXPECT_EQ(picturesMade(), 0u);
}

TEST_F(RenderCache, UnwritableFolderIsAnIoError) {
  EXPECT_EQ(render(writeCache(), "missing/a.####.png").code(), Code::io);
  EXPECT_TRUE(report_.files.empty());
}

TEST_F(RenderCache, StopsOnRequest) {
  const Status status = render(writeCache(), "out/a.####.png", [](int done, int) { return done < 2; });
  EXPECT_EQ(status.code(), Code::stopped);
  EXPECT_EQ(picturesMade(), 2u);
}

TEST_F(RenderCache, SheetHoldsTheFramesAskedFor) {
  const std::string cache = writeCache();
  const int gap = ContactSheet::gapFor(64);
  options_.sheet_frames = 4;
  expectOk(renderSheet(cache, options_, path("out/sheet.png"), {}, report_));
  EXPECT_EQ(pngSize(path("out/sheet.png")), std::pair(2 * 64 + 3 * gap, 2 * 36 + 3 * gap));
  options_.frames = {1001, 1003, 1006};
  options_.sheet_columns = 3;
  expectOk(renderSheet(cache, options_, path("out/sheet.png"), {}, report_));
  EXPECT_EQ(pngSize(path("out/sheet.png")), std::pair(3 * 64 + 4 * gap, 36 + 2 * gap));
}

TEST(SpreadFrames, RunsFromFirstToLast) {
  std::vector<int> frames;
  for (int frame = 1001; frame <= 1048; ++frame) frames.push_back(frame);
  const std::vector<int> spread = spreadFrames(frames, 12);
  ASSERT_EQ(spread.size(), 12u);
  EXPECT_EQ(spread.front(), 1001);
  EXPECT_EQ(spread.back(), 1048);
  for (std::size_t i = 1; i < spread.size(); ++i) EXPECT_NEAR(spread[i] - spread[i - 1], 47 / 11.0, 1);
  EXPECT_EQ(spreadFrames(frames, 100), frames);
  EXPECT_EQ(spreadFrames({1, 2, 3}, 1), std::vector<int>{3});
}

}  // namespace
}  // namespace repose
