// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// Of all that a simulation is built from; velocities are only a matter of its beginning.
std::uint64_t hashScene(const std::string& text, const Assembly& assembly);

}  // namespace repose::nodes
