// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contact_rub.h"

namespace repose {

namespace {

// Of several touches of a mover the strongest counts, the first of equals; ground.w keeps its push.
void note(Movers& movers, int mover, Vec3f normal, float limit, Vec3f ground, float push) {
  if (push <= movers.ground[mover].w || movers.v[mover].w == 0) return;
  movers.touch[mover] = {normal.x, normal.y, normal.z, limit};
  movers.ground[mover] = {ground.x, ground.y, ground.z, push};
}

}  // namespace

void rubTouching(Contacts& contacts, float loss, Backend& backend) {
  Movers& movers = contacts.movers;
  movers.touch.assign(movers.size(), {}), movers.ground.assign(movers.size(), {});
  for (const int r : contacts.pairs.row_of) {
    const ContactRows& rows = contacts.pairs.rows;
    const int a = rows.mover(r, 0), b = rows.mover(r, 1);
    const float push = rows.value(r, kPush), limit = rows.value(r, kFriction) * loss;
    const Vec3f normal = rows.vector(r, kNormalX);
    note(movers, a, normal, limit, xyz(movers.v[b]), push);
    note(movers, b, normal, limit, xyz(movers.v[a]), push);
  }
  for (const ContactBatch* batch : {&contacts.patches, &contacts.solos})
    for (const int r : batch->row_of) {
      const ContactRows& rows = batch->rows;
      Vec3f ground = rows.vector(r, kSurfaceX);
      for (int k = 1; k < batch->movers(); ++k)
        ground = ground - xyz(movers.v[rows.mover(r, k)]) * rows.value(r, kWeight + k);
      note(movers, rows.mover(r, 0), rows.vector(r, kNormalX), rows.value(r, kFriction) * loss, ground,
           rows.value(r, kPush));
    }
  mover_rub_args a;
  a.v = movers.v.data(), a.touch = movers.touch.data(), a.ground = movers.ground.data();
  backend.launchLanes(movers.size(), a);
}

}  // namespace repose
