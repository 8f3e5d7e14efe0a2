// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/point_matrix.h"

#include <algorithm>

#include "base/vectors.h"
#include "kernel/lane1.h"

namespace repose {

namespace {

std::uint64_t keyOf(int a, int b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
}

// Red and black, when no two neighbours get the same; else `odd` is one that would.
std::vector<int> twoColours(const std::vector<std::vector<int>>& neighbours, int& odd) {
  std::vector<int> colour(neighbours.size(), -1), queue;
  for (std::size_t seed = 0; seed < colour.size(); ++seed) {
    if (colour[seed] >= 0) continue;
    colour[seed] = 0;
    queue.assign(1, static_cast<int>(seed));
    while (!queue.empty()) {
      const int r = queue.back();
      queue.pop_back();
      for (const int other : neighbours[r]) {
        if (colour[other] == colour[r]) {
          odd = r;
          return {};
        }
        if (colour[other] >= 0) continue;
        colour[other] = 1 - colour[r];
        queue.push_back(other);
      }
    }
  }
  return colour;
}

// In index order the lowest colour that is free.
std::vector<int> greedyColours(const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> colour(neighbours.size(), -1);
  std::vector<std::size_t> taken_by;  // of each colour: the last point that met it, plus one
  for (std::size_t r = 0; r < colour.size(); ++r) {
    for (const int other : neighbours[r])
      if (colour[other] >= 0) taken_by[colour[other]] = r + 1;
    std::size_t c = 0;
    while (c < taken_by.size() && taken_by[c] == r + 1) ++c;
    if (c == taken_by.size()) taken_by.push_back(0);
    colour[r] = static_cast<int>(c);
  }
  return colour;
}

}  // namespace

void PointMatrix::build(const std::vector<std::pair<int, int>>& pairs, const std::vector<float>& mass,
                        VisitOrder order, const std::vector<int>& colours) {
  order_ = order;
  mass_ = mass;
  row_of_.assign(mass.size(), -1);
  for (std::size_t p = 0; p < mass.size(); ++p)
    if (mass[p] > 0) {
      row_of_[p] = static_cast<int>(free_.size());
      free_.push_back(static_cast<int>(p));
    }
  for (const auto& [a, b] : pairs)
    if (a != b && mass[a] > 0 && mass[b] > 0) pairs_.push_back(keyOf(a, b));
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  value_.resize(pairs_.size());
  diagonal_.resize(free_.size());
  inverse_of_point_.assign(mass.size(), 0.0f);

  colour_of_point_ = colours;
  if (colours.empty()) {
    const std::vector<int> found = colourRows();
    colour_of_point_.assign(mass.size(), 0);
    for (std::size_t r = 0; r < free_.size(); ++r) colour_of_point_[free_[r]] = found[r];
  }
  arrangeEntries();

  std::vector<int> length(point_.size(), 0);
  const auto ends = [&](std::uint64_t key) {
    return std::pair(static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu));
  };
  for (const std::uint64_t key : pairs_) {
    const auto [a, b] = ends(key);
    ++length[entry_of_[row_of_[a]]], ++length[entry_of_[row_of_[b]]];
  }
  lists_ = SlicedLists(length);
  neighbour_.assign(lists_.slots(), 0);
  weight_.assign(lists_.slots(), 0.0f);
  entry_diagonal_.assign(point_.size(), 0.0f);
  entry_inverse_.assign(point_.size(), 0.0f);
  std::fill(length.begin(), length.end(), 0);
  for (const std::uint64_t key : pairs_) {
    const auto [a, b] = ends(key);
    for (const auto& [me, other] : {std::pair(a, b), std::pair(b, a)}) {
      const int e = entry_of_[row_of_[me]], s = lists_.slot(e, length[e]++);
      neighbour_[s] = other;
      slots_.push_back(s);
    }
  }
}

