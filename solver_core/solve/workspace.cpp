// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/workspace.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"
#include "solve/distance_batches.h"
#include "solve/multilevel/multilevel_cloth.h"
#include "solve/multilevel/multilevel_soft.h"

namespace repose {

namespace {

// Compliance below this share of the diagonal is lost in rounding: the row is rigid to the last bit that
// matters.
constexpr float kRigidShare = 1.0f / (1 << 26);

bool isJacobi(SolverMethod method) {
  switch (method) {
    case SolverMethod::jacobi:
    case SolverMethod::improved_jacobi:
    case SolverMethod::accelerated_jacobi:
    case SolverMethod::nesterov:
    case SolverMethod::chebyshev:
    case SolverMethod::minimum_residual:
    case SolverMethod::conjugate_residuals:
      return true;
    default:
      return false;
  }
}

// Whether the solver looks at the linearised sweep, or needs a direction of its own.
bool linearises(const SolverParams& solver) {
  switch (solver.method) {
    case SolverMethod::nesterov:
    case SolverMethod::chebyshev:
    case SolverMethod::minimum_residual:
    case SolverMethod::conjugate_residuals:
      return true;
    default:
      return solver.omega <= 0 && solver.relaxation == Relaxation::power;
  }
}

RowLaw lawOf(float stiffness, float damping, const StepParams& params) {
  const float velocity_weight =
      params.solver.scheme == SolverScheme::sp ? params.solver.velocityweight : 0.0f;
  const float h2 = params.h * params.h;
  return {1.0f / (std::max(stiffness, 1e-12f) * h2), damping / params.h + velocity_weight};
}

std::unique_ptr<ImplicitBody> makeImplicit(const Model& model, BodySpan span, const StepParams& params) {
  if (model.bodies[span.first].tets.count > 0)
    return std::make_unique<MultilevelSoft>(model, span,
                                            params.soft[span.first].smoothing == SoftSmoothing::edges);
  return std::make_unique<MultilevelCloth>(model, span);
}

}  // namespace

float rowShare(float a, float alpha) { return a > 0 ? std::sqrt(a / (a + alpha)) : 1.0f; }

RowLaw rowLaw(RowKind kind, const ClothParams& cloth, const StepParams& params) {
  const float stiffness = kind == RowKind::stretch ? cloth.stretchstiffness
                          : kind == RowKind::shear ? cloth.shearstiffness
                                                   : cloth.bendstiffness;
  const float damping = kind == RowKind::neighbour ? cloth.benddamping : cloth.stretchdamping;
  return lawOf(stiffness, damping, params);
}

// The stiffness factor of a stitch is all of its stiffness.
RowLaw rowLaw(RowKind kind, int body, const StepParams& params) {
  return kind == RowKind::stitch ? lawOf(1, 0, params) : rowLaw(kind, params.cloth[body], params);
}

RowLaw bendLaw(const ClothParams& cloth, const StepParams& params) {
  return rowLaw(RowKind::neighbour, cloth, params);
}

Workspace::Workspace(const Model& model, const StepParams& softest, const std::vector<int>& colours)
    : jacobi_(isJacobi(softest.solver.method)) {
  const std::size_t points = model.source.size();
  x_start.resize(points);
  if (softest.solver.method == SolverMethod::projective)
    projective = std::make_unique<Projective>(model, softest, colours);
  else if (softest.solver.method == SolverMethod::interleaved)
    interleaved = std::make_unique<Interleaved>(model);
  else if (softest.solver.method != SolverMethod::multilevel)
    tets.build(model, softest,
               softest.solver.method == SolverMethod::gauss_seidel_coloured ? TetRows::Order::colours
                                                                            : TetRows::Order::index,
               jacobi_);
  const std::size_t pushes =
      model.quadratic.size() + 4 * model.dihedral.size() + 2 * model.membrane.size() + tets.pushes();
  push.resize(std::max<std::size_t>(model.air.size() + 1, jacobi_ ? pushes : 0));
  const std::size_t reductions = std::max(
      {points * 3, model.distance.a.size(), model.membrane.stretch.size(), model.tets.volume.size() * 2});
  partial.resize(reductions / 1024 + 8);
  if (softest.solver.method != SolverMethod::multilevel) crowd_.resize(points), cursor_.resize(points);
  bend_rho.resize(model.bodies.size());
  last_cloth_.resize(model.bodies.size());
  last_soft_.resize(model.bodies.size());

  soft_.assign(model.bodies.size() * kRowKinds + 1, false);
  eachDistanceBatch(model, [&](int body, RowKind kind, Range rows) {
    const RowLaw law = rowLaw(kind, body, softest);
    bool yields = law.rho > 0;
    for (int i = rows.first; i < rows.first + rows.count && !yields; ++i) {
      const float a = model.inv_mass[model.distance.a[i]] + model.inv_mass[model.distance.b[i]];
      yields = law.alpha_of_unit > kRigidShare * a * model.distance.stiffness[i];
    }
    soft_[body < 0 ? soft_.size() - 1 : body * kRowKinds + static_cast<int>(kind)] = yields;
  });

  if (softest.solver.method == SolverMethod::multilevel)
    for (const BodySpan span : sewnTogether(model))
      if (model.bodies[span.first].points.count > 0) multilevel.push_back(makeImplicit(model, span, softest));
  if (softest.solver.method == SolverMethod::gauss_seidel) {
    sequential.distance_lambda.resize(model.distance.size());
    sequential.quadratic_lambda.resize(model.quadratic.size());
    sequential.dihedral_lambda.resize(model.dihedral.size());
    sequential.membrane.build(model, rowOrder(model));
  }
  if (softest.solver.method == SolverMethod::gauss_seidel_coloured)
    coloured.build(model, [this](int body, RowKind kind) { return sortOf(body, kind); });
  if (interleaved) coloured.buildLimits(model);
  if (jacobi_) buildJacobi(model, softest);
}

// What the methods need that move all points at once.
void Workspace::buildJacobi(const Model& model, const StepParams& softest) {
  const std::size_t points = model.source.size();
  x_new.resize(points);
  momentum.resize(points);
  for (const RowSort sort : {RowSort::rigid, RowSort::soft, RowSort::pull}) buildHalfEdges(model, sort);
  for (std::vector<float>* v : {&soft.alpha, &soft.rho, &soft.lambda, &soft.momentum})
    v->resize(soft.lists.slots());
  quadratic.alpha.resize(model.quadratic.size());
  quadratic.inv_diagonal.resize(model.quadratic.size());
  quadratic.lambda.resize(model.quadratic.size());
  quadratic.momentum.resize(model.quadratic.size());
  dihedral.alpha.resize(model.dihedral.size());
  dihedral.split.resize(4 * model.dihedral.size());
  dihedral.lambda.resize(model.dihedral.size());
  dihedral.momentum.resize(model.dihedral.size());
  for (std::vector<float>* v :
       {&membrane.alpha, &membrane.inv_diagonal, &membrane.lambda, &membrane.momentum})
    v->resize(4 * model.membrane.size());
  membrane.rest.resize(model.membrane.size());
  membrane.rho.resize(model.membrane.size());
  buildBendLists(model);
  if (!linearises(softest.solver)) return;
  const std::size_t sizes[] = {points, soft.alpha.size(), quadratic.alpha.size(), dihedral.alpha.size(),
                               membrane.alpha.size()};
  for (Changes* changes : {&direction, &response}) {
    changes->points.resize(sizes[0]);
    changes->soft.resize(sizes[1]);
    changes->quadratic.resize(sizes[2]);
    changes->dihedral.resize(sizes[3]);
    changes->membrane.resize(sizes[4]);
  }
  for (int k = 0; k < 5; ++k) energy[k].assign(sizes[k], 0.0f);
  partial.resize(std::max(partial.size(), *std::max_element(sizes, sizes + 5) / 1024 + 1));
}

template <class Visit>
void Workspace::eachHalfEdge(const Model& model, RowSort sort, const Visit& visit) {
  const DistanceRows& rows = model.distance;
  const SlicedLists& lists = half(sort).lists;
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
    if (sortOf(body, kind) != sort) return;
    for (int i = batch.first; i < batch.first + batch.count; ++i)
      for (const auto& [me, other] : {std::pair(rows.a[i], rows.b[i]), std::pair(rows.b[i], rows.a[i])})
        if (hasEntry(model, sort, me)) visit(i, other, lists.slot(me, cursor_[me]++));
  });
}

