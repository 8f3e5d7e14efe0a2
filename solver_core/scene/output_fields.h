// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The point attributes that an output may ask for, and the hits of rigid bodies: a row each, and nowhere
// else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace repose {

enum class OutputField { speed, strain, stress, volume, contactforce, ncontacts, asleep, hits };

struct OutputFieldRow {
  OutputField field;
  std::string_view name;
  AttributeType type;
  bool cloth, grain, rigid, soft;  // the kinds of bodies that have it

  bool of(BodyKind kind) const {
    return kind == BodyKind::rigid   ? rigid
           : kind == BodyKind::grain ? grain
           : kind == BodyKind::soft  ? soft
                                     : cloth;
  }
};

inline constexpr OutputFieldRow kOutputFields[] = {
    {OutputField::speed, "speed", AttributeType::f32, true, true, false, true},     // [m/s]
    {OutputField::strain, "strain", AttributeType::f32, true, false, false, true},  // share of the length
    {OutputField::stress, "stress", AttributeType::f32, true, false, false,
     true},  // [N/m], of a soft body [Pa]
    {OutputField::volume, "volume", AttributeType::f32, false, false, false, true},  // over that at rest
    {OutputField::contactforce, "contactforce", AttributeType::f32, false, true, false, false},  // [N]
    {OutputField::ncontacts, "ncontacts", AttributeType::i32, false, true, false, false},
    {OutputField::asleep, "asleep", AttributeType::i32, false, true, false, false},  // 0 or 1
    {OutputField::hits, "hits", AttributeType::f32, false, false, true, false},      // points of their own
};

std::vector<std::string> outputFieldNames();

// Fails on a name that is none of them, and on one that no body of the scene has; a body that lacks it does
// without.
Status checkOutputFields(const Scene& scene, const std::vector<std::string>& names);

}  // namespace repose
