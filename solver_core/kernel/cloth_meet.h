// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Two triangles of cloth that may meet: their points against the other triangle and their edges against each
// other, as contacts before a step and as what has to be held back after it (solve/contact/cloth_self.h).

RE_FN point3 meet_normal(RE_GLOBAL const point3* x, RE_GLOBAL const int* c) {
  return p3_cross(p3_sub(x[c[1]], x[c[0]]), p3_sub(x[c[2]], x[c[0]]));
}

// Edges of the rim and of folds: those within flat pieces push no more than their points do.
RE_FN void meet_folds_item(int item RE_ARGS_meet_folds(RE_BUFFER, RE_VALUE)) {
  const float flat = 0.97f;  // cosine between the two faces
  const int end = grid_min(count, (item + 1) * RE_MEET_CHUNK);
  int e = item * RE_MEET_CHUNK;
  while (e < end) {
    int is_bent = faces[2 * e + 1] < 0;
    if (!is_bent) {
      const point3 a = meet_normal(x, triangle + 3 * faces[2 * e]);
      const point3 b = meet_normal(x, triangle + 3 * faces[2 * e + 1]);
      const float along = p3_dot(a, b);
      is_bent = along <= 0 || along * along < flat * flat * p3_dot(a, a) * p3_dot(b, b);
    }
    bent[e++] = (char)is_bent;
  }
}

// What two parts are made of: of a point and a triangle that point first, of two edges the ends of each.
typedef struct {
  int edges;
  int point[4];
  int first, second;  // the triangle and -1, or the two edges
} meet_parts;

// All pairs of a point and a triangle, and of two edges, that two triangles stand for: bits 0 to 2 for the
// points of the first, 3 to 5 for those of the second, 6 to 14 for edges.
RE_FN unsigned meet_candidates(unsigned owns_s, unsigned owns_t) {
  const unsigned edges_s = owns_s >> 3, edges_t = owns_t >> 3 & 7;
  unsigned all = (owns_s & 7) | (owns_t & 7) << 3;
  for (int k = 0; k < 3; ++k) all |= (edges_s >> k & 1 ? edges_t : 0) << (6 + 3 * k);
  return all;
}

// A candidate of triangles s and t; 0 where the two share a point, or where an edge is not bent. bent: null
// for edges of any kind.
RE_FN int meet_parts_of(RE_GLOBAL const int* triangle, RE_GLOBAL const int* edge_of,
                        RE_GLOBAL const int* edge_ends, RE_GLOBAL const char* bent, int s, int t, int which,
                        meet_parts* parts) {
  parts->edges = which >= 6;
  if (!parts->edges) {
    const int of_s = which < 3, to = of_s ? t : s;
    RE_GLOBAL const int* c = triangle + 3 * to;
    const int p = triangle[3 * (of_s ? s : t) + (of_s ? which : which - 3)];
    parts->first = to, parts->second = -1;
    parts->point[0] = p, parts->point[1] = c[0], parts->point[2] = c[1], parts->point[3] = c[2];
    return p != c[0] && p != c[1] && p != c[2];
  }
  const int i = (which - 6) / 3, j = which - 6 - 3 * i;
  const int e = edge_of[3 * s + i], f = edge_of[3 * t + j];
  if (bent && !(bent[e] && bent[f])) return 0;
  parts->first = grid_min(e, f), parts->second = grid_max(e, f);
  RE_GLOBAL const int* a = edge_ends + 2 * parts->first;
  RE_GLOBAL const int* b = edge_ends + 2 * parts->second;
  parts->point[0] = a[0], parts->point[1] = a[1], parts->point[2] = b[0], parts->point[3] = b[1];
  return a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1];
}

// Of two groups along an axis: the first lies beyond the second by more than reach, whatever they do.
RE_FN int meet_beyond(float low, float low_way, float high, float high_way, float reach) {
  return low - high + approach_min(low_way - high_way, 0.0f) > reach;
}
RE_FN int meet_apart_along(int edges, float x0, float x1, float x2, float x3, float way0, float way1,
                           float way2, float way3, float reach) {
  const float low2 = approach_min(x2, x3), high2 = approach_max(x2, x3);
  const float way_low2 = approach_min(way2, way3), way_high2 = approach_max(way2, way3);
  const float low = edges ? approach_min(x0, x1) : x0, high = edges ? approach_max(x0, x1) : x0;
  const float way_low = edges ? approach_min(way0, way1) : way0;
  const float way_high = edges ? approach_max(way0, way1) : way0;
  const float other_low = edges ? low2 : approach_min(x1, low2);
  const float other_high = edges ? high2 : approach_max(x1, high2);
  const float other_way_low = edges ? way_low2 : approach_min(way1, way_low2);
  const float other_way_high = edges ? way_high2 : approach_max(way1, way_high2);
  return meet_beyond(low, way_low, other_high, other_way_high, reach) ||
         meet_beyond(other_low, other_way_low, high, way_high, reach);
}
// Whether two parts stay further apart than reach along an axis: told before anything is measured.
RE_FN int meet_apart(int edges, const point3* x, const point3* way, float reach) {
#define RE_ALONG(k) \
  meet_apart_along(edges, x[0].k, x[1].k, x[2].k, x[3].k, way[0].k, way[1].k, way[2].k, way[3].k, reach)
  return RE_ALONG(x) || RE_ALONG(y) || RE_ALONG(z);
#undef RE_ALONG
}

