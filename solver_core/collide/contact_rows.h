// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts as the solver keeps them. Movers are all that a contact can push: first the grains, in the order
// of the state, then the points of the model, then one that stands for nobody (no mass to move). Rows lie in
// blocks of 16, field after field within a block, so that a sweep reads one stream.
//
//   pair   two grains; its normal is found anew in every contact substep
//   patch  up to four movers with signed weights against a surface that goes its own way; normal fixed for
//   the
//          step. A grain or a cloth point at a collider (weight 1); a grain (1) on a cloth triangle (-b0,
//          -b1, -b2); a cloth point alike, or two edges of cloth (1-s, s, t-1, -t). The relative velocity is
//          u = sum weight_k v_k - surface.
//
// The normal points from the second side to the first, whose weights are positive; impulses are those on the
// first side (algorithms.md 5).
#pragma once
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "base/vectors.h"

namespace repose {

// Fields of all rows, then those of one kind. The kernels name them RE_*; kernel/contact.h keeps the numbers.
enum ContactField {
  kNormalX,
  kNormalY,
  kNormalZ,
  kGap,   // C [m]
  kPush,  // p_n [N s]
  kDragX,
  kDragY,
  kDragZ,                    // p_t [N s]
  kAlikeFields,              // of pairs that have all else in common
  kFriction = kAlikeFields,  // mu while sticking
  kSlide,                    // mu while sliding
  kSharedFields,
  kReach = kSharedFields,  // pair: sum of the radii [m]
  kPairFields,
  kSurfaceX = kSharedFields,
  kSurfaceY,
  kSurfaceZ,    // patch: velocity of the surface [m/s]
  kGive,        // how far it gives way at most [m]
  kWeight,      // of its movers
  kSoloFields,  // of one mover
  kPatchFields = kWeight + 4
};

// Fields of a second set of rows beside the first, where grains cohere, roll or bounce.
enum ContactExtra {
  kPull,       // greatest p_n that holds the two together [N s]
  kRollReach,  // greatest torque of rolling friction for a push of 1 [m]
  kRollX,
  kRollY,
  kRollZ,   // impulse of rolling friction [N m s]
  kBounce,  // speed at which the two shall part [m/s]
  kPeak,    // greatest p_n of the step [N s]
  kHold,    // gap up to which they pull [m]
  kExtraFields
};

// Beside patches, where one of their movers is a rigid body: which, and how it is held. Bonds (grains
// that joints hold) are patches too, whose impulses have any sign.
enum ContactLever {
  kLeverX,
  kLeverY,
  kLeverZ,     // from its centre [m]
  kLeverSign,  // of its weight; 0: none of the movers is a rigid body
  kBondHold,   // 0: a contact; 1: holds along the normal both ways, as a rod; 2: every way, as a pin
  kBondRate,   // of one that gives way: share of its error that goes in a second [1/s]
  kBondYield,  // how much it gives way to an impulse [1/kg]; 0: hard
  kLeverFields
};

// What all pairs of grains have in common where they are alike: of one size and with one friction.
struct AlikePairs {
  bool alike = false;
  float friction = 0, slide = 0, reach = 0;
};

class ContactRows {
 public:
  ContactRows(int movers, int fields) : movers_(movers), fields_(fields) {}

  void setFields(int fields) { fields_ = fields; }  // before resize()
  void resize(int rows) {                           // a multiple of 16
    resizeSnugly(index_, static_cast<std::size_t>(rows) * movers_);
    resizeSnugly(value_, static_cast<std::size_t>(rows) * fields_);
    rows_ = rows;
  }
  int size() const { return rows_; }
  int& mover(int row, int k) { return index_[at(row, k, movers_)]; }
  int mover(int row, int k) const { return index_[at(row, k, movers_)]; }
  float& value(int row, int field) { return value_[at(row, field, fields_)]; }
  float value(int row, int field) const { return value_[at(row, field, fields_)]; }
  Vec3f vector(int row, int field) const {
    return {value(row, field), value(row, field + 1), value(row, field + 2)};
  }
  void setVector(int row, int field, Vec3f a) {
    value(row, field) = a.x, value(row, field + 1) = a.y, value(row, field + 2) = a.z;
  }
  void clear(int row) {
    for (int field = 0; field < fields_; ++field) value(row, field) = 0;
  }
  int* indices() { return index_.data(); }
  float* values() { return value_.data(); }
  std::size_t bytes() const { return bytesOf(index_, value_); }

 private:
  static std::size_t at(int row, int field, int fields) {
    return (static_cast<std::size_t>(row / 16) * fields + field) * 16 + row % 16;
  }
  int movers_, fields_, rows_ = 0;
  std::vector<int> index_;
  std::vector<float> value_;
};

}  // namespace repose
