// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The grid of grains (collide/grain_grid.h): in which cell a grain lies, which key that has, who finds whom.
// Long loops are spelled `while`: OpenCL unrolls every `for` (shim_opencl.h).

typedef struct {
  int x, y, z;
} grid_cell;

// A level of like grains, and the cells that they lie in.
typedef struct {
  float radius, inv_cell, reach;
  int first, end;
  grid_cell lo, size;
  int table, has_fast;  // table: where it begins, -1 when the keys are bisected
  int slow_axis;        // 0 x, 1 y, 2 z: cells have it as their y, and y in its place
} grid_level;

RE_FN grid_level grid_level_at(RE_GLOBAL const point4* form, RE_GLOBAL const int* boxes, int l) {
  RE_GLOBAL const int* box = boxes + l * RE_GRID_BOX_INTS;
  grid_level level;
  level.radius = form[l].x, level.inv_cell = form[l].y, level.reach = form[l].z;
  level.first = box[0], level.end = box[1];
  level.lo.x = box[2], level.lo.y = box[3], level.lo.z = box[4];
  level.size.x = box[5], level.size.y = box[6], level.size.z = box[7];
  level.table = box[8], level.has_fast = box[9];
  level.slow_axis = (int)form[l].w;
  return level;
}

RE_FN int grid_min(int a, int b) { return a < b ? a : b; }
RE_FN int grid_max(int a, int b) { return a > b ? a : b; }

// What is no number becomes the farthest cell.
RE_FN int grid_floor(float a) {
  const float limit = (float)RE_GRID_FARTHEST;
  const float low = -limit < a ? a : -limit;
  const float inside = limit < low ? limit : low;
  const int c = (int)inside;
  return c - (inside < (float)c);
}

RE_FN grid_cell grid_cell_of(float inv_cell, float x, float y, float z) {
  grid_cell c;
  c.x = grid_floor(x * inv_cell), c.y = grid_floor(y * inv_cell), c.z = grid_floor(z * inv_cell);
  return c;
}

RE_FN grid_cell grid_cell_in(const grid_level* level, float x, float y, float z) {
  if (level->slow_axis == 0) return grid_cell_of(level->inv_cell, y, x, z);
  if (level->slow_axis == 2) return grid_cell_of(level->inv_cell, x, z, y);
  return grid_cell_of(level->inv_cell, x, y, z);
}

// y, then z, then x: neighbours along x have neighbouring keys.
RE_FN cell_key grid_key_of(grid_cell lo, grid_cell size, int x, int y, int z) {
  return ((cell_key)(y - lo.y) * size.z + (z - lo.z)) * size.x + (x - lo.x);
}

RE_FN int grid_level_of(RE_GLOBAL const point4* form, int levels, float radius) {
  int l = 0;
  while (l + 1 < levels && radius > form[l].x) ++l;
  return l;
}

// How many grains of a chunk each level has, and the box of cells around them.
RE_FN void grid_measure_item(int item RE_ARGS_grid_measure(RE_BUFFER, RE_VALUE)) {
  (void)level_box;
  RE_GLOBAL int* own = part + item * levels * RE_GRID_PART_INTS;
  int k = 0;
  while (k < levels * RE_GRID_PART_INTS) {
    const int field = k % RE_GRID_PART_INTS;
    own[k++] = field == 0 ? 0 : field < 4 ? RE_GRID_FARTHEST : -RE_GRID_FARTHEST;
  }
  const int end = grid_min(count, (item + 1) * RE_GRID_CHUNK);
  int i = item * RE_GRID_CHUNK;
  while (i < end) {
    // as long as the level is the same, the box is in registers
    const int l = grid_level_of(level_form, levels, x[i].w);
    const float inv_cell = level_form[l].y;
    RE_GLOBAL int* p = own + l * RE_GRID_PART_INTS;
    int grains = p[0];
    grid_cell lo, hi;
    lo.x = p[1], lo.y = p[2], lo.z = p[3], hi.x = p[4], hi.y = p[5], hi.z = p[6];
    do {
      const grid_cell c = grid_cell_of(inv_cell, x[i].x, x[i].y, x[i].z);
      lo.x = grid_min(lo.x, c.x), lo.y = grid_min(lo.y, c.y), lo.z = grid_min(lo.z, c.z);
      hi.x = grid_max(hi.x, c.x), hi.y = grid_max(hi.y, c.y), hi.z = grid_max(hi.z, c.z);
      ++grains, ++i;
    } while (i < end && grid_level_of(level_form, levels, x[i].w) == l);
    p[0] = grains;
    p[1] = lo.x, p[2] = lo.y, p[3] = lo.z, p[4] = hi.x, p[5] = hi.y, p[6] = hi.z;
  }
}

