// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Two boxes: fifteen axes (Gottschalk 1996), then the faces clipped in the plane of one of them.
#include <cmath>

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr float kParallel = 1e-5f;  // square of the sine below which edges have no axis of their own
// Sides of the second box and edges must be better than a face by this share of the size and of the depth:
// where they are nearly equal, the same face is taken in every step.
constexpr float kBias = 2e-3f, kBiasDepth = 0.03f;
constexpr float kExact = 1e-2f;  // share of the size by which a face may miss the true distance

struct Boxes {
  Vec3f ha, hb, t;
  float r[3][3], abs_r[3][3];  // r[i][j] = axis i of a . axis j of b
};

float faceA(const Boxes& s, int i) {
  const float* r = s.abs_r[i];
  return std::abs(s.t[i]) - (s.ha[i] + r[0] * s.hb.x + r[1] * s.hb.y + r[2] * s.hb.z);
}
float along(const Boxes& s, int j) { return s.t.x * s.r[0][j] + s.t.y * s.r[1][j] + s.t.z * s.r[2][j]; }
float faceB(const Boxes& s, int j) {
  const auto& r = s.abs_r;
  return std::abs(along(s, j)) - (s.hb[j] + r[0][j] * s.ha.x + r[1][j] * s.ha.y + r[2][j] * s.ha.z);
}
// Along a_i x b_j, not divided by its length; signed: of t along it.
float edgeSide(const Boxes& s, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  return s.t[i2] * s.r[i1][j] - s.t[i1] * s.r[i2][j];
}
float edgePair(const Boxes& s, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return std::abs(edgeSide(s, i, j)) - (s.ha[i1] * s.abs_r[i2][j] + s.ha[i2] * s.abs_r[i1][j] +
                                        s.hb[j1] * s.abs_r[i][j2] + s.hb[j2] * s.abs_r[i][j1]);
}
// Square of the length of a_i x b_j.
float edgeSize2(const Boxes& s, int i, int j) { return 1 - s.r[i][j] * s.r[i][j]; }

// A corner of the incident face in the plane of the reference face: (u, v) along its sides, w its gap.
struct Flat {
  float u, v, w;
  std::uint32_t in, out;  // the sides that meet in it: 0 to 3 of the incident face, 12 to 15 those that cut
};

// Keeps what is on the inner side of sign * u <= half (axis 0) or sign * v <= half.
template <int kAxis>
int clip(const Flat* in, int count, float sign, float half, std::uint32_t side, Flat* out) {
  int kept = 0;
  const auto over = [&](const Flat& p) { return sign * (kAxis == 0 ? p.u : p.v) - half; };
  float before = over(in[count - 1]);
  for (int k = 0; k < count; ++k) {
    const Flat& p = in[k];
    const Flat& q = in[k == 0 ? count - 1 : k - 1];
    const float here = over(p);
    if ((before <= 0) != (here <= 0)) {
      const float s = before / (before - here);
      out[kept++] = {q.u + s * (p.u - q.u), q.v + s * (p.v - q.v), q.w + s * (p.w - q.w),
                     before <= 0 ? p.in : side, before <= 0 ? side : p.in};
    }
    if (here <= 0) out[kept++] = p;
    before = here;
  }
  return kept;
}

// What the reference box is, and where the other one is in its space.
struct Reference {
  Vec3f half, other_half;
  Vec3f axis[3], centre;  // of the other box
};

