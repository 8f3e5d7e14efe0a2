// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeCollider {
  static constexpr const char* kType = "repose::collider";
};

}  // namespace

void addCollider(OP_OperatorTable* table) { addSop<SOP_ReposeCollider>(table); }

}  // namespace repose::houdini
