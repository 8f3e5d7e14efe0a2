// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is written on a picture. Sizes follow the height of the picture.
#pragma once
#include <string>

#include "render/colormap.h"
#include "render/image.h"

namespace repose {

// Bottom left.
void drawFrameNumber(Image& image, int frame);

// Top left.
void drawTitle(Image& image, const std::string& title);

// Bottom right: a bar of the map's colours with its name and the values at its ends.
void drawColorBar(Image& image, const std::string& name, const ValueRange& range);

}  // namespace repose
