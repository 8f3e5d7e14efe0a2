// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/read_grains.h"

#include <algorithm>
#include <array>

namespace repose {

namespace {

// By counting digits from the lowest up: linear, however the ids lie.
void sortKeys(GrainOrder& order, std::uint32_t largest_id) {
  constexpr int kBits = 11, kIdBits = 32;
  constexpr std::size_t kDigits = 1u << kBits;
  if (std::is_sorted(order.keys.begin(), order.keys.end())) return;
  order.spare.resize(order.keys.size());
  for (int done = 0; done < kIdBits && largest_id >> done != 0; done += kBits) {
    const auto digit = [shift = kIdBits + done](std::uint64_t key) { return key >> shift & (kDigits - 1); };
    std::array<std::size_t, kDigits + 1> first{};
    for (const std::uint64_t key : order.keys) ++first[digit(key) + 1];
    for (std::size_t d = 1; d < kDigits; ++d) first[d] += first[d - 1];
    for (const std::uint64_t key : order.keys) order.spare[first[digit(key)]++] = key;
    order.keys.swap(order.spare);
  }
}

}  // namespace

void orderGrains(const GrainState& grains, int body, GrainOrder& order) {
  order.keys.clear();
  std::uint32_t largest_id = 0;
  for (std::size_t place = 0; place < grains.size(); ++place) {
    if (grains.body[place] != body) continue;
    largest_id = std::max(largest_id, grains.id[place]);
    order.keys.push_back(std::uint64_t{grains.id[place]} << 32 | place);
  }
  sortKeys(order, largest_id);
}

void readGrains(const GrainState& grains, int body, float pace, BodyView& view) {
  orderGrains(grains, body, view.order);
  const std::size_t count = view.order.keys.size();
  view.positions.resize(count);
  view.velocities.resize(count);
  view.ids.resize(count);
  view.widths.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t place = placeOf(view.order.keys[k]);
    view.positions[k] = xyz(grains.x[place]);
    view.velocities[k] = xyz(grains.v[place]) * pace;
    view.ids[k] = grains.id[place];
    view.widths[k] = 2 * grains.x[place].w;
  }
}

void readGrainField(const GrainState& grains, const GrainFields& fields, OutputField field,
                    const BodyView& view, std::vector<float>& values) {
  values.assign(view.order.keys.size(), 0.0f);
  const auto fill = [&](const auto& valueAt) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = valueAt(placeOf(view.order.keys[k]));
  };
  switch (field) {
    case OutputField::speed:
      std::transform(view.velocities.begin(), view.velocities.end(), values.begin(), length);
      break;
    case OutputField::contactforce:
      if (!fields.contactforce.empty()) fill([&](std::size_t place) { return fields.contactforce[place]; });
      break;
    case OutputField::ncontacts:
      if (!fields.ncontacts.empty())
        fill([&](std::size_t place) { return static_cast<float>(fields.ncontacts[place]); });
      break;
    case OutputField::asleep:
      if (!grains.calm.empty())
        fill([&](std::size_t place) { return grains.calm[place] == GrainState::kAsleep ? 1.0f : 0.0f; });
      break;
    case OutputField::strain:
    case OutputField::stress:
    case OutputField::volume:
    case OutputField::hits:
      break;  // of others
  }
}

}  // namespace repose
