// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/membrane_rows.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"
#include "solve/workspace.h"

namespace repose {

float fibreWeight(float warp, float weft, int fibre) {
  constexpr float kSqrtHalf = 0.707106781f;
  switch (fibre) {
    case 0:
      return warp;
    case 1:
      return weft;
    case 2:
      return (warp + weft) * kSqrtHalf;
    default:
      return (warp - weft) * kSqrtHalf;
  }
}

FibreStiffness fibreStiffness(const MembraneTriangles& m, int i, const ClothParams& cloth) {
  const float weft = cloth.weftstiffness > 0 ? cloth.weftstiffness : cloth.stretchstiffness;
  const float shear = cloth.shearstiffness * m.shear[i];
  return {{std::max(cloth.stretchstiffness * m.stretch[i] - shear, 0.0f),
           std::max(weft * m.stretch[i] - shear, 0.0f), 2 * shear, 2 * shear}};
}

FibreRow fibreRow(const Model& model, int i, int fibre, const FibreStiffness& stiffness, float h) {
  const MembraneTriangles& m = model.membrane;
  FibreRow row;
  for (int s = 0; s < 3; ++s) {
    const int c = s * m.size() + i;
    const float weight = fibreWeight(m.warp[c], m.weft[c], fibre);
    row.pull[s] = weight * weight * model.inv_mass[m.corner[c]];
  }
  row.exists = stiffness.of[fibre] > 0 && row.own() > 0;
  row.alpha = row.exists ? 1 / (std::max(stiffness.of[fibre], 1e-20f) * h * h) : 0.0f;
  return row;
}

void MembraneRows::build(const Model& model, ColourOrder visits) {
  const MembraneTriangles& m = model.membrane;
  order = std::move(visits);
  const int size = order.size();
  for (int s = 0; s < 3; ++s)
    for (const int i : order.row) {
      corner.push_back(m.corner[s * m.size() + i]);
      warp.push_back(m.warp[s * m.size() + i]);
      weft.push_back(m.weft[s * m.size() + i]);
    }
  for (std::vector<float>* v : {&alpha, &inv_diagonal, &lambda}) v->resize(kFibres * size);
  rest.resize(size);
  rho.resize(size);
}

void MembraneRows::weigh(const Model& model, const StepParams& params) {
  for (int e = 0; e < order.size(); ++e) {
    const ClothParams& cloth = params.cloth[order.body[e]];
    const FibreStiffness stiffness = fibreStiffness(model.membrane, order.row[e], cloth);
    rest[e] = cloth.restscale;
    rho[e] = rowLaw(RowKind::stretch, cloth, params).rho;
    for (int f = 0; f < kFibres; ++f) {
      const FibreRow row = fibreRow(model, order.row[e], f, stiffness, params.h);
      alpha[f * order.size() + e] = row.alpha;
      inv_diagonal[f * order.size() + e] = row.exists ? 1 / ((1 + rho[e]) * row.own() + row.alpha) : 0.0f;
    }
  }
}

std::size_t MembraneRows::bytes() const {
  return bytesOf(order.row, order.body, corner, warp, weft, alpha, inv_diagonal, lambda, rest, rho);
}

ColourOrder rowOrder(const Model& model) {
  ColourOrder order;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int k = 0; k < model.bodies[b].membrane.padded(); ++k) {
      order.row.push_back(model.bodies[b].membrane.first + k);
      order.body.push_back(static_cast<int>(b));
    }
  return order;
}

// A fibre is a row like any other in the crowd at its corners (algorithms.md 3.1 c).
void Workspace::weighMembrane(const Model& model, const StepParams& params, Pass pass) {
  const MembraneTriangles& m = model.membrane;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range triangles = model.bodies[b].membrane;
    const float damping = rowLaw(RowKind::stretch, params.cloth[b], params).rho;
    for (int i = triangles.first; i < triangles.first + triangles.count; ++i) {
      const FibreStiffness stiffness = fibreStiffness(m, i, params.cloth[b]);
      membrane.rest[i] = params.cloth[b].restscale;
      membrane.rho[i] = damping;
      for (int f = 0; f < kFibres; ++f) {
        const FibreRow row = fibreRow(model, i, f, stiffness, params.h);
        const float share = counted_ ? rowShare(row.own(), row.alpha) : 1.0f;
        float crowded = 0;
        for (int s = 0; s < 3; ++s) {
          float& crowd = crowd_[m.corner[s * m.size() + i]];
          if (pass == Pass::count && row.exists) crowd += share;
          crowded += row.pull[s] * crowd;
        }
        if (pass == Pass::count) continue;
        const float alone = (1 + damping) * row.own() + row.alpha;
        const float shared = (1 + damping) * crowded / share + row.alpha;
        if (row.exists) crowd_bound_ = std::max(crowd_bound_, shared / alone);
        membrane.alpha[f * m.size() + i] = row.alpha;
        membrane.inv_diagonal[f * m.size() + i] = row.exists ? 1 / (split_ ? shared : alone) : 0.0f;
      }
    }
  }
}

}  // namespace repose