void PointMatrix::arrangeEntries() {
  int count = 0;
  for (const int p : free_) count = std::max(count, colour_of_point_[p] + 1);
  entry_of_.resize(free_.size());
  for (int c = 0; c < count; ++c) {
    const int first = static_cast<int>(point_.size());
    for (std::size_t r = 0; r < free_.size(); ++r)
      if (colour_of_point_[free_[r]] == c) {
        entry_of_[r] = static_cast<int>(point_.size());
        point_.push_back(free_[r]);
      }
    colours_.push_back({first, static_cast<int>(point_.size()) - first});
    while (point_.size() % 16 != 0) point_.push_back(point_.back());
  }
}

std::vector<int> PointMatrix::colourRows() {
  if (order_ == VisitOrder::index) return std::vector<int>(free_.size(), 0);
  std::vector<std::vector<int>> neighbours(free_.size());
  for (const std::uint64_t key : pairs_) {
    const int a = row_of_[key >> 32], b = row_of_[key & 0xffffffffu];
    neighbours[a].push_back(b), neighbours[b].push_back(a);
  }
  int odd = -1;
  std::vector<int> colour = twoColours(neighbours, odd);
  if (odd < 0) return colour;
  odd_ring_ = free_[odd];
  return greedyColours(neighbours);
}

void PointMatrix::clear() {
  std::fill(value_.begin(), value_.end(), 0.0);
  for (std::size_t r = 0; r < free_.size(); ++r) diagonal_[r] = mass_[free_[r]];
}

void PointMatrix::add(int a, int b, double value) {
  if (row_of_[a] < 0 || row_of_[b] < 0) return;
  if (a == b)
    diagonal_[row_of_[a]] += value;
  else
    value_[std::lower_bound(pairs_.begin(), pairs_.end(), keyOf(a, b)) - pairs_.begin()] += value;
}

void PointMatrix::addStencil(const int* corner, const float* c, int count, double weight) {
  for (int s = 0; s < count; ++s)
    for (int t = s; t < count; ++t) add(corner[s], corner[t], weight * c[s] * c[t]);
}

void PointMatrix::close() {
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    weight_[slots_[2 * k]] = weight_[slots_[2 * k + 1]] = static_cast<float>(-value_[k]);
  for (std::size_t r = 0; r < free_.size(); ++r) {
    entry_diagonal_[entry_of_[r]] = static_cast<float>(diagonal_[r]);
    entry_inverse_[entry_of_[r]] = inverse_of_point_[free_[r]] = static_cast<float>(1 / diagonal_[r]);
  }
}

void PointMatrix::visit(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step, float omega,
                        bool backwards, Backend& backend) const {
  pd_visit_args a;
  a.gradient = gradient.data(), a.step = step.data(), a.point = point_.data();
  a.inv_diagonal = entry_inverse_.data(), a.row_start = lists_.start().data();
  a.row_point = neighbour_.data(), a.row_weight = weight_.data(), a.omega = omega;
  for (int k = 0; k < colours(); ++k) {
    const Range colour = colours_[backwards ? colours() - 1 - k : k];
    a.first_entry = colour.first, a.end_entry = colour.first + colour.count;
    if (order_ == VisitOrder::colours) {
      backend.launchLanes(colour.padded(), a);
      continue;
    }
    for (int e = 0; e < colour.count; ++e)
      lane1::pd_visit_item(backwards ? colour.count - 1 - e : e, a.gradient, a.step, a.point, a.inv_diagonal,
                           a.row_start, a.row_point, a.row_weight, a.first_entry, a.end_entry, a.omega);
  }
}

void PointMatrix::multiply(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, Backend& backend) const {
  pd_product_args a;
  a.x = x.data(), a.y = y.data(), a.point = point_.data(), a.diagonal = entry_diagonal_.data();
  a.row_start = lists_.start().data(), a.row_point = neighbour_.data(), a.row_weight = weight_.data();
  backend.inOrder([&] {
    for (const Range colour : colours_) {
      a.first_entry = colour.first, a.end_entry = colour.first + colour.count;
      backend.launchLanes(colour.padded(), a);
    }
  });
}

std::size_t PointMatrix::bytes() const {
  return lists_.bytes() + bytesOf(mass_, free_, row_of_, colour_of_point_, pairs_, value_, diagonal_, slots_,
                                  entry_of_, point_, neighbour_, weight_, entry_diagonal_, entry_inverse_,
                                  inverse_of_point_);
}

}  // namespace repose
