// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The point attributes that an output may ask for: a row each, and nowhere else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace repose {

enum class OutputField { speed, strain, stress, contactforce, ncontacts, asleep };

struct OutputFieldRow {
  OutputField field;
  std::string_view name;
  AttributeType type;
  bool cloth, grain, rigid;  // the kinds of bodies that have it

  bool of(BodyKind kind) const {
    return kind == BodyKind::cloth ? cloth : kind == BodyKind::grain ? grain : rigid;
  }
};

inline constexpr OutputFieldRow kOutputFields[] = {
    {OutputField::speed, "speed", AttributeType::f32, true, true, true},      // [m/s]
    {OutputField::strain, "strain", AttributeType::f32, true, false, false},  // share of the length
    {OutputField::stress, "stress", AttributeType::f32, true, false, false},  // [N/m]
    {OutputField::contactforce, "contactforce", AttributeType::f32, false, true, false},  // [N]
    {OutputField::ncontacts, "ncontacts", AttributeType::i32, false, true, false},
    {OutputField::asleep, "asleep", AttributeType::i32, false, true, false},  // 0 or 1
};

std::vector<std::string> outputFieldNames();

// Fails on a name that is none of them, and on one that no body of the scene has; a body that lacks it does
// without.
Status checkOutputFields(const Scene& scene, const std::vector<std::string>& names);

}  // namespace repose
