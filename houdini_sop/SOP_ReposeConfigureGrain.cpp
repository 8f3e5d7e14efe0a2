// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeConfigureGrain {
  static constexpr const char* kType = "repose::configure_grain";
};

}  // namespace

void addConfigureGrain(OP_OperatorTable* table) { addSop<SOP_ReposeConfigureGrain>(table); }

}  // namespace repose::houdini
