// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeCache {
  static constexpr const char* kType = "repose::cache";
};

}  // namespace

void addCache(OP_OperatorTable* table) { addSop<SOP_ReposeCache>(table); }

}  // namespace repose::houdini