// What cloth is at rest.
typedef struct {
  RE_GLOBAL const point3* rest;
  RE_GLOBAL const float *seam, *inv_mass;
  RE_GLOBAL const int* cloth_of;
  RE_GLOBAL const point4* cloth;
} meet_rest;

RE_FN void meet_fetch(RE_GLOBAL const point3* from, const int* point, point3* to) {
  for (int k = 0; k < 4; ++k) to[k] = from[point[k]];
}

RE_FN float meet_rest_distance(const meet_rest* at, const meet_parts* parts) {
  point3 rest[4];
  meet_fetch(at->rest, parts->point, rest);
  return approach_nearness(parts->edges, rest).distance;
}

// Ways to the next stitches, of both.
RE_FN float meet_seam(const meet_rest* at, const meet_parts* parts) {
  float seam[4];
  for (int k = 0; k < 4; ++k) seam[k] = at->seam[parts->point[k]];
  const float last = approach_min(seam[2], seam[3]);
  return parts->edges ? approach_min(seam[0], seam[1]) + last : seam[0] + approach_min(seam[1], last);
}

// Both parts are of one soft body.
RE_FN int meet_same_solid(const meet_rest* at, const meet_parts* parts) {
  const int cloth = at->cloth_of[parts->point[0]];
  return at->cloth[cloth].z > 0 && cloth == at->cloth_of[parts->point[3]];
}

// Sewn together, or all held by pins: they may do as they like.
RE_FN int meet_tied(const meet_rest* at, const meet_parts* parts) {
  int held = 1;
  for (int k = 0; k < 4; ++k) held &= at->inv_mass[parts->point[k]] == 0;
  return held || meet_seam(at, parts) == 0;
}
// Or near each other on a soft body. Solid matter keeps its surface from folding onto itself; where it was
// crushed inside out, contacts would keep it so.
RE_FN int meet_related(const meet_rest* at, const meet_parts* parts) {
  if (meet_tied(at, parts)) return 1;
  if (!meet_same_solid(at, parts)) return 0;
  return meet_rest_distance(at, parts) < at->cloth[at->cloth_of[parts->point[0]]].z;
}

RE_FN float meet_distance(const meet_rest* at, const meet_parts* parts) {
  const float rest_share = 0.5f;  // of the distance at rest that parts of one cloth may come near each other
  const int a = at->cloth_of[parts->point[0]], b = at->cloth_of[parts->point[3]];
  const float thickness = approach_max(at->cloth[a].x + at->cloth[b].x, RE_MEET_LEAST);
  const float kept = approach_min(thickness, rest_share * meet_seam(at, parts));
  return a == b ? approach_min(kept, rest_share * at->cloth[a].y * meet_rest_distance(at, parts)) : kept;
}

// No other triangle around the nearest place of a point is nearer.
RE_FN int meet_nearest_of_all(RE_GLOBAL const point3* x, RE_GLOBAL const point3* way,
                              RE_GLOBAL const int* triangle, RE_GLOBAL const int* ring_start,
                              RE_GLOBAL const int* ring, const approach_near* near, const int* point,
                              float part) {
  int corner = point[1];
  float weight = near->weight[1];
  for (int k = 2; k < 4; ++k)
    if (near->weight[k] < weight) weight = near->weight[k], corner = point[k];
  int r = ring_start[corner];
  const int end = ring_start[corner + 1];
  while (r < end) {
    RE_GLOBAL const int* c = triangle + 3 * ring[r++];
    if (c[0] == point[0] || c[1] == point[0] || c[2] == point[0]) continue;
    const int there[4] = {point[0], c[0], c[1], c[2]};
    point3 from[4], along[4], to[4];
    meet_fetch(x, there, from), meet_fetch(way, there, along);
    approach_move(from, along, part, to);
    if (approach_nearness(0, to).distance < (1 - 1e-4f) * near->distance) return 0;
  }
  return 1;
}

// Whether two parts come within `soon` of each other, or within `kept` on their ways: then `part` of the way
// is when, and `near` how they are to each other then.
RE_FN int meet_comes_near(const meet_parts* parts, const point3* from, const point3* along, float bound,
                          float kept, float soon, approach_near* near, float* part) {
  *part = 0;
  if (near->distance > soon + bound) return 0;
  if (!(near->distance > kept)) return 1;
  approach_near then = *near;
  const float when = approach_until(parts->edges, from, along, bound, kept, &then);
  if (!(when <= 1)) return !(near->distance > soon);
  *near = then, *part = when;
  return 1;
}

// Of tangled cloth the higher layer belongs in front of the lower one; 0: neither is higher.
RE_FN int meet_untangles(const meet_parts* parts, const point3* from, int above, point3* normal) {
  if (above == 0 || parts->edges) return 0;
  const point3 upright = p3_cross(p3_sub(from[2], from[1]), p3_sub(from[3], from[1]));
  if ((p3_dot(upright, *normal) > 0) != (above > 0)) *normal = p3_minus(*normal);
  return 1;
}

