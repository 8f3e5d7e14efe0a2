// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/elements.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"
#include "solve/distance_batches.h"
#include "solve/hinge_stencil.h"
#include "solve/membrane_rows.h"
#include "solve/tet_rows.h"
#include "solve/workspace.h"

namespace repose {

namespace {

// Stiffness times h^2 over what the masses weigh, at most: stiffer elements move no more than one can see,
// but an iteration leaves 1 - 1/(4 kStiffest) of the error of a float.
constexpr float kStiffest = 1e4f;
// Of ropes: a tether holds its own point alone, a limit what hangs on the edge.
constexpr float kTetherWeight = 100, kLimitWeight = 1000;

}  // namespace

PullElements::PullElements(const Model& model) : limit_weight(kLimitWeight) {
  for (const float w : model.inv_mass) mass.push_back(w > 0 ? 1 / w : 0), live.push_back(w > 0 ? 1 : 0);
  cursor_.resize(model.source.size());
  quadratic.assign(model.quadratic.size(), 0.0f);
  dihedral.assign(model.dihedral.size(), 0.0f);
  membrane.assign(kFibres * model.membrane.size(), 0.0f);
  tet.assign(model.tets.size(), 0.0f);
  strain_scale.assign(model.source.size(), 0.0f);
  for (std::vector<float>* v : {&bend_rho, &stretch_rho, &soft_rho, &rest_scale, &solved_share_})
    v->resize(model.bodies.size());
  buildSprings(model);
  buildPushes(model);
}

// Pins need no entries: nobody asks what pulls at them.
template <class Visit>
void PullElements::eachHalfSpring(const Model& model, const Visit& visit) {
  const DistanceRows& rows = model.distance;
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachDistanceBatch(model, [&](int, RowKind kind, Range batch) {
    for (int i = batch.first; i < batch.first + batch.count; ++i)
      for (const auto& [me, other] : {std::pair(rows.a[i], rows.b[i]), std::pair(rows.b[i], rows.a[i])})
        if (mass[me] > 0) visit(i, kind, other, springs.lists.slot(me, cursor_[me]++));
  });
}

void PullElements::buildSprings(const Model& model) {
  std::vector<int> length(model.source.size(), 0);
  const DistanceRows& rows = model.distance;
  eachDistanceBatch(model, [&](int, RowKind, Range batch) {
    for (int i = batch.first; i < batch.first + batch.count; ++i)
      for (const int me : {rows.a[i], rows.b[i]}) length[me] += mass[me] > 0;
  });
  springs.lists = SlicedLists(length);
  const int slots = springs.lists.slots();
  springs.point.assign(slots, 0);
  for (std::vector<float>* v : {&springs.rest, &springs.weight, &springs.rho}) v->assign(slots, 0.0f);
  eachHalfSpring(model, [&](int i, RowKind kind, int other, int s) {
    springs.point[s] = other;
    springs.rest[s] = onlyPulls(kind) ? -rows.rest[i] : rows.rest[i];
  });
}

void PullElements::takeRest(const Model& model, const State& state) {
  eachHalfSpring(model, [&](int i, RowKind kind, int, int s) {
    springs.rest[s] = onlyPulls(kind) ? -state.rest[i] : state.rest[i];
  });
}

// Pushes of quadratic hinges, of the corners of dihedral ones, of warps and wefts, of the corners of
// tetrahedra.
void PullElements::buildPushes(const Model& model) {
  const int quads = model.quadratic.size(), dihedrals = model.dihedral.size();
  const int membranes = quads + 4 * dihedrals, tets = membranes + 2 * model.membrane.size();
  const auto eachPush = [&](auto&& visit) {
    for (const ModelBody& body : model.bodies) {
      const HingeRows& hinges = model.hinges(body);
      const bool flat = body.bend == BendModel::quadratic;
      for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i)
        for (int s = 0; s < 4; ++s) {
          const int c = s * hinges.size() + i;
          visit(hinges.corner[c], flat ? i : quads + c, flat ? hinges.weight[c] : 1.0f);
        }
    }
    eachMembranePush(model, membranes, visit);
    for (const ModelBody& body : model.bodies)
      for (int i = body.tets.first; i < body.tets.first + body.tets.count; ++i)
        for (int s = 0; s < 4; ++s) {
          const int c = s * model.tets.size() + i;
          visit(model.tets.corner[c], tets + c, 1.0f);
        }
  };
  push.resize(tets + 4 * model.tets.size());
  std::vector<int> length(model.source.size(), 0);
  eachPush([&](int p, int, float) { length[p] += mass[p] > 0; });
  push_lists = SlicedLists(length);
  push_row.assign(push_lists.slots(), 0);
  push_weight.assign(push_lists.slots(), 0.0f);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachPush([&](int p, int row, float weight) {
    if (!(mass[p] > 0)) return;
    const int s = push_lists.slot(p, cursor_[p]++);
    push_row[s] = row, push_weight[s] = weight;
  });
}

