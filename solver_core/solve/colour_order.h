// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows in colours: no two of a colour share a point, so all of them may be solved at once. Greedy, in the
// order given, the lowest colour that is free (algorithms.md 10 rule 6); a body far away changes nothing.
#pragma once
#include <vector>

#include "model/model.h"

namespace repose {

struct OrderedRow {
  int row, body;
};

// The order of a sort of rows: entries, colour after colour.
struct ColourOrder {
  std::vector<Range> colours;
  std::vector<int> row;   // of the model, by entry
  std::vector<int> body;  // and its body
  int size() const { return static_cast<int>(row.size()); }
};

// Pass c takes every row that meets no other of colour c: the same as the lowest free colour for each row in
// order. touches(row, s) is the point at corner s. Each colour is padded to a multiple of 16 with copies of
// its last row.
template <class Touches>
ColourOrder orderByColour(std::vector<OrderedRow> rows, int points, int corners, const Touches& touches) {
  ColourOrder order;
  std::vector<int> last_colour(points, -1);
  std::vector<OrderedRow> later;
  for (int colour = 0; !rows.empty(); ++colour) {
    const int first = order.size();
    later.clear();
    for (const OrderedRow& r : rows) {
      bool taken = false;
      for (int s = 0; s < corners; ++s) taken = taken || last_colour[touches(r.row, s)] == colour;
      if (taken) {
        later.push_back(r);
        continue;
      }
      for (int s = 0; s < corners; ++s) last_colour[touches(r.row, s)] = colour;
      order.row.push_back(r.row);
      order.body.push_back(r.body);
    }
    order.colours.push_back({first, order.size() - first});
    while (order.size() % 16 != 0) {
      order.row.push_back(order.row.back());
      order.body.push_back(order.body.back());
    }
    rows.swap(later);
  }
  order.row.shrink_to_fit();
  order.body.shrink_to_fit();
  return order;
}

}  // namespace repose
