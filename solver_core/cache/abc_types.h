// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Words of the Alembic format that its writer and its reader share (alembic.md 3.7, 4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace repose {

enum class Pod : std::uint8_t {
  boolean,
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f16,
  f32,
  f64,
  string,
  wide_string
};
inline constexpr int kPodCount = 14;
inline constexpr std::size_t kPodBytes[kPodCount] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1, 4};
inline constexpr const char* kPodNames[kPodCount] = {
    "bool_t",   "uint8_t", "int8_t",    "uint16_t",  "int16_t",   "uint32_t", "int32_t",
    "uint64_t", "int64_t", "float16_t", "float32_t", "float64_t", "string",   "wstring"};
inline std::size_t podBytes(Pod pod) { return kPodBytes[static_cast<int>(pod)]; }
inline const char* podName(Pod pod) { return kPodNames[static_cast<int>(pod)]; }

// Bits of the first word of a property header.
namespace header_bits {
inline constexpr std::uint32_t kHasTimeSampling = 0x100, kHasChangeRange = 0x200, kHomogeneous = 0x400,
                               kConstant = 0x800;
inline constexpr int kSizeHintShift = 2, kPodShift = 4, kExtentShift = 12, kMetadataShift = 20;
}  // namespace header_bits
inline constexpr int kInlineMetadata = 255;
inline constexpr std::size_t kHashTailBytes = 32;  // behind the child headers of an object

inline constexpr const char* kXformSchema = "AbcGeom_Xform_v3";
inline constexpr const char* kMeshSchema = "AbcGeom_PolyMesh_v1";
inline constexpr const char* kPointsSchema = "AbcGeom_Points_v1";
inline constexpr const char* kCurvesSchema = "AbcGeom_Curve_v2";
inline constexpr const char* kGeomBase = "AbcGeom_GeomBase_v1";

// "key=value" pairs joined by ";" in the order of the keys, without those that are empty (alembic.md 3.2).
std::string joinMetadata(std::vector<std::pair<std::string, std::string>> pairs);
std::string metadataValue(const std::string& metadata, const std::string& key);
// Metadata of a geometry parameter (alembic.md 4.2).
std::string geomParamMetadata(const char* scope, Pod pod, int extent, const std::string& interpretation);
// Letters, digits and underscores only, not starting with a digit: what every application accepts.
std::string safeName(const std::string& name);

}  // namespace repose
