// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Newton's method for one cloth. The linear solver is in multilevel_cycle.cpp.
#include "solve/multilevel/multilevel.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace repose {

namespace {

constexpr int kMostNewtons = 12, kMostHalvings = 6;
constexpr double kSlackTolerance = 300;

template <class Visit>
void eachRow(const ModelBody& body, const Visit& visit) {
  for (int kind = 0; kind < kRowKinds; ++kind)
    for (int i = body.rows[kind].first; i < body.rows[kind].first + body.rows[kind].count; ++i)
      visit(static_cast<RowKind>(kind), i);
}

}  // namespace

MultilevelCloth::MultilevelCloth(const Model& model, int body)
    : body_(body), first_(model.bodies[body].points.first) {
  const ModelBody& cloth = model.bodies[body];
  const int n = cloth.points.padded();
  mass_.resize(n);
  for (int p = 0; p < n; ++p) {
    const float w = model.inv_mass[first_ + p];
    mass_[p] = w > 0 ? 1 / w : 0;
    total_mass_ += mass_[p];
  }
  const Range sides = cloth.rows[static_cast<int>(RowKind::stretch)];
  for (int i = sides.first; i < sides.first + sides.count; ++i)
    mean_edge_ += model.distance.rest[i] / static_cast<float>(sides.count);
  size_ = mean_edge_ * std::sqrt(static_cast<float>(cloth.points.count));

  // edges: both ends have an entry; free slots join a point to itself
  std::vector<int> count(n, 0);
  eachRow(cloth, [&](RowKind, int i) {
    ++count[model.distance.a[i] - first_], ++count[model.distance.b[i] - first_];
  });
  edges_ = SlicedLists(count);
  edge_point_.resize(edges_.slots());
  for (int slice = 0; slice < n / 16; ++slice)
    for (int s = edges_.start()[slice] * 16; s < edges_.start()[slice + 1] * 16; ++s)
      edge_point_[s] = slice * 16 + s % 16;
  edge_rest_.assign(edges_.slots(), 0.0f);
  edge_stiffness_.assign(edges_.slots(), 0.0f);
  edge_.assign(4 * edges_.slots(), 0.0f);
  std::fill(count.begin(), count.end(), 0);
  std::vector<Edge> graph;
  eachRow(cloth, [&](RowKind, int i) {
    const int a = model.distance.a[i] - first_, b = model.distance.b[i] - first_;
    const int sa = edges_.slot(a, count[a]++), sb = edges_.slot(b, count[b]++);
    edge_point_[sa] = b, edge_point_[sb] = a;
    edge_rest_[sa] = edge_rest_[sb] = model.distance.rest[i];
    graph.push_back({a, b, sa / 16 * 64 + sa % 16});
  });

  // bending: the matrix of all hinges, as weights between pairs (its rows sum to zero)
  std::vector<std::map<int, float>> matrix(n);
  const HingeRows& hinges = model.hinges(cloth);
  for (int i = cloth.hinges.first; i < cloth.hinges.first + cloth.hinges.count; ++i)
    for (int s = 0; s < 4; ++s)
      for (int t = 0; t < 4; ++t) {
        const int cs = s * hinges.size() + i, ct = t * hinges.size() + i;
        if (s != t)
          matrix[hinges.corner[cs] - first_][hinges.corner[ct] - first_] -=
              hinges.stiffness[i] * hinges.weight[cs] * hinges.weight[ct];
      }
  for (int p = 0; p < n; ++p) count[p] = static_cast<int>(matrix[p].size());
  bends_ = SlicedLists(count);
  bend_point_.assign(bends_.slots(), 0);
  bend_weight_.assign(bends_.slots(), 0.0f);
  for (int p = 0; p < n; ++p) {
    int k = 0;
    for (const auto& [other, weight] : matrix[p]) {
      const int s = bends_.slot(p, k++);
      bend_point_[s] = other;
      bend_weight_[s] = weight;
    }
  }

  for (std::vector<Vec4f>* v : {&off_, &aim_, &trial_, &r_, &z_, &y_, &p_, &dx_}) v->resize(n);
  inverse_.resize(6 * n);
  value_.resize(n);
  partial_.resize(n / 1024 + 1);
  levels_ = buildHierarchy(n, mass_, graph);
}

// At a point pin a whole cloth hangs on one edge of length a: it stretches by 2 T/(K a) however well one
// solves (cloth_study.md 2). This K keeps that under the goal with room for swings; a stiffer one would only
// be harder to solve.
float MultilevelCloth::enoughStiffness(const WorldParams& world) const {
  constexpr float kGoal = 0.007f, kHeadroom = 10;
  const float tension = 0.9f * total_mass_ * std::max(1.0f, length(world.gravity));
  return kHeadroom * 2 * tension / (kGoal * mean_edge_);
}

// Stiffness of every edge for the parameters of this step.
void MultilevelCloth::weigh(const Model& model, const StepParams& params) {
  ClothParams cloth = params.cloth[body_];
  const float enough = enoughStiffness(params.world);
  cloth.stretchstiffness = std::min(cloth.stretchstiffness, enough);
  cloth.shearstiffness = std::min(cloth.shearstiffness, enough);
  bend_ = cloth.bendstiffness;
  if (cloth.stretchstiffness == last_stretch_ && cloth.shearstiffness == last_shear_ && bend_ == last_bend_)
    return;
  last_stretch_ = cloth.stretchstiffness, last_shear_ = cloth.shearstiffness, last_bend_ = bend_;
  std::vector<int> count(points(), 0);
  eachRow(model.bodies[body_], [&](RowKind kind, int i) {
    const float k = kind == RowKind::stretch ? cloth.stretchstiffness
                    : kind == RowKind::shear ? cloth.shearstiffness
                                             : cloth.bendstiffness;
    for (const int p : {model.distance.a[i] - first_, model.distance.b[i] - first_})
      edge_stiffness_[edges_.slot(p, count[p]++)] = k * model.distance.stiffness[i];
  });
}

