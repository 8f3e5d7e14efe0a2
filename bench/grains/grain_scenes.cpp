// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/grains/grain_scenes.h"

#include <numeric>

namespace repose {

namespace {

constexpr int kLayers = 31;  // of a packing: as many as the lattice of 30,000 has

}  // namespace

const char* grainSceneName(GrainScene scene) { return scene == GrainScene::lattice ? "lattice" : "packing"; }

int settlingFrames(GrainScene scene, int grains) {
  if (scene == GrainScene::packing) return 120;
  return grains > 200000 ? 20 : 60;
}

std::unique_ptr<GrainWorld> makeGrainScene(GrainScene scene, int n, float* half_width) {
  const float r = kGrainRadius;
  const bool loose = scene == GrainScene::packing;
  int across = static_cast<int>(std::lround(std::cbrt(n)));
  if (loose && across > kLayers) across = static_cast<int>(std::ceil(std::sqrt(n / float{kLayers})));
  const float pitch = 2 * r * (loose ? 1.15f : 1.02f), jitter = r * (loose ? 0.15f : 0.018f);
  const float shift = loose ? 0.5f * pitch : 0.0f;  // of whole layers, so that none stands on the one below
  const float half = 0.5f * static_cast<float>(across) * pitch + jitter + shift;
  if (half_width) *half_width = half;

  auto world = std::make_unique<GrainWorld>(r);
  world->params.h = 0.016f;
  world->params.world.gravity = {0, -9.81f, 0};
  world->params.solver.sleep = false;
  world->addPlane({0, 0, 0}, {0, 1, 0});
  world->addPlane({-half, 0, 0}, {1, 0, 0});
  world->addPlane({half, 0, 0}, {-1, 0, 0});
  world->addPlane({0, 0, -half}, {0, 0, 1});
  world->addPlane({0, 0, half}, {0, 0, -1});
  world->setFriction(0.4f);
  Lcg random(1);
  const auto place = [&](int k, float shifted) {
    return (static_cast<float>(k) + 0.5f - 0.5f * static_cast<float>(across)) * pitch + shifted +
           random.around(jitter);
  };
  Vec3f shifted{};
  for (int i = 0; i < n; ++i) {
    const int layer = i / (across * across), at = i % (across * across);
    if (at == 0) shifted = {random.around(shift), 0, random.around(shift)};
    const float x = place(at % across, shifted.x), z = place(at / across, shifted.z);
    const float y = 1.05f * r + jitter + static_cast<float>(layer) * pitch + random.around(jitter);
    world->add({x, y, z}, {}, r, 1);
  }
  return world;
}

Penetration measurePenetration(const std::vector<Vec4f>& x) {
  constexpr float kDiameter = 2 * kGrainRadius;
  // cells of one diameter in a table of hash values, filled by counting
  const std::size_t slots = 2 * x.size() + 1;
  const auto cell = [](float a) { return static_cast<long>(std::floor(a / kDiameter)); };
  const auto slot = [&](long a, long b, long c) {
    return static_cast<std::size_t>((a * 73856093L) ^ (b * 19349663L) ^ (c * 83492791L)) % slots;
  };
  const auto slotOf = [&](Vec4f p) { return slot(cell(p.x), cell(p.y), cell(p.z)); };
  std::vector<int> start(slots + 1, 0), grain(x.size());
  for (const Vec4f p : x) ++start[slotOf(p)];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::size_t i = x.size(); i-- > 0;) grain[--start[slotOf(x[i])]] = static_cast<int>(i);

  std::vector<float> overlap;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long a = cell(x[i].x), b = cell(x[i].y), c = cell(x[i].z);
    for (int k = 0; k < 27; ++k) {
      const long at_x = a + k % 3 - 1, at_y = b + k / 3 % 3 - 1, at_z = c + k / 9 - 1;
      const std::size_t s = slot(at_x, at_y, at_z);
      for (int q = start[s]; q < start[s + 1]; ++q) {
        const Vec4f p = x[grain[q]];
        if (grain[q] <= static_cast<int>(i) || cell(p.x) != at_x || cell(p.y) != at_y || cell(p.z) != at_z)
          continue;
        const float distance = length(xyz(p) - xyz(x[i]));
        if (distance < kDiameter) overlap.push_back((kDiameter - distance) / kDiameter);
      }
    }
  }
  Penetration found;
  if (overlap.empty()) return found;
  const std::size_t rank = overlap.size() * 99 / 100;
  std::nth_element(overlap.begin(), overlap.begin() + rank, overlap.end());
  found.p99 = overlap[rank];
  for (const float o : overlap) found.mean += o, found.max = std::max<double>(found.max, o);
  found.mean /= static_cast<double>(overlap.size());
  found.pairs_a_grain = static_cast<double>(overlap.size()) / static_cast<double>(x.size());
  return found;
}

}  // namespace repose
