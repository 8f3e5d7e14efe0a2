// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts as a host draws them.
#include "solve/contact/read_contacts.h"

namespace repose {

namespace {

// Where the first side of a patch touches: movers of positive weight, a grain by its surface, a rigid body by
// its lever.
Vec3f touchedBy(const Movers& movers, const ContactBatch& batch, int row) {
  Vec3f place;
  for (int k = 0; k < batch.movers(); ++k) {
    const float weight = batch.movers() == 1 ? 1.0f : batch.rows.value(row, kWeight + k);
    const int mover = batch.rows.mover(row, k);
    if (weight <= 0) continue;
    if (mover >= movers.first_rigid)
      place += xyz(movers.rigid.x[mover - movers.first_rigid]) + batch.lever.vector(row, kLeverX);
    else
      place += xyz(movers.x[mover]) * weight;
    if (mover < movers.grains) place += batch.rows.vector(row, kNormalX) * -movers.x[mover].w;
  }
  return place;
}

}  // namespace

void readContacts(const Contacts& contacts, float h, std::vector<ContactView>& views) {
  const Movers& movers = contacts.movers;
  const ContactBatch& pairs = contacts.pairs;
  for (const int row : pairs.row_of) {
    const float push = pairs.rows.value(row, kPush);
    const Vec4f a = movers.x[pairs.rows.mover(row, 0)], b = movers.x[pairs.rows.mover(row, 1)];
    const Vec3f apart = xyz(a) - xyz(b);
    const float distance = length(apart);
    if (push <= 0 || !(distance > 0)) continue;
    const Vec3f normal = apart * (1 / distance);
    views.push_back({xyz(b) + normal * (0.5f * (distance + b.w - a.w)), normal, push / h});
  }
  for (const ContactBatch* batch : {&contacts.solos, &contacts.patches})
    for (const int row : batch->row_of) {
      const float push = batch->rows.value(row, kPush);
      const bool bond = batch->lever.size() > 0 && batch->lever.value(row, kBondHold) > 0;
      if (push <= 0 || bond) continue;
      views.push_back({touchedBy(movers, *batch, row), batch->rows.vector(row, kNormalX), push / h});
    }
  const RigidContacts* rigid = contacts.rigid.get();
  for (std::size_t k = 0; rigid && k < rigid->touching().size(); ++k) {
    const RigidContacts::Touching& t = *rigid->touching()[k];
    const ContactRows& rows = (t.b < 0 ? rigid->grounds : rigid->hulls).batch.rows;
    for (int p = 0; p < t.count; ++p)
      if (const float push = rows.value(rigid->rowOf(k), hullField(p, kPointPush)); push > 0)
        views.push_back({t.place[p].at, t.normal, push / h});
  }
}

}  // namespace repose
