// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Manifolds from faces: the side of each solid that looks at the other, clipped by the other.
#include <cmath>

#include "collide/convex_pairs.h"

namespace repose {

namespace {

constexpr int kRim = 16;  // places on the rim of a cylinder
constexpr int kMostRing = 2 * kMostCorners + 2;
constexpr float kFace = 0.9995f;  // cosine from which a normal is that of a face
constexpr float kCap = 0.7f;      // cosine between axis and normal from which the end of a cylinder looks
constexpr float kUpright = 0.9f;  // and from which only one end of a segment does
constexpr float kAlongside = 0.9995f;  // cosine from which segments are parallel
constexpr float kSteady = 5e-3f;       // slope that decides between points of one depth
constexpr float kDeeper = 1e-5f;       // share of the sizes
constexpr std::uint32_t kNearestFeature = 1u << 29;
constexpr std::uint32_t kCutting = 128;  // added to the sides of the reference

// The part of a solid that looks along a direction: a face, a segment or a point.
struct Patch {
  int count = 0;
  Vec3f p[kMostCorners];
  int id[kMostCorners];
  Vec3f normal;  // of a face
  bool face = false;
};

void patchOf(const Core& core, Vec3f d, Patch& patch) {
  const Vec3f shift = d * core.margin;
  const auto add = [&](Vec3f p, int id) {
    patch.p[patch.count] = p + shift;
    patch.id[patch.count++] = id;
  };
  if (core.hull) {
    const Vec3f own = core.pose.localVector(d);
    int best = 0;
    for (int f = 1; f < core.hull->faces(); ++f)
      if (dot(core.hull->normals[f], own) > dot(core.hull->normals[best], own)) best = f;
    for (int k = core.hull->face_first[best]; k < core.hull->face_first[best + 1]; ++k)
      add(core.corner[core.hull->face_corners[k]], core.hull->face_corners[k]);
    patch.normal = core.pose.worldVector(core.hull->normals[best]);
    patch.face = true;
  } else if (core.corners == 0) {
    const Vec3f axis = core.pose.axis[1];
    const float along = dot(d, axis);
    if (std::abs(along) > kCap) {
      const float side = along > 0 ? 1.0f : -1.0f;
      const Vec3f centre = core.pose.origin + axis * (side * core.half);
      for (int k = 0; k < kRim; ++k) {
        const float turn = -side * 6.2831853f / kRim * static_cast<float>(k);
        add(centre + (core.pose.axis[0] * std::cos(turn) + core.pose.axis[2] * std::sin(turn)) * core.radius,
            side > 0 ? k : kRim + k);
      }
      patch.normal = axis * side;
      patch.face = true;
    } else {
      const Vec3f out = unit(d - axis * along) * core.radius;
      add(core.pose.origin + out - axis * core.half, 0);
      add(core.pose.origin + out + axis * core.half, 1);
    }
  } else if (core.corners == 3) {
    const Vec3f normal = unit(cross(core.corner[1] - core.corner[0], core.corner[2] - core.corner[0]));
    const bool front = dot(normal, d) >= 0;
    for (int k = 0; k < 3; ++k) add(core.corner[front ? k : 2 - k], front ? k : 2 - k);
    patch.normal = front ? normal : -normal;
    patch.face = true;
  } else if (core.corners == 2) {
    const Vec3f along = unit(core.corner[1] - core.corner[0]);
    const float lean = dot(along, d);
    if (lean < kUpright) add(core.corner[0], 0);
    if (lean > -kUpright) add(core.corner[1], 1);
  } else {
    add(core.corner[0], 0);
  }
}

struct Ringed {
  Vec3f p;
  std::uint32_t in, out;  // the sides that meet in it
};

std::uint32_t featureOf(const Ringed& p) { return p.in | p.out << 8; }

// Cuts off what is beyond a plane. A segment stays a segment.
int clipPlane(const Ringed* in, int count, Vec3f normal, float offset, std::uint32_t side, Ringed* out) {
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const Ringed& p = in[k];
    const Ringed& q = in[k == 0 ? count - 1 : k - 1];
    const float here = dot(normal, p.p) - offset, before = dot(normal, q.p) - offset;
    if ((here <= 0) != (before <= 0) && !(count == 2 && k == 0)) {
      const float s = before / (before - here);
      out[kept++] = {q.p + (p.p - q.p) * s, before <= 0 ? p.in : side, before <= 0 ? side : p.in};
    }
    if (here <= 0) out[kept++] = p;
  }
  return kept;
}

// Two segments side by side: the ends of their common part.
int clipAlong(const Patch& ref, const Patch& inc, Vec3f n, bool ref_is_a, float reach, Candidate* out) {
  const Vec3f along = unit(ref.p[1] - ref.p[0]);
  Ringed ring[2][4] = {{{inc.p[0], 0, 0}, {inc.p[1], 1, 1}}, {}};
  int count = clipPlane(ring[0], 2, along, dot(along, ref.p[1]), kCutting, ring[1]);
  if (count) count = clipPlane(ring[1], count, -along, -dot(along, ref.p[0]), kCutting + 1, ring[0]);
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3f p = ring[0][k].p, q = ref.p[0] + along * dot(along, p - ref.p[0]);
    const float gap = ref_is_a ? dot(n, q - p) : dot(n, p - q);
    if (gap <= reach) out[kept++] = {ref_is_a ? q : p, ref_is_a ? p : q, gap, featureOf(ring[0][k])};
  }
  return kept;
}

