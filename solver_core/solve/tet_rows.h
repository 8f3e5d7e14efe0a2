// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra as the multiplier solvers see them in a step: blocks of rows (kernel/tet_rows.h), each sort of
// material on its own.
#pragma once
#include <array>
#include <vector>

#include "solve/colour_order.h"
#include "solve/step.h"

namespace repose {

inline constexpr int kSoftMaterials = 3;

// One tetrahedron at rest: y_0 to y_3, and its volume, which grows with it.
struct RestTet {
  Vec3f y[4];
  float volume;  // [m^3]
};

// y: as restShapes().
RestTet restTet(const TetElements& tets, const std::vector<float>& y, int i);

// Lame's moduli of a body [Pa].
struct SoftModuli {
  float mu, lambda;
};
SoftModuli softModuli(const SoftParams& soft);

// Tetrahedra of one material in an order of visits. What belongs to sixteen of them lies together.
struct TetBlocks {
  void build(const Model& model, ColourOrder visits);
  // crowd: how many share the mass of each point, or null: each tetrahedron has it alone. Returns the largest
  // ratio of both.
  float weigh(const Model& model, const State& state, const StepParams& params,
              const std::vector<float>* crowd);
  std::size_t bytes() const;
  int size() const { return order.size(); }

  ColourOrder order;
  std::vector<int> corner;
  std::vector<float> row, multiplier;
  std::vector<float> fibre;     // empty: nobody has fibres
  std::vector<float> momentum;  // of Jacobi methods
  std::vector<float> error;     // of strain, squared
  bool damped = false, fibred = false;
};

class TetRows {
 public:
  enum class Order { colours, index };
  // jacobi: with momentum and pushes.
  void build(const Model& model, const StepParams& params, Order order, bool jacobi);
  float weigh(const Model& model, const State& state, const StepParams& params,
              const std::vector<float>* crowd);
  // Adds what each tetrahedron counts for at its corners.
  void count(const Model& model, const State& state, const StepParams& params,
             std::vector<float>& crowd) const;
  // The strain by which the stress of some tetrahedron was wrong before its last step; partial: memory.
  float largestError(std::vector<float>& partial, Backend& backend) const;
  int pushes() const;
  bool any() const;
  std::size_t bytes() const;

  // Calls visit(point, slot of its push, 1) for every corner; pushes begin at `first`.
  template <class Visit>
  void eachPush(const Model& model, int first, const Visit& visit) const {
    for (const TetBlocks& blocks : of) {
      for (int e = 0; e < blocks.size(); ++e)
        for (int s = 0; s < 4; ++s)
          if (model.tets.volume[blocks.order.row[e]] > 0)
            visit(blocks.corner[(e / 16 * 4 + s) * 16 + e % 16], first + s * blocks.size() + e, 1.0f);
      first += 4 * blocks.size();
    }
  }

  std::array<TetBlocks, kSoftMaterials> of;  // by SoftMaterial
};

// The kernels of each material; in the order of SoftMaterial.
struct NeoHookeanKernels {
  using Visit = visit_neohookean_args;
  using Push = push_neohookean_args;
};
struct CorotatedKernels {
  using Visit = visit_corotated_args;
  using Push = push_corotated_args;
};
struct StvkKernels {
  using Visit = visit_stvk_args;
  using Push = push_stvk_args;
};

// Calls visit(kernels, blocks) for each material that there is.
template <class Visit>
void eachMaterial(TetRows& rows, const Visit& visit) {
  if (rows.of[0].size() > 0) visit(NeoHookeanKernels{}, rows.of[0]);
  if (rows.of[1].size() > 0) visit(CorotatedKernels{}, rows.of[1]);
  if (rows.of[2].size() > 0) visit(StvkKernels{}, rows.of[2]);
}

// The arguments that all kernels of tetrahedra share.
template <class Args, class Places>
Args tetArgs(TetBlocks& rows, Places& x, const std::vector<Vec4f>& x_start, float keep, bool measured) {
  Args a;
  a.x = x.data(), a.x_start = x_start.data();
  a.corner = rows.corner.data(), a.row = rows.row.data(), a.fibre = rows.fibre.data();
  a.multiplier = rows.multiplier.data(), a.error = rows.error.data();
  a.keep = keep, a.damped = rows.damped, a.fibred = rows.fibred, a.measured = measured;
  return a;
}

}  // namespace repose
