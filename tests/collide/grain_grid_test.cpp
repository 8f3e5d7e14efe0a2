// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The broad phase of grains against looking at all pairs.
#include "collide/grain_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tests/backend/opencl_here.h"
#include "tests/solve/grain_world.h"

namespace repose {
namespace {

// Grains with names, as many as a cloud has.
struct Cloud {
  std::vector<Vec4f> x;
  std::vector<float> extent;
  std::vector<int> name;

  void add(Vec3f p, float radius, float way) {
    name.push_back(static_cast<int>(x.size()));
    x.push_back({p.x, p.y, p.z, radius});
    extent.push_back(radius * 1.05f + std::min(way, radius));
  }
  // count grains in a cube around a place; every fifth is fast
  void scatter(int count, Vec3f middle, float half, float least, float greatest, std::uint64_t seed) {
    Lcg random(seed);
    for (int i = 0; i < count; ++i) {
      const Vec3f p = middle + Vec3f{random.around(half), random.around(half), random.around(half)};
      const auto radius = least + static_cast<float>(random.next()) * (greatest - least);
      add(p, radius, i % 5 == 0 ? static_cast<float>(random.next()) * radius : 0.0f);
    }
  }
};

using Pair = std::pair<int, int>;

Pair sorted(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

std::set<Pair> allPairs(const Cloud& cloud) {
  std::set<Pair> found;
  for (std::size_t i = 0; i < cloud.x.size(); ++i)
    for (std::size_t j = i + 1; j < cloud.x.size(); ++j) {
      const Vec3f apart = xyz(cloud.x[i]) - xyz(cloud.x[j]);
      const float near = cloud.extent[i] + cloud.extent[j];
      if (dot(apart, apart) < near * near) found.insert(sorted(cloud.name[i], cloud.name[j]));
    }
  return found;
}

struct Search {
  std::vector<int> order;  // names in the order of the grid
  GrainGrid::Pairs pairs;  // by place in that order
};

Search search(const Cloud& cloud, const std::vector<float>& levels, Backend& backend) {
  GrainGrid grid(levels);
  Search result;
  std::vector<int> order;
  grid.sort(cloud.x, backend, order);
  std::vector<Vec4f> x;
  std::vector<float> extent;
  for (const int i : order) {
    x.push_back(cloud.x[i]), extent.push_back(cloud.extent[i]);
    result.order.push_back(cloud.name[i]);
  }
  grid.findPairs(x, extent, backend, result.pairs);
  return result;
}

Search search(const Cloud& cloud, const std::vector<float>& levels, int threads) {
  return search(cloud, levels, *makeTbbBackend(threads));
}

void expectSame(const Search& a, const Search& b) {
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.pairs.first, b.pairs.first);
  EXPECT_EQ(a.pairs.partner, b.pairs.partner);
}

// Pairs by name; each must be listed once.
std::set<Pair> namesOf(const Search& found) {
  std::set<Pair> names;
  EXPECT_EQ(found.pairs.first.size(), found.order.size() + 1);
  for (std::size_t i = 0; i < found.order.size(); ++i)
    for (int c = found.pairs.first[i]; c < found.pairs.first[i + 1]; ++c) {
      const Pair pair = sorted(found.order[i], found.order[found.pairs.partner[c]]);
      EXPECT_NE(pair.first, pair.second);
      EXPECT_TRUE(names.insert(pair).second) << pair.first << " and " << pair.second << " twice";
    }
  return names;
}

TEST(GrainGrid, FindsEveryPairOfEqualGrainsOnce) {
  Cloud cloud;
  cloud.scatter(3000, {0.3f, -0.2f, 5}, 0.6f, 0.05f, 0.05f, 1);
  const std::set<Pair> all = allPairs(cloud);
  ASSERT_GT(all.size(), 3000u);
  EXPECT_EQ(namesOf(search(cloud, {0.05f}, 1)), all);
}

TEST(GrainGrid, FindsEveryPairWhenRadiiDifferTenfold) {
  Cloud cloud;
  cloud.scatter(2500, {}, 0.5f, 0.01f, 0.1f, 2);
  const std::set<Pair> all = allPairs(cloud);
  ASSERT_GT(all.size(), 5000u);
  EXPECT_EQ(namesOf(search(cloud, {0.0125f, 0.025f, 0.05f, 0.1f}, 1)), all);
  EXPECT_EQ(namesOf(search(cloud, {0.1f}, 1)), all);
}

TEST(GrainGrid, FindsPairsThatAreTooFarApartForATable) {
  Cloud cloud;
  for (int k = 0; k < 6; ++k) {
    const auto far = 4000.0f * static_cast<float>(k % 3 - 1);
    cloud.scatter(200, {far, 500.0f * static_cast<float>(k), -far}, 0.3f, 0.02f, 0.05f, 10 + k);
  }
  const std::set<Pair> all = allPairs(cloud);
  ASSERT_GT(all.size(), 1000u);
  EXPECT_EQ(namesOf(search(cloud, {0.025f, 0.05f}, 1)), all);
}

TEST(GrainGrid, FindsTwoGrainsAtOnePlaceAndNobodyForOneOrNone) {
  EXPECT_TRUE(namesOf(search({}, {0.05f}, 2)).empty());
  EXPECT_TRUE(namesOf(search({}, {}, 1)).empty());
  Cloud cloud;
  cloud.add({1, 2, 3}, 0.05f, 0);
  EXPECT_TRUE(namesOf(search(cloud, {0.05f}, 1)).empty());
  cloud.add({1, 2, 3}, 0.05f, 0);
  EXPECT_EQ(namesOf(search(cloud, {0.05f}, 1)), (std::set<Pair>{{0, 1}}));
}

TEST(GrainGrid, OrderIsByLevelThenHeight) {
  Cloud cloud;
  cloud.scatter(5000, {}, 1, 0.01f, 0.1f, 3);
  const std::vector<float> levels = {0.0125f, 0.025f, 0.05f, 0.1f};
  const auto levelOf = [&](float radius) {
    return std::lower_bound(levels.begin(), levels.end(), radius) - levels.begin();
  };
  const Search found = search(cloud, levels, 1);
  std::vector<int> names = found.order;
  for (std::size_t k = 1; k < names.size(); ++k) {
    const Vec4f a = cloud.x[names[k - 1]], b = cloud.x[names[k]];
    ASSERT_LE(levelOf(a.w), levelOf(b.w));
    if (levelOf(a.w) == levelOf(b.w)) {
      ASSERT_LE(a.y, b.y + 2.2f * levels[levelOf(a.w)]);
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, cloud.name);
}

TEST(GrainGrid, IsTheSameForEveryNumberOfThreads) {
  Cloud cloud;
  cloud.scatter(20000, {}, 1, 0.01f, 0.05f, 4);
  const std::vector<float> levels = {0.0125f, 0.025f, 0.05f};
  const Search one = search(cloud, levels, 1);
  for (const int threads : {2, 7}) {
    expectSame(search(cloud, levels, threads), one);
  }
}

// More partners than the lists have room for at first.
TEST(GrainGrid, FindsEveryPairOfACrowd) {
  Cloud cloud;
  cloud.scatter(2500, {}, 0.15f, 0.05f, 0.05f, 8);
  const std::set<Pair> all = allPairs(cloud);
  ASSERT_GT(all.size(), 2500u * 50);
  EXPECT_EQ(namesOf(search(cloud, {0.05f}, 1)), all);
}

TEST(GrainGrid, IsTheSameForEveryInstructionSet) {
  Cloud cloud;
  cloud.scatter(6000, {}, 0.6f, 0.01f, 0.05f, 9);
  const std::vector<float> levels = {0.0125f, 0.025f, 0.05f};
  const Search one = search(cloud, levels, *makeTbbBackend(1, Isa::sse2));
  ASSERT_GT(one.pairs.partner.size(), 6000u);
  for (const Isa isa : supportedIsas()) expectSame(search(cloud, levels, *makeTbbBackend(1, isa)), one);
}

// Sorted by several digits, with and without tables, and with lists that grow.
TEST(GrainGrid, IsTheSameOnOpenCl) {
  Cloud cloud;
  cloud.scatter(6000, {}, 0.5f, 0.01f, 0.05f, 9);
  cloud.scatter(3000, {}, 0.15f, 0.04f, 0.05f, 10);
  const auto device = openClHere(2);
  const std::vector<float> levels = {0.0125f, 0.025f, 0.05f};
  expectSame(search(cloud, levels, *device), search(cloud, levels, 2));
  cloud.scatter(500, {4000, -500, 2000}, 0.3f, 0.02f, 0.05f, 11);
  expectSame(search(cloud, levels, *device), search(cloud, levels, 2));
}

// A box of many grains, two to sixteen times as long as wide, with its longest side along an axis: 0 x, 1 y,
// 2 z.
Cloud longBox(int axis) {
  Cloud cloud;
  Lcg random(8);
  for (int i = 0; i < 140000; ++i) {
    Vec3f p{random.around(1.0f), random.around(8.0f), random.around(2.0f)};
    if (axis == 0) std::swap(p.x, p.y);
    if (axis == 2) std::swap(p.z, p.y);
    cloud.add(p, 0.05f, i % 5 == 0 ? 0.02f : 0.0f);
  }
  return cloud;
}

// Many grains are counted along their longest side last. Which one that is changes their order, not who is
// near whom.
TEST(GrainGrid, ManyGrainsInABoxThatLiesOnItsSideFindTheSame) {
  const Search up = search(longBox(1), {0.05f}, 2);
  const Search side = search(longBox(0), {0.05f}, 2), ahead = search(longBox(2), {0.05f}, 2);
  EXPECT_EQ(side.order, up.order);
  EXPECT_EQ(side.pairs.partner, up.pairs.partner);
  EXPECT_EQ(ahead.order, up.order);
  EXPECT_EQ(namesOf(ahead), namesOf(up));
  EXPECT_GT(up.pairs.partner.size(), 140000u);
}

TEST(GrainGrid, OpenClFindsTheSameAmongMany) {
  const auto device = openClHere(2);
  for (const int axis : {0, 2})
    expectSame(search(longBox(axis), {0.05f}, *device), search(longBox(axis), {0.05f}, 2));
}

// What lies far away, of like size or larger, leaves the order of the others and whom they find as they are.
TEST(GrainGrid, FarGrainsChangeNothing) {
  Cloud cloud;
  cloud.scatter(3000, {}, 0.5f, 0.02f, 0.05f, 5);
  const int near = static_cast<int>(cloud.x.size());
  const Search before = search(cloud, {0.025f, 0.05f}, 1);
  cloud.scatter(500, {30, -40, 20}, 0.5f, 0.02f, 0.05f, 6);
  cloud.scatter(20, {-3000, 9, 7000}, 4, 0.5f, 0.8f, 7);
  const Search after = search(cloud, {0.025f, 0.05f, 0.8f}, 1);

  // of each grain that is near: whom it finds, by name, in list order
  const auto listOf = [&](const Search& found) {
    std::vector<std::pair<int, std::vector<int>>> lists;
    for (std::size_t i = 0; i < found.order.size(); ++i) {
      if (found.order[i] >= near) continue;
      lists.emplace_back(found.order[i], std::vector<int>{});
      for (int c = found.pairs.first[i]; c < found.pairs.first[i + 1]; ++c)
        lists.back().second.push_back(found.order[found.pairs.partner[c]]);
    }
    return lists;
  };
  EXPECT_EQ(listOf(after), listOf(before));
}

}  // namespace
}  // namespace repose
