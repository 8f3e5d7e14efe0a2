// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A unit lower triangular factor as panels: columns next to each other with the same rows below them. A place
// of the answer is then fetched once a panel instead of once a column, and the rows are listed once.
#pragma once
#include <cstddef>
#include <vector>

namespace repose {

// x, y, z and nothing, as two whole registers.
struct Triple {
  using Two = double __attribute__((vector_size(16)));
  Two xy, z;

  void subtract(double factor, const Triple& a) { xy -= factor * a.xy, z -= factor * a.z; }
  void divide(double by) { xy /= by, z /= by; }
};

class Panels {
 public:
  // By columns, without the diagonal of ones; the rows of a column ascend.
  void take(int columns, const int* start, const int* row, const double* value);

  void solveForward(std::vector<Triple>& q) const;                                        // L q = q
  void solveBackward(std::vector<Triple>& q, const std::vector<double>& diagonal) const;  // D L^T q = q
  std::size_t bytes() const;

 private:
  static constexpr int kWidest = 4;  // as many answers as registers hold

  struct Panel {
    int first, width;         // columns
    int first_row, end_row;   // of rows_, below the panel
    std::size_t first_value;  // of values_: the triangle by rows, then the rows below, `width` of each
  };
  template <int width>
  void forward(const Panel& panel, Triple* q) const;
  template <int width>
  void backward(const Panel& panel, const double* diagonal, Triple* q) const;

  std::vector<Panel> panels_;
  std::vector<int> rows_;
  std::vector<double> values_;
};

}  // namespace repose
