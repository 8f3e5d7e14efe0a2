// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "collide/touch_groups.h"

namespace repose {

namespace {

constexpr float kOneWay = 0.98f;  // cosine above which places share a normal

}  // namespace

void TouchGroups::add(Vec3f normal, Vec3f a, float gap, Vec3f velocity, std::uint32_t feature) {
  Group* group = find(normal, gap);
  if (!group) return;
  if (gap < group->deepest) group->deepest = gap, group->normal = normal;
  for (int k = 0; k < group->count; ++k) {
    Candidate& known = group->found[k];
    const Vec3f d = known.a - a;
    if (dot(d, d) > same2_) continue;
    if (gap < known.gap) known.gap = gap, group->velocity[k] = velocity;
    return;
  }
  if (group->count == kMostFound) shrink(*group);
  group->velocity[group->count] = velocity;
  group->found[group->count++] = {a, {}, gap, feature};
}

int TouchGroups::write(Vec3f origin, Manifold* out, Vec3f* velocity) {
  for (int g = 0; g < count_; ++g) {
    Group& group = groups_[g];
    shrink(group);
    out[g].normal = group.normal;
    out[g].count = group.count;
    Vec3f mean;
    for (int k = 0; k < group.count; ++k) {
      const Candidate& c = group.found[k];
      const Vec3f a = c.a + origin;
      out[g].point[k] = {a, a - group.normal * c.gap, c.gap, c.feature};
      mean += group.velocity[k] * (1 / static_cast<float>(group.count));
    }
    if (velocity) velocity[g] = mean;
  }
  return count_;
}

// That of the normal; a new one, or one that is farther away, when there is none.
TouchGroups::Group* TouchGroups::find(Vec3f normal, float gap) {
  int best = -1;
  for (int g = 0; g < count_; ++g)
    if (dot(groups_[g].normal, normal) > kOneWay &&
        (best < 0 || dot(groups_[g].normal, normal) > dot(groups_[best].normal, normal)))
      best = g;
  if (best >= 0) return &groups_[best];
  if (count_ < kMostManifolds) {
    best = count_++;
  } else {
    best = 0;
    for (int g = 1; g < count_; ++g)
      if (groups_[g].deepest > groups_[best].deepest) best = g;
    if (groups_[best].deepest <= gap) return nullptr;
  }
  groups_[best].normal = normal;
  groups_[best].deepest = gap;
  groups_[best].count = 0;
  return &groups_[best];
}

void TouchGroups::shrink(Group& group) {
  ManifoldPoint four[kMostPoints];
  const int count = chooseFour(group.found, group.count, group.normal, four);
  Vec3f velocity[kMostPoints];
  for (int k = 0; k < count; ++k)
    for (int j = 0; j < group.count; ++j)
      if (group.found[j].feature == four[k].feature && group.found[j].a == four[k].a)
        velocity[k] = group.velocity[j];
  for (int k = 0; k < count; ++k) {
    group.found[k] = {four[k].a, {}, four[k].gap, four[k].feature};
    group.velocity[k] = velocity[k];
  }
  group.count = count;
}

}  // namespace repose
