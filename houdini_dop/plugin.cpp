// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What Houdini looks for in the library of the DOPs.
#include <SIM/SIM_DataUtils.h>
#include <UT/UT_DSOVersion.h>

#include "houdini_dop/SIM_ReposeSolver.h"
#include "houdini_dop/SIM_ReposeState.h"

void initializeSIM(void*) {
  using namespace repose::houdini;
  IMPLEMENT_DATAFACTORY(SIM_ReposeState);
  IMPLEMENT_DATAFACTORY(SIM_ReposeSolver);
}
