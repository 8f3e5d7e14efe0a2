// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A colour too long for the caches is fetched ahead of its use: it comes out as its parts do, which are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "backend/backend.h"
#include "collide/contact_rows.h"

namespace repose {

namespace {

constexpr int kRows = 40000 - 7;  // the last block is not full
constexpr int kPart = 8000;

constexpr float kCommonFriction = 0.4f, kCommonSlide = 0.3f, kCommonReach = 0.9f;

// Pairs of grains that share none, in one colour.
struct Pairs {
  std::vector<Vec4f> x, v;
  std::vector<int> index;
  std::vector<float> value;
  bool alike = false;

  // Gives all rows the same friction and reach, and keeps both in the rows or beside them.
  void makeAlike(bool beside) {
    constexpr float kCommon[] = {kCommonFriction, kCommonSlide, kCommonReach};
    std::vector<float> kept;
    for (std::size_t block = 0; block < value.size(); block += 16 * kPairFields) {
      for (int k = 0; k < 3 * 16; ++k) value[block + 16 * kFriction + k] = kCommon[k / 16];
      kept.insert(kept.end(), value.begin() + static_cast<std::ptrdiff_t>(block),
                  value.begin() + static_cast<std::ptrdiff_t>(block) + 16 * kAlikeFields);
    }
    if (beside) value = kept;
    alike = beside;
  }

  Pairs() : x(2 * kRows + 1), v(x.size()) {
    std::mt19937 random(1);
    const auto real = [&](float low, float high) {
      return std::uniform_real_distribution<float>(low, high)(random);
    };
    for (Vec4f& p : x) p = {real(-1, 1), real(-1, 1), real(-1, 1), 0.5f};
    for (Vec4f& u : v) u = {real(-1, 1), real(-1, 1), real(-1, 1), real(0, 2)};
    const int padded = (kRows + 15) / 16 * 16;
    index.assign(2 * padded, 2 * kRows);  // nobody
    value.resize(static_cast<std::size_t>(kPairFields) * padded);
    for (float& f : value) f = real(0.1f, 0.9f);
    std::vector<int> grain(2 * kRows);
    for (int k = 0; k < 2 * kRows; ++k) grain[k] = k;
    std::shuffle(grain.begin(), grain.end(), random);
    for (int row = 0; row < kRows; ++row)
      for (int side = 0; side < 2; ++side)
        index[row / 16 * 32 + 16 * side + row % 16] = grain[2 * row + side];
  }

  template <class Args>
  void launch(Backend& backend, Args a, int part) {
    a.x = x.data(), a.v = v.data(), a.spin = nullptr, a.index = index.data(), a.value = value.data();
    a.extra = nullptr, a.spins = a.has_extra = 0;
    a.alike = alike, a.friction = kCommonFriction, a.slide = kCommonSlide, a.reach = kCommonReach;
    a.far_end = part < kRows ? 0 : static_cast<int>(index.size()) / 2;
    for (int first = 0; first < kRows; first += part) {
      a.first_row = first, a.end_row = std::min(first + part, kRows);
      backend.launch((a.end_row - first + backend.lanes() - 1) / backend.lanes(), a);
    }
  }
  void solve(Backend& backend, int part) {
    pair_begin_args begin;
    begin.warm = 1, begin.deepest = 0.05f;
    launch(backend, begin, part);
    pair_sweep_args sweep;
    sweep.model = 0, sweep.inv_h = 100, sweep.bias = 10, sweep.push = 3, sweep.soft = 0.1f;
    sweep.regap = 1, sweep.bounce = 0;
    launch(backend, sweep, part);
  }
};

// Tetrahedra that share no point, in one colour.
struct Tets {
  std::vector<Vec4f> x;
  std::vector<int> corner;
  std::vector<float> row, multiplier, error;

  Tets() : x(4 * kRows) {
    std::mt19937 random(2);
    const auto real = [&](float low, float high) {
      return std::uniform_real_distribution<float>(low, high)(random);
    };
    for (Vec4f& p : x) p = {real(-1, 1), real(-1, 1), real(-1, 1), real(0, 2)};
    const int padded = (kRows + 15) / 16 * 16;
    corner.resize(4 * padded);
    row.resize(static_cast<std::size_t>(RE_TET_FIELDS) * padded);
    multiplier.resize(static_cast<std::size_t>(RE_TET_MULTIPLIERS) * padded), error.resize(padded);
    for (float& f : row) f = real(0.1f, 0.9f);
    std::vector<int> point(4 * kRows);
    for (int k = 0; k < 4 * kRows; ++k) point[k] = k;
    std::shuffle(point.begin(), point.end(), random);
    for (int t = 0; t < kRows; ++t)
      for (int s = 0; s < 4; ++s) corner[t / 16 * 64 + 16 * s + t % 16] = point[4 * t + s];
  }

  void visit(Backend& backend, int part) {
    visit_neohookean_args a;
    a.x = x.data(), a.x_start = x.data(), a.corner = corner.data(), a.row = row.data(), a.fibre = nullptr;
    a.multiplier = multiplier.data(), a.error = error.data(), a.omega = 1, a.keep = 0;
    a.last = a.damped = a.fibred = a.measured = 0;
    for (int first = 0; first < kRows; first += part) {
      a.first_entry = first, a.end_entry = std::min(first + part, kRows);
      backend.launch((a.end_entry - first + backend.lanes() - 1) / backend.lanes(), a);
    }
  }
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST(FarRows, HaveTheBitsOfNearOnes) {
  const Pairs before;
  for (const Isa isa : supportedIsas()) {
    const auto backend = makeTbbBackend(1, isa);
    Pairs whole = before, parts = before;
    whole.solve(*backend, kRows);
    parts.solve(*backend, kPart);
    EXPECT_TRUE(sameBits(whole.v, parts.v)) << isaName(isa);
    EXPECT_TRUE(sameBits(whole.value, parts.value)) << isaName(isa);
    EXPECT_FALSE(sameBits(whole.v, before.v)) << isaName(isa);
  }
}

TEST(FarRows, AlikePairsNeedNotKeepWhatTheyShare) {
  Pairs kept, beside;
  kept.makeAlike(false), beside.makeAlike(true);
  for (const Isa isa : supportedIsas()) {
    const std::unique_ptr<Backend> backend = makeTbbBackend(1, isa);
    Pairs one = kept, other = beside;
    one.solve(*backend, kRows), other.solve(*backend, kRows);
    EXPECT_TRUE(sameBits(one.v, other.v)) << isaName(isa);
  }
}

TEST(FarTetrahedra, HaveTheBitsOfNearOnes) {
  constexpr int kNear = 512, kBeyondNear = 1024;  // of the second, rows are fetched, but not their corners
  const Tets before;
  for (const Isa isa : supportedIsas()) {
    const auto backend = makeTbbBackend(1, isa);
    Tets whole = before, near = before, beyond = before;
    whole.visit(*backend, kRows), near.visit(*backend, kNear), beyond.visit(*backend, kBeyondNear);
    EXPECT_TRUE(sameBits(whole.x, near.x)) << isaName(isa);
    EXPECT_TRUE(sameBits(beyond.x, near.x)) << isaName(isa);
    EXPECT_TRUE(sameBits(whole.multiplier, near.multiplier)) << isaName(isa);
    EXPECT_FALSE(sameBits(whole.x, before.x)) << isaName(isa);
  }
}

}  // namespace repose