std::vector<std::pair<int, int>> PullElements::neighbours(const Model& model) const {
  std::vector<std::pair<int, int>> pairs;
  eachDistanceBatch(model, [&](int, RowKind, Range batch) {
    for (int i = batch.first; i < batch.first + batch.count; ++i)
      pairs.emplace_back(model.distance.a[i], model.distance.b[i]);
  });
  const auto add = [&](const std::vector<int>& corner, int stride, Range range, int corners) {
    for (int i = range.first; i < range.first + range.count; ++i)
      for (int s = 0; s < corners; ++s)
        for (int t = s + 1; t < corners; ++t)
          pairs.emplace_back(corner[s * stride + i], corner[t * stride + i]);
  };
  for (const ModelBody& body : model.bodies) {
    add(model.hinges(body).corner, model.hinges(body).size(), body.hinges, 4);
    add(model.membrane.corner, model.membrane.size(), body.membrane, 3);
    add(model.tets.corner, model.tets.size(), body.tets, 4);
  }
  return pairs;
}

// a: what the masses weigh, sum c^2/m.
float PullElements::limited(int body, float weight, float a) {
  if (!(a > 0)) return 0;
  const float most = kStiffest / a;
  if (weight <= most) return weight;
  if (body >= 0) solved_share_[body] = std::min(solved_share_[body], most / weight);
  return most;
}

void PullElements::weigh(const Model& model, const State& state, const StepParams& params,
                         PointMatrix* matrix) {
  std::fill(solved_share_.begin(), solved_share_.end(), 1.0f);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    bend_rho[b] = bendLaw(params.cloth[b], params).rho;
    stretch_rho[b] = rowLaw(RowKind::stretch, params.cloth[b], params).rho;
    soft_rho[b] = model.bodies[b].tets.count > 0 ? params.soft[b].stiffdamping / params.h : 0.0f;
    rest_scale[b] = params.cloth[b].restscale;
  }
  matrix_ = matrix;
  if (matrix) matrix->clear();
  weighSprings(model, params);
  weighHinges(model, params);
  weighMembranes(model, params);
  weighTets(model, state, params);
  if (matrix) matrix->close();
}

void PullElements::addStencil(const int* corner, const float* c, int count, float weight, float rho) {
  if (matrix_) matrix_->addStencil(corner, c, count, double{weight} * (1 + rho));
}

void PullElements::weighSprings(const Model& model, const StepParams& params) {
  const DistanceRows& rows = model.distance;
  springs.damped = false;
  std::fill(cursor_.begin(), cursor_.end(), 0);
  eachDistanceBatch(model, [&](int body, RowKind kind, Range batch) {
    const bool rope = onlyPulls(kind);
    const RowLaw law = rowLaw(kind, body, params);
    const float rho = rope ? 0.0f : law.rho;
    springs.damped = springs.damped || (rho > 0 && batch.count > 0);
    for (int i = batch.first; i < batch.first + batch.count; ++i) {
      const int ends[2] = {rows.a[i], rows.b[i]};
      const float a = model.inv_mass[ends[0]] + model.inv_mass[ends[1]], difference[2] = {1, -1};
      const float weight = !rope ? limited(body, rows.stiffness[i] / law.alpha_of_unit, a)
                           : a > 0 && rows.stiffness[i] > 0
                               ? (kind == RowKind::tether ? kTetherWeight : limit_weight) / a
                               : 0.0f;
      for (const int me : ends) {
        if (!(mass[me] > 0)) continue;
        const int s = springs.lists.slot(me, cursor_[me]++);
        springs.weight[s] = weight, springs.rho[s] = rho;
      }
      addStencil(ends, difference, 2, weight, rho);
    }
  });
}

