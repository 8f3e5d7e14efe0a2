// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/workspace.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace repose {

namespace {

template <class T>
std::size_t bytesOf(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

// Compliance below this share of the diagonal is lost in rounding: the row is rigid to the last bit that matters.
constexpr float kRigidShare = 1.0f / (1 << 26);

// How much of a crowd a row is: 1 when rigid, less the more its own compliance holds it back. Any positive choice
// keeps the bound of algorithms.md 3.1 c; this one lets soft rows slow down stiff ones little, and themselves little.
float rowShare(float a, float alpha) { return a > 0 ? std::sqrt(a / (a + alpha)) : 1.0f; }

template <class Visit>
void eachDistanceBatch(const Model& model, const Visit& visit) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int kind = 0; kind < kRowKinds; ++kind)
      visit(static_cast<int>(b), static_cast<RowKind>(kind), model.bodies[b].rows[kind]);
}

}  // namespace

RowLaw rowLaw(RowKind kind, const ClothParams& cloth, const StepParams& params) {
  const float stiffness = kind == RowKind::stretch ? cloth.stretchstiffness
                          : kind == RowKind::shear ? cloth.shearstiffness
                                                   : cloth.bendstiffness;
  const float damping = kind == RowKind::neighbour ? cloth.benddamping : cloth.stretchdamping;
  const float velocity_weight = params.solver.scheme == SolverScheme::sp ? params.solver.velocityweight : 0.0f;
  const float h2 = params.h * params.h;
  return {1.0f / (std::max(stiffness, 1e-12f) * h2), damping / params.h + velocity_weight};
}

RowLaw bendLaw(const ClothParams& cloth, const StepParams& params) {
  return rowLaw(RowKind::neighbour, cloth, params);
}

Workspace::Workspace(const Model& model, const StepParams& softest)
    : jacobi_(softest.solver.method != SolverMethod::gauss_seidel) {
  const std::size_t points = model.source.size();
  x_start.resize(points);
  force.resize(model.air.size() + 1);
  const std::size_t reductions = std::max<std::size_t>(points * 3, model.distance.a.size());
  partial.resize(reductions / 1024 + 8);
  crowd_.resize(points);
  cursor_.resize(points);
  bend_rho.resize(model.bodies.size());
  last_cloth_.resize(model.bodies.size());

  soft_.assign(model.bodies.size() * kRowKinds, false);
  eachDistanceBatch(model, [&](int body, RowKind kind, Range rows) {
    const RowLaw law = rowLaw(kind, softest.cloth[body], softest);
    bool yields = law.rho > 0;
    for (int i = rows.first; i < rows.first + rows.count && !yields; ++i) {
      const float a = model.inv_mass[model.distance.a[i]] + model.inv_mass[model.distance.b[i]];
      yields = law.alpha_of_unit > kRigidShare * a * model.distance.stiffness[i];
    }
    soft_[body * kRowKinds + static_cast<int>(kind)] = yields;
  });

  if (!jacobi_) {
    sequential.distance_lambda.resize(model.distance.size());
    sequential.quadratic_lambda.resize(model.quadratic.size());
    sequential.dihedral_lambda.resize(model.dihedral.size());
    return;
  }
  x_new.resize(points);
  momentum.resize(points);
  buildHalfEdges(model, rigid, false);
  buildHalfEdges(model, soft, true);
  for (std::vector<float>* v : {&soft.alpha, &soft.rho, &soft.lambda, &soft.momentum}) v->resize(soft.lists.slots());
  quadratic.alpha.resize(model.quadratic.size());
  quadratic.inv_diagonal.resize(model.quadratic.size());
  quadratic.lambda.resize(model.quadratic.size());
  quadratic.momentum.resize(model.quadratic.size());
  dihedral.alpha.resize(model.dihedral.size());
  dihedral.split.resize(4 * model.dihedral.size());
  dihedral.lambda.resize(model.dihedral.size());
  dihedral.momentum.resize(model.dihedral.size());
  buildBendLists(model);
}

// Entries in row order at both ends; free slots name their own point, whose edge to itself is nothing.
void Workspace::buildHalfEdges(const Model& model, HalfEdges& half, bool want_soft) {
  const DistanceRows& rows = model.distance;
  const auto eachRow = [&](auto&& visit) {
    eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
      if (isSoft(body, kind) != want_soft) return;
      for (int i = batch.first; i < batch.first + batch.count; ++i) visit(i);
    });
  };
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachRow([&](int i) { ++cursor_[rows.a[i]], ++cursor_[rows.b[i]]; });
  half.lists = SlicedLists(cursor_);
  half.point.resize(half.lists.slots());
  half.rest.assign(half.lists.slots(), 0.0f);
  half.inv_diagonal.assign(half.lists.slots(), 0.0f);
  for (int slice = 0; slice < model.numPoints() / 16; ++slice)
    for (int s = half.lists.start()[slice] * 16; s < half.lists.start()[slice + 1] * 16; ++s)
      half.point[s] = slice * 16 + s % 16;
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachRow([&](int i) {
    for (const auto& [me, other] : {std::pair(rows.a[i], rows.b[i]), std::pair(rows.b[i], rows.a[i])}) {
      const int s = half.lists.slot(me, cursor_[me]++);
      half.point[s] = other;
      half.rest[s] = rows.rest[i];
    }
  });
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
  };
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachCorner([&](int p, int, float) { ++cursor_[p]; });
  bend_lists = SlicedLists(cursor_);
  bend_row.assign(bend_lists.slots(), 0);
  bend_weight.assign(bend_lists.slots(), 0.0f);
  bend_push.resize(quads + 4 * dihedrals);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachCorner([&](int p, int row, float weight) {
    const int s = bend_lists.slot(p, cursor_[p]++);
    bend_row[s] = row;
    bend_weight[s] = weight;
  });
}

