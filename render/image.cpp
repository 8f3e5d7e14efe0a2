// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/image.h"

#include <fcntl.h>
#include <png.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace repose {

void Image::cover(int x, int y, Color color, float opacity) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  at(x, y) = blend(at(x, y), color, opacity);
}

void Image::fillRectangle(int left, int top, int width, int height, Color color, float opacity) {
  for (int y = top; y < top + height; ++y)
    for (int x = left; x < left + width; ++x) cover(x, y, color, opacity);
}

void Image::paste(const Image& source, int left, int top) {
  for (int y = 0; y < source.height(); ++y)
    for (int x = 0; x < source.width(); ++x) cover(left + x, top + y, source.at(x, y), 1);
}

float linearFromSrgb(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float srgbFromLinear(float value) {
  return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

Color colorFromHex(unsigned rgb) {
  const auto channel = [&](int shift) {
    return linearFromSrgb(static_cast<float>(rgb >> shift & 255) / 255);
  };
  return {channel(16), channel(8), channel(0)};
}

namespace {

// A fixed threshold for each pixel between 0 and 1: rounding by it keeps soft gradients free of bands. It
// keeps off the ends so that a whole level stays what it is.
float ditherThreshold(int x, int y) {
  const float turns = 0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y);
  const float share = 52.9829189f * (turns - std::floor(turns));
  return 0.01f + 0.98f * (share - std::floor(share));
}

}  // namespace

std::vector<unsigned char> encodeSrgb(const Image& image) {
  std::vector<unsigned char> bytes;
  bytes.reserve(static_cast<std::size_t>(image.width()) * image.height() * 3);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      for (int k = 0; k < 3; ++k) {
        const float level = 255 * srgbFromLinear(clamp01(image.at(x, y)[k])) + ditherThreshold(x, y);
        bytes.push_back(static_cast<unsigned char>(std::min(level, 255.0f)));
      }
  return bytes;
}

namespace {

// Puts the encoded picture on the disk and says what went wrong, or "".
std::string writeEncoded(const Image& image, std::FILE* file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width());
  png.height = static_cast<png_uint_32>(image.height());
  png.format = PNG_FORMAT_RGB;
  png.flags = PNG_IMAGE_FLAG_FAST;
  errno = 0;
  if (!png_image_write_to_stdio(&png, file, 0, encodeSrgb(image).data(), 0, nullptr)) {
    return errno ? std::strerror(errno) : png.message;
  }
  return std::fflush(file) == 0 && fsync(fileno(file)) == 0 ? "" : std::strerror(errno);
}

}  // namespace

Status writePng(const Image& image, const std::string& path) {
  if (image.width() <= 0 || image.height() <= 0) return badInput(path + ": the picture has no pixels.");
  const std::string unfinished = path + ".tmp." + std::to_string(getpid());
  std::FILE* file = std::fopen(unfinished.c_str(), "wb");
  if (!file) return ioError(path + ": the picture cannot be written: " + std::strerror(errno) + ".");
  std::string trouble = writeEncoded(image, file);
  if (std::fclose(file) != 0 && trouble.empty()) trouble = std::strerror(errno);
  if (trouble.empty() && std::rename(unfinished.c_str(), path.c_str()) != 0) trouble = std::strerror(errno);
  if (trouble.empty()) return {};
  std::remove(unfinished.c_str());
  return ioError(path + ": the picture cannot be written: " + trouble + ".");
}

}  // namespace repose
