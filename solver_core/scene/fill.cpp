// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/sphere_grid.h"

namespace repose {

namespace {

constexpr int kProbes = 32;              // along each side of the bounds, to measure a region
constexpr double kRandomDensity = 0.30;  // share of the region; thrown spheres jam at 0.38 (algorithms.md 9)
constexpr int kThrows = 250;             // for each grain that finds no room at once
constexpr int kMisses = 20000;           // of the region itself
constexpr int kRounds = 50;              // of a random fill, at least
constexpr double kMostThrows = 50;       // in a round, for each grain
constexpr int kBlock = 32;               // least cells along the side of a block of space
constexpr double kGrainsOfABlock = 256;

// Streams of random numbers of one seed.
enum : std::uint64_t { kPlaces, kRadii };

// Small cells of space that lie wholly in the reach of a grain: none that is at least as large as the least
// finds room there, and nearly all throws into a dense fill end at one bit.
class Covered {
 public:
  // Cells of about half the least radius, but no more than are sensible for so many grains.
  Covered(const Bounds& bounds, float least, std::size_t grains) : lo_(bounds.lo), least_(least) {
    const Vec3f size = bounds.hi - bounds.lo;
    double volume = 1, diagonal = 0;
    for (int k = 0; k < 3; ++k) volume *= std::max<double>(size[k], least);
    const double cell =
        std::max(0.5 * least, std::cbrt(volume / (kCellsOfAGrain * static_cast<double>(grains) + kLeast)));
    for (int k = 0; k < 3; ++k) {
      count_[k] = static_cast<int>(size[k] / cell) + 1;
      cell_[k] = static_cast<double>(size[k]) / count_[k];
      diagonal += cell_[k] * cell_[k];
    }
    half_diagonal_ = std::sqrt(diagonal) / 2;
    words_ = (count_[0] + 63) / 64;
    covered_.assign(static_cast<std::size_t>(words_) * count_[1] * count_[2], 0);
  }

  double cells() const { return static_cast<double>(count_[0]) * count_[1] * count_[2]; }
  int count(int axis) const { return count_[axis]; }

  using Cell = std::array<int, 3>;
  bool at(const Cell& cell) const { return word(cell[0], cell[1], cell[2]) >> (cell[0] % 64) & 1; }
  // A place in a cell, by three numbers from 0 to 1.
  Vec3f placeIn(const Cell& cell, const double (&share)[3]) const {
    Vec3f p;
    for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(lo_[k] + (cell[k] + share[k]) * cell_[k]);
    return p;
  }
  void add(Vec3f centre, float radius) {
    // from the middle of a cell that is covered up to its farthest corner
    const double reach =
        (static_cast<double>(radius) + least_) * (1 - kRounding) - half_diagonal_ * (1 + kRounding);
    if (reach <= 0) return;
    const auto away = [&](int cell, int axis) {
      return lo_[axis] + (cell + 0.5) * cell_[axis] - centre[axis];
    };
    const auto first = [&](double way, int axis) { return cellOf(centre[axis] - way, axis); };
    const auto last = [&](double way, int axis) { return cellOf(centre[axis] + way, axis); };
    for (int z = first(reach, 2); z <= last(reach, 2); ++z)
      for (int y = first(reach, 1); y <= last(reach, 1); ++y) {
        const double left = reach * reach - away(z, 2) * away(z, 2) - away(y, 1) * away(y, 1);
        if (left <= 0) continue;
        const double way = std::sqrt(left);
        int x = first(way, 0), end = last(way, 0) + 1;
        x += away(x, 0)<-way, end -= away(end - 1, 0)> way;
        while (x < end) {  // word by word
          const int stop = std::min(end, (x / 64 + 1) * 64);
          word(x, y, z) |= (~std::uint64_t{0} >> (64 - (stop - x))) << (x % 64);
          x = stop;
        }
      }
  }

 private:
  static constexpr double kCellsOfAGrain = 128, kLeast = 4096, kRounding = 1e-5;

  int cellOf(double x, int axis) const {
    return cell_[axis] > 0 ? std::clamp(static_cast<int>((x - lo_[axis]) / cell_[axis]), 0, count_[axis] - 1)
                           : 0;
  }
  std::size_t numberOf(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * count_[1] + y) * words_ + x / 64;
  }
  std::uint64_t& word(int x, int y, int z) { return covered_[numberOf(x, y, z)]; }
  std::uint64_t word(int x, int y, int z) const { return covered_[numberOf(x, y, z)]; }

  Vec3f lo_;
  float least_;
  double cell_[3], half_diagonal_;
  int count_[3], words_;  // words of 64 cells along x
  std::vector<std::uint64_t> covered_;
};

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

