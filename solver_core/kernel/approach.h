// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A point and a triangle, or two edges, that move: how near they are, and how far they may go. Four places:
// the point and the corners, or the two ends of each edge. Functions are inlined, so each is called in few
// places: a driver compiles every copy.

RE_FN float approach_min(float a, float b) { return b < a ? b : a; }
RE_FN float approach_max(float a, float b) { return a < b ? b : a; }
RE_FN float approach_length(point3 a) { return re_sqrt1(p3_dot(a, a)); }

// The nearest places of the two, by signed weights: sum weight_k x_k = distance * normal.
typedef struct {
  float weight[4];
  point3 normal;  // to the first from the second
  float distance;
  int inside;  // not at a corner or a side of the triangle, or at the end of an edge
} approach_near;

typedef struct {
  float s, t;
} approach_shares;

RE_FN approach_shares approach_share(float s, float t) {
  approach_shares shares;
  shares.s = s, shares.t = t;
  return shares;
}
RE_FN float approach_unit(float a) { return approach_min(approach_max(a, 0.0f), 1.0f); }

// Shares of the second ends of two edges from a to a + u and from b to b + w in their nearest places; d = a -
// b.
RE_FN approach_shares approach_edges(point3 d, point3 u, point3 w) {
  const float parallel = 1e-6f;
  const float uu = p3_dot(u, u), ww = p3_dot(w, w), uw = p3_dot(u, w), ud = p3_dot(u, d), wd = p3_dot(w, d);
  if (uu <= 0) return approach_share(0, ww > 0 ? approach_unit(wd / ww) : 0);
  if (ww <= 0) return approach_share(approach_unit(-ud / uu), 0);
  const float area = uu * ww - uw * uw;
  const float s = area > parallel * uu * ww ? approach_unit((uw * wd - ud * ww) / area) : 0;
  const float t = (uw * s + wd) / ww;
  if (t < 0) return approach_share(approach_unit(-ud / uu), 0);
  if (t > 1) return approach_share(approach_unit((uw - ud) / uu), 1);
  return approach_share(s, t);
}

// Seen from the first place, so that differences of neighbours keep their digits.
RE_FN approach_near approach_nearness(int edges, const point3* x) {
  const float one_place = 1e-12f;
  approach_near near;
  const point3 a = p3_sub(x[1], x[0]), b = p3_sub(x[2], x[0]), c = p3_sub(x[3], x[0]);
  point3 apart;
  if (edges) {
    const approach_shares e = approach_edges(p3_minus(b), a, p3_sub(c, b));
    near.weight[0] = 1 - e.s, near.weight[1] = e.s, near.weight[2] = e.t - 1, near.weight[3] = -e.t;
    near.inside = e.s > 0 && e.s < 1 && e.t > 0 && e.t < 1;
    apart = p3_sub(p3_sub(p3_scale(a, e.s), b), p3_scale(p3_sub(c, b), e.t));
  } else {
    const triangle_shares s = triangle_nearest(p3(0, 0, 0), a, b, c);
    near.weight[0] = 1, near.weight[1] = -s.a, near.weight[2] = -s.b, near.weight[3] = -s.c;
    near.inside = s.a > 0 && s.b > 0 && s.c > 0;
    apart = p3_minus(triangle_mix(s, a, b, c));
  }
  near.distance = approach_length(apart);
  if (near.distance > one_place) {
    near.normal = p3_scale(apart, 1 / near.distance);
  } else {  // what lies in one place parts across the surface
    const point3 upright = p3_cross(edges ? a : p3_sub(b, a), edges ? p3_sub(c, b) : p3_sub(c, a));
    const float size = approach_length(upright);
    near.normal = size > 0 ? p3_scale(upright, 1 / size) : p3(0, 1, 0);
  }
  return near;
}

// How far the two can come nearer at most when each place goes by `way` [m].
RE_FN float approach_bound(int edges, const point3* way) {
  const point3 mean = p3_scale(p3_add(p3_add(p3_add(way[0], way[1]), way[2]), way[3]), 0.25f);
  float of[4];
  for (int k = 0; k < 4; ++k) of[k] = approach_length(p3_sub(way[k], mean));
  return edges ? approach_max(of[0], of[1]) + approach_max(of[2], of[3])
               : of[0] + approach_max(approach_max(of[1], of[2]), of[3]);
}

RE_FN void approach_move(const point3* x, const point3* way, float part, point3* to) {
  for (int k = 0; k < 4; ++k) to[k] = p3_add(x[k], p3_scale(way[k], part));
}

// The share of the way after which they are `apart` from each other, by steps that are never too long; more
// than 1 when they are not. close: the nearest places now, and then.
RE_FN float approach_until(int edges, const point3* x, const point3* way, float bound, float apart,
                           approach_near* close) {
  const float reached = 1.02f;
  const int most_steps = 16;
  point3 at[4];
  float part = 0;
  int k = 0;
  while (k < most_steps && close->distance > reached * apart) {
    part += (close->distance - apart) / approach_max(bound, 1e-30f);
    if (!(part <= 1)) return 2;
    approach_move(x, way, part, at);
    *close = approach_nearness(edges, at);
    ++k;
  }
  return part;
}

// The share of the way, up to 1, that leaves a part of their distance: never do they meet or pass (additive
// continuous collision detection, Li et al. 2021).
RE_FN float approach_safe(int edges, const point3* x, const point3* way) {
  const float keep = 0.2f;    // share of a distance that a safe motion leaves
  const float stride = 0.9f;  // of the longest step that is surely safe
  const int most_steps = 64;  // then it counts as reached
  const float bound = approach_bound(edges, way);
  point3 at[4];
  float part = 0, next = 0, kept = 0;
  for (int j = 0; j < 4; ++j) at[j] = x[j];
  int k = 0;
  while (k <= most_steps) {
    const float apart = approach_nearness(edges, at).distance;
    if (k == 0) {
      if (bound <= (1 - keep) * apart) return 1;
      kept = keep * apart;
    } else {
      if (apart - kept < 0.1f * kept) return part;
      part = next;
      if (part >= 1) return 1;
    }
    next = part + stride * (apart - kept) / bound;
    approach_move(x, way, next, at);
    ++k;
  }
  return part;
}
