// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The formulas on one lane, for host code that visits one row at a time.
#pragma once
#include "base/types.h"

namespace repose::lane1 {
#define RE_LANES 1
#include "kernel/kernels.h"
#undef RE_LANES
}  // namespace repose::lane1
