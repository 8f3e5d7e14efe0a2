// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/cloth_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vectors.h"
#include "model/tethers.h"
#include "solve/hinge_stencil.h"
#include "solve/membrane_rows.h"

namespace repose {

namespace {

// At a point pin a whole cloth hangs on one edge of length a: it stretches by 2 T/(K a) however well one
// solves (cloth_study.md 2). A stiffness that keeps this under the goal is enough; more would only be harder
// to solve. The pull spreads with the distance from the pin, so only the cloth around it has to be that
// stiff, like the eyelet of a curtain.
constexpr float kGoal = 0.007f, kPinHeadroom = 10, kBulkHeadroom = 200;
// Ropes get a part of it, as Newton's method is at its worst where rows jump between slack and stiff. On soft
// sheets with a limit of 10 % this saves 15 to 40 % of the cycles; coarse ones exceed it by 0.1 % more, the
// hardest (24 cells, 20 N/m) by 1 % instead of 2 %.
constexpr float kRopeShare = 0.3f;

float pullOf(float mass, const WorldParams& world) {
  return 2 * 0.9f * mass * std::max(1.0f, length(world.gravity)) / kGoal;
}

template <class Visit>
void eachRow(const Model& model, BodySpan span, const Visit& visit) {
  for (int b = span.first; b <= span.last; ++b)
    for (int kind = 0; kind < kRowKinds; ++kind) {
      const Range rows = model.bodies[b].rows[kind];
      for (int i = rows.first; i < rows.first + rows.count; ++i) visit(b, static_cast<RowKind>(kind), i);
    }
}

int bodyOf(const Model& model, int point) {
  int b = 0;
  while (b + 1 < static_cast<int>(model.bodies.size()) && model.bodies[b + 1].points.first <= point) ++b;
  return b;
}

template <class Visit>
void eachStitch(const Model& model, BodySpan span, const Visit& visit) {
  for (int i = model.stitches.first; i < model.stitches.first + model.stitches.count; ++i) {
    const int b = bodyOf(model, model.distance.a[i]);
    if (b >= span.first && b <= span.last) visit(i);
  }
}

std::uint64_t pairKey(int a, int b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
}

}  // namespace

std::vector<BodySpan> sewnTogether(const Model& model) {
  std::vector<int> last(model.bodies.size());
  for (std::size_t b = 0; b < last.size(); ++b) last[b] = static_cast<int>(b);
  for (int i = model.stitches.first; i < model.stitches.first + model.stitches.count; ++i) {
    const int a = bodyOf(model, model.distance.a[i]), b = bodyOf(model, model.distance.b[i]);
    last[std::min(a, b)] = std::max(last[std::min(a, b)], std::max(a, b));
  }
  // what hangs on one rigid body is solved with it
  std::vector<int> first_on(model.rigid.size(), -1);
  for (const PointHold& hold : model.rigid.holds) {
    if (hold.to.rigid < 0 || model.rigid.bodies[hold.to.rigid].animated) continue;
    int& first = first_on[hold.to.rigid];
    if (first < 0) first = hold.body;
    const int a = std::min(first, hold.body), b = std::max(first, hold.body);
    last[a] = std::max(last[a], b);
  }
  std::vector<BodySpan> spans;
  for (int b = 0; b < static_cast<int>(last.size());) {
    BodySpan span{b, last[b]};
    for (int k = b; k <= span.last; ++k) span.last = std::max(span.last, last[k]);
    spans.push_back(span);
    b = span.last + 1;
  }
  return spans;
}

Status solvableApart(const Model& model) {
  const auto refuse = [&](int body) {
    return badInput(
        "soft body \"" + model.bodies[body].name +
        "\" is stitched to another body, hangs with another one on a rigid body, or stands between bodies "
        "that do: the method multilevel solves soft bodies one by one; use an attachment, list it after "
        "them, or set solver.method to gauss_seidel_coloured");
  };
  for (int i = model.stitches.first; i < model.stitches.first + model.stitches.count; ++i)
    for (const int p : {model.distance.a[i], model.distance.b[i]})
      if (const int b = bodyOf(model, p); model.bodies[b].tets.count > 0) return refuse(b);
  for (const BodySpan span : sewnTogether(model))
    for (int b = span.first; b <= span.last && span.first < span.last; ++b)
      if (model.bodies[b].tets.count > 0) return refuse(b);
  return {};
}

ClothRows::ClothRows(const Model& model, BodySpan bodies_span) : BodyPoints(model, bodies_span) {
  cursor_.resize(points());
  int count = 0;
  for (int p = 0; p < points(); ++p) count += model.source[first + p] >= 0;
  for (int b = span.first; b <= span.last; ++b) {
    OfBody body;
    body.points = {model.bodies[b].points.first - first, model.bodies[b].points.count};
    bodies.push_back(body);
  }
  last_cloth_.resize(bodies.size());
  addEdges(model);
  double sum = 0;
  std::size_t slots = 0;
  for (const float rest : edge_rest)
    if (rest > 0) sum += rest, ++slots;
  size_ = static_cast<float>(sum / std::max<std::size_t>(slots, 1)) * std::sqrt(static_cast<float>(count));
  measureReach(model);
  addBending(model);
  addPushes();
  boundBending();
}

// Order of the slots of each point: rows, stitches, edges of membranes; weigh() walks them alike. Free slots
// join a point to itself.
void ClothRows::addEdges(const Model& model) {
  std::vector<Link> links;
  const DistanceRows& rows = model.distance;
  const int none = -1;
  eachRow(model, span, [&](int, RowKind kind, int i) {
    links.push_back(
        {rows.a[i] - first, rows.b[i] - first, onlyPulls(kind) ? -rows.rest[i] : rows.rest[i], {none, none}});
  });
  eachStitch(model, span, [&](int i) {
    links.push_back({rows.a[i] - first, rows.b[i] - first, rows.rest[i], {none, none}});
  });
  addMembranes(model, links);

  const int n = points();
  std::fill(cursor_.begin(), cursor_.end(), 0);
  for (const Link& link : links) ++cursor_[link.a], ++cursor_[link.b];
  edges = SlicedLists(cursor_);
  const int slots = edges.slots();
  edge_point.resize(slots);
  for (int slice = 0; slice < n / 16; ++slice)
    for (int s = edges.start()[slice] * 16; s < edges.start()[slice + 1] * 16; ++s)
      edge_point[s] = slice * 16 + s % 16;
  edge_rest.assign(slots, 0.0f);
  edge_stiffness.assign(slots, 0.0f);
  edge_bend.assign(slots, 0.0f);
  edge.assign(static_cast<std::size_t>(width()) * slots, 0.0f);
  if (width() == 6) edge_triangle.assign(2 * slots, 3 * triangles.size);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  for (const Link& link : links)
    for (const auto& [me, other] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
      const int s = edges.slot(me, cursor_[me]++);
      edge_point[s] = other;
      edge_rest[s] = link.rest;
      if (width() == 6)
        for (int side = 0; side < 2; ++side)
          if (link.triangle_block[side] != none)
            edge_triangle[(2 * (s / 16) + side) * 16 + s % 16] = link.triangle_block[side];
    }
}

// Triangles of the bodies one behind the other, and a link for each edge of them; an edge of more than two
// triangles has several.
void ClothRows::addMembranes(const Model& model, std::vector<Link>& links) {
  const MembraneTriangles& all = model.membrane;
  for (int b = span.first; b <= span.last; ++b) {
    const Range from = model.bodies[b].membrane;
    bodies[b - span.first].membrane = {triangles.size, from.count};
    triangles.size += from.padded();
  }
  if (triangles.size == 0) return;
  const int size = triangles.size;
  triangles.corner.resize(3 * size);
  triangles.warp.resize(3 * size);
  triangles.weft.resize(3 * size);
  triangles.rest.assign(4 * size, 1.0f);
  triangles.stiffness.assign(4 * size, 0.0f);
  triangles.block.assign(6 * static_cast<std::size_t>(triangles.blockStride()), 0.0f);
  std::vector<std::pair<std::uint64_t, int>> sides;  // pair, block
  for (int b = span.first; b <= span.last; ++b) {
    const Range from = model.bodies[b].membrane;
    const int to = bodies[b - span.first].membrane.first;
    for (int t = 0; t < from.padded(); ++t)
      for (int s = 0; s < 3; ++s) {
        const int source = s * all.size() + from.first + t, place = s * size + to + t;
        triangles.corner[place] = all.corner[source] - first;
        triangles.warp[place] = all.warp[source];
        triangles.weft[place] = all.weft[source];
      }
    for (int t = to; t < to + from.count; ++t)
      for (int s = 0; s < 3; ++s)
        sides.emplace_back(pairKey(triangles.corner[s * size + t], triangles.corner[(s + 1) % 3 * size + t]),
                           s * size + t);
  }
  std::sort(sides.begin(), sides.end());
  // rest length of a side: edge vectors are the inverse of the weights' gradients
  const auto restOf = [&](int block) {
    const int s = block / size, t = block % size;
    const double u1 = triangles.warp[size + t], v1 = triangles.weft[size + t];
    const double u2 = triangles.warp[2 * size + t], v2 = triangles.weft[2 * size + t];
    const double det = u1 * v2 - v1 * u2;
    const double e1[2] = {v2 / det, -u2 / det}, e2[2] = {-v1 / det, u1 / det};
    const double x = s == 0 ? e1[0] : s == 1 ? e2[0] - e1[0] : e2[0];
    const double y = s == 0 ? e1[1] : s == 1 ? e2[1] - e1[1] : e2[1];
    return static_cast<float>(std::sqrt(x * x + y * y));
  };
  for (std::size_t k = 0; k < sides.size();) {
    const bool two = k + 1 < sides.size() && sides[k + 1].first == sides[k].first;
    links.push_back({static_cast<int>(sides[k].first >> 32),
                     static_cast<int>(sides[k].first & 0xffffffffu),
                     restOf(sides[k].second),
                     {sides[k].second, two ? sides[k + 1].second : -1}});
    k += two ? 2 : 1;
  }
}

// The matrix of all hinges as weights between pairs (its rows sum to zero): on edges where there are edges.
void ClothRows::addBending(const Model& model) {
  std::vector<std::pair<std::uint64_t, float>> terms;
  for (int b = span.first; b <= span.last; ++b) {
    const ModelBody& cloth = model.bodies[b];
    const HingeRows& rows = model.hinges(cloth);
    OfBody& body = bodies[b - span.first];
    body.dihedral = cloth.bend == BendModel::dihedral;
    for (int i = cloth.hinges.first; i < cloth.hinges.first + cloth.hinges.count; ++i) {
      float weight[4];
      flatStencil(rows, i, body.dihedral, weight);
      for (int s = 0; s < 4; ++s)
        for (int t = s + 1; t < 4; ++t)
          terms.emplace_back(
              pairKey(rows.corner[s * rows.size() + i] - first, rows.corner[t * rows.size() + i] - first),
              -rows.stiffness[i] * weight[s] * weight[t]);
    }
    if (body.dihedral) {
      body.hinges = {hinges.size, cloth.hinges.count};
      hinges.size += cloth.hinges.padded();
    }
  }
  std::stable_sort(terms.begin(), terms.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<WeightedPair> apart;
  for (std::size_t k = 0; k < terms.size();) {
    const std::uint64_t key = terms[k].first;
    float weight = 0;
    for (; k < terms.size() && terms[k].first == key; ++k) weight += terms[k].second;
    const auto a = static_cast<int>(key >> 32), b = static_cast<int>(key & 0xffffffffu);
    const auto slotOf = [&](int me, int other) {
      for (int e = 0; e < edges.start()[me / 16 + 1] - edges.start()[me / 16]; ++e)
        if (edge_point[edges.slot(me, e)] == other) return edges.slot(me, e);
      return -1;
    };
    const int sa = slotOf(a, b), sb = slotOf(b, a);
    if (sa >= 0)
      edge_bend[sa] = edge_bend[sb] = weight;
    else
      apart.push_back({a, b, weight});
  }
  listBends(apart);
  addHinges(model);
}

// Weights of pairs that have no edge.
void ClothRows::listBends(const std::vector<WeightedPair>& apart) {
  std::fill(cursor_.begin(), cursor_.end(), 0);
  for (const WeightedPair& pair : apart) ++cursor_[pair.a], ++cursor_[pair.b];
  bends = SlicedLists(cursor_);
  bend_point.assign(bends.slots(), 0);
  bend_weight.assign(bends.slots(), 0.0f);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  for (const WeightedPair& pair : apart)
    for (const auto& [me, other] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
      const int s = bends.slot(me, cursor_[me]++);
      bend_point[s] = other;
      bend_weight[s] = pair.weight;
    }
}

// What is measured by its angle.
void ClothRows::addHinges(const Model& model) {
  hinges.corner.resize(4 * hinges.size);
  hinges.weight.resize(4 * hinges.size);
  hinges.stiffness.resize(hinges.size);
  hinges.rest_now.resize(hinges.size);
  for (int b = span.first; b <= span.last; ++b) {
    if (!bodies[b - span.first].dihedral) continue;
    const Range from = model.bodies[b].hinges;
    const int to = bodies[b - span.first].hinges.first;
    for (int i = 0; i < from.padded(); ++i) {
      float weight[4];
      flatStencil(model.dihedral, from.first + i, true, weight);
      for (int s = 0; s < 4; ++s) {
        const int at = s * hinges.size + to + i;
        hinges.corner[at] = model.dihedral.corner[s * model.dihedral.size() + from.first + i] - first;
        hinges.weight[at] = weight[s];
      }
      hinges.stiffness[to + i] = model.dihedral.stiffness[from.first + i];
    }
  }
}

void ClothRows::addPushes() {
  const auto each = [&](auto&& visit) {
    for (const OfBody& body : bodies) {
      for (int t = body.membrane.first; t < body.membrane.first + body.membrane.count; ++t)
        for (int s = 0; s < 3; ++s) visit(triangles.corner[s * triangles.size + t], s * triangles.size + t);
      for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i)
        for (int s = 0; s < 4; ++s)
          visit(hinges.corner[s * hinges.size + i], 3 * triangles.size + s * hinges.size + i);
    }
  };
  std::fill(cursor_.begin(), cursor_.end(), 0);
  each([&](int p, int) { ++cursor_[p]; });
  pushes = SlicedLists(cursor_);
  push.resize(3 * triangles.size + 4 * hinges.size + 1);
  push_slot.assign(pushes.slots(), static_cast<int>(push.size()) - 1);
  std::fill(cursor_.begin(), cursor_.end(), 0);
  each([&](int p, int slot) { push_slot[pushes.slot(p, cursor_[p]++)] = slot; });
}

// Patches of pins are what edges between pins join; from each the way along the edges.
void ClothRows::measureReach(const Model& model) {
  const int n = points();
  std::vector<int> patch(n, -1);
  std::vector<float> size;
  const auto eachNear = [&](int p, auto&& visit) {
    for (int k = edges.start()[p / 16]; k < edges.start()[p / 16 + 1]; ++k) {
      const int s = k * 16 + p % 16;
      if (edge_point[s] != p && edge_rest[s] > 0) visit(edge_point[s], edge_rest[s]);
    }
  };
  std::vector<int> pins;
  for (const ModelPin& pin : model.pins)
    if (pin.body >= span.first && pin.body <= span.last) pins.push_back(pin.point - first);
  std::sort(pins.begin(), pins.end());
  std::vector<bool> pinned(n, false);
  for (const int p : pins) pinned[p] = true;
  std::vector<int> stack;
  for (const int p : pins) {
    if (patch[p] >= 0) continue;
    const auto id = static_cast<int>(size.size());
    stack.assign(1, p);
    patch[p] = id;
    float edge_sum = 0;
    int members = 0, edge_count = 0;
    while (!stack.empty()) {
      const int q = stack.back();
      stack.pop_back();
      ++members;
      eachNear(q, [&](int other, float rest) {
        if (!pinned[other]) return;
        edge_sum += rest, ++edge_count;
        if (patch[other] < 0) patch[other] = id, stack.push_back(other);
      });
    }
    // that of a square patch; a row is longer, which only makes it safer
    size.push_back(edge_count > 0
                       ? std::sqrt(static_cast<float>(members)) * edge_sum / static_cast<float>(edge_count)
                       : 0.0f);
  }
  std::vector<WayEdge> ways;
  for (int p = 0; p < n; ++p)
    eachNear(p, [&](int other, float rest) {
      if (other > p) ways.push_back({p, other, rest});
    });
  std::vector<float> start(n, std::numeric_limits<float>::infinity());
  for (const int p : pins) start[p] = size[patch[p]];
  reach_ = shortestWays(ways, start).length;
}

// Largest eigenvalue of D^-1 Q by power steps; Q is 20 on the diagonal of a grid with 44 beside it, so more
// than the 2 of springs.
void ClothRows::boundBending() {
  const int n = points();
  std::vector<double> v(n), w(n), diagonal(n, 0.0);
  for (int p = 0; p < n; ++p) v[p] = (p % 2 ? -1.0 : 1.0) * (1 + 0.1 * (p % 7));
  const auto each = [&](int p, auto&& visit) {
    for (int k = edges.start()[p / 16]; k < edges.start()[p / 16 + 1]; ++k)
      visit(edge_point[k * 16 + p % 16], edge_bend[k * 16 + p % 16]);
    for (int k = bends.start()[p / 16]; k < bends.start()[p / 16 + 1]; ++k)
      visit(bend_point[k * 16 + p % 16], bend_weight[k * 16 + p % 16]);
  };
  for (int p = 0; p < n; ++p) each(p, [&](int, float q) { diagonal[p] += q; });
  for (int step = 0; step < 30; ++step) {
    double norm = 0, grown = 0;
    for (int p = 0; p < n; ++p) {
      double sum = 0;
      each(p, [&](int other, float q) { sum += q * (v[p] - v[other]); });
      w[p] = diagonal[p] > 0 && mass[p] > 0 ? sum / diagonal[p] : 0;
      norm += v[p] * v[p];
      grown += w[p] * w[p];
    }
    if (!(grown > 0) || !(norm > 0)) return;
    bend_bound = std::max(2.0f, static_cast<float>(1.05 * std::sqrt(grown / norm)));
    const double scale = 1 / std::sqrt(grown);
    for (int p = 0; p < n; ++p) v[p] = w[p] * scale;
  }
}

std::vector<Edge> ClothRows::graph() const {
  std::vector<Edge> list;
  for (int p = 0; p < points(); ++p)
    for (int k = edges.start()[p / 16]; k < edges.start()[p / 16 + 1]; ++k) {
      const int s = k * 16 + p % 16;
      if (edge_point[s] > p)
        list.push_back({p, edge_point[s], s / 16 * 16 * width() + s % 16, edge_rest[s] >= 0});
    }
  return list;
}

std::vector<WeightedPair> ClothRows::bendPairs() const {
  std::vector<WeightedPair> list;
  for (int p = 0; p < points(); ++p)
    for (int k = bends.start()[p / 16]; k < bends.start()[p / 16 + 1]; ++k) {
      const int s = k * 16 + p % 16;
      if (bend_point[s] > p) list.push_back({p, bend_point[s], bend_weight[s]});
    }
  return list;
}

float ClothRows::enoughStiffness(const WorldParams& world) const {
  return kBulkHeadroom * pullOf(total_mass, world) / std::max(size_, 1e-6f);
}

double ClothRows::energyTolerance(const WorldParams& world) const {
  return 1e-4 * total_mass * size_ * std::max(1.0f, length(world.gravity));
}

void ClothRows::weigh(const Model& model, const State& state, const StepParams& params) {
  const float gravity = length(params.world.gravity);
  bool same = params.h == last_h_ && gravity == last_gravity_ && state.rest_changes == last_rest_;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    same = same && params.cloth[span.first + b] == last_cloth_[b];
  if (same) return;
  last_h_ = params.h, last_gravity_ = gravity, last_rest_ = state.rest_changes;
  const std::vector<float>& rests = restLengths(model, state);
  damped = false;
  mean_bend = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ClothParams& cloth = last_cloth_[b] = params.cloth[span.first + b];
    OfBody& body = bodies[b];
    body.stretch_rho = cloth.stretchdamping / params.h;
    body.bend_rho = cloth.benddamping / params.h;
    body.bend = cloth.bendstiffness * (1 + body.bend_rho);
    body.rest_scale = cloth.restscale;
    mean_bend += body.bend / static_cast<float>(bodies.size());
    const Range neighbours = model.bodies[span.first + b].rows[static_cast<int>(RowKind::neighbour)];
    damped = damped || body.stretch_rho > 0 || (body.bend_rho > 0 && neighbours.count > 0);
  }
  if (damped && edge_rho.empty()) edge_rho.assign(edges.slots(), 0.0f), rest_now.assign(edges.slots(), 0.0f);