// Entries in row order at both ends; free slots name their own point, whose edge to itself is nothing.
void Workspace::buildHalfEdges(const Model& model, RowSort sort) {
  const DistanceRows& rows = model.distance;
  HalfEdges& half = this->half(sort);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
    if (sortOf(body, kind) != sort) return;
    for (int i = batch.first; i < batch.first + batch.count; ++i)
      for (const int me : {rows.a[i], rows.b[i]}) cursor_[me] += hasEntry(model, sort, me);
  });
  half.lists = SlicedLists(cursor_);
  half.point.resize(half.lists.slots());
  half.rest.assign(half.lists.slots(), 0.0f);
  half.inv_diagonal.assign(half.lists.slots(), 0.0f);
  for (int slice = 0; slice < model.numPoints() / 16; ++slice)
    for (int s = half.lists.start()[slice] * 16; s < half.lists.start()[slice + 1] * 16; ++s)
      half.point[s] = slice * 16 + s % 16;
  eachHalfEdge(model, sort,
               [&](int i, int other, int s) { half.point[s] = other, half.rest[s] = rows.rest[i]; });
}

void Workspace::takeRest(const Model& model, const State& state) {
  if (!state.rest_angle.empty()) coloured.takeRestAngles(state.rest_angle);
  if (state.rest_changes == last_rest_) return;
  last_rest_ = state.rest_changes;
  coloured.takeRest(state.rest);
  if (projective) projective->takeRest(model, state);
  if (interleaved) interleaved->takeRest(model, state);
  if (!jacobi_) return;
  for (const RowSort sort : {RowSort::rigid, RowSort::soft, RowSort::pull}) {
    std::vector<float>& rest = half(sort).rest;
    eachHalfEdge(model, sort, [&](int i, int, int s) { rest[s] = state.rest[i]; });
  }
}

