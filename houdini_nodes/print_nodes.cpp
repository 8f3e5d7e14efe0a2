// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Prints the table of nodes and parameters as JSON, for the scripts that make dialogs and help pages.
#include <cstdio>

#include "houdini_nodes/node_table.h"

int main() {
  std::fputs(repose::nodes::nodesJson().c_str(), stdout);
  return 0;
}