  const float bulk = enoughStiffness(params.world);
  const float pin = kPinHeadroom * pullOf(total_mass, params.world);
  const auto enough = [&](int a, int b, float rest) {
    return std::max(bulk, pin / std::max({std::min(reach_[a], reach_[b]), rest, 1e-6f}));
  };
  std::fill(cursor_.begin(), cursor_.end(), 0);
  const auto put = [&](int i, float rest, float stiffness, float rho) {
    for (const int p : {model.distance.a[i] - first, model.distance.b[i] - first}) {
      const int s = edges.slot(p, cursor_[p]++);
      edge_rest[s] = rest;
      edge_stiffness[s] = stiffness * (1 + rho);
      if (damped) edge_rho[s] = rho;
    }
  };
  eachRow(model, span, [&](int b, RowKind kind, int i) {
    const OfBody& body = bodies[b - span.first];
    const ClothParams& cloth = params.cloth[b];
    const float rest = rests[i];
    const float most = enough(model.distance.a[i] - first, model.distance.b[i] - first, rest);
    if (onlyPulls(kind)) return put(i, -rest, kRopeShare * most, 0);
    if (kind == RowKind::neighbour)
      return put(i, rest, cloth.bendstiffness * model.distance.stiffness[i], body.bend_rho);
    const float k = kind == RowKind::stretch ? cloth.stretchstiffness : cloth.shearstiffness;
    put(i, rest, std::min(k, most) * model.distance.stiffness[i], body.stretch_rho);
  });
  eachStitch(model, span, [&](int i) {
    const float most = enough(model.distance.a[i] - first, model.distance.b[i] - first, rests[i]);
    put(i, rests[i], std::min(model.distance.stiffness[i], most), 0);
  });
  weighTriangles(model, params, bulk, pin);
}