RE_FN void grid_keys_item(int item RE_ARGS_grid_keys(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * RE_GRID_CHUNK);
  int i = item * RE_GRID_CHUNK, ascends = 1;
  cell_key last = 0;
  while (i < end) {
    const int l = grid_level_of(level_form, levels, x[i].w);
    const grid_level level = grid_level_at(level_form, level_box, l);
    const grid_cell c = grid_cell_in(&level, x[i].x, x[i].y, x[i].z);
    const cell_key here = level_key[l] + grid_key_of(level.lo, level.size, c.x, c.y, c.z);
    ascends &= last <= here;
    key[i] = last = here;
    order[i] = i;
    ++i;
  }
  sorted[item] = ascends;
}

RE_FN int grid_digit(cell_key key, int shift) { return (int)(key >> shift) & ((1 << RE_GRID_DIGIT) - 1); }

RE_FN void grid_count_item(int item RE_ARGS_grid_count(RE_BUFFER, RE_VALUE)) {
  RE_GLOBAL int* own = bucket + (item << RE_GRID_DIGIT);
  int b = 0;
  while (b < 1 << RE_GRID_DIGIT) own[b++] = 0;
  const int end = grid_min(count, (item + 1) * RE_GRID_SORT_CHUNK);
  int i = item * RE_GRID_SORT_CHUNK;
  while (i < end) ++own[grid_digit(key[i++], shift)];
}

// Stable: grains of a digit keep their order.
RE_FN void grid_scatter_item(int item RE_ARGS_grid_scatter(RE_BUFFER, RE_VALUE)) {
  RE_GLOBAL int* own = bucket + (item << RE_GRID_DIGIT);
  const int end = grid_min(count, (item + 1) * RE_GRID_SORT_CHUNK);
  int i = item * RE_GRID_SORT_CHUNK;
  while (i < end) {
    const int to = own[grid_digit(key[i], shift)]++;
    key_to[to] = key[i];
    order_to[to] = order[i];
    ++i;
  }
}

RE_FN void order_points_item(int item RE_ARGS_order_points(RE_BUFFER, RE_VALUE)) {
  to[item] = from[order[item]];
}
RE_FN void order_words_item(int item RE_ARGS_order_words(RE_BUFFER, RE_VALUE)) {
  to[item] = from[order[item]];
}
RE_FN void order_shorts_item(int item RE_ARGS_order_shorts(RE_BUFFER, RE_VALUE)) {
  to[item] = from[order[item]];
}

// All cells after that of the grain before, up to its own, begin with this grain.
RE_FN void grid_table_item(int item RE_ARGS_grid_table(RE_BUFFER, RE_VALUE)) {
  const cell_key base = level_key[level];
  cell_key k = item > 0 ? key[first_grain + item - 1] - base + 1 : 0;
  const cell_key end = (item < count ? key[first_grain + item] : level_key[level + 1]) - base;
  while (k <= end) cell_start[table + k++] = first_grain + item;
}

// Coordinates side by side for the search, and how far the grains of each level reach. They stand in order.
RE_FN void grid_spread_item(int item RE_ARGS_grid_spread(RE_BUFFER, RE_VALUE)) {
  (void)level_form;
  const int chunk_end = grid_min(count, (item + 1) * RE_GRID_CHUNK);
  int i = item * RE_GRID_CHUNK, l = 0;
  while (l < levels) {
    const int end = grid_min(level_box[l * RE_GRID_BOX_INTS + 1], chunk_end);
    float greatest = 0;
    int any = 0;
    while (i < end) {
      const float mine = extent_of[i];
      const int is_fast = mine > grain[i].w * (1 + RE_GRID_SLOW);
      x[i] = grain[i].x, y[i] = grain[i].y, z[i] = grain[i].z, extent[i] = mine;
      fast[i] = (char)is_fast;
      greatest = greatest < mine ? mine : greatest;
      any |= is_fast;
      ++i;
    }
    part_reach[item * levels + l] = greatest;
    part_fast[item * levels + l] = any;
    ++l;
  }
}

