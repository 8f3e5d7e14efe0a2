// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Membrane triangles as the multiplier solvers see them in a step: four fibres, each a row
// (docs/membranes.md).
#pragma once
#include <vector>

#include "solve/colour_order.h"
#include "solve/step.h"

namespace repose {

inline constexpr int kFibres = 4;  // warp, weft and both biases

// Weight of a corner in a fibre [1/m], from its weights in warp and weft.
float fibreWeight(float warp, float weft, int fibre);

// Stiffness times area [N m] of the fibres of a triangle, from the moduli C11 (stretch), C22 (weft) and G
// (shear).
struct FibreStiffness {
  float of[kFibres];
};
FibreStiffness fibreStiffness(const MembraneTriangles& membrane, int triangle, const ClothParams& cloth);

// One fibre as a row.
struct FibreRow {
  float alpha;    // compliance 1/(k A h^2)
  float pull[3];  // weight^2 / mass of each corner
  bool exists;    // false: the moduli leave it no stiffness, or its corners are pinned
  float own() const { return pull[0] + pull[1] + pull[2]; }
};
FibreRow fibreRow(const Model& model, int triangle, int fibre, const FibreStiffness& stiffness, float h);

// Triangles in an order of visits, with diagonals of their own.
struct MembraneRows {
  void build(const Model& model, ColourOrder visits);
  void weigh(const Model& model, const StepParams& params);
  std::size_t bytes() const;

  ColourOrder order;
  std::vector<int> corner;  // corner after corner, order.size() apart, as warp and weft
  std::vector<float> warp, weft;
  std::vector<float> alpha, inv_diagonal, lambda;  // fibre after fibre, order.size() apart
  std::vector<float> rest, rho;                    // by triangle
};

// All triangles, with their padding, as they lie in the model.
ColourOrder rowOrder(const Model& model);

// Calls visit(point, slot of its push, weight) for the warp and the weft of every corner; the pushes of warps
// begin at `first`, those of wefts behind them.
template <class Visit>
void eachMembranePush(const Model& model, int first, const Visit& visit) {
  const MembraneTriangles& m = model.membrane;
  for (const ModelBody& body : model.bodies)
    for (int i = body.membrane.first; i < body.membrane.first + body.membrane.count; ++i)
      for (int s = 0; s < 3; ++s) {
        const int c = s * m.size() + i;
        visit(m.corner[c], first + i, m.warp[c]);
        visit(m.corner[c], first + m.size() + i, m.weft[c]);
      }
}

}  // namespace repose
