// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/host_grains.h"

#include <algorithm>

#include "solve/emission.h"

namespace repose {

namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// Of each id of each body of the state the body and the id that it has from now on.
struct Numbers {
  std::vector<std::vector<std::uint64_t>> of;

  static std::uint64_t pack(std::size_t body, std::size_t id) {
    return (static_cast<std::uint64_t>(body) << 32) | static_cast<std::uint32_t>(id);
  }
  std::uint64_t at(std::size_t body, std::size_t id) const {
    return body < of.size() && id < of[body].size() ? of[body][id] : kNowhere;
  }
};

// False: two points want one grain, or a grain that never was.
bool number(const std::vector<BodyGrains>& bodies, const GrainState& grains, Numbers& numbers) {
  for (const std::uint32_t births : grains.births) numbers.of.emplace_back(births, kNowhere);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t k = 0; k < bodies[b].was.size(); ++k) {
      const std::int64_t was = bodies[b].was[k];
      if (was < 0) continue;
      const auto before = static_cast<std::size_t>(bodies[b].before), id = static_cast<std::size_t>(was);
      if (bodies[b].before < 0 || before >= numbers.of.size() || id >= numbers.of[before].size() ||
          numbers.of[before][id] != kNowhere)
        return false;
      numbers.of[before][id] = Numbers::pack(b, k);
    }
  return true;
}

}  // namespace

bool changeGrains(const std::vector<BodyGrains>& bodies, const GrainState& fresh, double seconds, float pace,
                  GrainState& grains) {
  Numbers numbers;
  const bool spins = !fresh.spin.empty();
  if (bodies.size() != fresh.births.size() || !number(bodies, grains, numbers)) return false;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].was.size() != fresh.births[b] ||
        (!bodies[b].velocities.empty() && bodies[b].velocities.size() != bodies[b].was.size()))
      return false;

  removeIf(grains, [&](std::size_t k) { return numbers.at(grains.body[k], grains.id[k]) == kNowhere; });
  for (std::size_t k = 0; k < grains.size(); ++k) {
    const std::uint64_t now = numbers.at(grains.body[k], grains.id[k]);
    grains.body[k] = static_cast<std::uint16_t>(now >> 32), grains.id[k] = static_cast<std::uint32_t>(now);
  }
  if (spins) grains.spin.resize(grains.size());
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    const BodyGrains& body = bodies[fresh.body[k]];
    if (body.was[fresh.id[k]] != BodyGrains::kBorn) continue;
    const Vec3f v =
        body.velocities.empty() || pace <= 0 ? Vec3f{} : body.velocities[fresh.id[k]] * (1 / pace);
    appendGrain(fresh.x[k], {v.x, v.y, v.z, fresh.v[k].w}, fresh.body[k], fresh.id[k],
                static_cast<float>(seconds), 0, spins, grains);
  }
  grains.births = fresh.births;
  grains.emitted.resize(fresh.emitted.size(), 0);
  return true;
}

}  // namespace repose
