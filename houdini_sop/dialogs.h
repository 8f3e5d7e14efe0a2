// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace repose::houdini {

// The dialog script of a node, from otls/dialogs; null: there is none.
const char* dialogScript(const std::string& type);

}  // namespace repose::houdini
