// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/panels.h"

#include <type_traits>

#include "base/vectors.h"

namespace repose {

namespace {

// Loops whose length the compiler knows keep their answers in registers.
template <class Visit>
void byWidth(int width, const Visit& visit) {
  if (width == 1) return visit(std::integral_constant<int, 1>());
  if (width == 2) return visit(std::integral_constant<int, 2>());
  if (width == 3) return visit(std::integral_constant<int, 3>());
  visit(std::integral_constant<int, 4>());
}

}  // namespace

void Panels::take(int columns, const int* start, const int* row, const double* value) {
  panels_.clear(), rows_.clear(), values_.clear();
  const auto entries = [&](int c) { return start[c + 1] - start[c]; };
  for (int first = 0; first < columns;) {
    // elimination gives the next column all rows of this one, so as many are the same
    int end = first + 1;
    while (end < columns && end - first < kWidest && entries(end - 1) == entries(end) + 1 &&
           row[start[end - 1]] == end)
      ++end;
    const int width = end - first, below = entries(end - 1), first_row = static_cast<int>(rows_.size());
    const int* last = row + start[end - 1];
    rows_.insert(rows_.end(), last, last + below);
    panels_.push_back({first, width, first_row, first_row + below, values_.size()});
    for (int i = 1; i < width; ++i)
      for (int j = 0; j < i; ++j) values_.push_back(value[start[first + j] + i - j - 1]);
    for (int r = 0; r < below; ++r)
      for (int j = 0; j < width; ++j) values_.push_back(value[start[first + j] + width - 1 - j + r]);
    first = end;
  }
  panels_.shrink_to_fit(), rows_.shrink_to_fit(), values_.shrink_to_fit();
}

template <int width>
void Panels::forward(const Panel& panel, Triple* q) const {
  const double* value = values_.data() + panel.first_value;
  Triple known[width];
  for (int i = 0; i < width; ++i) {
    known[i] = q[panel.first + i];
    for (int j = 0; j < i; ++j) known[i].subtract(*value++, known[j]);
    q[panel.first + i] = known[i];
  }
  for (int r = panel.first_row; r < panel.end_row; ++r, value += width) {
    Triple sum = q[rows_[r]];
    for (int j = 0; j < width; ++j) sum.subtract(value[j], known[j]);
    q[rows_[r]] = sum;
  }
}

template <int width>
void Panels::backward(const Panel& panel, const double* diagonal, Triple* q) const {
  const double* triangle = values_.data() + panel.first_value;
  const double* value = triangle + width * (width - 1) / 2;
  Triple sum[width];
  for (int j = 0; j < width; ++j) sum[j] = q[panel.first + j], sum[j].divide(diagonal[panel.first + j]);
  for (int r = panel.first_row; r < panel.end_row; ++r, value += width) {
    const Triple known = q[rows_[r]];
    for (int j = 0; j < width; ++j) sum[j].subtract(value[j], known);
  }
  for (int i = width - 1; i >= 0; --i) {
    for (int j = 0; j < i; ++j) sum[j].subtract(triangle[i * (i - 1) / 2 + j], sum[i]);
    q[panel.first + i] = sum[i];
  }
}

void Panels::solveForward(std::vector<Triple>& q) const {
  for (const Panel& panel : panels_)
    byWidth(panel.width, [&](auto width) { forward<width>(panel, q.data()); });
}

void Panels::solveBackward(std::vector<Triple>& q, const std::vector<double>& diagonal) const {
  for (auto panel = panels_.rbegin(); panel != panels_.rend(); ++panel)
    byWidth(panel->width, [&](auto width) { backward<width>(*panel, diagonal.data(), q.data()); });
}

std::size_t Panels::bytes() const { return bytesOf(panels_, rows_, values_); }

}  // namespace repose
