// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What hangs on rigid bodies, colliders or the world. Grains do by patches that hold both ways; their normal
// is where the grain has strayed to, so that one row corrects it every way. Points of cloth and soft bodies
// are held by the implicit solver (multilevel/followers.h): here only what they do not touch.
#include <algorithm>

#include "solve/contact/contacts.h"

namespace repose {

namespace {

std::uint64_t bondedPair(int mover, std::uint32_t other) {
  return (static_cast<std::uint64_t>(mover) << 32) | other;
}

// Where the world's end of a joint is at the start of the step, and its velocity.
Vec3f carriedPlace(const RigidJointEnd& end, const StepParams& params, Vec3f& velocity) {
  const Vec3f place = end.frame.origin;
  velocity = {};
  if (end.collider < 0 || params.carried_from.empty()) return place;
  const Vec3f from = params.carried_from[end.collider].world(place);
  velocity = (params.carried_to[end.collider].world(place) - from) * (1 / params.h);
  return from;
}

}  // namespace

bool Contacts::bonded(int mover, std::uint32_t other) const {
  return !bonded_.empty() && std::binary_search(bonded_.begin(), bonded_.end(), bondedPair(mover, other));
}

bool Contacts::heldBy(int point, std::uint32_t other) const {
  if (apart_.empty() && bonded_.empty()) return false;
  return bonded(movers.first_point + point, other) ||
         std::binary_search(apart_.begin(), apart_.end(), bondedPair(body_of_point_[point], other));
}

void Contacts::findHolds(const State& state, const StepParams& params) {
  apart_.clear();
  for (std::size_t k = 0; k < rigid_model_.holds.size(); ++k) {
    const PointHold& hold = rigid_model_.holds[k];
    if (state.rigid.loose[k] || (hold.to.rigid < 0 && hold.to.collider < 0)) continue;
    const std::uint32_t other = hold.to.rigid >= 0
                                    ? static_cast<std::uint32_t>(hold.to.rigid)
                                    : kBondedCollider | static_cast<std::uint32_t>(hold.to.collider);
    if (params.joint[hold.joint].collide)
      bonded_.push_back(bondedPair(movers.first_point + hold.point, other));
    else
      apart_.push_back(bondedPair(hold.body, other));
  }
  std::sort(apart_.begin(), apart_.end());
  apart_.erase(std::unique(apart_.begin(), apart_.end()), apart_.end());
}

// Movers of the grains that bonds hold; -1 for those that are gone.
void Contacts::findBondedGrains(const GrainState& grains) {
  const std::vector<GrainBond>& bonds = rigid_model_.bonds;
  bond_grain_.assign(bonds.size(), -1);
  if (grain_bonds_.empty()) return;
  for (int i = 0; i < static_cast<int>(grains.size()); ++i) {
    const std::uint64_t name = bondedPair(grains.body[i], grains.id[i]);
    auto at = std::lower_bound(grain_bonds_.begin(), grain_bonds_.end(), std::make_pair(name, 0));
    for (; at != grain_bonds_.end() && at->first == name; ++at) bond_grain_[at->second] = i;
  }
}

void Contacts::findBonds(const State& state, const StepParams& params) {
  const std::vector<GrainBond>& bonds = rigid_model_.bonds;
  bond_found_.clear(), bonded_.clear();
  findHolds(state, params);
  if (bonds.empty()) return std::sort(bonded_.begin(), bonded_.end());
  findBondedGrains(state.grains);
  for (int k = 0; k < static_cast<int>(bonds.size()); ++k) {
    const GrainBond& bond = bonds[k];
    const JointParams& rules = params.joint[bond.joint];
    const int mover = bond_grain_[k];
    const int body = bond.to.rigid;
    if (state.rigid.bonds[k].w > 0 || mover < 0) continue;
    Found found{{mover, mover, mover, mover}, {1, 0, 0, 0}, bond.body, bond.body, 0, {}};
    Vec3f place;
    bool moves = movers.v[mover].w > 0;
    if (body >= 0) {
      const Vec3f centre = xyz(movers.rigid.x[body]);
      place = movers.rigid.pose(body).world(bond.to.frame.origin);
      found.arm = place - centre;
      if (const Vec4f v = movers.v[movers.first_rigid + body]; v.w == 0) {
        found.touch.velocity = xyz(v) + cross(xyz(movers.rigid.spin[body]), found.arm);
      } else {
        found.mover[1] = movers.first_rigid + body, found.weight[1] = -1;
        found.rigid = body, found.sign = -1;
        moves = true;
      }
      if (!rules.collide) bonded_.push_back(bondedPair(mover, static_cast<std::uint32_t>(body)));
    } else {
      place = carriedPlace(bond.to, params, found.touch.velocity);
      if (!rules.collide && bond.to.collider >= 0)
        bonded_.push_back(bondedPair(mover, kBondedCollider | static_cast<std::uint32_t>(bond.to.collider)));
    }
    const Vec3f off = xyz(movers.x[mover]) - place;
    const float far = length(off);
    float rest = 0;
    if (bond.rod) {
      rest = rules.restlength >= 0 ? rules.restlength : bond.length;
      if (rules.limited && far >= rules.lower && far <= rules.upper) continue;  // a rope that hangs through
      if (rules.limited) rest = far < rules.lower ? rules.lower : rules.upper;
    }
    if (!moves) continue;
    found.touch.normal = far > 0 ? off * (1 / far) : Vec3f{0, 1, 0};
    found.touch.gap = far - rest;
    found.bond = k;
    found.hold = bond.rod ? 1.0f : 2.0f;
    bond_found_.push_back(found);
  }
  std::sort(bonded_.begin(), bonded_.end());
}

void Contacts::keepBond(const Found& found, Vec3f impulse, const StepParams& params, State& state) const {
  const JointParams& rules = params.joint[rigid_model_.bonds[found.bond].joint];
  const float h = params.h / static_cast<float>(substeps(params));
  const bool breaks = rules.breakforce > 0 && length(impulse) > rules.breakforce * h;
  state.rigid.bonds[found.bond] = {impulse.x, impulse.y, impulse.z, breaks ? 1.0f : 0.0f};
}

}  // namespace repose
