// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the solvers between predict and integrate, and the rows as a solver sees them in this step:
// compliance e/h^2, damping rho_d/h and the diagonal that divides each residual. Nothing here outlives a
// step, so a checkpoint does not keep it.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "solve/coloured_rows.h"
#include "solve/contact/contacts.h"
#include "solve/interleaved/interleaved.h"
#include "solve/multilevel/implicit_body.h"
#include "solve/projective/projective.h"
#include "solve/step.h"
#include "solve/tet_rows.h"

namespace repose {

// Distance rows as half edges: each end of a row has an entry of its own.
struct HalfEdges {
  SlicedLists lists;
  std::vector<int> point;  // the other end
  std::vector<float> rest, inv_diagonal;
  std::vector<float> alpha, rho, lambda, momentum;  // soft rows only
};

// How the sweeps treat a batch of rows: those that only pull have neither compliance nor damping.
enum class RowSort { rigid, soft, pull };

// A change of all that an iteration changes: places of the points [m], multipliers of the rows that have
// them.
struct Changes {
  std::vector<Vec4f> points;
  std::vector<float> soft;
  std::vector<Vec4f> quadratic;
  std::vector<float> dihedral;
  std::vector<float> membrane;
};

class Workspace {
 public:
  // softest: parameters with the least stiffness and most damping that the run will see, which decide what is
  // rigid.
  // colours: see Projective.
  Workspace(const Model& model, const StepParams& softest, const std::vector<int>& colours = {});

  // Weighs the rows for this step, unless h and the parameters are those of the last call, and takes over
  // what the state says of rest lengths, angles and shapes.
  void prepare(const Model& model, const State& state, const StepParams& params);

  std::vector<Vec4f> x_start, x_new, momentum;  // of points; momentum as a displacement [m]
  // What is gathered at the points: while the step is predicted forces of triangles [N] and one zero behind
  // them, in a sweep pushes of quadratic rows, of the corners of dihedral rows, of warps and wefts, and of
  // the corners of tetrahedra.
  std::vector<Vec4f> push;
  std::vector<float> partial;  // of reductions

  HalfEdges rigid, soft, pull;

  struct {
    std::vector<float> alpha, inv_diagonal;
    std::vector<Vec4f> lambda, momentum;
  } quadratic;
  struct {
    std::vector<float> alpha, split, lambda, momentum;
  } dihedral;
  // Of membrane triangles, fibre after fibre; rest and rho by triangle.
  struct {
    std::vector<float> alpha, inv_diagonal, rest, rho, lambda, momentum;
  } membrane;
  std::vector<float> bend_rho;  // of each body
  SlicedLists bend_lists;       // point -> pushes
  std::vector<int> bend_row;
  std::vector<float> bend_weight;

  Vec4f* membranePush(const Model& model) {
    return push.data() + model.quadratic.size() + 4 * model.dihedral.size();
  }
  Vec4f* tetPush(const Model& model) { return membranePush(model) + 2 * model.membrane.size(); }

  TetRows tets;  // in colours, or in index order: as the method visits them

  // Rows in index order, for Gauss-Seidel.
  struct {
    std::vector<float> distance_lambda;
    std::vector<Vec4f> quadratic_lambda;
    std::vector<float> dihedral_lambda;
    MembraneRows membrane;
  } sequential;

  std::unique_ptr<Contacts> contacts;  // null when nothing can touch

  // Of each body, or of those that are sewn together, when that is the method.
  std::vector<std::unique_ptr<ImplicitBody>> multilevel;

  std::unique_ptr<Projective> projective;  // null when that is not the method
  std::unique_ptr<Interleaved> interleaved;
  std::function<void()>
      filter;  // moves state.x between iterations of interleaved conjugate gradients, or nothing

  StepParams part;                      // of a contact substep
  std::vector<ImplicitBody*> touching;  // those that something touches in this step
  std::vector<HeldPoint> held;          // points that joints hold in this step

  // Rows in colours, for parallel Gauss-Seidel.
  ColouredRows coloured;

  // For solvers that look at the linearised sweep (solve/linear_sweep.h): where they go, what comes of it,
  // and the weights of dot products of points, soft, quadratic and dihedral rows, and fibres.
  Changes direction, response;
  std::vector<float> energy[5];

  // Bound of the spectral radius of D^-1 A from the rows at each point (algorithms.md 3.1 b).
  float crowdBound() const { return crowd_bound_; }
  // Stitches have no body: -1.
  RowSort sortOf(int body, RowKind kind) const {
    if (onlyPulls(kind)) return RowSort::pull;
    return soft_[kind == RowKind::stitch ? soft_.size() - 1 : body * kRowKinds + static_cast<int>(kind)]
               ? RowSort::soft
               : RowSort::rigid;
  }
  std::size_t bytes() const;

 private:
  HalfEdges& half(RowSort sort) {
    return sort == RowSort::rigid ? rigid : sort == RowSort::soft ? soft : pull;
  }
  // A pin does not feel the many tethers that end at it.
  static bool hasEntry(const Model& model, RowSort sort, int point) {
    return sort != RowSort::pull || model.inv_mass[point] > 0;
  }
  // visit(row, other end, slot) for each end of the rows of a sort, in their order.
  template <class Visit>
  void eachHalfEdge(const Model& model, RowSort sort, const Visit& visit);
  void buildJacobi(const Model& model, const StepParams& softest);
  void buildHalfEdges(const Model& model, RowSort sort);
  void buildBendLists(const Model& model);
  // First the crowd at every point is counted, then each row is weighed by it.
  enum class Pass { count, weigh };
  void weighDistance(const Model& model, const StepParams& params, Pass pass);
  void weighHinges(const Model& model, const StepParams& params, Pass pass);
  void weighMembrane(const Model& model, const StepParams& params, Pass pass);
  void weighRows(const Model& model, const State& state, const StepParams& params);
  void takeRest(const Model& model, const State& state);
  void weighEnergy(const Model& model);

  std::vector<bool> soft_;    // by body and kind, then stitches
  std::vector<float> crowd_;  // of points: the sum of row shares, algorithms.md 3.1 c
  std::vector<int> cursor_;
  bool jacobi_;          // half edges and bend lists exist
  bool split_ = true;    // diagonals by mass splitting
  bool counted_ = true;  // crowd_ holds counts, not ones
  float crowd_bound_ = 1;
  float last_h_ = -1;
  int last_rest_ = 0;             // State::rest_changes
  std::int64_t last_shape_ = -1;  // State::substep whose shapes the tetrahedra have
  std::vector<ClothParams> last_cloth_;
  std::vector<SoftParams> last_soft_;
  SolverParams last_solver_;
};

// Compliance e/h^2 [1/kg] and damping rho_d/h of rows of a kind (algorithms.md 2.3); sp adds its velocity
// weight to the damping (algorithms.md 4: SP(kv, kc) is rho_d = h kv/kc).
struct RowLaw {
  float alpha_of_unit;  // divided by a row's stiffness factor
  float rho;
};
RowLaw rowLaw(RowKind kind, const ClothParams& cloth, const StepParams& params);
RowLaw rowLaw(RowKind kind, int body, const StepParams& params);  // stitches have no body: -1
RowLaw bendLaw(const ClothParams& cloth, const StepParams& params);

// How much of a crowd a row is: 1 when rigid, less the more its own compliance holds it back. Any positive
// choice keeps the bound of algorithms.md 3.1 c; this one lets soft rows slow down stiff ones little, and
// themselves little.
float rowShare(float a, float alpha);

}  // namespace repose
