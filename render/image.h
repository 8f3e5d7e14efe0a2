// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A picture in memory: linear RGB from 0 (black) to 1 (white of the screen), rows from top to bottom.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "render/shading_math.h"

namespace repose {

class Image {
 public:
  Image() = default;
  Image(int width, int height, Color fill = {})
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * height, fill) {}

  int width() const { return width_; }
  int height() const { return height_; }
  Color& at(int x, int y) { return pixels_[static_cast<std::size_t>(y) * width_ + x]; }
  const Color& at(int x, int y) const { return pixels_[static_cast<std::size_t>(y) * width_ + x]; }

  // Lays a colour over a pixel; outside the picture nothing happens.
  void cover(int x, int y, Color color, float opacity);
  void fillRectangle(int left, int top, int width, int height, Color color, float opacity = 1);
  // Copies a whole picture to a place inside this one.
  void paste(const Image& source, int left, int top);

 private:
  int width_ = 0, height_ = 0;
  std::vector<Color> pixels_;
};

// The linear value of an sRGB value from 0 to 1, and back.
float linearFromSrgb(float value);
float srgbFromLinear(float value);
// A colour as a designer writes it: 0xRRGGBB in sRGB.
Color colorFromHex(unsigned rgb);

// 8-bit sRGB, three bytes a pixel, row after row.
std::vector<unsigned char> encodeSrgb(const Image& image);
// Writes 8-bit sRGB. The file appears under its name only when it is whole; on failure nothing is left.
Status writePng(const Image& image, const std::string& path);

}  // namespace repose