  // Radii that fill the region, the largest first.
  Result<std::vector<float>> drawRadii() const {
    const double space =
        kRandomDensity * share() * static_cast<double>(size_.x) * static_cast<double>(size_.y) * size_.z;
    Random random(fill_.seed, kRadii);
    std::vector<float> radii;
    for (double filled = 0; filled < space && radii.size() < most();) {
      radii.push_back(law_.draw(random));
      const double r = radii.back();
      filled += 4.0 / 3 * 3.14159265358979323846 * r * r * r;
      if (radii.size() == kMostGrains && filled < space) return tooMany(space / filled * kMostGrains);
    }
    std::stable_sort(radii.begin(), radii.end(), [](float a, float b) { return a > b; });
    return radii;
  }

  // Grains that are thrown, the next of them, and what they meet.
  struct Throws {
    Random places;
    std::vector<float> radii;
    SphereGrid grid;
    Covered covered;
    std::size_t next = 0;  // of the radii
    double missed = 0;     // outside of the region in this round
  };

  // Throws so often into the cells from first to end, or until no grain is left.
  void throwInto(const Covered::Cell& first, const Covered::Cell& end, double times, Throws& all) {
    for (int k = 0; k < times && all.next < all.radii.size(); ++k) {
      Covered::Cell cell;
      for (int axis = 0; axis < 3; ++axis)
        cell[axis] = first[axis] + static_cast<int>(all.places.uniform() * (end[axis] - first[axis]));
      if (all.covered.at(cell)) continue;
      const double share[3] = {all.places.uniform(), all.places.uniform(), all.places.uniform()};
      const Vec3f p = all.covered.placeIn(cell, share);
      const float radius = all.radii[all.next];
      if (!region_.holds(p, radius)) {
        ++all.missed;
      } else if (all.grid.isFree(p, radius)) {
        all.grid.add({p.x, p.y, p.z, radius});
        all.covered.add(p, radius);
        add(p, radius);
        ++all.next;
      }
    }
  }

  // Block after block of space, which finds what it looks at in the cache; how many go to a block is drawn.
  void throwRound(double round, int side, Throws& all) {
    const Covered& covered = all.covered;
    Covered::Cell first, end;
    for (first[2] = 0; first[2] < covered.count(2); first[2] = end[2])
      for (end[2] = std::min(covered.count(2), first[2] + side), first[1] = 0; first[1] < covered.count(1);
           first[1] = end[1])
        for (end[1] = std::min(covered.count(1), first[1] + side), first[0] = 0; first[0] < covered.count(0);
             first[0] = end[0]) {
          end[0] = std::min(covered.count(0), first[0] + side);
          double expected = round / covered.cells();
          for (int k = 0; k < 3; ++k) expected *= end[k] - first[k];
          const double spread = std::sqrt(expected) * all.places.normal();
          throwInto(first, end, std::floor(expected + spread + all.places.uniform()), all);
        }
  }

  // Throws come in rounds. A round is short against the whole: as if they came in any order.
  Status throwGrains() {
    Result<std::vector<float>> drawn = drawRadii();
    if (!drawn) return drawn.status();
    if (drawn->empty()) return {};
    const float least = drawn->back();
    Bounds inner = bounds_;  // of centres
    for (int k = 0; k < 3; ++k) {
      const float wall = std::min(least, size_[k] / 2);
      inner.lo[k] += wall, inner.hi[k] -= wall;
    }
    const std::size_t grains = drawn->size();
    const auto count = static_cast<double>(grains);
    Throws all{Random(fill_.seed, kPlaces), std::move(*drawn), {}, Covered(inner, least, grains)};
    all.grid.clear(grains);
    const int side =
        std::max(kBlock, static_cast<int>(std::cbrt(all.covered.cells() / count * kGrainsOfABlock)));
    double share_placed = 1, patience = 0;
    while (all.next < grains) {
      const double wanted =
          std::max(1.0, std::min(count / kRounds, static_cast<double>(grains - all.next) / 2));
      const double round = std::min(wanted / share_placed, kMostThrows * (count + 1));
      const std::size_t before = all.next;
      all.missed = 0;
      throwRound(round, side, all);
      // a grain that has been thrown for too long is left out
      const auto placed = static_cast<double>(all.next - before);
      share_placed = std::max(placed, 0.5) / round;
      const double lost = std::max(0.0, round - all.missed - placed) / kThrows + all.missed / kMisses;
      patience = std::max(0.0, patience + lost - placed);
      while (patience >= 1 && all.next < grains) --patience, ++all.next;
    }
    return {};
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
