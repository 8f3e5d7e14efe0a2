// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A contact sheet: pictures of one size side by side in rows, on a dark page.
#pragma once
#include <string>

#include "render/image.h"

namespace repose {

class ContactSheet {
 public:
  // columns 0: as many columns as rows, or one more. An empty title takes no room.
  ContactSheet(int count, int columns, int cell_width, int cell_height, const std::string& title);
  void place(int index, const Image& picture);  // row after row, from 0
  const Image& image() const { return page_; }

  // Between the pictures and around them [pixels].
  static int gapFor(int cell_width) { return std::max(cell_width / 60, 2); }

 private:
  int columns_, cell_width_, cell_height_, gap_, header_;
  Image page_;
};

}  // namespace repose
