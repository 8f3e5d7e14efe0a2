// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/image.h"

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <filesystem>

#include "base/frame_name.h"
#include "render/colormap.h"
#include "render/font.h"
#include "render/overlay.h"
#include "render/sheet.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("repose_image_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};
using Png = InFolder;

struct Decoded {
  png_uint_32 width = 0, height = 0;
  std::vector<png_byte> bytes;
};

Decoded decode(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, path.c_str())) return {};
  png.format = PNG_FORMAT_RGB;
  Decoded decoded{png.width, png.height, std::vector<png_byte>(PNG_IMAGE_SIZE(png))};
  return png_image_finish_read(&png, nullptr, decoded.bytes.data(), 0, nullptr) ? decoded : Decoded{};
}

TEST_F(Png, IsReadBackWithItsSizeAndColors) {
  Image image(7, 5);
  image.at(0, 0) = {1, 0, 0};
  image.at(6, 4) = {0.2140411f, 2, -1};  // half-way in sRGB, too bright, too dark
  ASSERT_TRUE(writePng(image, file("a.png")));
  const Decoded decoded = decode(file("a.png"));
  ASSERT_EQ(decoded.width, 7u);
  ASSERT_EQ(decoded.height, 5u);
  EXPECT_EQ(std::vector<png_byte>(decoded.bytes.begin(), decoded.bytes.begin() + 6),
            (std::vector<png_byte>{255, 0, 0, 0, 0, 0}));
  const png_byte* last = &decoded.bytes[decoded.bytes.size() - 3];
  EXPECT_NEAR(last[0], 127.5, 1);
  EXPECT_EQ(last[1], 255);
  EXPECT_EQ(last[2], 0);
  EXPECT_EQ(filesInFolder(), 1u);
}

// An 8-bit step of a soft gradient must not show as an edge: its place differs from row to row.
TEST_F(Png, DithersGradients) {
  Image image(64, 64, Color{1, 1, 1} * linearFromSrgb(100.5f / 255));
  ASSERT_TRUE(writePng(image, file("a.png")));
  double sum = 0;
  const Decoded decoded = decode(file("a.png"));
  for (png_byte byte : decoded.bytes) sum += byte;
  EXPECT_NEAR(sum / static_cast<double>(decoded.bytes.size()), 100.5, 0.05);
}

