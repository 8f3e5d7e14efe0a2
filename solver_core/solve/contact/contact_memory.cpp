// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What stays of the contacts of a step: places, velocities, and the impulses that the next one begins with.
#include "solve/contact/contact_parts.h"

namespace repose {

void Contacts::storeMemory(State& state, const StepParams& params, Backend& backend) {
  ContactMemory& memory = state.contacts;
  const bool rolls = spins_ && extra_;
  const int active = static_cast<int>(active_.size());
  backend.forChunks(contactChunks(active), [&](int chunk) {
    const int end = std::min(active, (chunk + 1) * kContactChunk);
    for (int k = chunk * kContactChunk; k < end; ++k) {
      const int row = pairs.row_of[k];
      const Vec3f drag = pairs.rows.vector(row, kDragX);
      carried_[active_[k]] = {drag.x, drag.y, drag.z, pairs.rows.value(row, kPush)};
      if (!rolls) continue;
      const Vec3f roll = pairs.extra.vector(row, kRollX);
      carried_roll_[active_[k]] = {roll.x, roll.y, roll.z, 0};
    }
  });
  if (has_grains_) {
    memory.first.swap(near_.first);
    memory.partner.swap(near_.partner);
    memory.impulse.swap(carried_);
    if (rolls) memory.roll.swap(carried_roll_);
  }
  memory.mover.clear(), memory.surface.clear(), memory.surface_impulse.clear(), memory.surface_roll.clear();
  const auto keep = [&](const ContactBatch& batch, const std::vector<Found>& found) {
    for (std::size_t k = 0; k < found.size(); ++k) {
      const int row = batch.row_of[k];
      const Vec3f drag = batch.rows.vector(row, kDragX);
      if (found[k].bond >= 0) {
        const Vec3f along = batch.rows.vector(row, kNormalX) * batch.rows.value(row, kPush);
        keepBond(found[k], along + drag, params, state);
        continue;
      }
      memory.mover.push_back(lastingName(found[k], state.grains));
      memory.surface.push_back(found[k].surface);
      memory.surface_impulse.push_back({drag.x, drag.y, drag.z, batch.rows.value(row, kPush)});
      if (!rolls) continue;
      const Vec3f roll = batch.extra.vector(row, kRollX);
      memory.surface_roll.push_back({roll.x, roll.y, roll.z, 0});
    }
  };
  keep(solos, found_);
  keep(patches, patch_found_);
}

void Contacts::store(State& state, const StepParams& params, Backend& backend) {
  GrainState& grains = state.grains;
  backend.forChunks(contactChunks(movers.grains), [&](int chunk) {
    const int end = std::min(movers.grains, (chunk + 1) * kContactChunk);
    for (int i = chunk * kContactChunk; i < end; ++i) {
      grains.last[i] = i;
      if (grains.calm[i] >= GrainState::kAsleep) continue;
      grains.x[i] = movers.x[i];
      const Vec4f v = movers.v[i];
      grains.v[i] = {v.x, v.y, v.z, grains.v[i].w};
    }
  });
  if (spins_) {
    grains.spin.resize(grains.size());
    for (int i = 0; i < movers.grains; ++i) grains.spin[i] = movers.spin[i];
  }
  storeMemory(state, params, backend);
  fallAsleep(state, params);
  for (const Found& found : bond_found_)  // what hangs on something never sleeps
    if (found.mover[0] < movers.grains) grains.calm[found.mover[0]] = 0;
  if (rigid) storeRigid(state, params);
}

}  // namespace repose
