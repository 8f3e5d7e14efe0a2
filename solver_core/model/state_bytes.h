// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The state as bytes, for checkpoints.
#pragma once
#include "base/bytes.h"
#include "model/state.h"

namespace repose {

void saveState(const State& state, ByteWriter& bytes);
// Into a state that was built from the same scene; refuses the bytes when arrays that never change their size
// differ.
void loadState(ByteReader& bytes, State& state);

}  // namespace repose