void PullElements::weighHinges(const Model& model, const StepParams& params) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ModelBody& body = model.bodies[b];
    const bool folded = body.bend == BendModel::dihedral;
    const HingeRows& hinges = model.hinges(body);
    const RowLaw law = bendLaw(params.cloth[b], params);
    for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i) {
      int corner[4];
      float stencil[4], a = 0;
      flatStencil(hinges, i, folded, stencil);
      for (int s = 0; s < 4; ++s) {
        corner[s] = hinges.corner[s * hinges.size() + i];
        a += stencil[s] * stencil[s] * model.inv_mass[corner[s]];
      }
      const float weight = limited(static_cast<int>(b), hinges.stiffness[i] / law.alpha_of_unit, a);
      (folded ? dihedral : quadratic)[i] = weight;
      addStencil(corner, stencil, 4, weight, law.rho);
    }
  }
}

void PullElements::weighMembranes(const Model& model, const StepParams& params) {
  const MembraneTriangles& m = model.membrane;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range triangles = model.bodies[b].membrane;
    for (int i = triangles.first; i < triangles.first + triangles.count; ++i) {
      const FibreStiffness stiffness = fibreStiffness(m, i, params.cloth[b]);
      for (int f = 0; f < kFibres; ++f) {
        const FibreRow row = fibreRow(model, i, f, stiffness, params.h);
        const float weight = row.exists ? limited(static_cast<int>(b), 1 / row.alpha, row.own()) : 0.0f;
        membrane[f * m.size() + i] = weight;
        int corner[3];
        float stencil[3];
        for (int s = 0; s < 3; ++s) {
          const int c = s * m.size() + i;
          corner[s] = m.corner[c];
          stencil[s] = fibreWeight(m.warp[c], m.weft[c], f);
        }
        addStencil(corner, stencil, 3, weight, stretch_rho[b]);
      }
    }
  }
}

// kappa V |F - R|^2 with kappa = E/2: a bar is as stiff as Young's modulus says, and does not narrow.
void PullElements::weighTets(const Model& model, const State& state, const StepParams& params) {
  const TetElements& tets = model.tets;
  std::fill(strain_scale.begin(), strain_scale.end(), 0.0f);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range range = model.bodies[b].tets;
    for (int i = range.first; i < range.first + range.count; ++i) {
      const RestTet rest = restTet(tets, restShapes(model, state), i);
      int corner[4];
      float a = 0;
      for (int s = 0; s < 4; ++s) {
        corner[s] = tets.corner[s * tets.size() + i];
        a += repose::dot(rest.y[s], rest.y[s]) * model.inv_mass[corner[s]];
      }
      const float modulus = params.soft[b].youngsmodulus * tets.stiffness[i];
      const float weight = limited(static_cast<int>(b), modulus * rest.volume * params.h * params.h, a);
      tet[i] = weight;
      for (int axis = 0; axis < 3; ++axis) {
        float stencil[4];
        for (int s = 0; s < 4; ++s)
          stencil[s] = axis == 0 ? rest.y[s].x : axis == 1 ? rest.y[s].y : rest.y[s].z;
        addStencil(corner, stencil, 4, weight, soft_rho[b]);
      }
      for (int s = 0; s < 4; ++s)
        if (mass[corner[s]] > 0) strain_scale[corner[s]] += weight * length(rest.y[s]);
    }
  }
  for (float& s : strain_scale) s = s > 0 ? 1 / s : 0.0f;
}

std::size_t PullElements::bytes() const {
  return springs.lists.bytes() + push_lists.bytes() +
         bytesOf(springs.point, springs.rest, springs.weight, springs.rho, mass, live, quadratic, dihedral,
                 membrane, tet, strain_scale, push, push_row, push_weight, cursor_);
}

}  // namespace repose
