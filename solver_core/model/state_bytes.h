// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The state as bytes, for checkpoints.
#pragma once
#include "base/bytes.h"
#include "base/vectors.h"
#include "model/state.h"

namespace repose {

void saveState(const State& state, ByteWriter& bytes);
void loadState(ByteReader& bytes, State& state);
std::size_t bytesOf(const State& state);  // of its arrays
// Of all arrays that have as many elements as the model says: equal for states of one model.
std::vector<std::size_t> sizesOf(const State& state);

}  // namespace repose