void Workspace::buildBendLists(const Model& model) {
  const int quads = model.quadratic.size(), dihedrals = model.dihedral.size();
  const auto eachCorner = [&](auto&& visit) {
    for (const ModelBody& body : model.bodies) {
      const HingeRows& hinges = model.hinges(body);
      for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i)
        for (int s = 0; s < 4; ++s) {
          const int c = s * hinges.size() + i;
          const bool flat = body.bend == BendModel::quadratic;
          visit(hinges.corner[c], flat ? i : quads + c, flat ? hinges.weight[c] : 1.0f);
        }
    }
    eachMembranePush(model, quads + 4 * dihedrals, visit);
    tets.eachPush(model, quads + 4 * dihedrals + 2 * model.membrane.size(), visit);
  };
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachCorner([&](int p, int, float) { ++cursor_[p]; });
  bend_lists = SlicedLists(cursor_);
  bend_row.assign(bend_lists.slots(), 0);
  bend_weight.assign(bend_lists.slots(), 0.0f);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachCorner([&](int p, int row, float weight) {
    const int s = bend_lists.slot(p, cursor_[p]++);
    bend_row[s] = row;
    bend_weight[s] = weight;
  });
}

void Workspace::prepare(const Model& model, const State& state, const StepParams& params) {
  const bool same = params.h == last_h_ && params.solver.omega == last_solver_.omega &&
                    params.solver.relaxation == last_solver_.relaxation &&
                    params.solver.velocityweight == last_solver_.velocityweight &&
                    last_cloth_ == params.cloth && last_soft_ == params.soft;
  // shapes that flow or grow are new in each step
  const bool shaped = state.tet_y.empty() || state.substep == last_shape_;
  takeRest(model, state);
  if (same && shaped) return;
  last_h_ = params.h;
  last_solver_ = params.solver;
  last_cloth_ = params.cloth;
  last_soft_ = params.soft;
  last_shape_ = state.substep;
  weighRows(model, state, params);
}

