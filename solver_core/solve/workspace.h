// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the solvers between predict and integrate, and the rows as a solver sees them in this step:
// compliance e/h^2, damping rho_d/h and the diagonal that divides each residual. Nothing here outlives a
// step, so a checkpoint does not keep it.
#pragma once
#include <vector>

#include "solve/coloured_rows.h"
#include "solve/multilevel/multilevel.h"
#include "solve/step.h"

namespace repose {

// Distance rows as half edges: each end of a row has an entry of its own.
struct HalfEdges {
  SlicedLists lists;
  std::vector<int> point;  // the other end
  std::vector<float> rest, inv_diagonal;
  std::vector<float> alpha, rho, lambda, momentum;  // soft rows only
};

// A change of all that an iteration changes: places of the points [m], multipliers of the rows that have
// them.
struct Changes {
  std::vector<Vec4f> points;
  std::vector<float> soft;
  std::vector<Vec4f> quadratic;
  std::vector<float> dihedral;
};

class Workspace {
 public:
  // softest: parameters with the least stiffness and most damping that the run will see, which decide what is
  // rigid.
  Workspace(const Model& model, const StepParams& softest);

  // Weighs the rows for this step; does nothing when h and the parameters are those of the last call.
  void prepare(const Model& model, const StepParams& params);

  std::vector<Vec4f> x_start, x_new, momentum;  // of points; momentum as a displacement [m]
  std::vector<Vec4f> force;                     // of triangles [N], and one zero behind them
  std::vector<float> partial;                   // of reductions

  HalfEdges rigid, soft;

  struct {
    std::vector<float> alpha, inv_diagonal;
    std::vector<Vec4f> lambda, momentum;
  } quadratic;
  struct {
    std::vector<float> alpha, split, lambda, momentum;
  } dihedral;
  std::vector<float> bend_rho;   // of each body
  std::vector<Vec4f> bend_push;  // of quadratic rows, then of the corners of dihedral rows
  SlicedLists bend_lists;        // point -> pushes
  std::vector<int> bend_row;
  std::vector<float> bend_weight;

  // Rows in index order, for Gauss-Seidel.
  struct {
    std::vector<float> distance_lambda;
    std::vector<Vec4f> quadratic_lambda;
    std::vector<float> dihedral_lambda;
  } sequential;

  std::vector<MultilevelCloth> multilevel;  // of each body, when that is the method

  // Rows in colours, for parallel Gauss-Seidel.
  ColouredRows coloured;

  // For solvers that look at the linearised sweep (solve/linear_sweep.h): where they go, what comes of it,
  // and the weights of dot products of points, soft, quadratic and dihedral rows.
  Changes direction, response;
  std::vector<float> energy[4];

  // Bound of the spectral radius of D^-1 A from the rows at each point (algorithms.md 3.1 b).
  float crowdBound() const { return crowd_bound_; }
  bool isSoft(int body, RowKind kind) const { return soft_[body * kRowKinds + static_cast<int>(kind)]; }
  std::size_t bytes() const;

 private:
  void buildHalfEdges(const Model& model, HalfEdges& half, bool want_soft);
  void buildBendLists(const Model& model);
  // First the crowd at every point is counted, then each row is weighed by it.
  enum class Pass { count, weigh };
  void weighDistance(const Model& model, const StepParams& params, Pass pass);
  void weighHinges(const Model& model, const StepParams& params, Pass pass);
  void weighEnergy(const Model& model);

  std::vector<bool> soft_;    // by body and kind
  std::vector<float> crowd_;  // of points: the sum of row shares, algorithms.md 3.1 c
  std::vector<int> cursor_;
  bool jacobi_;          // half edges and bend lists exist
  bool split_ = true;    // diagonals by mass splitting
  bool counted_ = true;  // crowd_ holds counts, not ones
  float crowd_bound_ = 1;
  float last_h_ = -1;
  std::vector<ClothParams> last_cloth_;
  SolverParams last_solver_;
};

// Compliance e/h^2 [1/kg] and damping rho_d/h of rows of a kind (algorithms.md 2.3); sp adds its velocity
// weight to the damping (algorithms.md 4: SP(kv, kc) is rho_d = h kv/kc).
struct RowLaw {
  float alpha_of_unit;  // divided by a row's stiffness factor
  float rho;
};
RowLaw rowLaw(RowKind kind, const ClothParams& cloth, const StepParams& params);
RowLaw bendLaw(const ClothParams& cloth, const StepParams& params);

}  // namespace repose
