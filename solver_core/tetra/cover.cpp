// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tetra/lattice_mesh.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

// A tetrahedron is sampled at the middles of the small ones that it falls into when its edges are cut so
// often.
constexpr int kSamples = 4;
constexpr double kLeastFull = 0.05;  // emptier ones are as this, so that nothing is without mass

struct Sample {
  double weight[4];
};
std::vector<Sample> makeSamples() {
  std::vector<Sample> samples;
  for (int i = 0; i < kSamples; ++i)
    for (int j = 0; i + j < kSamples; ++j)
      for (int k = 0; i + j + k < kSamples; ++k) {
        const double third = kSamples - 1 - i - j - k, size = kSamples;
        samples.push_back({{(i + 0.25) / size, (j + 0.25) / size, (k + 0.25) / size, (third + 0.25) / size}});
      }
  return samples;
}

Attribute factorOf(const char* name, const std::vector<double>& values) {
  Attribute attribute;
  attribute.name = name;
  for (const double v : values) attribute.floats.push_back(static_cast<float>(v));
  return attribute;
}

}  // namespace

TetMesh cover(const Lattice& lattice, const DistanceField& field, const std::vector<Vec3f>& marks) {
  std::vector<std::int64_t> marked;
  for (const Vec3f p : marks) marked.push_back(lattice.tetAt(toDouble(p)));
  std::sort(marked.begin(), marked.end());
  marked.erase(std::unique(marked.begin(), marked.end()), marked.end());

  TetMesh mesh;
  const std::vector<Sample> samples = makeSamples();
  std::vector<std::int32_t> point_of(static_cast<std::size_t>(lattice.nodeCount()), -1);
  std::vector<double> full;  // of each tetrahedron
  std::int64_t number = 0;
  std::size_t mark = 0;
  lattice.forTets([&](const std::array<std::int64_t, 4>& nodes) {
    Vec3d corner[4];
    double nearest = 1e300;
    for (int s = 0; s < 4; ++s) {
      corner[s] = lattice.place(nodes[s]);
      nearest = std::min(nearest, field.at(corner[s]));
    }
    const bool is_marked = mark < marked.size() && marked[mark] == number;
    mark += is_marked;
    ++number;
    if (nearest > lattice.side() && !is_marked) return;
    int inside = 0;
    for (const Sample& sample : samples) {
      Vec3d at;
      for (int s = 0; s < 4; ++s) at = at + corner[s] * sample.weight[s];
      inside += field.at(at) < 0;
    }
    if (inside == 0 && nearest >= 0 && !is_marked) return;
    full.push_back(std::max(static_cast<double>(inside) / static_cast<double>(samples.size()), kLeastFull));
    TetCorners tet;
    for (int s = 0; s < 4; ++s) {
      std::int32_t& point = point_of[nodes[s]];
      if (point < 0) {
        point = static_cast<std::int32_t>(mesh.geometry.points.size());
        mesh.geometry.points.push_back({static_cast<float>(corner[s].x), static_cast<float>(corner[s].y),
                                        static_cast<float>(corner[s].z)});
      }
      tet[s] = point;
    }
    mesh.tets.push_back(tet);
  });

  // all tetrahedra are of one size: a point is as full as those around it
  std::vector<double> factor(mesh.geometry.points.size(), 0), around(factor);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const int p : mesh.tets[t]) factor[p] += full[t], around[p] += 1;
  for (std::size_t p = 0; p < factor.size(); ++p) factor[p] /= around[p];
  mesh.geometry.attributes.push_back(factorOf("density", factor));
  mesh.geometry.attributes.push_back(factorOf("youngsmodulus", factor));
  addSurface(mesh);
  return mesh;
}

}  // namespace repose
