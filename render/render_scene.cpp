// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/render_scene.h"

#include "base/hash.h"
#include "render/image.h"

namespace repose {
namespace {

constexpr float kFarthest = 1e9f;  // beyond this a point is a mistake, not a place [m]

bool isPlaced(Vec3f p) {
  return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest;
}
bool isPlaced(Vec3f p, float radius) { return isPlaced(p) && radius >= 0 && radius < kFarthest; }

std::size_t removeUnplaced(RenderMesh& mesh) {
  std::vector<bool> placed(mesh.points.size());
  std::size_t lost = 0;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    placed[i] = isPlaced(mesh.points[i]);
    if (placed[i]) continue;
    mesh.points[i] = {};
    ++lost;
  }
  if (lost == 0) return 0;
  auto& triangles = mesh.triangles;
  const auto unplaced = [&](const Triangle& t) { return !(placed[t[0]] && placed[t[1]] && placed[t[2]]); };
  triangles.erase(std::remove_if(triangles.begin(), triangles.end(), unplaced), triangles.end());
  return lost;
}

std::size_t removeUnplaced(RenderSpheres& spheres) {
  std::size_t kept = 0;
  const std::size_t total = spheres.points.size();
  for (std::size_t i = 0; i < total; ++i) {
    if (!isPlaced(spheres.points[i], spheres.radii[i])) continue;
    spheres.points[kept] = spheres.points[i];
    spheres.radii[kept] = spheres.radii[i];
    if (!spheres.values.empty()) spheres.values[kept] = spheres.values[i];
    if (!spheres.tones.empty()) spheres.tones[kept] = spheres.tones[i];
    ++kept;
  }
  spheres.points.resize(kept);
  spheres.radii.resize(kept);
  if (!spheres.values.empty()) spheres.values.resize(kept);
  if (!spheres.tones.empty()) spheres.tones.resize(kept);
  return total - kept;
}

std::size_t removeUnplaced(RenderCurves& curves) {
  RenderCurves whole;
  whole.color = curves.color;
  std::size_t begin = 0, lost = 0;
  for (std::int32_t count : curves.counts) {
    const std::size_t end = begin + static_cast<std::size_t>(count);
    std::size_t lost_here = 0;
    for (std::size_t i = begin; i < end; ++i) lost_here += !isPlaced(curves.points[i], curves.radii[i]);
    if (lost_here == 0) {
      whole.counts.push_back(count);
      whole.points.insert(whole.points.end(), curves.points.begin() + begin, curves.points.begin() + end);
      whole.radii.insert(whole.radii.end(), curves.radii.begin() + begin, curves.radii.begin() + end);
      if (!curves.values.empty()) {
        whole.values.insert(whole.values.end(), curves.values.begin() + begin, curves.values.begin() + end);
      }
    }
    lost += lost_here;
    begin = end;
  }
  curves = std::move(whole);
  return lost;
}

template <class Rounds>
void addRounds(const Rounds& rounds, Bounds& bounds) {
  for (std::size_t i = 0; i < rounds.points.size(); ++i) {
    const Vec3f reach = Vec3f{1, 1, 1} * rounds.radii[i];
    bounds.add(rounds.points[i] - reach);
    bounds.add(rounds.points[i] + reach);
  }
}

}  // namespace

std::vector<Triangle> triangulate(const std::vector<std::int32_t>& face_counts,
                                  const std::vector<std::int32_t>& face_indices, std::size_t point_count) {
  std::vector<Triangle> triangles;
  triangles.reserve(face_indices.size());
  std::size_t first = 0;
  for (std::int32_t count : face_counts) {
    if (count < 0 || first + static_cast<std::size_t>(count) > face_indices.size()) break;
    for (std::int32_t k = 1; k + 1 < count; ++k) {
      const Triangle t = {static_cast<std::uint32_t>(face_indices[first]),
                          static_cast<std::uint32_t>(face_indices[first + k]),
                          static_cast<std::uint32_t>(face_indices[first + k + 1])};
      if (t[0] < point_count && t[1] < point_count && t[2] < point_count) triangles.push_back(t);
    }
    first += static_cast<std::size_t>(count);
  }
  return triangles;
}

std::size_t removeUnplaced(RenderScene& scene) {
  std::size_t lost = 0;
  for (RenderMesh& mesh : scene.meshes) lost += removeUnplaced(mesh);
  for (RenderSpheres& spheres : scene.spheres) lost += removeUnplaced(spheres);
  for (RenderCurves& curves : scene.curves) lost += removeUnplaced(curves);
  return lost;
}

Bounds boundsOf(const RenderScene& scene) {
  Bounds bounds;
  for (const RenderMesh& mesh : scene.meshes)
    for (const Triangle& t : mesh.triangles)
      for (std::uint32_t corner : t) bounds.add(mesh.points[corner]);
  for (const RenderSpheres& spheres : scene.spheres) addRounds(spheres, bounds);
  for (const RenderCurves& curves : scene.curves) addRounds(curves, bounds);
  return bounds;
}

Color paletteColor(std::size_t object) {
  static constexpr unsigned kPalette[] = {0xd9714e, 0x5d93b8, 0xe0b45c, 0x74a57f,
                                          0xb07aa1, 0x4fa3a0, 0xc9838d, 0x8c8f9c};
  return colorFromHex(kPalette[object % std::size(kPalette)]);
}

Color pieceColor(const std::string& name) {
  static constexpr unsigned kPalette[] = {0x9c6f5e, 0x6d7f8c, 0xa8946f, 0x76836f, 0x857784, 0x67807f,
                                          0x9e8380, 0x7d8088, 0x93886f, 0x74768a, 0xa69c86, 0x7d6e62};
  constexpr float kToneDepth = 0.12f;
  Hasher hasher;
  hasher.add(name.data(), name.size());
  const std::uint64_t bits = hasher.value();
  const float chance = static_cast<float>(bits >> 40) / static_cast<float>(1 << 24);
  return colorFromHex(kPalette[(bits & 0xffff) % std::size(kPalette)]) * (1 + kToneDepth * (2 * chance - 1));
}

Color sandColor(std::size_t object) {
  static constexpr unsigned kSands[] = {0xd4b68e, 0xb9835a, 0xe3d2ae, 0x8f7a63};
  return colorFromHex(kSands[object % std::size(kSands)]);
}

float sandTone(std::uint64_t id, std::uint64_t ids) {
  constexpr int kLayers = 5;
  constexpr float kLayerDepth = 0.16f, kGrainDepth = 0.22f;
  // the finalizer of MurmurHash3: neighbours get tones that have nothing to do with each other
  std::uint64_t bits = id + 1;
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdull;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53ull;
  const float chance = static_cast<float>(bits >> 40) / static_cast<float>(1 << 24);
  const double share = static_cast<double>(id) / static_cast<double>(std::max<std::uint64_t>(ids, 1));
  const float layer = static_cast<float>(std::sin(2 * static_cast<double>(kPi) * kLayers * share));
  return 1 + kLayerDepth * layer + kGrainDepth * (chance - 0.5f) * 2;
}

}  // namespace repose