int clipFace(const Patch& ref, const Patch& inc, Vec3f n, bool ref_is_a, float reach, Candidate* out) {
  Ringed ring[2][kMostRing];
  int count = inc.count, now = 0;
  for (int k = 0; k < count; ++k)
    ring[0][k] = {inc.p[k], static_cast<std::uint32_t>(inc.id[k == 0 ? count - 1 : k - 1]),
                  static_cast<std::uint32_t>(inc.id[k])};
  // the sides of the reference face go up along the normal of the contact
  const Vec3f up = ref_is_a ? -n : n;
  for (int k = 0; k < ref.count && count; ++k) {
    const Vec3f p = ref.p[k], q = ref.p[k + 1 == ref.count ? 0 : k + 1];
    const Vec3f outside = cross(q - p, up);
    count = clipPlane(ring[now], count, outside, dot(outside, p),
                      kCutting + static_cast<std::uint32_t>(ref.id[k]), ring[1 - now]);
    now = 1 - now;
  }
  const float steep = 1 / dot(up, ref.normal);
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3f p = ring[now][k].p;
    const float gap = dot(p - ref.p[0], ref.normal) * steep;
    if (gap > reach) continue;
    const Vec3f q = p - up * gap;
    out[kept++] = {ref_is_a ? q : p, ref_is_a ? p : q, gap,
                   featureOf(ring[now][k]) | (ref_is_a ? 1u << 30 : 0)};
  }
  return kept;
}

}  // namespace

int chooseFour(const Candidate* from, int count, Vec3f normal, ManifoldPoint* out) {
  const auto put = [&](int to, int k) { out[to] = {from[k].a, from[k].b, from[k].gap, from[k].feature}; };
  if (count <= kMostPoints) {
    for (int k = 0; k < count; ++k) put(k, k);
    return count;
  }
  // Of points that are nearly as deep, always the same one comes first.
  const Vec3f side{0.48f * kSteady, 0.6f * kSteady, 0.64f * kSteady};
  int first = 0;
  float least = from[0].gap - dot(side, from[0].a);
  for (int k = 1; k < count; ++k)
    if (const float d = from[k].gap - dot(side, from[k].a); d < least) least = d, first = k;
  int second = first;
  float most = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3f d = from[k].a - from[first].a;
    if (const float d2 = dot(d, d); d2 > most) most = d2, second = k;
  }
  put(0, first);
  if (second == first) return 1;
  put(1, second);
  const Vec3f base = cross(normal, from[second].a - from[first].a);
  int left = first, right = first;
  float left_most = 1e-4f * most, right_most = -1e-4f * most;
  for (int k = 0; k < count; ++k) {
    const float area = dot(base, from[k].a - from[first].a);
    if (area > left_most) left_most = area, left = k;
    if (area < right_most) right_most = area, right = k;
  }
  int taken = 2;
  if (left != first) put(taken++, left);
  if (right != first) put(taken++, right);
  return taken;
}

bool clipCores(const Core& a, const Core& b, Vec3f normal, Vec3f on_a, Vec3f on_b, float reach,
               Manifold& out) {
  const float gap = dot(normal, on_a - on_b);
  out.normal = normal;
  out.count = 0;
  Patch pa, pb;
  patchOf(a, -normal, pa);
  patchOf(b, normal, pb);
  const float facing_a = pa.face ? -dot(pa.normal, normal) : 0,
              facing_b = pb.face ? dot(pb.normal, normal) : 0;
  Candidate found[kMostRing + 1];
  int count = 0;
  if (std::max(facing_a, facing_b) >= kFace) {
    const bool ref_is_a = facing_a >= facing_b;
    count = ref_is_a ? clipFace(pa, pb, normal, true, reach, found)
                     : clipFace(pb, pa, normal, false, reach, found);
  } else if (pa.count == 2 && pb.count == 2) {
    const Vec3f da = unit(pa.p[1] - pa.p[0]), db = unit(pb.p[1] - pb.p[0]);
    if (std::abs(dot(da, db)) >= kAlongside) count = clipAlong(pa, pb, normal, true, reach, found);
  }
  // The lowest place of a rim is between the places that stand for it, and what nothing clips has one place.
  const bool rim = (a.corners == 0 && pa.face) || (b.corners == 0 && pb.face);
  float deepest = reach;
  for (int k = 0; k < count; ++k) deepest = std::min(deepest, found[k].gap);
  if (gap <= reach && (count == 0 || (rim && gap < deepest - kDeeper * (a.size + b.size))))
    found[count++] = {on_a, on_b, gap, kNearestFeature};
  out.count = chooseFour(found, count, normal, out.point);
  return out.count > 0;
}

}  // namespace repose