// side: of the face that looks at the other box. Points come in the space of the reference box.
bool clipFace(const Reference& ref, int i, float side, float reach, float deepest_allowed, Manifold& out,
              bool& exact) {
  const int iu = (i + 1) % 3, iv = (i + 2) % 3;
  int inc = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(ref.axis[k][i]) > std::abs(ref.axis[inc][i])) inc = k;
  const float inc_side = ref.axis[inc][i] * side > 0 ? -1.0f : 1.0f;
  const Vec3f centre = ref.centre + ref.axis[inc] * (inc_side * ref.other_half[inc]);
  const int k1 = (inc + 1) % 3, k2 = (inc + 2) % 3;
  const Vec3f e1 = ref.axis[k1] * ref.other_half[k1], e2 = ref.axis[k2] * ref.other_half[k2];
  Flat ring[2][12];
  const Vec3f corners[4] = {centre - e1 - e2, centre + e1 - e2, centre + e1 + e2, centre - e1 + e2};
  for (std::uint32_t k = 0; k < 4; ++k)
    ring[0][k] = {corners[k][iu], corners[k][iv], side * corners[k][i] - ref.half[i], (k + 3) % 4, k};
  const std::uint32_t incident = static_cast<std::uint32_t>(inc) << 1 | (inc_side > 0);
  int count = clip<0>(ring[0], 4, 1, ref.half[iu], 12, ring[1]);
  if (count) count = clip<0>(ring[1], count, -1, ref.half[iu], 13, ring[0]);
  if (count) count = clip<1>(ring[0], count, 1, ref.half[iv], 14, ring[1]);
  if (count) count = clip<1>(ring[1], count, -1, ref.half[iv], 15, ring[0]);
  exact = false;
  Candidate found[12];
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const Flat& p = ring[0][k];
    exact = exact || p.w <= deepest_allowed;
    if (p.w > reach) continue;
    Candidate& c = found[kept++];
    c.a[iu] = c.b[iu] = p.u, c.a[iv] = c.b[iv] = p.v;
    c.a[i] = side * ref.half[i];
    c.b[i] = side * (ref.half[i] + p.w);
    c.gap = p.w;
    c.feature =
        p.in | p.out << 4 | incident << 8 | static_cast<std::uint32_t>(i) << 28 | (side > 0 ? 1u << 30 : 0);
  }
  out.normal = {};
  out.normal[i] = -side;
  out.count = chooseFour(found, kept, out.normal, out.point);
  return out.count > 0;
}

bool clipEdges(const Boxes& s, const Pose& to, int i, int j, float reach, Manifold& out, bool& exact) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  Vec3f n;
  n[i1] = -s.r[i2][j], n[i2] = s.r[i1][j];
  n = unit(n);
  if (dot(n, s.t) > 0) n = -n;  // from b to a
  Vec3f pa, pb = to.origin;     // middles of the edges that look at each other
  std::uint32_t corner_a = 0, corner_b = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != i) {
      pa[k] = n[k] > 0 ? -s.ha[k] : s.ha[k];
      if (pa[k] > 0) corner_a |= 1u << k;
    }
    if (k != j) {
      const bool positive = dot(n, to.axis[k]) > 0;
      pb += to.axis[k] * (positive ? s.hb[k] : -s.hb[k]);
      if (positive) corner_b |= 1u << k;
    }
  }
  // the nearest places of the lines pa + x a_i, pb + y b_j
  const Vec3f d = pb - pa;
  const float c = s.r[i][j], da = d[i], db = dot(d, to.axis[j]), under = 1 / edgeSize2(s, i, j);
  const float x = (da - c * db) * under, y = (c * da - db) * under;
  exact = std::abs(x) <= s.ha[i] && std::abs(y) <= s.hb[j];
  pa[i] += std::clamp(x, -s.ha[i], s.ha[i]);
  pb += to.axis[j] * std::clamp(y, -s.hb[j], s.hb[j]);
  const float gap = dot(n, pa - pb);
  if (gap > reach) return false;
  out.normal = n;
  out.count = 1;
  out.point[0] = {pa, pb, gap,
                  1u << 31 | static_cast<std::uint32_t>(i) << 8 | static_cast<std::uint32_t>(j) << 10 |
                      corner_a << 4 | corner_b};
  return true;
}

// Boxes apart whose nearest places are not in the middle of faces or edges.
bool apart(const Convex& a, const Convex& b, const Pose& to, float reach, Manifold& out) {
  Core core_a, core_b;
  makeCore(a, {}, core_a);
  makeCore(b, to, core_b);
  Vec3f on_a, on_b;
  const float distance = coreDistance(core_a, core_b, on_a, on_b);
  if (distance > reach || distance <= 0) return false;
  return clipCores(core_a, core_b, (on_a - on_b) * (1 / distance), on_a, on_b, reach, out);
}

// Whether what parted them in the last step still does.
bool stillApart(const Boxes& s, PairHint hint, float reach) {
  if (hint >= 1 && hint <= 3) return faceA(s, static_cast<int>(hint) - 1) > reach;
  if (hint >= 4 && hint <= 6) return faceB(s, static_cast<int>(hint) - 4) > reach;
  if (hint < 7 || hint > 15) return false;
  const int i = static_cast<int>(hint - 7) / 3, j = static_cast<int>(hint - 7) % 3;
  const float size2 = edgeSize2(s, i, j);
  return size2 > kParallel && edgePair(s, i, j) > reach * std::sqrt(size2);
}

