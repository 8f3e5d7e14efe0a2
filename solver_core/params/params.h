// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The parameters: structs and rows, both made from params.def, so that a field without a row cannot exist.
// Everything else (scene files, --set, help, docs) is an ordinary loop over kParamRows.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace repose {

enum class SolverMethod : int {
  gauss_seidel,
  jacobi,
  improved_jacobi,
  accelerated_jacobi,
  gauss_seidel_coloured,
  nesterov,
  chebyshev,
  minimum_residual,
  conjugate_residuals,
  projective,
  interleaved,
  multilevel,
  automatic  // chosenMethod of a scene
};
enum class Relaxation : int { split, power, count };
enum class GlobalStep : int {
  jacobi,
  gauss_seidel,
  gauss_seidel_coloured,
  red_black,
  direct,
  conjugate_gradients
};
enum class RadiusEstimate : int { spectrum, ratio, power, tuned };
enum class SolverScheme : int { pbd, sp };
enum class ContactScheme : int { soft, vts, sp, pbd };
enum class ContactMethod : int {
  gauss_seidel_coloured,
  gauss_seidel,
  jacobi,
  improved_jacobi,
  accelerated_jacobi
};
enum class FrictionModel : int { disc, pyramid, cone, cone_corrected };
enum class FrictionCombine : int { average, minimum, maximum, multiply };
enum class RadiusDistribution : int { uniform, normal, lognormal };
enum class BendModel : int { none, neighbour, dihedral, quadratic };
enum class Membrane : int { springs, triangles };
enum class SoftMaterial : int { neohookean, corotated, stvk };
enum class SoftSmoothing : int { none, edges };
enum class JointMotor : int { none, velocity, position };
enum class Preset : int { none, silk, cotton, denim, leather, rubber };

enum ParamFlags : unsigned { kAnimatable = 1, kPerPoint = 2 };
enum class ParamType { boolean, integer, real, vec3, choice };

// The structs: WorldParams, SolverParams, ClothParams, GrainParams, SoftParams, RigidParams, JointParams,
// ColliderParams.
#define REPOSE_GROUP(type, name, label, help)                                       struct type {
#define REPOSE_FLOAT(type, name, value, least, greatest, unit, label, help, flags)  float name = value;
#define REPOSE_INT(type, name, value, least, greatest, unit, label, help, flags)    int name = value;
#define REPOSE_BOOL(type, name, value, label, help, flags)                          bool name = value;
#define REPOSE_VEC3(type, name, x, y, z, least, greatest, unit, label, help, flags) Vec3f name{x, y, z};
#define REPOSE_ENUM(type, name, enumeration, value, choices, label, help, flags)    enumeration name = value;
#define REPOSE_END \
  }                \
  ;
#include "params/params.def"

// Field by field: the bytes between fields say nothing.
#define REPOSE_SAME(type, name, ...) &&a.name == b.name
#define REPOSE_FLOAT                 REPOSE_SAME
#define REPOSE_INT                   REPOSE_SAME
#define REPOSE_BOOL                  REPOSE_SAME
#define REPOSE_VEC3                  REPOSE_SAME
#define REPOSE_ENUM                  REPOSE_SAME
#define REPOSE_GROUP(type, name, label, help)            \
  inline bool operator==(const type& a, const type& b) { \
    return true
#define REPOSE_END \
  ;                \
  }
#include "params/params.def"
#undef REPOSE_SAME

constexpr int choiceCount(std::string_view choices) {
  int count = 1;
  for (char c : choices) count += c == '|';
  return count;
}

struct ParamRow {
  std::string_view group;  // world, solver, cloth, grain, rigid, joint, collider
  std::string_view name;   // as in scenes and --set
  ParamType type;
  std::size_t offset;      // of the field in its struct
  double value[3];         // default; a choice is its index, a boolean 0 or 1
  double least, greatest;  // inclusive
  std::string_view unit;   // SI, empty for a plain number
  std::string_view label, help;
  std::string_view choices;  // "a|b|c" for a choice
  unsigned flags;
};

// Numbers in a value of the row.
constexpr int paramWidth(const ParamRow& row) { return row.type == ParamType::vec3 ? 3 : 1; }

struct ParamGroup {
  std::string_view name, label, help;
};

