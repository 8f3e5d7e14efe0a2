// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/sops.h"
#include "houdini_sop/table_sop.h"

namespace repose::houdini {

namespace {

struct SOP_ReposeExportJob {
  static constexpr const char* kType = "repose::export_job";
};

}  // namespace

void addExportJob(OP_OperatorTable* table) { addSop<SOP_ReposeExportJob>(table); }

}  // namespace repose::houdini