// The first of [first, end) whose key is not less.
RE_FN int grid_bisect(RE_GLOBAL const cell_key* key, int first, int end, cell_key least) {
  while (first < end) {
    const int middle = first + (end - first) / 2;
    if (key[middle] < least)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

// The grains of [first, end) that are near grain i, in that order; says how many.
RE_FN int grid_scan(RE_GLOBAL const float* x, RE_GLOBAL const float* y, RE_GLOBAL const float* z,
                    RE_GLOBAL const float* extent, int i, int first, int end, RE_GLOBAL int* out) {
  const real px = re_splat(x[i]), py = re_splat(y[i]), pz = re_splat(z[i]), mine = re_splat(extent[i]);
  int found = 0, j = first;
  while (j < end) {
    const real dx = re_load(x + j) - px, dy = re_load(y + j) - py, dz = re_load(z + j) - pz;
    const real near = re_load(extent + j) + mine;
    unsigned hits = re_mask(dx * dx + dy * dy + dz * dz < near * near);
    if (end - j < RE_LANES) hits &= (1u << (end - j)) - 1;
    while (hits) {
      out[found++] = j + __builtin_ctz(hits);
      hits &= hits - 1;
    }
    j += RE_LANES;
  }
  return found;
}

// Of two like grains the first finds the second; fast ones find slow ones, never the other way round. Keeps
// what grain i of the same level may find.
RE_FN int grid_keep_finds(RE_GLOBAL const char* fast, int i, RE_GLOBAL int* out, int found) {
  int kept = 0, k = 0;
  while (k < found) {
    const int j = out[k++];
    const int leave = fast[i] ? j == i || (fast[j] && j < i) : fast[j];
    out[kept] = j;
    kept += !leave;
  }
  return kept;
}

// The cells of a level that a grain looks at; of the first row of rows only what comes after first_z.
typedef struct {
  int x0, x1, y0, y1, z0, z1, first_z;
} grid_block;

// ahead: only those whose grains come later in the order.
RE_FN grid_block grid_block_around(const grid_level* level, float x, float y, float z, float reach,
                                   int ahead) {
  const grid_cell lo = grid_cell_in(level, x - reach, y - reach, z - reach);
  const grid_cell hi = grid_cell_in(level, x + reach, y + reach, z + reach);
  const grid_cell here = grid_cell_in(level, x, y, z);
  grid_block block;
  block.x0 = grid_max(lo.x, level->lo.x), block.x1 = grid_min(hi.x, level->lo.x + level->size.x - 1);
  block.y0 = grid_max(ahead ? here.y : lo.y, level->lo.y);
  block.y1 = grid_min(hi.y, level->lo.y + level->size.y - 1);
  block.z0 = grid_max(lo.z, level->lo.z), block.z1 = grid_min(hi.z, level->lo.z + level->size.z - 1);
  block.first_z = ahead && block.y0 == here.y ? grid_max(here.z, level->lo.z) : block.z0;
  if (block.x0 > block.x1) block.y1 = block.y0 - 1;
  return block;
}

// What does not fit is counted, and written over the beginning: the list is made again with more room.
RE_FN void grid_search_item(int item RE_ARGS_grid_search(RE_BUFFER, RE_VALUE)) {
  const int room = slice[item + 1] - slice[item];
  RE_GLOBAL int* list = partner + slice[item];
  const int chunk_end = grid_min(count, (item + 1) * RE_GRID_CHUNK);
  int used = 0, lost = 0, longest = 0, own = 0, i = item * RE_GRID_CHUNK;
  while (i < chunk_end) {
    first_of[i] = used;
    while (own + 1 < levels && i >= level_box[own * RE_GRID_BOX_INTS + 1]) ++own;
    int l = own;
    while (l < levels) {
      const grid_level level = grid_level_at(level_form, level_box, l);
      const cell_key base = level_key[l];
      const int is_own = l++ == own, ahead = is_own && !fast[i];
      if (level.first == level.end) continue;
      const float reach = extent[i] + (ahead ? level.radius * (1 + RE_GRID_SLOW) : level.reach);
      const grid_block block = grid_block_around(&level, x[i], y[i], z[i], reach, ahead);
      int cy = block.y0, cz = block.first_z;
      while (cy <= block.y1) {
        while (cz <= block.z1) {
          // the grains in the cells x0 to x1 of this row
          const cell_key from = grid_key_of(level.lo, level.size, block.x0, cy, cz++);
          const cell_key to = from + (block.x1 - block.x0) + 1;
          int begin = level.table >= 0 ? cell_start[level.table + from]
                                       : grid_bisect(key, level.first, level.end, base + from);
          const int end =
              level.table >= 0 ? cell_start[level.table + to] : grid_bisect(key, begin, level.end, base + to);
          if (ahead) begin = grid_max(begin, i + 1);
          if (begin >= end) continue;
          if (used + end - begin > room) {
            lost += used, used = 0;
            longest = grid_max(longest, end - begin);
            if (end - begin > room) continue;
          }
          const int near = grid_scan(x, y, z, extent, i, begin, end, list + used);
          used += is_own && level.has_fast ? grid_keep_finds(fast, i, list + used, near) : near;
        }
        ++cy, cz = block.z0;
      }
    }
    ++i;
  }
  found[item] = lost + used + longest;
}

// The lists of the chunks, one behind another.
RE_FN void grid_pack_item(int item RE_ARGS_grid_pack(RE_BUFFER, RE_VALUE)) {
  const int begin = list_start[item], length = list_start[item + 1] - begin;
  const int end = grid_min(count, (item + 1) * RE_GRID_CHUNK);
  int i = item * RE_GRID_CHUNK, k = 0;
  while (i < end) first_of[i++] += begin;
  while (k < length) {
    partner[begin + k] = list[slice[item] + k];
    ++k;
  }
}
