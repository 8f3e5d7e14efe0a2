// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Small files that are there whole or not at all.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace repose {

// The pieces, one after the other, to PATH.tmp.<pid>; synced and renamed, and the folder synced.
Status replaceFile(const std::string& path, const std::vector<std::string_view>& pieces);
// Makes a new name durable. Some file systems cannot sync a folder; the name then becomes durable later.
void syncFolderOf(const std::string& path);
Result<std::string> readWholeFile(const std::string& path);

}  // namespace repose
