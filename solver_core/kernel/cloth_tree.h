// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The trees of cloth (collide/cloth_tree.h): where triangles and nodes are and go, which of them may meet.

// Of 26 directions those that a normal faces, and every other one that differs from it by at most `turn`.
RE_FN int tree_facing(point3 normal, float turn) {
  const float faces = 0.3f;  // cosine between a normal and a direction that it faces
  const float d = 0.70710678f, c = 0.57735027f;
  // half of the directions; the others are their opposites
  const float direction[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {d, d, 0},  {d, -d, 0},
                                  {d, 0, d},  {d, 0, -d}, {0, d, d}, {0, d, -d}, {c, c, c},
                                  {c, c, -c}, {c, -c, c}, {-c, c, c}};
  const float least = faces * (approach_length(normal) + turn) + turn;
  int mask = 0;
  for (int k = 0; k < 13; ++k) {
    const float along = normal.x * direction[k][0] + normal.y * direction[k][1] + normal.z * direction[k][2];
    mask |= (along > least) << k;
    mask |= (along < -least) << (k + 13);
  }
  return mask;
}

RE_FN void tree_empty(float* extent) {
  const float largest = 3.402823466e+38f;
  for (int k = 0; k < 3; ++k) extent[k] = extent[6 + k] = largest, extent[3 + k] = extent[9 + k] = -largest;
}
RE_FN void tree_add(float* low, float* high, float a) {
  if (a < *low) *low = a;
  if (a > *high) *high = a;
}
RE_FN void tree_add_place(float* bounds, point3 p) {
  tree_add(bounds, bounds + 3, p.x), tree_add(bounds + 1, bounds + 4, p.y);
  tree_add(bounds + 2, bounds + 5, p.z);
}

RE_FN void tree_place_item(int item RE_ARGS_tree_place(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * RE_TREE_CHUNK);
  int k = item * RE_TREE_CHUNK;
  while (k < end) {
    RE_GLOBAL const int* c = triangle + 3 * order[k];
    const point3 a = x[c[0]], b = x[c[1]], d = x[c[2]];
    const point3 way_a = way[c[0]], way_b = way[c[1]], way_d = way[c[2]];
    float own[RE_TREE_EXTENT_FLOATS];
    tree_empty(own);
    tree_add_place(own, a), tree_add_place(own, b), tree_add_place(own, d);
    tree_add_place(own + 6, way_a), tree_add_place(own + 6, way_b), tree_add_place(own + 6, way_d);
    for (int j = 0; j < RE_TREE_EXTENT_FLOATS; ++j) box[k * RE_TREE_EXTENT_FLOATS + j] = own[j];
    // the normal on its way is start + s turn + s^2 bend
    const point3 ab = p3_sub(b, a), ad = p3_sub(d, a), u = p3_sub(way_b, way_a), w = p3_sub(way_d, way_a);
    const point3 turn = p3_add(p3_cross(ab, w), p3_cross(u, ad)), bend = p3_cross(u, w);
    box_facing[k] = tree_facing(p3_cross(ab, ad), approach_length(turn) + approach_length(bend));
    ++k;
  }
}

RE_FN void tree_add_bounds(float* bounds, RE_GLOBAL const float* part) {
  if (part[0] > part[3]) return;  // empty
  for (int k = 0; k < 3; ++k)
    tree_add(bounds + k, bounds + 3 + k, part[k]), tree_add(bounds + k, bounds + 3 + k, part[3 + k]);
}
RE_FN void tree_add_extent(float* own, RE_GLOBAL const float* part) {
  tree_add_bounds(own, part), tree_add_bounds(own + 6, part + 6);
}

RE_FN void tree_join_item(int item RE_ARGS_tree_join(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * nodes);
  int i = item * nodes;
  while (i < end) {
    const int n = node_order[first_entry + i++];
    RE_GLOBAL const int* node = tree_node + n * RE_TREE_NODE_INTS;
    const int right = node[0];
    float own[RE_TREE_EXTENT_FLOATS];
    tree_empty(own);
    int faces = ~0;
    if (right >= 0) {
      tree_add_extent(own, extent + (n + 1) * RE_TREE_EXTENT_FLOATS);
      tree_add_extent(own, extent + right * RE_TREE_EXTENT_FLOATS);
      faces = facing[n + 1] & facing[right];
    } else {
      int k = node[1];
      const int last = k + node[2];
      while (k < last) {
        tree_add_extent(own, box + k * RE_TREE_EXTENT_FLOATS);
        faces &= box_facing[k++];
      }
    }
    for (int j = 0; j < RE_TREE_EXTENT_FLOATS; ++j) extent[n * RE_TREE_EXTENT_FLOATS + j] = own[j];
    facing[n] = faces;
  }
}

// a + s way_a and b + s way_b differ by less than reach in every direction for some s of [0, 1].
RE_FN int tree_near(RE_GLOBAL const float* a, RE_GLOBAL const float* b, float reach) {
  for (int k = 0; k < 3; ++k) {
    const float low = approach_min(a[6 + k] - b[9 + k], 0.0f);
    const float high = approach_max(a[9 + k] - b[6 + k], 0.0f);
    if (a[k] - b[3 + k] + low > reach || a[3 + k] - b[k] + high < -reach) return 0;
  }
  return 1;
}

