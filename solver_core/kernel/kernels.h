// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All formulas, each after what it stands on. Define RE_LANES (and, in C++, open a namespace) before
// including this; not guarded on purpose.
// clang-format off
#include "kernel/kernels.def"
#include "kernel/shim.h"
#include "kernel/vec.h"
#include "kernel/distance.h"
#include "kernel/bend.h"
#include "kernel/air.h"
#include "kernel/integrate.h"
#include "kernel/crease.h"
#include "kernel/relax.h"
#include "kernel/measure.h"
#include "kernel/coloured.h"
#include "kernel/respond.h"
#include "kernel/membrane.h"
#include "kernel/sym3.h"
#include "kernel/mat3.h"
#include "kernel/svd3.h"
#include "kernel/tet.h"
#include "kernel/multilevel_cloth.h"
#include "kernel/multilevel.h"
#include "kernel/rigid_body.h"
#include "kernel/contact.h"
#include "kernel/hull.h"
#include "kernel/joint.h"
#include "kernel/multilevel_contact.h"
