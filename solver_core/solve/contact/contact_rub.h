// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "solve/contact/contacts.h"

namespace repose {

// The friction of the pbd scheme, after its positions are found: every mover that touches something is slowed
// along it as if its own weight pressed it on (algorithms.md 5.5). `loss` is g h [m/s].
void rubTouching(Contacts& contacts, float loss, Backend& backend);

}  // namespace repose
