// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The constant matrix of projective dynamics (algorithms.md 7): masses plus the stencils of all elements, one
// number for each two points, the same for x, y and z. Pins have no row. Rows lie in the order in which
// Gauss-Seidel visits them; padded to 16 with rows that nobody writes.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "model/model.h"

namespace repose {

enum class VisitOrder { index, colours };

class PointMatrix {
 public:
  // pairs: points that share an element, in any order and as often as they like; mass: of each point, 0 of
  // pins; colours: of each point, empty: to be found.
  void build(const std::vector<std::pair<int, int>>& pairs, const std::vector<float>& mass, VisitOrder order,
             const std::vector<int>& colours = {});

  // Values: back to the masses, then element by element, then close().
  void clear();
  // weight (sum_s c_s q_s)^2 / 2 of the energy, on `count` corners.
  void addStencil(const int* corner, const float* c, int count, double weight);
  void add(int a, int b, double value);
  void close();

  // One pass over A step = -gradient, forwards or backwards; in index order on one thread.
  void visit(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step, float omega, bool backwards,
             Backend& backend) const;
  void multiply(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, Backend& backend) const;

  int colours() const { return static_cast<int>(colours_.size()); }
  const std::vector<int>& colourOfPoints() const { return colour_of_point_; }  // 0 of pins
  // A point on a ring of an odd number of neighbours, for which two colours are too few; -1: there is none.
  int oddRing() const { return odd_ring_; }
  // Of each point, 0 of pins.
  const std::vector<float>& inverseDiagonal() const { return inverse_of_point_; }
  std::size_t bytes() const;

  // For a direct solver: rows in index order.
  const std::vector<int>& freePoints() const { return free_; }
  template <class Visit>  // visit(row, column, value) of the lower triangle, in order
  void eachEntry(const Visit& visit) const {
    for (std::size_t r = 0; r < free_.size(); ++r)
      visit(static_cast<int>(r), static_cast<int>(r), diagonal_[r]);
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      visit(row_of_[pairs_[k] & 0xffffffffu], row_of_[pairs_[k] >> 32], value_[k]);
  }

 private:
  std::vector<int> colourRows();  // of each free point
  void arrangeEntries();          // colour by colour

  VisitOrder order_ = VisitOrder::index;
  int odd_ring_ = -1;
  std::vector<float> mass_;
  std::vector<int> free_, row_of_;    // points with a row, and back, -1 for pins
  std::vector<std::uint64_t> pairs_;  // sorted: the lower point above, the higher below
  std::vector<double> value_, diagonal_;
  std::vector<int> slots_;      // two of each pair
  std::vector<Range> colours_;  // of entries
  std::vector<int> entry_of_;   // of each free point
  std::vector<int> colour_of_point_;
  std::vector<int> point_;  // of each entry
  SlicedLists lists_;
  std::vector<int> neighbour_;
  std::vector<float> weight_, entry_diagonal_, entry_inverse_, inverse_of_point_;
};

}  // namespace repose