void ClothRows::weighTriangles(const Model& model, const StepParams& params, float bulk, float pin) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const OfBody& body = bodies[b];
    const ClothParams& cloth = params.cloth[span.first + b];
    ClothParams solved = cloth;
    const int size = triangles.size, source = model.bodies[span.first + b].membrane.first;
    for (int t = body.membrane.first; t < body.membrane.first + body.membrane.count; ++t) {
      const int at = source + t - body.membrane.first;
      const int c[3] = {triangles.corner[t], triangles.corner[size + t], triangles.corner[2 * size + t]};
      const float reach = std::min({reach_[c[0]], reach_[c[1]], reach_[c[2]]});
      const float edge_length = std::sqrt(2 * model.membrane.stretch[at]);
      const float most = std::max(bulk, pin / std::max({reach, edge_length, 1e-6f}));
      solved.stretchstiffness = std::min(cloth.stretchstiffness, most);
      solved.weftstiffness = std::min(cloth.weftstiffness, most);
      solved.shearstiffness = std::min(cloth.shearstiffness, most);
      const FibreStiffness fibres = fibreStiffness(model.membrane, at, solved);
      for (int k = 0; k < kFibres; ++k)
        triangles.stiffness[k * size + t] = (1 + body.stretch_rho) * fibres.of[k];
      for (int k = 0; k < 4; ++k) triangles.rest[k * size + t] = body.rest_scale;
    }
  }
}

std::size_t ClothRows::bytes() const {
  return edges.bytes() + bends.bytes() + pushes.bytes() +
         bytesOf(mass, edge_point, edge_rest, edge_stiffness, edge_bend, edge, edge_triangle, edge_rho,
                 rest_now, bend_point, bend_weight, triangles.corner, triangles.warp, triangles.weft,
                 triangles.rest, triangles.stiffness, triangles.block, hinges.corner, hinges.rest_now,
                 hinges.stiffness, hinges.weight, push_slot, push, reach_, cursor_);
}

}  // namespace repose
