// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The limits that a farm or a container puts on this process.
#pragma once
#include <functional>
#include <string>

namespace repose {

// The folders of a controller ("cpu", "memory") for this process, from its own group up to the root, of
// version 2 and of version 1; those that are not there are left out.
void eachControlGroup(const std::string& controller,
                      const std::function<void(const std::string& folder)>& visit);

}  // namespace repose
