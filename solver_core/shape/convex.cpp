// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "shape/convex.h"

namespace repose {}  // namespace repose
