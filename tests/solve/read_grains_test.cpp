// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/read_grains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace repose {
namespace {

// Grains of two bodies, mixed and out of order, each with numbers that tell its body and id.
GrainState mixedGrains(std::uint32_t of_first, std::uint32_t of_second) {
  std::vector<std::pair<std::uint16_t, std::uint32_t>> all;
  for (std::uint32_t id = 0; id < of_first; ++id) all.emplace_back(0, 3 * id);  // two of three have gone
  for (std::uint32_t id = 0; id < of_second; ++id) all.emplace_back(1, id + 4000000000u);
  std::mt19937 random(7);
  std::shuffle(all.begin(), all.end(), random);
  GrainState grains;
  for (const auto& [body, id] : all) {
    const auto number = static_cast<float>(id % 100000);
    grains.x.push_back({number, static_cast<float>(body), 0, 0.5f + number});
    grains.v.push_back({0, number, 0, 1});
    grains.id.push_back(id);
    grains.body.push_back(body);
    grains.calm.push_back(id % 2 == 0 ? GrainState::kAsleep : 0.25f);
  }
  return grains;
}

TEST(ReadGrains, PutsABodyIntoTheOrderOfItsIds) {
  const GrainState grains = mixedGrains(5000, 3000);
  BodyView view;
  for (const int body : {0, 1}) {
    readGrains(grains, body, 2, view);
    ASSERT_EQ(view.ids.size(), body == 0 ? 5000u : 3000u);
    ASSERT_EQ(view.positions.size(), view.ids.size());
    ASSERT_EQ(view.velocities.size(), view.ids.size());
    ASSERT_EQ(view.widths.size(), view.ids.size());
    for (std::size_t k = 0; k < view.ids.size(); ++k) {
      EXPECT_EQ(view.ids[k], body == 0 ? 3 * k : k + 4000000000u);
      const auto number = static_cast<float>(view.ids[k] % 100000);
      EXPECT_EQ(view.positions[k], (Vec3f{number, static_cast<float>(body), 0}));
      EXPECT_EQ(view.velocities[k], (Vec3f{0, 2 * number, 0}));
      EXPECT_EQ(view.widths[k], 1 + 2 * number);
    }
  }
}

TEST(ReadGrains, ABodyWithoutGrainsIsEmpty) {
  BodyView view;
  readGrains(mixedGrains(10, 0), 0, 1, view);
  readGrains(mixedGrains(10, 0), 1, 1, view);
  EXPECT_TRUE(view.ids.empty() && view.positions.empty() && view.velocities.empty() && view.widths.empty());
}

TEST(ReadGrains, FieldsFollowTheIds) {
  const GrainState grains = mixedGrains(500, 300);
  GrainFields fields;
  for (const std::uint32_t id : grains.id) {
    fields.contactforce.push_back(static_cast<float>(id % 1000));
    fields.ncontacts.push_back(static_cast<int>(id % 13));
  }
  BodyView view;
  readGrains(grains, 0, 1, view);
  std::vector<float> values;
  const auto expect = [&](OutputField field, auto&& value) {
    readGrainField(grains, fields, field, view, values);
    ASSERT_EQ(values.size(), view.ids.size());
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], value(k));
  };
  expect(OutputField::contactforce, [&](std::size_t k) { return static_cast<float>(view.ids[k] % 1000); });
  expect(OutputField::ncontacts, [&](std::size_t k) { return static_cast<float>(view.ids[k] % 13); });
  expect(OutputField::asleep, [&](std::size_t k) { return view.ids[k] % 2 == 0 ? 1.0f : 0.0f; });
  expect(OutputField::speed, [&](std::size_t k) { return length(view.velocities[k]); });
}

TEST(ReadGrains, BeforeTheFirstStepNothingTouches) {
  const GrainState grains = mixedGrains(20, 0);
  BodyView view;
  readGrains(grains, 0, 1, view);
  std::vector<float> values;
  readGrainField(grains, {}, OutputField::ncontacts, view, values);
  EXPECT_EQ(values, std::vector<float>(20, 0.0f));
}

TEST(ReadGrains, ReusesItsMemory) {
  const GrainState grains = mixedGrains(5000, 3000);
  BodyView view;
  readGrains(grains, 0, 1, view);
  const auto memory = [&] {
    std::vector<const void*> places = {view.positions.data(),  view.velocities.data(),
                                       view.ids.data(),        view.widths.data(),
                                       view.order.keys.data(), view.order.spare.data()};
    std::sort(places.begin(), places.end());  // keys and spare change places
    return places;
  };
  const auto before = memory();
  readGrains(grains, 0, 1, view);
  EXPECT_EQ(memory(), before);
}

}  // namespace
}  // namespace repose
