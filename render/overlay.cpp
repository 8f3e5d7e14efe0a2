// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/overlay.h"

#include <fmt/format.h>

#include "render/font.h"

namespace repose {
namespace {

constexpr Color kWhite = {1, 1, 1};

// Lengths of a label in pixels.
struct Layout {
  explicit Layout(const Image& image)
      : letter(std::max(static_cast<float>(image.height()) / 26, 9.0f)),
        margin(static_cast<int>(1.4f * letter)) {}
  float letter;
  int margin;
};

// Three digits; what is next to nothing within the range is 0.
std::string valueText(float value, const ValueRange& range) {
  const bool nothing = std::abs(value) < 1e-3f * (range.hi - range.lo);
  return fmt::format("{:.3g}", nothing ? 0 : value);
}

}  // namespace

void drawFrameNumber(Image& image, int frame) {
  const Layout layout(image);
  const int top = image.height() - layout.margin - static_cast<int>(layout.letter);
  drawText(image, layout.margin, top, layout.letter, kWhite, fmt::format("{}", frame));
}

void drawTitle(Image& image, const std::string& title) {
  const Layout layout(image);
  drawText(image, layout.margin, layout.margin, layout.letter, kWhite, title);
}

void drawColorBar(Image& image, const std::string& name, const ValueRange& range) {
  const Layout layout(image);
  const float letter = 0.75f * layout.letter;
  const int line = static_cast<int>(1.6f * letter), height = static_cast<int>(0.7f * letter);
  const int width = std::max(image.width() * 26 / 100, 2);
  const int left = image.width() - layout.margin - width;
  const int values_top = image.height() - layout.margin - static_cast<int>(letter);
  const int top = values_top - line + static_cast<int>(letter) - height;
  image.fillRectangle(left - 1, top - 1, width + 2, height + 2, {}, 0.5f);
  for (int x = 0; x < width; ++x) {
    image.fillRectangle(left + x, top, 1, height,
                        mapColor(static_cast<float>(x) / static_cast<float>(width - 1)));
  }
  const std::string lo = valueText(range.lo, range), hi = valueText(range.hi, range);
  drawText(image, left, top - line, letter, kWhite,
           name == "speed"    ? "speed  m/s"
           : name == "stress" ? "stress  N/m, soft Pa"
                              : name);
  drawText(image, left, values_top, letter, kWhite, lo);
  drawText(image, left + width - textWidth(hi, letter), values_top, letter, kWhite, hi);
}

}  // namespace repose
