// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/tets/reference_tets.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/vec3d.h"
#include "bench/tets/reference_visit.h"

namespace repose {

namespace {

constexpr float kStep = 1.0f / 60, kGravity = 9.81f, kYoung = 1e6f, kPoisson = 0.3f, kDensity = 1000;
constexpr int kLanes = 8, kGrain = 32;

struct alignas(16) Point {
  float x = 0, y = 0, z = 0, w = 0;
};

class Beam final : public ReferenceBeam {
 public:
  Beam(const BeamShape& shape, int threads) : threads_(threads), arena_(threads) {
    const TetMesh mesh = makeBeam(shape);
    const std::vector<Vec3f>& points = mesh.geometry.points;
    count_ = static_cast<int>(points.size());
    x_.resize(count_ + kLanes), start_.resize(count_), v_.resize(count_);
    const auto at = [&](int p) { return Vec3d{points[p].x, points[p].y, points[p].z}; };
    std::vector<double> mass(count_, 0.0);
    std::vector<std::array<float, 10>> rest;
    for (const auto& t : mesh.tets) {
      const Vec3d o = at(t[0]), e[3] = {at(t[1]) - o, at(t[2]) - o, at(t[3]) - o};
      const double six = dot(e[0], cross(e[1], e[2]));
      std::array<float, 10> r;
      for (int k = 0; k < 3; ++k) {
        const Vec3d y = cross(e[(k + 1) % 3], e[(k + 2) % 3]);
        r[3 * k] = static_cast<float>(y.x / six), r[3 * k + 1] = static_cast<float>(y.y / six);
        r[3 * k + 2] = static_cast<float>(y.z / six);
      }
      r[9] = static_cast<float>(six / 6);
      rest.push_back(r);
      for (const int p : t) mass[p] += kDensity * six / 24;
    }
    for (int p = 0; p < count_; ++p)
      x_[p] = {points[p].x, points[p].y, points[p].z,
               points[p].x < 1e-6f ? 0.0f : static_cast<float>(1 / mass[p])};
    // colours in index order
    std::vector<std::uint64_t> used(count_, 0);
    std::vector<std::vector<int>> colours;
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      std::uint64_t taken = 0;
      for (const int p : mesh.tets[t]) taken |= used[p];
      const int colour = __builtin_ctzll(~taken);
      for (const int p : mesh.tets[t]) used[p] |= 1ull << colour;
      if (colour >= static_cast<int>(colours.size())) colours.resize(colour + 1);
      colours[colour].push_back(static_cast<int>(t));
    }
    for (const std::vector<int>& colour : colours) {
      first_.push_back(static_cast<int>(blocks_.size()));
      for (std::size_t q = 0; q < colour.size(); q += kLanes) {
        ReferenceBlock block{};
        for (int l = 0; l < kLanes; ++l) {
          const bool there = q + l < colour.size();
          const int t = there ? colour[q + l] : colour[q];
          for (int s = 0; s < 4; ++s) block.corner[s][l] = there ? mesh.tets[t][s] : count_ + l;
          for (int k = 0; k < 9; ++k) block.y[k][l] = rest[t][k];
          volumes_.push_back(rest[t][9]);
        }
        blocks_.push_back(block);
      }
    }
    first_.push_back(static_cast<int>(blocks_.size()));
  }

  void frame(int substeps) override {
    const float h = kStep / static_cast<float>(substeps);
    const float mu = kYoung / (2 * (1 + kPoisson));
    const float lambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
    if (substeps != substeps_)
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (int l = 0; l < kLanes; ++l) {
          blocks_[b].alpha_deviatoric[l] = 1 / (mu * volumes_[b * kLanes + l] * h * h);
          blocks_[b].alpha_volume[l] = 1 / (lambda * volumes_[b * kLanes + l] * h * h);
        }
    substeps_ = substeps;
    for (int s = 0; s < substeps; ++s) {
      forAll(0, count_, 2048, [&](int first, int end) {
        for (int p = first; p < end; ++p) {
          start_[p] = x_[p];
          if (x_[p].w > 0) v_[p].y -= kGravity * h;
          x_[p].x += h * v_[p].x, x_[p].y += h * v_[p].y, x_[p].z += h * v_[p].z;
        }
      });
      forAll(0, static_cast<int>(blocks_.size()), 256, [&](int first, int end) {
        for (int b = first; b < end; ++b)
          for (int l = 0; l < kLanes; ++l) blocks_[b].lambda_deviatoric[l] = blocks_[b].lambda_volume[l] = 0;
      });
      for (std::size_t c = 0; c + 1 < first_.size(); ++c)
        forAll(first_[c], first_[c + 1], kGrain, [&](int first, int end) {
          visitReference(blocks_.data() + first, blocks_.data() + end, &x_[0].x, 1 + mu / lambda);
        });
      forAll(0, count_, 2048, [&](int first, int end) {
        for (int p = first; p < end; ++p)
          v_[p] = {(x_[p].x - start_[p].x) / h, (x_[p].y - start_[p].y) / h, (x_[p].z - start_[p].z) / h, 0};
      });
    }
  }

  double sag() const override {
    float lowest = 0;
    for (int p = 0; p < count_; ++p) lowest = std::min(lowest, x_[p].y);
    return -lowest;
  }

 private:
  template <class Work>
  void forAll(int first, int end, int grain, const Work& work) {
    if (threads_ == 1 || end - first <= grain) return work(first, end);
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(first, end, grain),
          [&](const tbb::blocked_range<int>& range) { work(range.begin(), range.end()); },
          tbb::static_partitioner{});
    });
  }

  int threads_, count_ = 0, substeps_ = 0;
  tbb::task_arena arena_;
  std::vector<Point> x_, start_, v_;
  std::vector<ReferenceBlock> blocks_;
  std::vector<float> volumes_;
  std::vector<int> first_;  // block of each colour
};

}  // namespace

std::unique_ptr<ReferenceBeam> makeReferenceBeam(const BeamShape& shape, int threads) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  return std::make_unique<Beam>(shape, threads);
}

}  // namespace repose
