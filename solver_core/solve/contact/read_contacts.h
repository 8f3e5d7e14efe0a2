// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "solve/contact/contacts.h"
#include "solve/host_views.h"

namespace repose {

// Adds all that push; h: seconds of the part of a step in which they did.
void readContacts(const Contacts& contacts, float h, std::vector<ContactView>& views);

}  // namespace repose
