// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// File names with a place for the frame number.
#pragma once
#include <string>
#include <vector>

namespace repose {

// True when the name has one of the tokens %04d, ####, $F4, <F4> (also without a width: %d, #, $F, <F>).
bool hasFrameToken(const std::string& pattern);

// The name with every such token replaced by the frame number, zero-padded to the token's width: the four
// spellings mean the same. All else, also an unknown $NAME, stays as it is.
std::string expandFrameToken(const std::string& pattern, int frame);

// True for the name itself and, when it has a token, for the same with any frame number in its place.
bool isOfPattern(const std::string& name, const std::string& pattern);

// The frames of which there is a file of that name, ascending. Its folders must have no token.
std::vector<int> framesOnDisk(const std::string& pattern);

// Files of a folder with this extension: those that differ by a number at the end of their stems alone as one
// pattern ("sand.%04d.vdb"), others by name; sorted.
std::vector<std::string> patternsIn(const std::string& folder, const std::string& extension);

}  // namespace repose
