// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains that fall asleep and wake. One sleeps when it and all that it touches have been slow for a while; it
// does not move then, and contacts between sleepers only keep their impulses. It wakes when something that
// moves pushes it, when a neighbour is taken away, and when gravity or surfaces change.
#include <algorithm>

#include "base/hash.h"
#include "solve/contact/contacts.h"

namespace repose {

namespace {

constexpr float kWakeSpeed = 4;  // over the speed at which grains fall asleep

bool asleep(const GrainState& grains, int i) { return grains.calm[i] >= GrainState::kAsleep; }

}  // namespace

void Contacts::wakeOnChange(State& state, const StepParams& params) {
  surfaces_.mix(kinds_, params);
  Hasher hasher;
  hasher.add(surfaces_.all().data(), surfaces_.all().size() * sizeof(Surface));
  hasher.add(&params.world.gravity, sizeof params.world.gravity);
  const std::uint64_t rules = hasher.value();
  if (state.contacts.rules != 0 && rules != state.contacts.rules) {
    std::fill(state.grains.calm.begin(), state.grains.calm.end(), 0.0f);
    std::fill(state.rigid.calm.begin(), state.rigid.calm.end(), 0.0f);
  }
  state.contacts.rules = rules;
}

bool Contacts::allAsleep(const State& state) const {
  const std::vector<float>& calm = state.grains.calm;
  return movers.points == 0 && !rigid && !calm.empty() && all_still_ &&
         state.contacts.first.size() == calm.size() + 1 &&
         std::all_of(calm.begin(), calm.end(), [](float c) { return c >= GrainState::kAsleep; });
}

void Contacts::wakeBereft(State& state) {
  GrainState& grains = state.grains;
  const ContactMemory& memory = state.contacts;
  const int known = memory.first.empty() ? 0 : static_cast<int>(memory.first.size()) - 1;
  if (std::count_if(grains.last.begin(), grains.last.end(), [](int last) { return last >= 0; }) == known)
    return;
  std::vector<int>& place = place_of_last_;
  place.assign(known, -1);
  for (std::size_t i = 0; i < grains.size(); ++i)
    if (grains.last[i] >= 0) place[grains.last[i]] = static_cast<int>(i);
  const auto wake = [&](int last) {
    if (place[last] >= 0) grains.calm[place[last]] = 0;
  };
  for (int a = 0; a < known; ++a)
    for (int c = memory.first[a]; c < memory.first[a + 1]; ++c) {
      const int b = memory.partner[c];
      if (place[a] < 0) wake(b);
      if (place[b] < 0) wake(a);
    }
}

// What a surface pushes has to give way at once, also deep inside: sleepers would be an anvil. Layer after
// layer.
void Contacts::wakeAround(State& state) {
  constexpr int kLayers = 16;
  const ContactMemory& memory = state.contacts;
  for (int layer = 0; layer < kLayers; ++layer) {
    next_held_ = held_;
    for (int a = 0; a < movers.grains; ++a)
      for (int c = memory.first[a]; c < memory.first[a + 1]; ++c) {
        const int b = memory.partner[c];
        if (memory.impulse[c].w > 0)
          next_held_[a] |= held_[b] & kStirred, next_held_[b] |= held_[a] & kStirred;
      }
    held_.swap(next_held_);
  }
  for (int i = 0; i < movers.grains; ++i)
    if ((held_[i] & kStirred) && asleep(state.grains, i)) state.grains.calm[i] = 0;
}

void Contacts::fallAsleep(State& state, const StepParams& params) {
  GrainState& grains = state.grains;
  const SolverParams& solver = params.solver;
  if (!solver.sleep) {
    std::fill(grains.calm.begin(), grains.calm.end(), 0.0f);
    return;
  }
  const float wake = kWakeSpeed * solver.sleepspeed;
  const auto fast = [&](int mover) { return length(xyz(movers.v[mover])) > wake; };
  held_.assign(movers.grains, 0);
  for (int i = 0; i < movers.grains; ++i)
    if (!asleep(grains, i))
      grains.calm[i] = length(xyz(movers.v[i])) < solver.sleepspeed ? grains.calm[i] + params.h : 0.0f;
  const auto ready = [&](int i) { return asleep(grains, i) || grains.calm[i] >= solver.sleeptime; };

  // what pushes wakes; what is not ready holds the other one awake
  for (const int row : pairs.row_of) {
    if (pairs.rows.value(row, kPush) <= 0) continue;
    const int a = pairs.rows.mover(row, 0), b = pairs.rows.mover(row, 1);
    if (asleep(grains, a) && fast(b)) grains.calm[a] = 0;
    if (asleep(grains, b) && fast(a)) grains.calm[b] = 0;
    held_[a] = held_[a] | kTouched | (ready(b) ? 0 : kHeld);
    held_[b] = held_[b] | kTouched | (ready(a) ? 0 : kHeld);
  }
  bool stirred = false;
  for (const ContactBatch* batch : {&solos, &patches})
    for (const int row : batch->row_of) {
      const int i = batch->rows.mover(row, 0);
      if (i >= movers.grains) continue;
      // nothing moves a sleeper, so no push tells that a surface has come to it
      const bool touches =
          asleep(grains, i) ? batch->rows.value(row, kGap) <= 0 : batch->rows.value(row, kPush) > 0;
      if (!touches) continue;
      bool moves = length(batch->rows.vector(row, kSurfaceX)) > solver.sleepspeed;
      for (int k = 1; k < batch->movers(); ++k)
        moves = moves || length(xyz(movers.v[batch->rows.mover(row, k)])) > solver.sleepspeed;
      held_[i] = held_[i] | kTouched | (moves ? kHeld : 0);
      if (!moves || !asleep(grains, i)) continue;
      grains.calm[i] = 0;
      held_[i] |= kStirred;
      stirred = true;
    }
  if (stirred) wakeAround(state);
  for (int i = 0; i < movers.grains; ++i) {
    if (asleep(grains, i) || grains.calm[i] < solver.sleeptime || held_[i] != kTouched) continue;
    grains.calm[i] = GrainState::kAsleep;
    grains.v[i].x = grains.v[i].y = grains.v[i].z = 0;
    if (!grains.spin.empty()) grains.spin[i] = {0, 0, 0, grains.spin[i].w};
  }
}

}  // namespace repose
