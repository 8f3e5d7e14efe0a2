// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/interleaved/interleaved.h"

#include <algorithm>
#include <cmath>

#include "solve/motion.h"
#include "solve/point_sums.h"
#include "solve/residual.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

// Perturbation over the mean edge: the root of the rounding of a float (algorithms.md 8). Differences of
// second order would bear the cube root, 0x1p-8f, but more springs would then go from taut to slack within
// one.
constexpr float kPerturbation = 0x1p-12f;
// By how much an edge may still be longer than its strain limit allows when a step ends.
constexpr float kLimitTolerance = 1e-2f;

}  // namespace

Interleaved::Interleaved(const Model& model) : elements_(model) {
  elements_.limit_weight = 0;
  for (std::vector<Vec4f>* v : {&way_, &change_, &residual_vector_, &direction_, &product_, &off_,
                                &rest_pull_, &above_, &below_, &spare_})
    v->resize(model.source.size());
  partial_.resize(model.source.size() / 1024 + 1);
  double sum = 0;
  int count = 0;
  for (const float rest : model.distance.rest)
    if (rest > 0) sum += rest, ++count;
  if (count > 0) edge_ = static_cast<float>(sum / count);
}

void Interleaved::findPull(const Model& model, const std::vector<Vec4f>& off, std::vector<Vec4f>& pull,
                           Backend& backend) {
  ic_quadratic_args q;
  q.x = x_, q.off = off.data(), q.corner = model.quadratic.corner.data();
  q.stencil = model.quadratic.weight.data(), q.weight = elements_.quadratic.data();
  q.push = elements_.push.data(), q.stride = model.quadratic.size();
  ic_force_args f;
  f.x = x_, f.off = off.data(), f.mass = elements_.mass.data();
  f.spring_start = elements_.springs.lists.start().data(), f.spring_point = elements_.springs.point.data();
  f.spring_rest = elements_.springs.rest.data(), f.spring_weight = elements_.springs.weight.data();
  f.spring_rho = elements_.springs.rho.data(), f.push_start = elements_.push_lists.start().data();
  f.push_row = elements_.push_row.data(), f.push_weight = elements_.push_weight.data();
  f.push = elements_.push.data(), f.pull = pull.data();
  backend.inOrder([&] {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].bend != BendModel::quadratic) continue;
      q.rho = elements_.bend_rho[b], q.first_entry = model.bodies[b].hinges.first;
      backend.launchLanes(model.bodies[b].hinges.padded(), q);
    }
    backend.launchLanes(model.numPoints(), f);
  });
}

void Interleaved::multiply(const Model& model, const std::vector<Vec4f>& p, float inertia,
                           std::vector<Vec4f>& y, Backend& backend) {
  ic_difference_args d;
  d.p = p.data(), d.mass = elements_.mass.data(), d.y = y.data(), d.inertia = inertia;
  const float most = largestOfPoints(p, elements_.live, partial_, backend);
  const float eps = most > 0 ? kPerturbation * edge_ / most : 0.0f;
  std::fill(spare_.begin(), spare_.end(), Vec4f{});
  axpy(spare_, p, eps, off_, backend);
  findPull(model, off_, above_, backend);
  d.above = above_.data(), d.below = rest_pull_.data(), d.inv = eps > 0 ? 1 / eps : 0.0f;
  if (second_order_ && eps > 0) {
    axpy(spare_, p, -eps, off_, backend);
    findPull(model, off_, below_, backend);
    d.below = below_.data(), d.inv = 0.5f / eps;
  }
  backend.launchLanes(model.numPoints(), d);
}

// (M - h^2 K) change = h^2 (f_0 + K way).
void Interleaved::begin(const Model& model, const State& state, const std::vector<Vec4f>& x_start,
                        bool second_order, Backend& backend) {
  second_order_ = second_order;
  x_ = x_start.data();
  axpy(state.x, x_start, -1, way_, backend);
  std::fill(change_.begin(), change_.end(), Vec4f{});
  std::fill(off_.begin(), off_.end(), Vec4f{});
  findPull(model, off_, rest_pull_, backend);
  multiply(model, way_, 0, product_, backend);
  std::fill(spare_.begin(), spare_.end(), Vec4f{});
  axpy(spare_, rest_pull_, -1, above_, backend);
  axpy(above_, product_, -1, residual_vector_, backend);
  keepAlong(model, residual_vector_);
  direction_ = residual_vector_;
  residual_ = start_ = dot(residual_vector_, residual_vector_, backend);
}