void Workspace::weighRows(const Model& model, const State& state, const StepParams& params) {
  if (projective) return projective->weigh(model, state, params);
  if (interleaved) {
    coloured.weigh(model, params);
    return interleaved->weigh(model, state, params);
  }
  for (std::size_t b = 0; b < bend_rho.size(); ++b) bend_rho[b] = bendLaw(params.cloth[b], params).rho;
  if (params.solver.method == SolverMethod::gauss_seidel_coloured) coloured.weigh(model, params);
  if (params.solver.method == SolverMethod::gauss_seidel) sequential.membrane.weigh(model, params);
  if (!jacobi_) {
    tets.weigh(model, state, params, nullptr);
    return;
  }

  // rows are divided by their own diagonal, or when they split the masses by their share of the crowd at each
  // end
  const bool automatic = params.solver.omega <= 0;
  split_ = automatic && params.solver.relaxation == Relaxation::split;
  counted_ = automatic && params.solver.relaxation != Relaxation::power;
  crowd_bound_ = 1;
  std::fill(crowd_.begin(), crowd_.end(), counted_ ? 0.0f : 1.0f);
  if (counted_) {
    weighDistance(model, params, Pass::count);
    weighHinges(model, params, Pass::count);
    weighMembrane(model, params, Pass::count);
    tets.count(model, state, params, crowd_);
  }
  weighDistance(model, params, Pass::weigh);
  weighHinges(model, params, Pass::weigh);
  weighMembrane(model, params, Pass::weigh);
  crowd_bound_ = std::max(crowd_bound_, tets.weigh(model, state, params, counted_ ? &crowd_ : nullptr));
  if (!split_) tets.weigh(model, state, params, nullptr);
  weighEnergy(model);
}

// Masses, and compliances e/h^2 over 1 + rho: with these the linearised sweep is symmetric
// (solve/linear_sweep.h).
void Workspace::weighEnergy(const Model& model) {
  if (energy[0].empty()) return;
  for (int p = 0; p < model.numPoints(); ++p)
    energy[0][p] = model.inv_mass[p] > 0 ? 1 / model.inv_mass[p] : 0.0f;
  // both ends of a row have an entry; free slots have no compliance
  for (std::size_t s = 0; s < soft.alpha.size(); ++s) energy[1][s] = 0.5f * soft.alpha[s] / (1 + soft.rho[s]);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const bool dihedrals = model.bodies[b].bend == BendModel::dihedral;
    const std::vector<float>& alpha = dihedrals ? dihedral.alpha : quadratic.alpha;
    const Range rows = model.bodies[b].hinges;
    for (int i = rows.first; i < rows.first + rows.count; ++i)
      energy[dihedrals ? 3 : 2][i] = alpha[i] / (1 + bend_rho[b]);
  }
  for (std::size_t e = 0; e < membrane.alpha.size(); ++e)
    energy[4][e] = membrane.alpha[e] / (1 + membrane.rho[e % membrane.rho.size()]);
}

void Workspace::weighDistance(const Model& model, const StepParams& params, Pass pass) {
  const DistanceRows& rows = model.distance;
  for (HalfEdges* half : {&rigid, &pull, &soft}) {
    std::fill(cursor_.begin(), cursor_.end(), 0);
    eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
      if (&this->half(sortOf(body, kind)) != half) return;
      const RowLaw law = rowLaw(kind, body, params);
      for (int i = batch.first; i < batch.first + batch.count; ++i) {
        const int a = rows.a[i], b = rows.b[i];
        const float wa = model.inv_mass[a], wb = model.inv_mass[b];
        const float alpha = half == &soft ? law.alpha_of_unit / rows.stiffness[i] : 0.0f;
        const float rho = half == &soft ? law.rho : 0.0f;
        const float share = counted_ ? rowShare(wa + wb, alpha) : 1.0f;
        if (pass == Pass::count) {
          crowd_[a] += share;
          crowd_[b] += share;
          continue;
        }
        const float alone = (1 + rho) * (wa + wb) + alpha;
        const float shared = (1 + rho) * (wa * crowd_[a] + wb * crowd_[b]) / share + alpha;
        const float diagonal = split_ ? shared : alone;
        if (alone > 0) crowd_bound_ = std::max(crowd_bound_, shared / alone);
        for (const int me : {a, b}) {
          if (!hasEntry(model, sortOf(body, kind), me)) continue;
          const int s = half->lists.slot(me, cursor_[me]++);
          half->inv_diagonal[s] = wa + wb > 0 ? 1.0f / diagonal : 0.0f;
          if (half == &soft) half->alpha[s] = alpha, half->rho[s] = rho;
        }
      }
    });
  }
}