void MultilevelCloth::begin(const State& state, float h, Backend& backend) {
  h_ = h;
  inv_h2_ = 1 / (h * h);
  axpy(state.x_low.data() + first_, state.v.data() + first_, h, off_, backend);
}

// aim = where the step would end without constraints; pins are where they are told to be.
void MultilevelCloth::aimPoints(const Model& model, const State& state, const StepParams& params,
                                Backend& backend) {
  axpy(state.x_low.data() + first_, state.v.data() + first_, h_, aim_, backend);
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    if (model.pins[k].body != body_) continue;
    const int p = model.pins[k].point - first_;
    const Vec3f way = params.pin_targets[k] - xyz(x_[p]);
    off_[p] = aim_[p] = {way.x, way.y, way.z, 0};
  }
}

StepResult MultilevelCloth::solve(const Model& model, State& state, const StepParams& params,
                                  Backend& backend) {
  x_ = state.x.data() + first_;
  weigh(model, params);
  aimPoints(model, state, params, backend);
  StepResult result;
  result.converged = false;
  for (int newton = 0; newton < kMostNewtons && !result.converged; ++newton) {
    assemble(backend);
    const double before = sum(value_, backend);
    buildCoarse(backend);
    const double predicted = conjugateGradients(params.solver.cycles, result.iterations, backend);

    // the full step, or half of it until the energy falls
    float step = 1;
    axpy(off_.data(), dx_.data(), step, trial_, backend);
    double after = energyAt(trial_, backend);
    // What the quadratic model missed (multilevel_study.md 6): more than the tolerance asks for another
    // Newton. Where the energy fell further than predicted the cloth is slack and merely late, which is
    // allowed more.
    const double missed = after - before + predicted, tolerance = energyTolerance(params);
    result.converged = missed <= tolerance && -missed <= kSlackTolerance * tolerance;
    for (int k = 0; k < kMostHalvings && !result.converged && !(after <= before); ++k) {
      step *= 0.5f;
      axpy(off_.data(), dx_.data(), step, trial_, backend);
      after = energyAt(trial_, backend);
    }
    if (!result.converged && !(after <= before)) break;
    off_.swap(trial_);
  }

  ml_integrate_args a;
  a.x = state.x.data() + first_, a.x_low = state.x_low.data() + first_, a.v = state.v.data() + first_;
  a.off = off_.data(), a.inv_h = 1 / h_;
  backend.launchLanes(points(), a);
  return result;
}

double MultilevelCloth::energyTolerance(const StepParams& params) const {
  return 1e-5 * total_mass_ * size_ * std::max(1.0f, length(params.world.gravity));
}

// What assembly and energy both read: the cloth at x + off.
template <class Args>
Args MultilevelCloth::clothAt(const std::vector<Vec4f>& off) {
  Args a;
  a.x = x_, a.off = off.data(), a.aim = aim_.data(), a.mass = mass_.data();
  a.edge_start = edges_.start().data(), a.edge_point = edge_point_.data();
  a.edge_stiffness = edge_stiffness_.data(), a.edge_rest = edge_rest_.data();
  a.bend_start = bends_.start().data(), a.bend_point = bend_point_.data();
  a.bend_weight = bend_weight_.data(), a.bend = bend_;
  a.energy = value_.data(), a.inv_h2 = inv_h2_;
  return a;
}

void MultilevelCloth::assemble(Backend& backend) {
  auto a = clothAt<ml_assemble_args>(off_);
  a.edge = edge_.data(), a.residual = r_.data(), a.inverse = inverse_.data(), a.stride = points();
  backend.launchLanes(points(), a);
}

double MultilevelCloth::energyAt(const std::vector<Vec4f>& off, Backend& backend) {
  backend.launchLanes(points(), clothAt<ml_energy_args>(off));
  return sum(value_, backend);
}

double MultilevelCloth::sum(const std::vector<float>& values, Backend& backend) {
  const int blocks = (points() + 1023) / 1024;
  ml_sum_args a;
  a.value = values.data(), a.result = partial_.data(), a.count = points();
  backend.launch(blocks, a);
  double total = 0;
  for (int k = 0; k < blocks; ++k) total += partial_[k];
  return total;
}

void MultilevelCloth::axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend) {
  ml_axpy_args args;
  args.a = a, args.b = b, args.y = y.data(), args.s = s;
  backend.launchLanes(points(), args);
}

std::size_t MultilevelCloth::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t all = of(mass_) + edges_.bytes() + of(edge_point_) + of(edge_rest_) + of(edge_stiffness_) +
                    of(edge_) + bends_.bytes() + of(bend_point_) + of(bend_weight_) + of(inverse_) +
                    of(value_);
  for (const auto* v : {&off_, &aim_, &trial_, &r_, &z_, &y_, &p_, &dx_}) all += of(*v);
  for (const CoarseLevel& level : levels_) all += level.bytes();
  return all;
}

}  // namespace repose
