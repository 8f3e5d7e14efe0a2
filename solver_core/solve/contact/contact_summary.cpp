// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What is told of contacts: how many, how deep, how hard, and the memory that they take.
#include "solve/contact/contacts.h"

#include <algorithm>

namespace repose {

ContactSummary Contacts::summary(const State& state) const {
  ContactSummary sum;
  double total = 0;
  const auto add = [&](float gap) {
    if (gap > 0) return;
    ++sum.contacts;
    total -= gap;
    sum.max_penetration = std::max(sum.max_penetration, -gap);
  };
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int row = pairs.row_of[k], a = pairs.rows.mover(row, 0), b = pairs.rows.mover(row, 1);
    add(length(xyz(movers.x[a]) - xyz(movers.x[b])) - (movers.x[a].w + movers.x[b].w));
  }
  for (const ContactBatch* batch : {&solos, &patches})
    for (const int row : batch->row_of)
      if (batch->lever.size() == 0 || batch->lever.value(row, kBondHold) == 0)
        add(batch->rows.value(row, kGap));
  if (rigid)
    for (std::size_t k = 0; k < rigid->touching().size(); ++k) {
      const RigidContacts::Touching& t = *rigid->touching()[k];
      const ContactRows& rows = (t.b < 0 ? rigid->grounds : rigid->hulls).batch.rows;
      for (int p = 0; p < t.count; ++p) add(rows.value(rigid->rowOf(k), hullField(p, kPointGap)));
    }
  sum.mean_penetration = sum.contacts ? total / sum.contacts : 0;
  for (const float calm : state.grains.calm) sum.asleep += calm >= GrainState::kAsleep;
  return sum;
}

void Contacts::grainForces(float h, GrainFields& fields) const {
  fields.contactforce.assign(movers.grains, 0), fields.ncontacts.assign(movers.grains, 0);
  const auto add = [&](const ContactBatch& batch, int sides) {
    for (const int row : batch.row_of) {
      const float push = batch.rows.value(row, kPush);
      if (push <= 0) continue;
      for (int k = 0; k < sides; ++k) {
        const int mover = batch.rows.mover(row, k);
        if (mover < movers.grains) fields.contactforce[mover] += push / h, ++fields.ncontacts[mover];
      }
    }
  };
  add(pairs, 2);
  add(solos, 1);
  add(patches, 1);
}

std::size_t Contacts::bytes() const {
  std::size_t sum = (rigid ? rigid->bytes() : 0) + grid_.bytes() + pairs.bytes() + solos.bytes() +
                    patches.bytes() + gather.bytes() + self_.bytes();
  sum += bytesOf(movers.x, movers.v, movers.spin, movers.touch, movers.ground) + movers.rigid.bytes();
  sum += bytesOf(near_.first, near_.partner, active_, active_first_, active_movers_, carried_, carried_roll_);
  sum += bytesOf(scratch4_, scratch_u32_, scratch_i32_, scratch_u16_, scratch_f_, order_, extent_);
  return sum + bytesOf(surfaces_.all());
}

}  // namespace repose