void Workspace::prepare(const Model& model, const StepParams& params) {
  const bool same = params.h == last_h_ && params.solver.omega == last_solver_.omega &&
                    params.solver.velocityweight == last_solver_.velocityweight &&
                    std::memcmp(last_cloth_.data(), params.cloth.data(),
                                last_cloth_.size() * sizeof(ClothParams)) == 0;
  if (same) return;
  last_h_ = params.h;
  last_solver_ = params.solver;
  last_cloth_ = params.cloth;
  for (std::size_t b = 0; b < bend_rho.size(); ++b) bend_rho[b] = bendLaw(params.cloth[b], params).rho;
  if (!jacobi_) return;

  // with a given omega rows are divided by their own diagonal; else by their share of the crowd at each end
  split_ = params.solver.omega <= 0;
  std::fill(crowd_.begin(), crowd_.end(), split_ ? 0.0f : 1.0f);
  if (split_) {
    weighDistance(model, params, Pass::count);
    weighHinges(model, params, Pass::count);
  }
  weighDistance(model, params, Pass::weigh);
  weighHinges(model, params, Pass::weigh);
}

void Workspace::weighDistance(const Model& model, const StepParams& params, Pass pass) {
  const DistanceRows& rows = model.distance;
  for (HalfEdges* half : {&rigid, &soft}) {
    std::fill(cursor_.begin(), cursor_.end(), 0);
    eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
      if (isSoft(body, kind) != (half == &soft)) return;
      const RowLaw law = rowLaw(kind, params.cloth[body], params);
      for (int i = batch.first; i < batch.first + batch.count; ++i) {
        const int a = rows.a[i], b = rows.b[i];
        const float wa = model.inv_mass[a], wb = model.inv_mass[b];
        const float alpha = half == &soft ? law.alpha_of_unit / rows.stiffness[i] : 0.0f;
        const float rho = half == &soft ? law.rho : 0.0f;
        const float share = split_ ? rowShare(wa + wb, alpha) : 1.0f;
        if (pass == Pass::count) {
          crowd_[a] += share;
          crowd_[b] += share;
          continue;
        }
        const float diagonal = (1 + rho) * (wa * crowd_[a] + wb * crowd_[b]) / share + alpha;
        for (const int me : {a, b}) {
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
      const float share = split_ ? rowShare(own, alpha) : 1.0f;
      if (pass == Pass::count) {
        for (int s = 0; s < 4; ++s) crowd_[hinges.corner[s * hinges.size() + i]] += share;
      } else if (body.bend == BendModel::quadratic) {
        quadratic.alpha[i] = alpha;
        quadratic.inv_diagonal[i] = own > 0 ? 1.0f / ((1 + law.rho) * crowded / share + alpha) : 0.0f;
      } else {
        dihedral.alpha[i] = alpha;
        for (int s = 0; s < 4; ++s) {
          const int c = s * hinges.size() + i;
          dihedral.split[c] = crowd_[hinges.corner[c]] / share;
        }
      }
    }
  }
}

std::size_t Workspace::bytes() const {
  std::size_t sum = bytesOf(x_start) + bytesOf(x_new) + bytesOf(momentum) + bytesOf(force) + bytesOf(partial);
  for (const HalfEdges* half : {&rigid, &soft})
    sum += half->lists.bytes() + bytesOf(half->point) + bytesOf(half->rest) + bytesOf(half->inv_diagonal) +
           bytesOf(half->alpha) + bytesOf(half->rho) + bytesOf(half->lambda) + bytesOf(half->momentum);
  sum += bytesOf(quadratic.alpha) + bytesOf(quadratic.inv_diagonal) + bytesOf(quadratic.lambda) +
         bytesOf(quadratic.momentum) + bytesOf(dihedral.alpha) + bytesOf(dihedral.split) +
         bytesOf(dihedral.lambda) + bytesOf(dihedral.momentum);
  sum += bytesOf(bend_push) + bend_lists.bytes() + bytesOf(bend_row) + bytesOf(bend_weight);
  return sum + bytesOf(sequential.distance_lambda) + bytesOf(sequential.quadratic_lambda) +
         bytesOf(sequential.dihedral_lambda) + bytesOf(crowd_) + bytesOf(cursor_);
}

}  // namespace repose
