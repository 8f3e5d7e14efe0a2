// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pairs of grains: who is near whom, which of them are solved, and their rows.
#include <algorithm>

#include "solve/contact/contact_parts.h"

namespace repose {

void Contacts::findPairs(const State& state, const StepParams& params, Backend& backend) {
  const GrainState& grains = state.grains;
  extent_.resize(grains.size());
  near_extent_args args;
  args.x = grains.x.data(), args.v = movers.v.data(), args.extent = extent_.data();
  args.h = params.h, args.fall = params.h * params.fall(), args.margin = params.solver.contactmargin;
  backend.launch(movers.grains, args);
  grid_.findPairs(grains.x, extent_, backend, near_);
}

// Lists the pairs that are solved, and says how many.
int Contacts::listActive(Backend& backend) {
  const int chunks = nearChunks();
  active_first_.resize(chunks + 1);
  near_count_args counts;
  counts.v = movers.v.data(), counts.awake = active_first_.data() + 1, counts.count = movers.grains;
  counts.first_of = near_.first.data(), counts.partner = near_.partner.data();
  backend.launch(chunks, counts);
  active_first_[0] = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) active_first_[chunk + 1] += active_first_[chunk];
  const int count = active_first_[chunks];
  active_.resize(count), active_movers_.resize(2 * static_cast<std::size_t>(count));
  near_list_args list;
  list.v = movers.v.data(), list.awake_first = active_first_.data(), list.count = movers.grains;
  list.first_of = near_.first.data(), list.partner = near_.partner.data();
  list.active = active_.data(), list.active_movers = active_movers_.data();
  backend.launch(chunks, list);
  return count;
}

// Colours come one after another: one thread gives them while the others look up the impulses of the last
// step.
void Contacts::colourPairs(const State& state, int count, RowOrder order, Backend& backend) {
  const ContactMemory& memory = state.contacts;
  near_recall_args args;
  args.first_of = near_.first.data(), args.partner = near_.partner.data(), args.count = movers.grains;
  args.last = state.grains.last.data();
  args.memory_first = memory.first.data(), args.memory_partner = memory.partner.data();
  args.known = memory.first.empty() ? 0 : static_cast<int>(memory.first.size()) - 1;
  args.impulse = memory.impulse.data(), args.roll = memory.roll.data();
  args.had_rolls = !memory.roll.empty(), args.has_rolls = spins_ && extra_;
  args.carried = carried_.data(), args.carried_roll = carried_roll_.data();
  backend.launchBeside(nearChunks(), args,
                       [&] { pairs.giveColours(count, active_movers_, movers.size(), order); });
}

AlikePairs Contacts::alikePairs(const GrainState& grains) const {
  const Surface* common = surfaces_.commonOf(BodyKind::grain, kinds_);
  if (!common || grains.x.empty()) return {};
  const float radius = grains.x.front().w;
  const bool even = std::all_of(grains.x.begin(), grains.x.end(), [&](Vec4f x) { return x.w == radius; });
  return even ? AlikePairs{true, common->friction, common->slide, radius + radius} : AlikePairs{};
}

void Contacts::fillPairs(const State& state, const StepParams& params, Backend& backend) {
  static_assert(sizeof(Surface) == RE_SURFACE_FLOATS * sizeof(float));
  const GrainState& grains = state.grains;
  const int found = near_.first[movers.grains];
  carried_.resize(found);
  if (spins_ && extra_) carried_roll_.resize(found);
  const int count = listActive(backend);
  colourPairs(state, count, rowOrder(params.solver), backend);
  if (any_rough_) pairs.splitRough(active_movers_, rough_);
  alike = alikePairs(grains);
  pairs.rows.setFields(alike.alike ? kAlikeFields : kPairFields);
  pairs.giveRowsInTiles(active_movers_, extra_, backend);
  pairs.pad(movers.nobody());
  near_fill_args args;
  args.alike = alike.alike;
  args.x = grains.x.data(), args.v = movers.v.data();
  args.body = reinterpret_cast<const short*>(grains.body.data());
  args.active = active_.data(), args.active_movers = active_movers_.data(), args.row_of = pairs.row_of.data();
  args.carried = carried_.data(), args.carried_roll = carried_roll_.data();
  args.surface = &surfaces_.all().data()->friction, args.sides = surfaces_.sides();
  args.index = pairs.rows.indices(), args.value = pairs.rows.values(), args.extra = pairs.extra.values();
  args.has_extra = extra_, args.has_rolls = spins_ && extra_;
  args.h = params.h / static_cast<float>(substeps(params));
  args.slow = Surfaces::slowApproach(params), args.hold_share = kHoldShare;
  backend.launch(count, args);
}

}  // namespace repose