// What a walk through the trees looks at.
typedef struct {
  RE_GLOBAL const int *node, *beside, *facing;
  RE_GLOBAL const float* extent;
  float reach;
} tree_walk;

// Whether a triangle of the second is beside one of the first along an edge.
RE_FN int tree_adjacent(const tree_walk* walk, RE_GLOBAL const int* a, RE_GLOBAL const int* b) {
  int from = a[3], to = a[4];
  while (from < to) {  // the first that is not before b
    const int middle = from + (to - from) / 2;
    if (walk->beside[middle] < b[1])
      from = middle + 1;
    else
      to = middle;
  }
  return from < a[4] && walk->beside[from] < b[1] + b[2];
}

// Puts two nodes on the stack if they are worth looking at; returns the new height.
RE_FN int tree_push_pair(const tree_walk* walk, int first, int second, int* stack, int height) {
  if (!tree_near(walk->extent + first * RE_TREE_EXTENT_FLOATS, walk->extent + second * RE_TREE_EXTENT_FLOATS,
                 walk->reach))
    return height;
  RE_GLOBAL const int* a = walk->node + first * RE_TREE_NODE_INTS;
  RE_GLOBAL const int* b = walk->node + second * RE_TREE_NODE_INTS;
  if ((walk->facing[first] & walk->facing[second]) && a[5] && b[5] && tree_adjacent(walk, a, b))
    return height;
  stack[2 * height] = first, stack[2 * height + 1] = second;
  return height + 1;
}
// A patch that faces one way cannot meet itself.
RE_FN int tree_push_self(const tree_walk* walk, int node, int* stack, int height) {
  if (walk->node[node * RE_TREE_NODE_INTS + 5] && walk->facing[node]) return height;
  stack[2 * height] = stack[2 * height + 1] = node;
  return height + 1;
}

// Puts the parts of two nodes, which may be one, on the stack; returns the new height, -1 for two leaves.
RE_FN int tree_split(const tree_walk* walk, int first, int second, int* stack, int height) {
  RE_GLOBAL const int* a = walk->node + first * RE_TREE_NODE_INTS;
  RE_GLOBAL const int* b = walk->node + second * RE_TREE_NODE_INTS;
  if (a[0] < 0 && b[0] < 0) return -1;
  if (first == second) {
    height = tree_push_self(walk, first + 1, stack, height);
    height = tree_push_self(walk, a[0], stack, height);
    return tree_push_pair(walk, first + 1, a[0], stack, height);
  }
  int part[4] = {first, second, first, second};
  if (b[0] < 0 || (a[0] >= 0 && a[2] >= b[2]))
    part[0] = first + 1, part[2] = a[0];
  else
    part[1] = second + 1, part[3] = b[0];
  height = tree_push_pair(walk, part[0], part[1], stack, height);
  return tree_push_pair(walk, part[2], part[3], stack, height);
}

// Two that share no more than a point may cross though both face one way: what lies between them may be
// folded over.
RE_FN int tree_share_edge(RE_GLOBAL const int* s, RE_GLOBAL const int* t) {
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) shared += s[i] == t[j];
  return shared > 1;
}

// What does not fit into its slice is counted: the list is made again with more room.
RE_FN void tree_search_item(int item RE_ARGS_tree_search(RE_BUFFER, RE_VALUE)) {
  const int own = todo[item], room = slice_room[own];
  RE_GLOBAL int* list = pair + 2 * slice_first[own];
  tree_walk walk;
  walk.node = tree_node, walk.beside = beside, walk.facing = facing, walk.extent = extent, walk.reach = reach;
  int stack[2 * RE_TREE_STACK];
  stack[0] = task[2 * own], stack[1] = task[2 * own + 1];
  int height = 1, used = 0;
  while (height > 0) {
    const int first = stack[2 * height - 2], second = stack[2 * height - 1];
    const int parts = tree_split(&walk, first, second, stack, --height);
    if (parts >= 0) {
      height = parts;
      continue;
    }
    RE_GLOBAL const int* a = tree_node + first * RE_TREE_NODE_INTS;
    RE_GLOBAL const int* b = tree_node + second * RE_TREE_NODE_INTS;
    const int end_a = a[1] + a[2], end_b = b[1] + b[2];
    int i = a[1];
    while (i < end_a) {
      int j = first == second ? i + 1 : b[1];
      while (j < end_b) {
        const int k = j++;
        if (!tree_near(box + i * RE_TREE_EXTENT_FLOATS, box + k * RE_TREE_EXTENT_FLOATS, reach)) continue;
        const int s = order[i], t = order[k];
        if ((box_facing[i] & box_facing[k]) && tree_share_edge(triangle + 3 * s, triangle + 3 * t)) continue;
        if (used < room) list[2 * used] = grid_min(s, t), list[2 * used + 1] = grid_max(s, t);
        ++used;
      }
      ++i;
    }
  }
  found[own] = used;
}
