// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/sheet.h"

#include "render/font.h"

namespace repose {
namespace {

constexpr Color kPage = {0.012f, 0.013f, 0.015f};
constexpr Color kTitle = {0.75f, 0.76f, 0.78f};

int squareColumns(int count) { return static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count)))); }

}  // namespace

ContactSheet::ContactSheet(int count, int columns, int cell_width, int cell_height, const std::string& title)
    : columns_(std::max(1, std::min(count, columns > 0 ? columns : squareColumns(count)))),
      cell_width_(cell_width),
      cell_height_(cell_height),
      gap_(gapFor(cell_width)),
      header_(title.empty() ? 0 : std::max(cell_height / 6, 12)) {
  const int rows = std::max(1, (count + columns_ - 1) / columns_);
  page_ = Image(gap_ + columns_ * (cell_width + gap_), header_ + gap_ + rows * (cell_height + gap_), kPage);
  const float letter = 0.42f * static_cast<float>(header_);
  drawText(page_, 2 * gap_, gap_ + static_cast<int>(0.35f * static_cast<float>(header_)), letter, kTitle,
           title);
}

void ContactSheet::place(int index, const Image& picture) {
  page_.paste(picture, gap_ + index % columns_ * (cell_width_ + gap_),
              header_ + gap_ + index / columns_ * (cell_height_ + gap_));
}

}  // namespace repose
