// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/soft_fields.h"

#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"
#include "solve/tet_rows.h"

namespace repose {

namespace {

using lane1::mat3;

mat3 gradientOf(const Model& model, const State& state, int i) {
  const TetElements& tets = model.tets;
  lane1::vec3 place[4];
  for (int s = 0; s < 4; ++s) {
    const Vec4f p = state.x[tets.corner[s * tets.size() + i]];
    place[s] = {p.x, p.y, p.z};
  }
  return lane1::tet_gradient_of(place, lane1::tet_rest_at(restShapes(model, state).data() + i, tets.size()));
}

float largestStrain(mat3 f) {
  const lane1::vec3 s = lane1::svd3_of(f).s;
  return std::max(std::abs(s.x - 1), std::abs(s.z - 1));
}

mat3 stressOf(mat3 f, SoftMaterial material, SoftModuli moduli) {
  if (material == SoftMaterial::neohookean) return lane1::tet_neohookean(f, moduli.mu, moduli.lambda).p;
  if (material == SoftMaterial::corotated) return lane1::tet_corotated(f, moduli.mu, moduli.lambda).p;
  const lane1::sym3 e = lane1::tet_green(lane1::m3_gram(f), lane1::s3_scaled_identity(1));
  return lane1::m3_times(
      f, lane1::s3_mad(e, 2 * moduli.mu, lane1::s3_scaled_identity(moduli.lambda * (e.xx + e.yy + e.zz))));
}

// Of Cauchy's stress P F^T / J [Pa].
float vonMises(mat3 p, mat3 f) {
  const mat3 c = lane1::m3_scale(lane1::m3_product(p, lane1::m3_transposed(f)),
                                 1 / std::max(std::abs(lane1::m3_det(f)), 0.01f));
  const float xy = c.c[0].x - c.c[1].y, yz = c.c[1].y - c.c[2].z, zx = c.c[2].z - c.c[0].x;
  const float shear = c.c[1].x * c.c[1].x + c.c[2].y * c.c[2].y + c.c[2].x * c.c[2].x;
  return std::sqrt(0.5f * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}

float valueOf(OutputField field, mat3 f, const SoftParams& soft, float stiffness) {
  if (field == OutputField::strain) return largestStrain(f);
  if (field == OutputField::stress)
    return vonMises(stressOf(f, soft.material, softModuli(soft)), f) * stiffness;
  return lane1::m3_det(f);
}

}  // namespace

void softField(OutputField field, const Model& model, const State& state, int body, const Body& source,
               const SoftParams& soft, std::vector<float>& values) {
  const TetElements& tets = model.tets;
  const ModelBody& part = model.bodies[body];
  std::vector<double> sum(part.points.count, 0.0), weight(part.points.count, 0.0);
  const auto corner = [&](int i, int s) { return model.source[tets.corner[s * tets.size() + i]]; };
  for (int i = part.tets.first; i < part.tets.first + part.tets.count; ++i) {
    const float value = valueOf(field, gradientOf(model, state, i), soft, tets.stiffness[i]);
    for (int s = 0; s < 4; ++s) {
      sum[corner(i, s)] += double{value} * tets.volume[i];
      weight[corner(i, s)] += tets.volume[i];
    }
  }
  values.assign(source.embedding.size(), 0.0f);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Embedded& at = source.embedding[k];
    double value = 0;
    for (int s = 0; s < 4; ++s) {
      const int p = corner(part.tets.first + at.tet, s);
      if (weight[p] > 0) value += at.weight[s] * sum[p] / weight[p];
    }
    values[k] = static_cast<float>(value);
  }
}

SoftSummary measureSoft(const Model& model, const State& state) {
  SoftSummary summary;
  for (const ModelBody& body : model.bodies)
    for (int i = body.tets.first; i < body.tets.first + body.tets.count; ++i) {
      const float volume = lane1::m3_det(gradientOf(model, state, i));
      summary.least_volume = std::min(summary.least_volume, volume);
      summary.inverted += volume < 0;
    }
  return summary;
}

}  // namespace repose