inline constexpr ParamGroup kParamGroups[] = {
#define REPOSE_GROUP(type, name, label, help) {#name, label, help},
#include "params/params.def"
};

// The group that a parameter struct belongs to: kGroupOf<ClothParams> is "cloth".
template <class Params>
inline constexpr std::string_view kGroupOf = "";
#define REPOSE_GROUP(type, name, label, help) \
  template <>                                 \
  inline constexpr std::string_view kGroupOf<type> = #name;
#include "params/params.def"

// clang-format off
inline constexpr ParamRow kParamRows[] = {
#define REPOSE_ROW(type, name, kind, x, y, z, least, greatest, unit, label, help, choices, flags) \
  ParamRow{kGroupOf<type>, #name, ParamType::kind, offsetof(type, name), {double(x), double(y), double(z)}, \
           least, double(greatest), unit, label, help, choices, flags},
#define REPOSE_FLOAT(type, name, value, least, greatest, unit, label, help, flags) \
  REPOSE_ROW(type, name, real, value, 0, 0, least, greatest, unit, label, help, "", flags)
#define REPOSE_INT(type, name, value, least, greatest, unit, label, help, flags) \
  REPOSE_ROW(type, name, integer, value, 0, 0, least, greatest, unit, label, help, "", flags)
#define REPOSE_BOOL(type, name, value, label, help, flags) \
  REPOSE_ROW(type, name, boolean, value, 0, 0, 0, 1, "", label, help, "", flags)
#define REPOSE_VEC3(type, name, x, y, z, least, greatest, unit, label, help, flags) \
  REPOSE_ROW(type, name, vec3, x, y, z, least, greatest, unit, label, help, "", flags)
#define REPOSE_ENUM(type, name, enumeration, value, choices, label, help, flags) \
  REPOSE_ROW(type, name, choice, value, 0, 0, 0, choiceCount(choices) - 1, "", label, help, choices, flags)
#include "params/params.def"
#undef REPOSE_ROW
};
// clang-format on

// What is wrong with the table; "" for a good one. The static_assert below makes it a compile-time question.
constexpr std::string_view tableFault() {
  for (const ParamRow& row : kParamRows) {
    if (row.label.empty() || row.help.empty()) return "a row has no label or no help";
    const bool real = row.type == ParamType::real || row.type == ParamType::vec3;
    if (row.flags && !real) return "only numbers with a fraction can have keys or vary by point";
    for (int k = 0; k < paramWidth(row); ++k)
      if (!(row.value[k] >= row.least && row.value[k] <= row.greatest))
        return "a default is outside its range";
    for (const ParamRow* other = kParamRows; other != &row; ++other)
      if (other->group == row.group && other->name == row.name) return "two rows of a group have one name";
  }
  return "";
}
static_assert(tableFault().empty(), "params.def: see tableFault()");

// A value of any row: one number, three for a vec3, the index for a choice.
using ParamValue = std::array<double, 3>;

// The row, or null.
const ParamRow* findParam(std::string_view group, std::string_view name);
// All rows of that name in any group.
std::vector<const ParamRow*> findParams(std::string_view name);
std::vector<std::string> paramNames(std::string_view group);
std::vector<std::string> paramChoices(const ParamRow& row);

// `params` is the struct of the row's group. storeParam expects a value that checkParam allows.
ParamValue loadParam(const ParamRow& row, const void* params);
void storeParam(const ParamRow& row, const ParamValue& value, void* params);

// Type and range; the sentence names parameter, value and range.
Status checkParam(const ParamRow& row, const ParamValue& value);
// The value written as in --set: "0.5", "on", "0,-9.81,0", "jacobi"; formatParam is its inverse.
Result<ParamValue> parseParam(const ParamRow& row, std::string_view text);
std::string formatParam(const ParamRow& row, const ParamValue& value);
// The value of a choice by its name.
Result<ParamValue> parseChoice(const ParamRow& row, std::string_view name);
// "a number from 0 to 2", "one of pbd, sp": what a row takes, for messages and help.
std::string describeRange(const ParamRow& row);

// The whole table, for a terminal, a program, docs/params.md and Houdini (a dialog script).
std::string paramsText();
std::string paramsJson();
std::string paramsMarkdown();
std::string paramsDialogScript();

}  // namespace repose
