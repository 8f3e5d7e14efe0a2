// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A built-in typeface of strokes for labels, smooth at any size.
#pragma once
#include <string_view>

#include "render/image.h"

namespace repose {

// `size` is the height of a capital letter in pixels.
int textWidth(std::string_view text, float size);

// Draws one line with its top left corner at (left, top), with a dark rim that keeps it legible on any
// picture.
void drawText(Image& image, int left, int top, float size, Color color, std::string_view text);

}  // namespace repose