bool Interleaved::iterate(const Model& model, Backend& backend) {
  multiply(model, direction_, 1, product_, backend);
  keepAlong(model, product_);
  const double curvature = dot(direction_, product_, backend);
  if (!(curvature > 0) || !(residual_ > 0)) return false;
  const auto alpha = static_cast<float>(residual_ / curvature);
  axpy(change_, direction_, alpha, spare_, backend);
  change_.swap(spare_);
  axpy(residual_vector_, product_, -alpha, spare_, backend);
  residual_vector_.swap(spare_);
  const double last = residual_;
  residual_ = dot(residual_vector_, residual_vector_, backend);
  axpy(residual_vector_, direction_, static_cast<float>(residual_ / last), spare_, backend);
  direction_.swap(spare_);
  return true;
}

// S = u u^T of points that slide (algorithms.md 8, [FIX 14]).
void Interleaved::keepAlong(const Model& model, std::vector<Vec4f>& v) {
  for (const ModelSlide& slide : model.slides) {
    Vec4f& at = v[slide.at.point];
    const Vec3f along = slide.line * repose::dot(slide.line, xyz(at));
    at = {along.x, along.y, along.z, 0};
  }
}

// x_start + way + change.
void Interleaved::place(State& state, Backend& backend) {
  ic_place_args a;
  a.x_start = x_, a.way = way_.data(), a.change = change_.data(), a.x = state.x.data();
  backend.launchLanes(static_cast<int>(state.x.size()), a);
}

// Filters change the free motion, not what conjugate gradients know of (algorithms.md 8).
void Interleaved::takeFiltered(const State& state, Backend& backend) {
  ic_filtered_args a;
  a.x_start = x_, a.change = change_.data(), a.x = state.x.data(), a.way = way_.data();
  backend.launchLanes(static_cast<int>(state.x.size()), a);
}

void Interleaved::axpy(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, float s,
                       std::vector<Vec4f>& y, Backend& backend) {
  ml_axpy_args args;
  args.a = a.data(), args.b = b.data(), args.y = y.data(), args.s = s;
  backend.launchLanes(static_cast<int>(y.size()), args);
}

double Interleaved::dot(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, Backend& backend) {
  return dotPoints(a, b, elements_.live, partial_, backend);
}

StepResult solveInterleaved(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend) {
  Interleaved& cg = *work.interleaved;
  const SolverParams& solver = params.solver;
  cg.begin(model, state, work.x_start, solver.productorder == 2, backend);
  const ColouredRows::Edges& limits = work.coloured.limit;
  const auto kept = [&] {
    return limits.order.size() == 0 || beyondLimits(model, state, work, backend) <= kLimitTolerance;
  };
  const bool filtered = work.filter || limits.order.size() > 0;
  bool solving = true;
  StepResult result;
  for (; result.iterations < solver.iterations; ++result.iterations) {
    solving = solving && cg.left() > solver.cgtolerance && cg.iterate(model, backend);
    if (!solving && kept()) break;
    if (!filtered) continue;
    cg.place(state, backend);
    visitLimits(limits, state, 1, backend);
    if (work.filter) work.filter();
    holdOnLines(model, params, state);
    cg.takeFiltered(state, backend);
  }
  cg.place(state, backend);
  holdOnLines(model, params, state);
  result.converged = cg.left() <= solver.cgtolerance && kept();
  return result;
}

std::size_t Interleaved::bytes() const {
  return elements_.bytes() + bytesOf(way_, change_, residual_vector_, direction_, product_, off_, rest_pull_,
                                     above_, below_, spare_, partial_);
}

}  // namespace repose
