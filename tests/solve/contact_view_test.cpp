// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts as a host sees them carry what lies on them: their forces are its weight, at the surface.
#include <cmath>

#include "scene/host_mesh.h"
#include "scenes.h"

namespace repose {
namespace {

constexpr float kWeight = 9.81f;

// Each thing lies 3 m from the next on a floor, awake.
const char* const kLying = R"({"substeps": 4, "airdensity": 0, "solver": {"sleep": false}, "bodies": [
    {"name": "dots", "kind": "grain", "radius": 0.1, "density": 1000, "source": {"host": "dots"}},
    {"name": "box", "kind": "rigid", "density": 500, "source": {"shape": "box", "size": [0.4, 0.4, 0.4]},
     "transform": {"translate": [3, 0.2, 0]}},
    {"name": "sheet", "kind": "cloth", "density": 0.5, "thickness": 0.01,
     "source": {"shape": "grid", "size": [0.5, 0.5], "divisions": [5, 5]},
     "transform": {"translate": [6, 0.01, 0]}},
    {"name": "jelly", "kind": "soft", "density": 1000, "youngsmodulus": 1e5, "thickness": 0.005,
     "stiffdamping": 0.02, "source": {"shape": "box", "size": [0.3, 0.3, 0.3]},
     "transform": {"translate": [9, 0.155, 0]}}],
    "colliders": [{"name": "floor", "shape": "plane"}]})";

std::vector<ContactView> lying() {
  Geometry dots;  // one above the other
  dots.points = {{0, 0.1f, 0}, {0, 0.3f, 0}};
  SceneLoad loaded = loadSceneText(kLying, "memory", {{"dots", {dots, nullptr}}});
  EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const auto simulation = start(loaded.scene);
  advanceFrames(*simulation, 48);
  std::vector<ContactView> contacts;
  simulation->readContacts(contacts);
  return contacts;
}

// Of the contacts about one thing, at most so high above the floor: what they carry, and their places.
struct Carried {
  Vec3f force;
  float lowest = 1, highest = -1;
};
Carried carriedAt(const std::vector<ContactView>& contacts, float x, float from, float to) {
  Carried sum;
  for (const ContactView& contact : contacts) {
    if (std::abs(contact.place.x - x) > 1 || contact.place.y < from || contact.place.y > to) continue;
    EXPECT_NEAR(length(contact.normal), 1, 1e-4f);
    sum.force += contact.normal * contact.force;
    sum.lowest = std::min(sum.lowest, contact.place.y), sum.highest = std::max(sum.highest, contact.place.y);
  }
  return sum;
}

void expectCarries(const Carried& carried, float mass, float height, float tolerance = 0.02f) {
  // which of two grains is the first, and so the sign, is open
  EXPECT_NEAR(std::abs(carried.force.y), mass * kWeight, tolerance * mass * kWeight);
  EXPECT_NEAR(carried.force.x, 0, tolerance * mass * kWeight);
  EXPECT_NEAR(carried.force.z, 0, tolerance * mass * kWeight);
  EXPECT_NEAR(carried.lowest, height, 0.006f);
  EXPECT_NEAR(carried.highest, height, 0.006f);
}

TEST(ContactView, CarriesWhatLies) {
  const std::vector<ContactView> contacts = lying();
  const float grain = 1000 * 4.18879020f * 0.001f;
  expectCarries(carriedAt(contacts, 0, -1, 0.1f), 2 * grain, 0);      // a grain on the floor
  expectCarries(carriedAt(contacts, 0, 0.1f, 1), grain, 0.2f);        // a grain on a grain
  expectCarries(carriedAt(contacts, 3, -1, 1), 500 * 0.064f, 0);      // a piece
  expectCarries(carriedAt(contacts, 6, -1, 1), 0.5f * 0.25f, 0.01f);  // cloth, by its points
  expectCarries(carriedAt(contacts, 9, -1, 1), 1000 * 0.027f, 0.005f, 0.05f);
}

TEST(ContactView, IsEmptyWhereNothingTouches) {
  const auto simulation = start(sceneOf(makeGrid(2, 2, 1, 1)));
  std::vector<ContactView> contacts(3);
  simulation->readContacts(contacts);
  EXPECT_TRUE(contacts.empty());
}

}  // namespace
}  // namespace repose
