// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/colormap.h"

#include <array>

namespace repose {
namespace {

// Linear sRGB of an Oklab colour in polar form (B. Ottosson, 2020); hue in degrees.
Color colorFromOklch(float lightness, float chroma, float hue) {
  const float a = chroma * std::cos(radians(hue)), b = chroma * std::sin(radians(hue));
  const auto cube = [](float x) { return x * x * x; };
  const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
  const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
  return {clamp01(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
          clamp01(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
          clamp01(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s)};
}

constexpr int kEntries = 256;

std::array<Color, kEntries> makeTable() {
  std::array<Color, kEntries> table;
  for (int i = 0; i < kEntries; ++i) {
    const float t = static_cast<float>(i) / (kEntries - 1);
    table[i] = colorFromOklch(0.34f + 0.57f * t, 0.125f + 0.045f * t * t, 292 - 190 * t);
  }
  return table;
}

}  // namespace

Color mapColor(float share) {
  static const std::array<Color, kEntries> table = makeTable();
  const float place = clamp01(share) * (kEntries - 1);
  const int entry = std::min(static_cast<int>(place), kEntries - 2);
  return blend(table[entry], table[entry + 1], place - static_cast<float>(entry));
}

}  // namespace repose
