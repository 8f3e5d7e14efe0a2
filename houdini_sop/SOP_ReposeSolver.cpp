// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeSolver {
  static constexpr const char* kType = "repose::solver";
};

}  // namespace

void addSolver(OP_OperatorTable* table) { addSop<SOP_ReposeSolver>(table); }

}  // namespace repose::houdini
