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

// Rows of movers with weights: their first mover is rubbed, and a rigid body among them.
void noteSurfaces(Movers& movers, const ContactBatch& batch, float loss) {
  const ContactRows& rows = batch.rows;
  const bool levers = batch.lever.size() > 0;
  for (const int r : batch.row_of) {
    if (levers && batch.lever.value(r, kBondHold) != 0) continue;
    Vec3f slip = -rows.vector(r, kSurfaceX);
    for (int k = 0; k < batch.movers(); ++k)
      slip += xyz(movers.v[rows.mover(r, k)]) * rows.value(r, kWeight + k);
    const float sign = levers ? batch.lever.value(r, kLeverSign) : 0.0f;
    if (sign != 0)
      slip += cross(xyz(movers.rigid.spin[batch.lever.mover(r, 0)]), batch.lever.vector(r, kLeverX)) * sign;
    for (int k = 0; k < batch.movers(); ++k) {
      const int mover = rows.mover(r, k);
      if (k > 0 && mover < movers.first_rigid) continue;
      note(movers, mover, rows.vector(r, kNormalX), rows.value(r, kFriction) * loss,
           xyz(movers.v[mover]) - slip * rows.value(r, kWeight + k), rows.value(r, kPush));
    }
  }
}

// Manifolds: the points of one push together.
void noteHulls(Contacts& contacts, float loss) {
  Movers& movers = contacts.movers;
  const RigidContacts& rigid = *contacts.rigid;
  for (std::size_t k = 0; k < rigid.touching().size(); ++k) {
    const RigidContacts::Touching& t = *rigid.touching()[k];
    const ContactRows& rows = (t.b < 0 ? rigid.grounds : rigid.hulls).batch.rows;
    const int r = rigid.rowOf(k);
    float push = 0;
    for (int p = 0; p < t.count; ++p) push += rows.value(r, hullField(p, kPointPush));
    const Vec3f normal = rows.vector(r, kHullNormal);
    const float limit = rows.value(r, kHullFriction) * loss;
    const Vec4f* v = movers.v.data() + movers.first_rigid;
    note(movers, movers.first_rigid + t.a, normal, limit, RigidContacts::otherVelocity(t, 0, movers.rigid, v),
         push);
    if (t.b < 0) continue;
    const Vec3f arm = t.place[0].at - xyz(movers.rigid.x[t.a]);
    note(movers, movers.first_rigid + t.b, normal, limit,
         xyz(v[t.a]) + cross(xyz(movers.rigid.spin[t.a]), arm), push);
  }
}

}  // namespace

void rubTouching(Contacts& contacts, float loss, Backend& backend) {
  Movers& movers = contacts.movers;
  movers.touch.assign(movers.size(), {}), movers.ground.assign(movers.size(), {});
  for (const int r : contacts.pairs.row_of) {
    const ContactRows& rows = contacts.pairs.rows;
    const int a = rows.mover(r, 0), b = rows.mover(r, 1);
    const float push = rows.value(r, kPush), limit = contacts.frictionOf(r) * loss;
    const Vec3f normal = rows.vector(r, kNormalX);
    note(movers, a, normal, limit, xyz(movers.v[b]), push);
    note(movers, b, normal, limit, xyz(movers.v[a]), push);
  }
  for (const ContactBatch* batch : {&contacts.patches, &contacts.solos}) noteSurfaces(movers, *batch, loss);
  if (contacts.rigid) noteHulls(contacts, loss);
  mover_rub_args a;
  a.v = movers.v.data(), a.touch = movers.touch.data(), a.ground = movers.ground.data();
  backend.launchLanes(movers.size(), a);
}

}  // namespace repose
