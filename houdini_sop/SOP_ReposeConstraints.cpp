// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeConstraints {
  static constexpr const char* kType = "repose::constraints";
};

}  // namespace

void addConstraints(OP_OperatorTable* table) { addSop<SOP_ReposeConstraints>(table); }

}  // namespace repose::houdini
