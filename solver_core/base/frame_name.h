// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// File names with a place for the frame number.
#pragma once
#include <string>

namespace repose {

// True when the name has one of the tokens %04d, ####, $F4, <F4> (also without a width: %d, #, $F, <F>).
bool hasFrameToken(const std::string& pattern);

// The name with every such token replaced by the frame number, zero-padded to the token's width: the four
// spellings mean the same. All else, also an unknown $NAME, stays as it is.
std::string expandFrameToken(const std::string& pattern, int frame);

}  // namespace repose
