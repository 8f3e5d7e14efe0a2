// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What Houdini looks for in the library of the SOPs.
#include <OP/OP_OperatorTable.h>
#include <UT/UT_DSOVersion.h>

#include "houdini_sop/ROP_Repose.h"
#include "houdini_sop/sops.h"

void newSopOperator(OP_OperatorTable* table) {
  using namespace repose::houdini;
  for (const auto add : {addSolver, addConfigureCloth, addConfigureGrain, addConfigureSoft, addConfigureRigid,
                         addConstraints, addCollider, addExportJob, addCache})
    add(table);
}

void newDriverOperator(OP_OperatorTable* table) {
  using namespace repose;
  static OP_VariablePair variables(ROP_Node::myVariableList);
  const nodes::NodeRow& row = *nodes::findNode("repose_rop");
  table->addOperator(new OP_Operator(row.type.c_str(), row.label.c_str(), houdini::ROP_Repose::make,
                                     houdini::ROP_Repose::templates(), 0, 0, &variables, 0, nullptr, 0,
                                     "Repose"));
}
