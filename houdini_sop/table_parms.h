// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Parameters of a node by its row of the table: the templates of the host, and their values at a cook.
#pragma once
#include <PRM/PRM_TemplateBuilder.h>
#include <SOP/SOP_NodeVerb.h>

#include "houdini_nodes/cook.h"

namespace repose::houdini {

class TableParms : public SOP_NodeParms {
 public:
  explicit TableParms(const nodes::NodeRow& row) : values(row) {}
  void copyFrom(const SOP_NodeParms* src) override { values = static_cast<const TableParms*>(src)->values; }

  nodes::Parms values;

 protected:
  void loadFromOpSubclass(const LoadParms& loadparms) override;
};

// Lives as long as the process, as the host expects of templates.
PRM_Template* templatesOf(const nodes::NodeRow& row);

}  // namespace repose::houdini
