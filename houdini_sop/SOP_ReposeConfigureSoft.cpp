// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeConfigureSoft {
  static constexpr const char* kType = "repose::configure_soft";
};

}  // namespace

void addConfigureSoft(OP_OperatorTable* table) { addSop<SOP_ReposeConfigureSoft>(table); }

}  // namespace repose::houdini