void Workspace::weighHinges(const Model& model, const StepParams& params, Pass pass) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ModelBody& body = model.bodies[b];
    const HingeRows& hinges = model.hinges(body);
    const RowLaw law = bendLaw(params.cloth[b], params);
    for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i) {
      const float alpha = law.alpha_of_unit / hinges.stiffness[i];
      float own = 0, crowded = 0;
      for (int s = 0; s < 4; ++s) {
        const int c = s * hinges.size() + i, p = hinges.corner[c];
        const float a = hinges.weight[c] * hinges.weight[c] * model.inv_mass[p];
        own += a;
        crowded += a * crowd_[p];
      }
      const float share = counted_ ? rowShare(own, alpha) : 1.0f;
      if (pass == Pass::count) {
        for (int s = 0; s < 4; ++s) crowd_[hinges.corner[s * hinges.size() + i]] += share;
        continue;
      }
      const float alone = (1 + law.rho) * own + alpha;
      const float shared = (1 + law.rho) * crowded / share + alpha;
      const float diagonal = split_ ? shared : alone;
      if (alone > 0) crowd_bound_ = std::max(crowd_bound_, shared / alone);
      if (body.bend == BendModel::quadratic) {
        quadratic.alpha[i] = alpha;
        quadratic.inv_diagonal[i] = own > 0 ? 1.0f / diagonal : 0.0f;
      } else {
        dihedral.alpha[i] = alpha;
        for (int s = 0; s < 4; ++s) {
          const int c = s * hinges.size() + i;
          dihedral.split[c] = split_ ? crowd_[hinges.corner[c]] / share : 1.0f;
        }
      }
    }
  }
}

std::size_t Workspace::bytes() const {
  std::size_t sum = bytesOf(x_start) + bytesOf(x_new) + bytesOf(momentum) + bytesOf(push) + bytesOf(partial);
  for (const HalfEdges* half : {&rigid, &soft, &pull})
    sum += half->lists.bytes() + bytesOf(half->point) + bytesOf(half->rest) + bytesOf(half->inv_diagonal) +
           bytesOf(half->alpha) + bytesOf(half->rho) + bytesOf(half->lambda) + bytesOf(half->momentum);
  sum += bytesOf(quadratic.alpha) + bytesOf(quadratic.inv_diagonal) + bytesOf(quadratic.lambda) +
         bytesOf(quadratic.momentum) + bytesOf(dihedral.alpha) + bytesOf(dihedral.split) +
         bytesOf(dihedral.lambda) + bytesOf(dihedral.momentum) + bytesOf(membrane.alpha) +
         bytesOf(membrane.inv_diagonal) + bytesOf(membrane.rest) + bytesOf(membrane.rho) +
         bytesOf(membrane.lambda) + bytesOf(membrane.momentum);
  sum += tets.bytes() + bend_lists.bytes() + bytesOf(bend_row) + bytesOf(bend_weight);
  for (const Changes* c : {&direction, &response})
    sum += bytesOf(c->points) + bytesOf(c->soft) + bytesOf(c->quadratic) + bytesOf(c->dihedral) +
           bytesOf(c->membrane);
  for (const std::vector<float>& e : energy) sum += bytesOf(e);
  for (const auto& body : multilevel) sum += body->bytes();
  if (projective) sum += projective->bytes();
  if (interleaved) sum += interleaved->bytes();
  return sum + coloured.bytes() + bytesOf(sequential.distance_lambda) + bytesOf(sequential.quadratic_lambda) +
         bytesOf(sequential.dihedral_lambda) + sequential.membrane.bytes() + bytesOf(crowd_) +
         bytesOf(cursor_);
}

}  // namespace repose
