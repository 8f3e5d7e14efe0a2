// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <SIM/SIM_OptionsUser.h>

#include "houdini_sop/table_parms.h"

namespace repose::houdini {

// Values of the node's parameters, which a simulation sees as options, each of its own type.
nodes::Parms optionParms(const SIM_Options& options, const nodes::NodeRow& row);

}  // namespace repose::houdini
