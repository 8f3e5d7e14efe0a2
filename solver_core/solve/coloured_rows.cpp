// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/coloured_rows.h"

#include "base/vectors.h"
#include "solve/workspace.h"

namespace repose {

namespace {

// ends: how many of a row's points it may move.
template <class Wanted>
void buildEdges(const Model& model, const Wanted& wanted, int ends, ColouredRows::Edges& edges) {
  std::vector<OrderedRow> rows;
  std::vector<RowKind> kind_of(model.distance.size());
  const auto addBatch = [&](int body, RowKind kind, Range batch) {
    if (!wanted(body, kind)) return;
    for (int i = batch.first; i < batch.first + batch.count; ++i) {
      rows.push_back({i, body});
      kind_of[i] = kind;
    }
  };
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int k = 0; k < kRowKinds; ++k)
      addBatch(static_cast<int>(b), static_cast<RowKind>(k), model.bodies[b].rows[k]);
  addBatch(-1, RowKind::stitch, model.stitches);
  const DistanceRows& d = model.distance;
  edges.order = orderByColour(std::move(rows), model.numPoints(), ends,
                              [&](int i, int s) { return s ? d.b[i] : d.a[i]; });
  const auto inOrder = [&](const auto& of_row, auto& of_entry) {
    of_entry.reserve(edges.order.row.size());
    for (const int i : edges.order.row) of_entry.push_back(of_row[i]);
  };
  inOrder(kind_of, edges.kind);
  inOrder(d.a, edges.a);
  inOrder(d.b, edges.b);
  inOrder(d.rest, edges.rest);
  edges.inv_diagonal.resize(edges.order.size());
}

void buildHinges(const Model& model, const HingeRows& from, BendModel bend, ColouredRows::Hinges& hinges) {
  std::vector<OrderedRow> rows;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].bend != bend) continue;
    const Range batch = model.bodies[b].hinges;
    for (int i = batch.first; i < batch.first + batch.count; ++i) rows.push_back({i, static_cast<int>(b)});
  }
  hinges.order = orderByColour(std::move(rows), model.numPoints(), 4,
                               [&](int i, int s) { return from.corner[s * from.size() + i]; });
  const int size = hinges.order.size();
  hinges.corner.resize(4 * size);
  hinges.weight.resize(4 * size);
  for (int s = 0; s < 4; ++s)
    for (int e = 0; e < size; ++e) {
      hinges.corner[s * size + e] = from.corner[s * from.size() + hinges.order.row[e]];
      hinges.weight[s * size + e] = from.weight[s * from.size() + hinges.order.row[e]];
    }
  for (std::vector<float>* v : {&hinges.inv_diagonal, &hinges.alpha, &hinges.rho}) v->resize(size);
  if (bend == BendModel::quadratic) {
    hinges.vector_lambda.resize(size);
  } else {
    hinges.lambda.resize(size);
    hinges.rest_angle.reserve(size);
    for (const int i : hinges.order.row) hinges.rest_angle.push_back(from.rest_angle[i]);
  }
}

ColourOrder orderTriangles(const Model& model) {
  std::vector<OrderedRow> rows;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range batch = model.bodies[b].membrane;
    for (int i = batch.first; i < batch.first + batch.count; ++i) rows.push_back({i, static_cast<int>(b)});
  }
  return orderByColour(std::move(rows), model.numPoints(), 3,
                       [&](int i, int s) { return model.membrane.corner[s * model.membrane.size() + i]; });
}

}  // namespace

void ColouredRows::build(const Model& model, const SortOf& sort_of) {
  const auto are = [&](RowSort sort) {
    return [&sort_of, sort](int body, RowKind kind) { return sort_of(body, kind) == sort; };
  };
  buildEdges(model, are(RowSort::rigid), 2, rigid);
  buildEdges(model, are(RowSort::soft), 2, soft);
  for (std::vector<float>* v : {&soft.alpha, &soft.rho, &soft.lambda}) v->resize(soft.order.size());
  buildLimits(model);
  // b is a pin, which many share
  buildEdges(
      model, [](int, RowKind kind) { return kind == RowKind::tether; }, 1, tether);
  buildHinges(model, model.quadratic, BendModel::quadratic, quadratic);
  buildHinges(model, model.dihedral, BendModel::dihedral, dihedral);
  membrane.build(model, orderTriangles(model));
}

void ColouredRows::buildLimits(const Model& model) {
  buildEdges(
      model, [](int, RowKind kind) { return kind == RowKind::limit; }, 2, limit);
}

void ColouredRows::takeRest(const std::vector<float>& rest) {
  for (Edges* edges : {&rigid, &soft, &limit, &tether})
    for (int e = 0; e < edges->order.size(); ++e) edges->rest[e] = rest[edges->order.row[e]];
}

void ColouredRows::takeRestAngles(const std::vector<float>& angles) {
  for (int e = 0; e < dihedral.order.size(); ++e) dihedral.rest_angle[e] = angles[dihedral.order.row[e]];
}

void ColouredRows::weigh(const Model& model, const StepParams& params) {
  for (Edges* edges : {&rigid, &soft, &limit, &tether})
    for (int e = 0; e < edges->order.size(); ++e) {
      const float w = model.inv_mass[edges->a[e]] + model.inv_mass[edges->b[e]];
      RowLaw law{0, 0};
      if (edges == &soft) {
        law = rowLaw(edges->kind[e], edges->order.body[e], params);
        edges->alpha[e] = law.alpha_of_unit / model.distance.stiffness[edges->order.row[e]];
        edges->rho[e] = law.rho;
      }
      const float alpha = edges == &soft ? edges->alpha[e] : 0.0f;
      edges->inv_diagonal[e] = w > 0 ? 1 / ((1 + law.rho) * w + alpha) : 0.0f;
    }
  for (Hinges* hinges : {&quadratic, &dihedral}) {
    const HingeRows& from = hinges == &quadratic ? model.quadratic : model.dihedral;
    for (int e = 0; e < hinges->order.size(); ++e) {
      const RowLaw law = bendLaw(params.cloth[hinges->order.body[e]], params);
      hinges->alpha[e] = law.alpha_of_unit / from.stiffness[hinges->order.row[e]];
      hinges->rho[e] = law.rho;
      float own = 0;
      for (int s = 0; s < 4; ++s) {
        const int c = s * hinges->order.size() + e;
        own += hinges->weight[c] * hinges->weight[c] * model.inv_mass[hinges->corner[c]];
      }
      hinges->inv_diagonal[e] = own > 0 ? 1 / ((1 + law.rho) * own + hinges->alpha[e]) : 0.0f;
    }
  }
  membrane.weigh(model, params);
}

std::size_t ColouredRows::bytes() const {
  std::size_t sum = 0;
  for (const Edges* e : {&rigid, &soft, &limit, &tether})
    sum += bytesOf(e->order.row) + bytesOf(e->order.body) + bytesOf(e->kind) + bytesOf(e->a) + bytesOf(e->b) +
           bytesOf(e->rest) + bytesOf(e->inv_diagonal) + bytesOf(e->alpha) + bytesOf(e->rho) +
           bytesOf(e->lambda);
  for (const Hinges* h : {&quadratic, &dihedral})
    sum += bytesOf(h->order.row) + bytesOf(h->order.body) + bytesOf(h->corner) + bytesOf(h->weight) +
           bytesOf(h->rest_angle) + bytesOf(h->inv_diagonal) + bytesOf(h->alpha) + bytesOf(h->rho) +
           bytesOf(h->vector_lambda) + bytesOf(h->lambda);
  return sum + membrane.bytes();
}

}  // namespace repose
