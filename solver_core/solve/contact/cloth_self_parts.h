// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the files of ClothSelf share.
#pragma once
#include "solve/contact/cloth_self.h"

namespace repose {

constexpr float kLeastDistance = RE_MEET_LEAST;
// marks of Touch::surface
constexpr std::uint64_t kPointSurface = std::uint64_t{1} << 62, kEdgeSurface = std::uint64_t{1} << 63;

template <class Args>
void ClothSelf::passMeeting(Args& args) const {
  tree_.passPairs(args);
  args.owns = owns_.data(), args.edge_of = reinterpret_cast<const int*>(edge_of_.data());
  args.edge_ends = reinterpret_cast<const int*>(edges_.data());
  args.x = x_.data(), args.way = way_.data(), args.rest = rest_.data();
  args.seam = seam_.data(), args.inv_mass = inv_mass_.data();
  args.cloth_of = cloth_of_point_.data(), args.cloth = cloth_.data(), args.tangled = tangled_.data();
}

}  // namespace repose