constexpr float kLowest = -std::numeric_limits<float>::max();

// Along which faces and edges two boxes are apart the most, or overlap the least, and by how much.
struct BoxAxes {
  float face_a = kLowest, face_b = kLowest, edge = kLowest;
  int a = 0, b = 0, pair = 0;  // faces; 3 i + j of the edges
  float face() const { return std::max(face_a, face_b); }
};

// 0, or what parts them by more than reach.
PairHint findAxes(const Boxes& s, float reach, BoxAxes& best) {
  for (int k = 0; k < 3; ++k) {
    const float sa = faceA(s, k);
    if (sa > reach) return 1 + k;
    if (sa > best.face_a) best.face_a = sa, best.a = k;
  }
  for (int k = 0; k < 3; ++k) {
    const float sb = faceB(s, k);
    if (sb > reach) return 4 + k;
    if (sb > best.face_b) best.face_b = sb, best.b = k;
  }
  const float best_face = best.face();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const float size2 = edgeSize2(s, i, j);
      const float apart = edgePair(s, i, j);
      // divided by its length the separation only grows in size; a root is taken for those that can win
      if (size2 <= kParallel || (apart < 0 && apart <= best_face)) continue;
      const float se = apart / std::sqrt(size2);
      if (se > reach) return 7 + 3 * i + j;
      if (se > best.edge) best.edge = se, best.pair = 3 * i + j;
    }
  return 0;
}

// What was found from the second box, seen from the first.
void swapSides(const Pose& to, Manifold& out) {
  for (int k = 0; k < out.count; ++k) {
    ManifoldPoint& p = out.point[k];
    const Vec3f on_b = to.world(p.a);
    p.a = to.world(p.b);
    p.b = on_b;
    p.feature |= 1u << 27;
  }
  out.normal = -to.worldVector(out.normal);
}

}  // namespace

bool collideBoxes(const Convex& a, const Convex& b, const Pose& to, float reach, PairHint& hint,
                  Manifold& out) {
  Boxes s;
  s.ha = a.half, s.hb = b.half, s.t = to.origin;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s.r[i][j] = to.axis[j][i], s.abs_r[i][j] = std::abs(s.r[i][j]);

  if (stillApart(s, hint, reach)) return false;
  BoxAxes best;
  hint = findAxes(s, reach, best);
  if (hint != 0) return false;

  const float size = std::min({s.ha.x, s.ha.y, s.ha.z, s.hb.x, s.hb.y, s.hb.z});
  const auto better = [&](float than) { return than + kBias * size + kBiasDepth * std::abs(than); };
  const float slack = kExact * size;
  bool exact = false, touching;
  if (best.edge > better(best.face())) {
    touching = clipEdges(s, to, best.pair / 3, best.pair % 3, reach, out, exact);
    if (exact || best.edge <= slack) return touching;
    return apart(a, b, to, reach, out);
  }
  if (best.face_b > better(best.face_a)) {
    Reference ref{s.hb, s.ha, {}, {}};
    const Pose back = inverse(to);
    for (int k = 0; k < 3; ++k) ref.axis[k] = back.axis[k];
    ref.centre = back.origin;
    const float side = along(s, best.b) > 0 ? -1.0f : 1.0f;
    touching = clipFace(ref, best.b, side, reach, best.face_b + slack, out, exact);
    if (exact || (touching && best.face_b <= 0)) {
      swapSides(to, out);
      return touching;
    }
  } else {
    Reference ref{s.ha, s.hb, {to.axis[0], to.axis[1], to.axis[2]}, to.origin};
    touching = clipFace(ref, best.a, s.t[best.a] > 0 ? 1.0f : -1.0f, reach, best.face_a + slack, out, exact);
    if (exact || (touching && best.face_a <= 0)) return touching;
  }
  // overlapping by rounding, beside the face
  if (best.face() <= 0 && best.edge > kLowest)
    return clipEdges(s, to, best.pair / 3, best.pair % 3, reach, out, exact);
  return apart(a, b, to, reach, out);
}

}  // namespace repose
