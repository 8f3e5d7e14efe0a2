// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Memory that is asked for before its use, where rows are too many for the caches: processors foresee the
// next lines of a stream, but not beyond a page, and no places that a list names.

// Whether there is an item so many ahead of that of `row`.
RE_FN int fetch_is_far(int row, int ahead, int far_end) { return row + (ahead + 1) * RE_LANES <= far_end; }

// The first fields of the block of 16 rows that `row` is in, each item of a block its part of them.
RE_FN void fetch_first(RE_GLOBAL const float* value, int row, int fields, int first_fields) {
  RE_GLOBAL const float* at = value + row / 16 * 16 * fields + row % 16 / RE_LANES * 16;
  for (int k = 0; k < first_fields; k += 16 / RE_LANES) RE_PREFETCH(at + 16 * k);
}
RE_FN void fetch_block(RE_GLOBAL const float* value, int row, int fields) {
  fetch_first(value, row, fields, fields);
}

RE_FN void fetch_named(RE_GLOBAL const point4* of, RE_GLOBAL const int* index) {
  for (int k = 0; k < RE_LANES; ++k) RE_PREFETCH(of + index[k]);
}
