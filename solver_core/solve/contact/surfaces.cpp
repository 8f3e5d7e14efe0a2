// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/surfaces.h"

#include <algorithm>

#include "backend/kernel_args.h"
#include "kernel/lane1.h"

namespace repose {

namespace {

float combine(FrictionCombine rule, float a, float b) {
  switch (rule) {
    case FrictionCombine::minimum:
      return std::min(a, b);
    case FrictionCombine::maximum:
      return std::max(a, b);
    case FrictionCombine::multiply:
      return a * b;
    case FrictionCombine::average:
      break;
  }
  return 0.5f * (a + b);
}

}  // namespace

float Surfaces::bounceSpeed(const Surface& surface, float approach, const StepParams& params) {
  return lane1::contact_bounce(surface.bounce, approach, slowApproach(params));
}

const Surface* Surfaces::commonOf(BodyKind kind, const std::vector<BodyKind>& kinds) const {
  const Surface* common = nullptr;
  for (int a = 0; a < bodies_; ++a)
    for (int b = 0; b < bodies_; ++b) {
      if (kinds[a] != kind || kinds[b] != kind) continue;
      const Surface& one = between(a, b);
      if (!common) common = &one;
      if (one.friction != common->friction || one.slide != common->slide) return nullptr;
    }
  return common;
}

void Surfaces::mix(const std::vector<BodyKind>& kinds, const StepParams& params) {
  bodies_ = static_cast<int>(kinds.size());
  side_.clear();
  for (std::size_t b = 0; b < kinds.size(); ++b) {
    switch (kinds[b]) {
      case BodyKind::grain: {
        const GrainParams& p = params.grain[b];
        side_.push_back({p.friction, p.dynamicfriction, p.restitution, p.rollingfriction, p.cohesion});
        break;
      }
      case BodyKind::rigid: {
        const RigidParams& p = params.rigid[b];
        side_.push_back({p.friction, p.dynamicfriction, p.restitution, 0, 0});
        break;
      }
      case BodyKind::cloth:
      case BodyKind::soft: {
        const ClothParams& p = params.cloth[b];
        side_.push_back({p.friction, p.dynamicfriction, p.restitution, 0, 0});
        break;
      }
    }
  }
  for (const ColliderParams& p : params.collider)
    side_.push_back({p.friction, p.dynamicfriction, p.restitution, p.rollingfriction, p.cohesion});
  sides_ = static_cast<int>(side_.size());
  const FrictionCombine rule = params.solver.frictioncombine;
  pairs_.resize(static_cast<std::size_t>(sides_) * sides_);
  for (int a = 0; a < sides_; ++a)
    for (int b = 0; b < sides_; ++b) {
      const Surface &one = side_[a], &other = side_[b];
      const float friction = combine(rule, one.friction, other.friction);
      pairs_[static_cast<std::size_t>(a) * sides_ + b] = {
          friction, friction * 0.5f * (one.slide + other.slide), std::max(one.bounce, other.bounce),
          std::max(one.roll, other.roll), std::max(one.cohesion, other.cohesion)};
    }
}

}  // namespace repose
