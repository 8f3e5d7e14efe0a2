// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Friction and the like between two sides of a contact: bodies of the scene first, then colliders.
#pragma once
#include "scene/scene.h"
#include "solve/step.h"

namespace repose {

// As near_fill of kernel/grain_pairs.h reads it.
struct Surface {
  float friction, slide, bounce, roll, cohesion;
};

class Surfaces {
 public:
  void mix(const std::vector<BodyKind>& kinds, const StepParams& params);
  const Surface& between(int a, int b) const { return pairs_[static_cast<std::size_t>(a) * sides_ + b]; }
  // Of all pairs of bodies of this kind, where friction and slide are the same for all; else null.
  const Surface* commonOf(BodyKind kind, const std::vector<BodyKind>& kinds) const;
  const std::vector<Surface>& all() const { return pairs_; }
  int sides() const { return sides_; }
  int collider(int c) const { return bodies_ + c; }
  // Speed at which two sides that come nearer at -approach shall part; 0 for slow ones (algorithms.md 5.6).
  static float bounceSpeed(const Surface& surface, float approach, const StepParams& params);
  static float slowApproach(const StepParams& params) { return 2 * length(params.world.gravity) * params.h; }

 private:
  int bodies_ = 0, sides_ = 0;
  std::vector<Surface> side_, pairs_;
};

}  // namespace repose
