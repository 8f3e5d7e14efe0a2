// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The parameters: structs and rows, both made from params.def, so that a field without a row cannot exist.
// Everything else (scene files, --set, help, docs) is an ordinary loop over kParamRows.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace repose {

enum class SolverMethod : int { gauss_seidel, jacobi, improved_jacobi, accelerated_jacobi };
enum class SolverScheme : int { pbd, sp };
enum class BendModel : int { none, neighbour, dihedral, quadratic };

enum ParamFlags : unsigned { kAnimatable = 1, kPerPoint = 2 };
enum class ParamType { boolean, integer, real, vec3, choice };

// The structs: WorldParams, SolverParams, ClothParams.
#define REPOSE_GROUP(type, name, label, help) struct type {
#define REPOSE_FLOAT(type, name, value, least, greatest, unit, label, help, flags) float name = value;
#define REPOSE_INT(type, name, value, least, greatest, unit, label, help, flags) int name = value;
#define REPOSE_BOOL(type, name, value, label, help, flags) bool name = value;
#define REPOSE_VEC3(type, name, x, y, z, least, greatest, unit, label, help, flags) Vec3f name{x, y, z};
#define REPOSE_ENUM(type, name, enumeration, value, choices, label, help, flags) enumeration name = value;
#define REPOSE_END \
  }                \
  ;
#include "params/params.def"
#undef REPOSE_GROUP
#undef REPOSE_FLOAT
#undef REPOSE_INT
#undef REPOSE_BOOL
#undef REPOSE_VEC3
#undef REPOSE_ENUM
#undef REPOSE_END

struct ParamRow {
  std::string_view group;    // world, solver, cloth
  std::string_view name;     // as in scenes and --set
  ParamType type;
  std::size_t offset;        // of the field in its struct
  double value[3];           // default; a choice is its index, a boolean 0 or 1
  double least, greatest;    // inclusive
  std::string_view unit;     // SI, empty for a plain number
  std::string_view label, help;
  std::string_view choices;  // "a|b|c" for a choice
  unsigned flags;
};

struct ParamGroup {
  std::string_view name, label, help;
};

}  // namespace repose
