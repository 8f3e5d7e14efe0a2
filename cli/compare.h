// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/status.h"

namespace repose {

// sheet.png and index.html in the folder of wedges, of the runs as they are now.
Status compareWedges(const std::string& folder);

}  // namespace repose
