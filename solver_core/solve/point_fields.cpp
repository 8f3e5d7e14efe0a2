// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/point_fields.h"

#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"
#include "model/point_scale.h"
#include "solve/membrane_rows.h"

namespace repose {

namespace {

// Calls visit(end a, end b, length/rest - 1) for each edge of a body.
template <class Visit>
void eachEdge(const Model& model, const State& state, const ModelBody& body, const Visit& visit) {
  const Range rows = body.rows[static_cast<int>(RowKind::stretch)];
  for (int i = rows.first; i < rows.first + rows.count; ++i) {
    const int a = model.distance.a[i], b = model.distance.b[i];
    const float now = length(xyz(state.x[a]) - xyz(state.x[b]));
    const float rest = restLengths(model, state)[i];
    if (rest > 0) visit(a, b, now / rest - 1);
  }
}

struct FibreStrains {
  float of[kFibres];
};

// Calls visit(triangle, strains of its fibres) for each membrane triangle of a body.
template <class Visit>
void eachTriangle(const Model& model, const State& state, const ModelBody& body, float rest,
                  const Visit& visit) {
  const MembraneTriangles& m = model.membrane;
  for (int i = body.membrane.first; i < body.membrane.first + body.membrane.count; ++i) {
    const lane1::fibres now = lane1::fibres_of(lane1::fabric_at(
        state.x.data(), m.corner.data() + i, m.warp.data() + i, m.weft.data() + i, m.size()));
    FibreStrains strains;
    for (int f = 0; f < kFibres; ++f)
      strains.of[f] = std::sqrt(lane1::v3_dot(now.of[f], now.of[f])) / rest - 1;
    visit(i, strains);
  }
}

// A mean at each point of what its edges or triangles say.
class PointMean {
 public:
  PointMean(const Model& model, const ModelBody& body, std::vector<float>& mean)
      : model_(model), mean_(mean), weight_(body.points.count, 0.0f) {
    mean_.assign(body.points.count, 0.0f);
  }
  void add(int point, float value, float weight) {
    mean_[model_.source[point]] += value * weight;
    weight_[model_.source[point]] += weight;
  }
  void close() {
    for (std::size_t p = 0; p < mean_.size(); ++p)
      if (weight_[p] > 0) mean_[p] /= weight_[p];
  }

 private:
  const Model& model_;
  std::vector<float>& mean_;
  std::vector<float> weight_;
};

// Of the tensor whose components are the forces of the fibres along warp, weft and between them.
float largestPrincipal(const FibreStiffness& stiffness, const FibreStrains& strains) {
  const auto force = [&](int f) { return stiffness.of[f] * strains.of[f]; };
  const float warp = force(0) + 0.5f * (force(2) + force(3));
  const float weft = force(1) + 0.5f * (force(2) + force(3));
  const float shear = 0.5f * (force(2) - force(3)), half = 0.5f * (warp - weft);
  return 0.5f * (warp + weft) + std::sqrt(half * half + shear * shear);
}

float restArea(const MembraneTriangles& m, int i) {
  const int b = m.size() + i, c = 2 * m.size() + i;
  return 0.5f / std::abs(m.warp[b] * m.weft[c] - m.warp[c] * m.weft[b]);
}

}  // namespace

void pointStrain(const Model& model, const State& state, int body, const ClothParams& cloth,
                 std::vector<float>& strain) {
  const ModelBody& b = model.bodies[body];
  PointMean mean(model, b, strain);
  eachEdge(model, state, b, [&](int end_a, int end_b, float stretch) {
    for (const int p : {end_a, end_b}) mean.add(p, std::abs(stretch), 1);
  });
  eachTriangle(model, state, b, cloth.restscale, [&](int i, const FibreStrains& strains) {
    for (int s = 0; s < 3; ++s)
      for (int f = 0; f < 2; ++f)
        mean.add(model.membrane.corner[s * model.membrane.size() + i], std::abs(strains.of[f]), 1);
  });
  mean.close();
}

void pointStress(const Model& model, const State& state, int body, const Geometry& geometry,
                 const ClothParams& cloth, std::vector<float>& stress) {
  const ModelBody& b = model.bodies[body];
  PointMean mean(model, b, stress);
  eachTriangle(model, state, b, cloth.restscale, [&](int i, const FibreStrains& strains) {
    // both times the area
    const float area = restArea(model.membrane, i);
    const float tension = largestPrincipal(fibreStiffness(model.membrane, i, cloth), strains);
    for (int s = 0; s < 3; ++s)
      mean.add(model.membrane.corner[s * model.membrane.size() + i], std::max(tension, 0.0f) / area, area);
  });
  mean.close();
  const PointScale scale(geometry, "stretchstiffness");
  eachEdge(model, state, b, [&](int end_a, int end_b, float stretch) {
    const int ends[2] = {model.source[end_a], model.source[end_b]};
    const float tension = cloth.stretchstiffness * scale.mean(ends[0], ends[1]) * stretch;
    for (const int p : ends) stress[p] = std::max(stress[p], tension);
  });
}

}  // namespace repose
