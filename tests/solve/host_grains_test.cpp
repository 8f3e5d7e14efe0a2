// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains that a host takes out and puts in: a state goes on in a scene with other grains.
#include <cmath>

#include "scene/host_mesh.h"
#include "scenes.h"

namespace repose {
namespace {

constexpr float kRadius = 0.05f;

// Sand on a floor, as points of a host.
Scene sandAt(std::vector<Vec3f> places) {
  Geometry dots;
  dots.points = std::move(places);
  SceneLoad loaded = loadSceneText(R"({"substeps": 4, "bodies": [{"name": "sand", "kind": "grain",
      "radius": 0.05, "veldamping": 0, "source": {"host": "dots"}}],
      "colliders": [{"name": "floor", "shape": "plane"}]})",
                                   "memory", {{"dots", {dots, nullptr}}});
  EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  return std::move(loaded.scene);
}

std::vector<Vec3f> column(int count) {
  std::vector<Vec3f> places;
  for (int k = 0; k < count; ++k) places.push_back({0, kRadius * static_cast<float>(2 * k + 1), 0});
  return places;
}

std::string bytesOf(const Simulation& simulation) {
  std::string bytes;
  ByteWriter writer(bytes);
  simulation.save(writer);
  return bytes;
}

// False: the simulation refuses.
bool changed(Simulation& simulation, const std::string& bytes, const BodyGrains& sand) {
  ByteReader reader(bytes);
  simulation.loadChanged(reader, {sand});
  return reader.done();
}

BodyView look(const Simulation& simulation) {
  BodyView view;
  simulation.readBody(0, view);
  return view;
}

}  // namespace

TEST(HostGrains, WhoStaysAsHeWasGoesOnWithTheSameBits) {
  const auto one = start(sandAt(column(5))), other = start(sandAt(column(5)));
  advanceFrames(*one, 5);
  ASSERT_TRUE(changed(*other, bytesOf(*one), {0, {0, 1, 2, 3, 4}, {}}));
  EXPECT_EQ(one->stateHash(), other->stateHash());
  advanceFrames(*one, 5), advanceFrames(*other, 5);
  EXPECT_EQ(one->stateHash(), other->stateHash());
}

TEST(HostGrains, OthersGoOnUnderTheNumbersOfTheNewScene) {
  const std::vector<Vec3f> apart = {{0, 3, 0}, {1, 3, 0}, {2, 3, 0}};
  const auto before = start(sandAt(apart));
  advanceFrames(*before, 3);
  const BodyView was = look(*before);
  // the first has died, the other two have changed places, and a new one comes flying
  const auto after = start(sandAt({apart[2], apart[1], {5, 1, 0}}));
  ASSERT_TRUE(changed(*after, bytesOf(*before), {0, {2, 1, BodyGrains::kBorn}, {{}, {}, {2, 0, 0}}}));
  const BodyView now = look(*after);
  ASSERT_EQ(now.positions.size(), 3u);
  EXPECT_EQ(now.positions[0], was.positions[2]);
  EXPECT_EQ(now.velocities[1], was.velocities[1]);
  EXPECT_EQ(now.positions[2], (Vec3f{5, 1, 0}));
  EXPECT_EQ(now.velocities[2], (Vec3f{2, 0, 0}));
  EXPECT_EQ(after->frame(), before->frame());
  advanceFrames(*before, 2), advanceFrames(*after, 2);
  EXPECT_EQ(look(*after).positions[0], look(*before).positions[2]) << "who touches nobody feels no change";
  EXPECT_NEAR(look(*after).positions[2].x, 5 + 2.0f * 2 / 24, 1e-5f);
}

TEST(HostGrains, WhoSleptOnOneThatIsGoneWakesAndFalls) {
  const auto before = start(sandAt(column(2)));
  advanceFrames(*before, 60);
  StepReport report;
  ASSERT_TRUE(before->measure(report).ok());
  ASSERT_EQ(report.asleep, 2);
  const auto after = start(sandAt({column(2)[1]}));
  ASSERT_TRUE(changed(*after, bytesOf(*before), {0, {1}, {}}));
  advanceFrames(*after, 24);
  EXPECT_NEAR(look(*after).positions[0].y, kRadius, 0.02f * kRadius);
}

TEST(HostGrains, APointMayHaveNoGrain) {
  const auto before = start(sandAt(column(3))), after = start(sandAt(column(3)));
  ASSERT_TRUE(changed(*after, bytesOf(*before), {0, {0, BodyGrains::kNone, 2}, {}}));
  EXPECT_EQ(look(*after).ids, (std::vector<std::uint64_t>{0, 2}));
}

TEST(HostGrains, ListsThatMakeNoSenseAreRefused) {
  const auto before = start(sandAt(column(3)));
  const std::string bytes = bytesOf(*before);
  for (const BodyGrains& wrong :
       {BodyGrains{0, {0, 1}, {}}, BodyGrains{0, {0, 1, 1}, {}}, BodyGrains{0, {0, 1, 3}, {}},
        BodyGrains{-1, {0, 1, 2}, {}}, BodyGrains{0, {0, 1, 2}, {{}, {}}}}) {
    const auto after = start(sandAt(column(3)));
    const std::uint64_t hash = after->stateHash();
    EXPECT_FALSE(changed(*after, bytes, wrong)) << testing::PrintToString(wrong.was);
    EXPECT_EQ(after->stateHash(), hash);
  }
}

}  // namespace repose
