// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_gather.h"

#include <algorithm>

#include "base/vectors.h"

namespace repose {

namespace {

float weightOf(const ContactBatch& batch, int row, int k) {
  return batch.movers() == 2 ? 1.0f - 2.0f * static_cast<float>(k) : batch.rows.value(row, kWeight + k);
}

}  // namespace

void ContactGather::arrange(const Batches& batches, int movers, int nobody, bool crowded, bool spins,
                            bool rolls) {
  batches_ = batches;
  int rows = 0;
  length_.assign(movers, 0);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const ContactBatch& batch = *batches[b];
    first_[b] = rows;
    rows += batch.rows.size();
    for (const int r : batch.row_of)
      for (int k = 0; k < batch.movers(); ++k) length_[batch.rows.mover(r, k)] += weightOf(batch, r, k) != 0;
  }
  std::fill(length_.begin() + nobody, length_.end(), 0);
  change.assign(rows + 16, {});
  twist.assign(spins ? rows + 16 : 0, {});
  rolled.assign(spins && rolls ? rows + 16 : 0, {});

  crowd.resize(movers);
  for (int i = 0; i < movers; ++i) crowd[i] = crowded ? static_cast<float>(std::max(length_[i], 1)) : 1.0f;
  const int slices = movers / 16;
  start.resize(slices + 1);
  start[0] = 0;
  for (int s = 0; s < slices; ++s)
    start[s + 1] = start[s] + *std::max_element(length_.begin() + 16 * s, length_.begin() + 16 * (s + 1));
  const auto slots = static_cast<std::size_t>(start[slices]) * 16;
  row.assign(slots, rows), weight.assign(slots, 0.0f);

  std::fill(length_.begin(), length_.end(), 0);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const ContactBatch& batch = *batches[b];
    for (const int r : batch.row_of)
      for (int k = 0; k < batch.movers(); ++k) {
        const int mover = batch.rows.mover(r, k);
        const float share = weightOf(batch, r, k);
        if (mover >= nobody || share == 0) continue;
        const int slot = (start[mover / 16] + length_[mover]++) * 16 + mover % 16;
        row[slot] = first_[b] + r;
        weight[slot] = share;
      }
  }
}

int ContactGather::first(const ContactBatch& batch) const {
  return first_[std::find(batches_.begin(), batches_.end(), &batch) - batches_.begin()];
}

std::size_t ContactGather::bytes() const {
  return bytesOf(crowd, weight, start, row, length_, change, twist, rolled);
}

}  // namespace repose
