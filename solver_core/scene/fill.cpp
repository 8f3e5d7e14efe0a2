// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/fill.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sphere_grid.h"

namespace repose {

namespace {

constexpr int kProbes = 32;              // along each side of the bounds, to measure a region
constexpr double kRandomDensity = 0.30;  // share of the region; thrown spheres jam at 0.38 (algorithms.md 9)
constexpr int kThrows = 400;             // for each grain that finds no room at once
constexpr int kMisses = 20000;           // of the region itself

// Streams of random numbers of one seed.
enum : std::uint64_t { kPlaces, kRadii };

class Filler {
 public:
  Filler(const Region& region, const Fill& fill, const RadiusLaw& law)
      : region_(region), fill_(fill), law_(law), bounds_(region.bounds()), size_(bounds_.hi - bounds_.lo) {}

  Result<FilledGrains> run() {
    if (Status made = fill_.packing == Packing::random ? throwGrains() : stackGrains(); !made) return made;
    if (grains_.centres.empty())
      return badInput(
          fmt::format("the fill has no room for a grain of radius {:.6g} m: make it larger, or the radius "
                      "smaller",
                      law_.greatest()));
    return std::move(grains_);
  }

 private:
  std::size_t most() const { return fill_.most ? fill_.most : kMostGrains; }

  // Share of the bounds that is inside.
  double share() const {
    int inside = 0;
    for (int i = 0; i < kProbes; ++i)
      for (int j = 0; j < kProbes; ++j)
        for (int k = 0; k < kProbes; ++k) {
          const auto at = [](int n) { return (static_cast<float>(n) + 0.5f) / kProbes; };
          inside += region_.holds(bounds_.lo + Vec3f{size_.x * at(i), size_.y * at(j), size_.z * at(k)}, 0);
        }
    return static_cast<double>(inside) / (kProbes * kProbes * kProbes);
  }

  Status tooMany(double count) const {
    return badInput(
        fmt::format("the fill makes about {:.3g} grains, but at most {} are possible: use larger grains, or "
                    "\"count\"",
                    count, kMostGrains));
  }

  void add(Vec3f centre, float radius) {
    grains_.centres.push_back(centre);
    grains_.radii.push_back(radius);
  }

  // Rows along x, side by side along z, in layers along y.
  Status stackGrains() {
    const bool hexagonal = fill_.packing == Packing::hexagonal;
    const double pitch = 2.0 * law_.greatest() * (1 + static_cast<double>(fill_.jitter));
    const double row = hexagonal ? pitch * std::sqrt(0.75) : pitch;
    const double layer = hexagonal ? pitch * std::sqrt(2.0 / 3) : pitch;
    const double step[3] = {pitch, layer, row};
    double count[3], cells = 1;
    for (int k = 0; k < 3; ++k) {
      count[k] = std::floor(std::max(0.0, size_[k] - pitch) / step[k] + 1e-4) + 1;
      cells *= count[k];
    }
    if (!fill_.most && cells > kMostGrains)
      if (const double expected = cells * share(); expected > kMostGrains) return tooMany(expected);
    Random places(fill_.seed, kPlaces), radii(fill_.seed, kRadii);
    const double shift = hexagonal ? pitch / 2 : 0;
    double first[3];
    for (int k = 0; k < 3; ++k) {
      first[k] = std::min(pitch, static_cast<double>(size_[k])) / 2;
      // what is left over is shared by both sides, but not by top and bottom
      if (k != 1 && !hexagonal) first[k] += std::max(0.0, size_[k] - pitch - (count[k] - 1) * step[k]) / 2;
    }
    for (double j = 0; j < count[1]; ++j)
      for (double k = 0; k < count[2]; ++k)
        for (double i = 0; i < count[0]; ++i) {
          const bool odd_layer = hexagonal && std::fmod(j, 2) == 1, odd_row = std::fmod(k, 2) == 1;
          const double x = first[0] + i * pitch + (odd_row != odd_layer ? shift : 0);
          const double y = first[1] + j * layer;
          const double z = first[2] + k * row + (odd_layer ? row / 3 : 0);
          const float radius = law_.draw(radii);
          const Vec3f centre = bounds_.lo +
                               Vec3f{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} +
                               inBall(places) * (fill_.jitter * law_.greatest());
          if (!region_.holds(centre, radius)) continue;
          add(centre, radius);
          if (grains_.centres.size() == most()) return {};
        }
    return {};
  }

  Vec3f inBall(Random& random) const {
    if (fill_.jitter == 0) return {};
    for (;;) {
      Vec3f p;
      for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(random.between(-1, 1));
      if (dot(p, p) <= 1) return p;
    }
  }

  Status throwGrains() {
    const double space =
        kRandomDensity * share() * static_cast<double>(size_.x) * static_cast<double>(size_.y) * size_.z;
    Random places(fill_.seed, kPlaces), random(fill_.seed, kRadii);
    std::vector<float> radii;
    for (double filled = 0; filled < space && radii.size() < most();) {
      radii.push_back(law_.draw(random));
      const double r = radii.back();
      filled += 4.0 / 3 * 3.14159265358979323846 * r * r * r;
      if (radii.size() == kMostGrains && filled < space) return tooMany(space / filled * kMostGrains);
    }
    std::stable_sort(radii.begin(), radii.end(), [](float a, float b) { return a > b; });
    SphereGrid grid;
    grid.clear(radii.size());
    for (const float radius : radii) {
      int throws = 0, misses = 0;
      while (throws < kThrows && misses < kMisses) {
        Vec3f p = bounds_.lo;
        for (int k = 0; k < 3; ++k) p[k] += static_cast<float>(alongSide(places, k, radius));
        if (!region_.holds(p, radius)) {
          ++misses;
          continue;
        }
        ++throws;
        if (!grid.isFree(p, radius)) continue;
        grid.add({p.x, p.y, p.z, radius});
        add(p, radius);
        break;
      }
    }
    return {};
  }

  // A place along a side of the bounds that is a radius away from both ends.
  double alongSide(Random& random, int axis, float radius) const {
    const double u = random.uniform(), room = std::max(0.0, static_cast<double>(size_[axis]) - 2.0 * radius);
    return (static_cast<double>(size_[axis]) - room) / 2 + room * u;
  }

  const Region& region_;
  const Fill& fill_;
  const RadiusLaw& law_;
  const Bounds bounds_;
  const Vec3f size_;
  FilledGrains grains_;
};

}  // namespace

Result<FilledGrains> fillRegion(const Region& region, const Fill& fill, const RadiusLaw& law) {
  return Filler(region, fill, law).run();
}

}  // namespace repose
