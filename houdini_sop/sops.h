// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One function a node, each in a file of its own, that registers it.
#pragma once

class OP_OperatorTable;

namespace repose::houdini {

void addSolver(OP_OperatorTable* table);
void addConfigureCloth(OP_OperatorTable* table);
void addConfigureGrain(OP_OperatorTable* table);
void addConfigureSoft(OP_OperatorTable* table);
void addConfigureRigid(OP_OperatorTable* table);
void addConstraints(OP_OperatorTable* table);
void addCollider(OP_OperatorTable* table);
void addExportJob(OP_OperatorTable* table);
void addCache(OP_OperatorTable* table);

}  // namespace repose::houdini
