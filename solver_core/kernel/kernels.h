// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All formulas. Define RE_LANES (and, in C++, open a namespace) before including this; not guarded on
// purpose.
#include "kernel/air.h"
#include "kernel/bend.h"
#include "kernel/coloured.h"
#include "kernel/distance.h"
#include "kernel/integrate.h"
#include "kernel/kernels.def"
#include "kernel/measure.h"
#include "kernel/multilevel.h"
#include "kernel/relax.h"
#include "kernel/respond.h"
#include "kernel/shim.h"
#include "kernel/vec.h"