TEST_F(Png, UnwritablePathIsAnIoErrorAndLeavesNothing) {
  const Image image(4, 4);
  const Status missing_folder = writePng(image, file("missing/a.png"));
  EXPECT_EQ(missing_folder.code(), Code::io);
  EXPECT_NE(missing_folder.message().find("missing/a.png"), std::string::npos);
  fs::create_directories(folder_ / "taken.png");  // a folder of that name: the last step fails
  EXPECT_EQ(writePng(image, file("taken.png")).code(), Code::io);
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(Png, FullDiskIsAnIoError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  // The unfinished file's name is known, so it can be made to lead to a device without room.
  fs::create_symlink("/dev/full", file("a.png.tmp." + std::to_string(getpid())));
  EXPECT_EQ(writePng(Image(64, 64), file("a.png")).code(), Code::io);
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST(FrameName, AllSpellingsMeanTheSame) {
  for (const char* pattern : {"a.%04d.png", "a.####.png", "a.$F4.png", "a.<F4>.png"}) {
    EXPECT_TRUE(hasFrameToken(pattern)) << pattern;
    EXPECT_EQ(expandFrameToken(pattern, 7), "a.0007.png") << pattern;
    EXPECT_EQ(expandFrameToken(pattern, 12345), "a.12345.png") << pattern;
    EXPECT_EQ(expandFrameToken(pattern, -7), "a.-007.png") << pattern;
  }
  for (const char* pattern : {"a%d", "a#", "a$F", "a<F>"})
    EXPECT_EQ(expandFrameToken(pattern, 7), "a7") << pattern;
}

TEST(FrameName, LeavesTheRestAlone) {
  for (const char* name : {"a.png", "$HOME/a.png", "$FOO.png", "100%.png", "%s.png", "<f4>.png", "<F4.png"}) {
    EXPECT_FALSE(hasFrameToken(name)) << name;
    EXPECT_EQ(expandFrameToken(name, 7), name);
  }
  EXPECT_EQ(expandFrameToken("$F4/x_$F4.png", 12), "0012/x_0012.png");
}

float lightness(Color c) { return dot(c, {0.2126f, 0.7152f, 0.0722f}); }

TEST(ColorMap, EndsOfTheRangeAreTheEndsOfTheMap) {
  ValueRange range;
  for (float value : {3.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), 7.0f}) range.add(value);
  EXPECT_EQ(mapColor(range, -1), mapColor(0.0f));
  EXPECT_EQ(mapColor(range, 7), mapColor(1.0f));
  EXPECT_EQ(mapColor(range, -100), mapColor(0.0f));
  EXPECT_EQ(mapColor(range, 100), mapColor(1.0f));
  EXPECT_EQ(mapColor(range, 3), mapColor(0.5f));
  EXPECT_EQ(mapColor(ValueRange{2, 2}, 2), mapColor(0.0f));
}

TEST(ColorMap, GetsLighterAllTheWay) {
  for (int i = 0; i < 64; ++i)
    EXPECT_LT(lightness(mapColor(static_cast<float>(i) / 64)),
              lightness(mapColor(static_cast<float>(i + 1) / 64)));
}

// Some row of the picture runs through the colours of the map from its first to its last.
TEST(ColorBar, ShowsTheMapFromLeftToRight) {
  Image image(400, 225);
  drawColorBar(image, "strain", {0, 1});
  int rows_of_the_map = 0;
  for (int y = 0; y < image.height(); ++y) {
    std::vector<Color> bar;
    for (int x = 0; x < image.width(); ++x)
      if (lightness(image.at(x, y)) > 0) bar.push_back(image.at(x, y));
    rows_of_the_map += bar.size() > 90 && bar.front() == mapColor(0.0f) && bar.back() == mapColor(1.0f);
  }
  EXPECT_GE(rows_of_the_map, 3);
}

TEST(Font, DigitsDifferAndStayInTheirWidth) {
  std::vector<Image> digits;
  for (char digit = '0'; digit <= '9'; ++digit) {
    Image image(60, 60, {0.5f, 0.5f, 0.5f});
    drawText(image, 10, 10, 30, {1, 1, 1}, std::string(1, digit));
    const int right = 10 + textWidth(std::string(1, digit), 30);
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 60; ++x) {
        const bool inside = x >= 10 && x <= right && y >= 10 && y <= 10 + 36;
        EXPECT_TRUE(inside || image.at(x, y).x <= 0.5f) << digit;
      }
    digits.push_back(image);
  }
  for (std::size_t a = 0; a < digits.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      int different = 0;
      for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 60; ++x)
          different += std::abs(digits[a].at(x, y).x - digits[b].at(x, y).x) > 0.3f;
      EXPECT_GT(different, 25) << a << " " << b;
    }
}

TEST(Sheet, HasRoomForRowsColumnsGapsAndTitle) {
  const int gap = ContactSheet::gapFor(120);
  const ContactSheet plain(7, 3, 120, 60, "");
  EXPECT_EQ(plain.image().width(), 3 * 120 + 4 * gap);
  EXPECT_EQ(plain.image().height(), 3 * 60 + 4 * gap);
  EXPECT_EQ(ContactSheet(12, 0, 120, 60, "").image().width(), 4 * 120 + 5 * gap);
  EXPECT_EQ(ContactSheet(2, 5, 120, 60, "").image().width(), 2 * 120 + 3 * gap);
  EXPECT_GT(ContactSheet(7, 3, 120, 60, "flag").image().height(), plain.image().height());
}

TEST(Sheet, PlacesPicturesRowByRow) {
  const int gap = ContactSheet::gapFor(120);
  ContactSheet sheet(4, 2, 120, 60, "");
  sheet.place(2, Image(120, 60, {1, 0, 0}));
  EXPECT_EQ(sheet.image().at(gap, 2 * gap + 60), (Color{1, 0, 0}));
  EXPECT_EQ(sheet.image().at(gap + 119, 2 * gap + 119), (Color{1, 0, 0}));
  EXPECT_NE(sheet.image().at(gap, 2 * gap + 59), (Color{1, 0, 0}));
  EXPECT_NE(sheet.image().at(gap + 120, 2 * gap + 60), (Color{1, 0, 0}));
}

}  // namespace
}  // namespace repose