RE_FN void meet_store_touch(const meet_parts* parts, const float* weight, point3 normal, float gap,
                            RE_GLOBAL int* index, RE_GLOBAL point4* form) {
  for (int j = 0; j < 4; ++j) index[j] = parts->point[j];
  index[4] = parts->first, index[5] = parts->second;
  form[0].x = weight[0], form[0].y = weight[1], form[0].z = weight[2], form[0].w = weight[3];
  form[1].x = normal.x, form[1].y = normal.y, form[1].z = normal.z, form[1].w = gap;
}

RE_FN void meet_touches_item(int item RE_ARGS_meet_touches(RE_BUFFER, RE_VALUE)) {
  const int own = todo[item], room = slice_room[own], end = pair_first[own] + pair_count[own];
  meet_rest at;
  at.rest = rest, at.seam = seam, at.inv_mass = inv_mass, at.cloth_of = cloth_of, at.cloth = cloth;
  int used = 0, k = pair_first[own];
  while (k < end) {
    const int s = pair[2 * k], t = pair[2 * k + 1];
    ++k;
    unsigned left = meet_candidates((unsigned)owns[s], (unsigned)owns[t]);
    while (left) {
      const int which = __builtin_ctz(left);
      left &= left - 1;
      meet_parts parts;
      if (!meet_parts_of(triangle, edge_of, edge_ends, bent, s, t, which, &parts)) continue;
      point3 from[4], along[4];
      meet_fetch(x, parts.point, from), meet_fetch(way, parts.point, along);
      if (meet_apart(parts.edges, from, along, reach) || meet_related(&at, &parts)) continue;
      const float bound = approach_bound(parts.edges, along);
      approach_near near = approach_nearness(parts.edges, from);
      if (near.distance > reach + bound) continue;
      const float kept = meet_distance(&at, &parts);
      float part;
      if (!meet_comes_near(&parts, from, along, bound, kept, kept + margin, &near, &part)) continue;
      if (!near.inside &&
          (parts.edges || !meet_nearest_of_all(x, way, triangle, ring_start, ring, &near, parts.point, part)))
        continue;
      point3 apart = p3(0, 0, 0), normal = near.normal;
      int is_tangled = 0;
      for (int j = 0; j < 4; ++j) {
        apart = p3_add(apart, p3_scale(p3_sub(from[j], from[0]), near.weight[j]));
        is_tangled |= tangled[parts.point[j]];
      }
      const int above = layer[cloth_of[parts.point[0]]] - layer[cloth_of[parts.point[3]]];
      if (is_tangled && !meet_untangles(&parts, from, above, &normal)) continue;
      const int to = slice_first[own] + used;
      if (used < room)
        meet_store_touch(&parts, near.weight, normal, p3_dot(normal, apart) - kept,
                         touch + to * RE_MEET_TOUCH_INTS, touch_form + 2 * to);
      ++used;
    }
  }
  found[own] = used;
}

// Pairs that would meet on their ways. A solid is not held back from itself, which would tear at it: its
// surface that went through itself is told by its crossings.
RE_FN void meet_hits_item(int item RE_ARGS_meet_hits(RE_BUFFER, RE_VALUE)) {
  const int own = todo[item], room = slice_room[own], end = pair_first[own] + pair_count[own];
  meet_rest at;
  at.rest = rest, at.seam = seam, at.inv_mass = inv_mass, at.cloth_of = cloth_of, at.cloth = cloth;
  int used = 0, k = pair_first[own];
  while (k < end) {
    const int s = pair[2 * k], t = pair[2 * k + 1];
    ++k;
    int looked_at = every;
    for (int j = 0; j < 3; ++j) looked_at |= changed[triangle[3 * s + j]] | changed[triangle[3 * t + j]];
    if (!looked_at) continue;
    unsigned left = meet_candidates((unsigned)owns[s], (unsigned)owns[t]);
    while (left) {
      const int which = __builtin_ctz(left);
      left &= left - 1;
      meet_parts parts;
      if (!meet_parts_of(triangle, edge_of, edge_ends, RE_NULL, s, t, which, &parts)) continue;
      point3 from[4], along[4];
      meet_fetch(x, parts.point, from), meet_fetch(way, parts.point, along);
      if (meet_apart(parts.edges, from, along, reach) || meet_same_solid(&at, &parts) ||
          meet_tied(&at, &parts))
        continue;
      int is_tangled = 0;
      for (int j = 0; j < 4; ++j) is_tangled |= tangled[parts.point[j]];
      if (is_tangled) continue;
      const float safe = approach_safe(parts.edges, from, along);
      if (!(safe < 1)) continue;
      if (used < room) {
        const int to = slice_first[own] + used;
        RE_GLOBAL int* index = hit + to * RE_MEET_HIT_INTS;
        for (int j = 0; j < 4; ++j) index[j] = parts.point[j];
        index[4] = parts.edges;
        hit_share[to] = safe;
      }
      ++used;
    }
  }
  found[own] = used;
}
