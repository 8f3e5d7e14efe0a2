// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Newton's method for one cloth. The linear solver is in multilevel_cycle.cpp, what the cloth is made of in
// cloth_rows.cpp.
#include "solve/multilevel/multilevel.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

constexpr int kMostNewtons = 12, kMostHalvings = 6;
constexpr double kSlackTolerance = 3;
// A linear solve ends when a cycle gains less than this share of the tolerance: first roughly, then finely.
constexpr double kRough = 0.1, kFine = 2e-4;

// Bounds of the spectral radius of D^-1 A: a spring has two ends, a fibre of a triangle three
// (multilevel_study.md 2); the smoother's step is 1.5 over the bound.
float smootherStep(const ClothRows& rows) {
  return 1.5f / std::max(rows.width() == 4 ? 2.0f : 3.0f, rows.bend_bound);
}

}  // namespace

MultilevelCloth::MultilevelCloth(const Model& model, BodySpan bodies)
    : rows_(model, bodies), omega_(smootherStep(rows_)) {
  const int n = rows_.points();
  for (std::vector<Vec4f>* v : {&off_, &aim_, &r_, &z_, &y_, &p_, &dx_}) v->resize(n);
  inverse_.resize(6 * n);
  value_.resize(n);
  partial_.resize(3 * (n / 1024 + 1));
  for (const ModelPin& pin : model.pins)
    pinned_ = pinned_ || (pin.body >= bodies.first && pin.body <= bodies.last);
  levels_ = buildHierarchy(n, rows_.mass, rows_.graph(), rows_.bendPairs());
}

// Euler: x' = x + h v + h^2 f/m. BDF2: x' = x + h (v_mean/3 + (8 v - 2 v_last)/9) + (2h/3)^2 f/m, so inertia
// counts 9/4 (multilevel_study.md 7).
void MultilevelCloth::begin(State& state, const StepParams& params, Backend& backend) {
  const Vec4f* low = state.x_low.data() + rows_.first;
  const Vec4f* v = state.v.data() + rows_.first;
  h_ = params.h;
  if (!params.solver.secondorder) {
    inv_h2_ = 1 / (h_ * h_), gain_ = h_;
    axpy(low, v, h_, off_, backend);
  } else {
    inv_h2_ = 2.25f / (h_ * h_), gain_ = 4 * h_ / 9;
    axpy(low, state.v_mean.data() + rows_.first, h_ / 3, y_, backend);
    axpy(y_.data(), state.v_last.data() + rows_.first, -2 * h_ / 9, z_, backend);
    axpy(z_.data(), v, 8 * h_ / 9, off_, backend);
    std::copy_n(v, rows_.points(), state.v_last.data() + rows_.first);
  }
  axpy(off_.data(), v, -gain_, aim_, backend);
}

// aim = where the step would end without constraints; pins are where they are told to be.
void MultilevelCloth::aimPoints(const Model& model, const Vec4f* v, const StepParams& params,
                                Backend& backend) {
  axpy(aim_.data(), v, gain_, y_, backend);
  aim_.swap(y_);
  for (std::size_t k = 0; k < model.pins.size(); ++k) {
    const ModelPin& pin = model.pins[k];
    if (pin.body < rows_.span.first || pin.body > rows_.span.last) continue;
    const int p = pin.point - rows_.first;
    const Vec3f way = params.pin_targets[k] - xyz(x_[p]);
    off_[p] = aim_[p] = {way.x, way.y, way.z, 0};
  }
}

// Damping moves the rest lengths, rest angles and the aim of a step (kernel/multilevel_cloth.h).
void MultilevelCloth::damp(const Model& model, const State& state, Backend& backend) {
  const Vec4f* low = state.x_low.data() + rows_.first;
  if (rows_.damped) {
    ml_damp_edges_args a;
    a.x = x_, a.low = low, a.edge_start = rows_.edges.start().data(), a.edge_point = rows_.edge_point.data();
    a.edge_rest = rows_.edge_rest.data(), a.edge_rho = rows_.edge_rho.data(),
    a.rest_now = rows_.rest_now.data();
    backend.launchLanes(rows_.points(), a);
  }
  for (std::size_t b = 0; b < rows_.bodies.size(); ++b) {
    const ClothRows::OfBody& body = rows_.bodies[b];
    if (body.bend_rho > 0 && !body.dihedral) {
      ml_damp_bends_args a;
      a.x = x_, a.low = low, a.edge_start = rows_.edges.start().data(),
      a.edge_point = rows_.edge_point.data();
      a.edge_bend = rows_.edge_bend.data(), a.bend_start = rows_.bends.start().data();
      a.bend_point = rows_.bend_point.data(), a.bend_weight = rows_.bend_weight.data(), a.aim = aim_.data();
      a.first_entry = body.points.first, a.force = body.bend / inv_h2_ * body.bend_rho / (1 + body.bend_rho);
      backend.launchLanes(body.points.padded(), a);
    }
    if (body.stretch_rho > 0 && body.membrane.count > 0) {
      ml_damp_membrane_args a;
      a.x = x_, a.low = low, a.corner = rows_.triangles.corner.data(), a.warp = rows_.triangles.warp.data();
      a.weft = rows_.triangles.weft.data(), a.rest_now = rows_.triangles.rest.data();
      a.first_entry = body.membrane.first, a.stride = rows_.triangles.size;
      a.rest = body.rest_scale, a.rho = body.stretch_rho;
      backend.launchLanes(body.membrane.padded(), a);
    }
    if (body.dihedral) {
      const int source = model.bodies[rows_.span.first + b].hinges.first;
      ml_damp_hinges_args a;
      a.x = x_, a.low = low, a.corner = rows_.hinges.corner.data() + body.hinges.first;
      a.rest_angle = restAngles(model, state).data() + source;
      a.rest_now = rows_.hinges.rest_now.data() + body.hinges.first;
      a.first_entry = 0, a.stride = rows_.hinges.size, a.rho = body.bend_rho;
      backend.launchLanes(body.hinges.padded(), a);
    }
  }
}

StepResult MultilevelCloth::solve(const Model& model, State& state, const StepParams& params,
                                  Backend& backend) {
  x_ = state.x.data() + rows_.first;
  rows_.weigh(model, state, params);
  aimPoints(model, state.v.data() + rows_.first, params, backend);
  damp(model, state, backend);
  // nothing is remembered from the last step, so that a run may go on from its state alone
  for (CoarseLevel& level : levels_) level.omega = 0;
  const StepResult result = newton(params, backend);

  ml_integrate_args a;
  a.x = state.x.data() + rows_.first, a.x_low = state.x_low.data() + rows_.first;
  a.v = state.v.data() + rows_.first, a.off = off_.data(), a.inv_h = 1 / h_;
  backend.launchLanes(rows_.points(), a);
  if (params.solver.secondorder) {
    ml_second_order_args s;
    s.v = a.v, s.v_mean = state.v_mean.data() + rows_.first;
    backend.launchLanes(rows_.points(), s);
  }
  return result;
}

StepResult MultilevelCloth::newton(const StepParams& params, Backend& backend) {
  const double tolerance = rows_.energyTolerance(params.world);
  std::vector<Vec4f>& trial = z_;  // free between linear solves
  StepResult result;
  result.converged = false;
  for (int newton = 0; newton < kMostNewtons && !result.converged; ++newton) {
    assemble(backend);
    const double before = sum(value_, backend);
    buildCoarse(backend);
    // A rough solve tells whether the cloth follows its quadratic model; if so, the fine solve is worth its
    // cycles.
    beginLinearSolve();
    Energy after;
    for (const double enough : {kRough, kFine}) {
      conjugateGradients(params.solver.cycles, enough * tolerance, backend);
      axpy(off_.data(), dx_.data(), 1, trial, backend);
      after = energyAt(trial, true, backend);
      // More above the model than the tolerance asks for another Newton (multilevel_study.md 6, edge by
      // edge). Where the energy fell further than predicted the cloth is slack and merely late, which is
      // allowed more.
      result.converged = after.above <= tolerance && after.below <= kSlackTolerance * tolerance;
      if (!result.converged) break;
    }
    result.iterations += cycles_;

    // the full step, or half of it until the energy falls
    float step = 1;
    for (int k = 0; k < kMostHalvings && !result.converged && !(after.sum <= before); ++k) {
      step *= 0.5f;
      axpy(off_.data(), dx_.data(), step, trial, backend);
      after = energyAt(trial, false, backend);
    }
    if (!result.converged && !(after.sum <= before)) break;
    off_.swap(trial);
  }
  return result;
}

// What assembly and energy both read: the cloth at x + off.
template <class Args>
Args MultilevelCloth::clothAt(const std::vector<Vec4f>& off) {
  Args a;
  a.x = x_, a.off = off.data(), a.aim = aim_.data(), a.mass = rows_.mass.data();
  a.edge_start = rows_.edges.start().data(), a.edge_point = rows_.edge_point.data();
  a.edge_stiffness = rows_.edge_stiffness.data(), a.edge_bend = rows_.edge_bend.data();
  a.edge_rest = rows_.damped ? rows_.rest_now.data() : rows_.edge_rest.data();
  a.bend_start = rows_.bends.start().data(), a.bend_point = rows_.bend_point.data();
  a.bend_weight = rows_.bend_weight.data();
  a.push_start = rows_.pushes.start().data(), a.push_slot = rows_.push_slot.data();
  a.push = rows_.push.data(), a.inv_h2 = inv_h2_;
  return a;
}

// Triangles and hinges tell their corners.
void MultilevelCloth::pushCorners(const std::vector<Vec4f>& off, bool assembling, bool judging,
                                  Backend& backend) {
  auto& triangles = rows_.triangles;
  if (triangles.size > 0) {
    ml_membrane_args a;
    a.x = x_, a.off = off.data(), a.corner = triangles.corner.data();
    a.warp = triangles.warp.data(), a.weft = triangles.weft.data();
    a.rest = triangles.rest.data(), a.stiffness = triangles.stiffness.data();
    a.dx = dx_.data(), a.push = rows_.push.data(), a.blocks = triangles.block.data();
    a.stride = triangles.size, a.block_stride = triangles.blockStride();
    a.assembling = assembling, a.judging = judging;
    backend.launchLanes(triangles.size, a);
  }
  for (const ClothRows::OfBody& body : rows_.bodies) {
    if (!body.dihedral) continue;
    ml_hinges_args a;
    a.x = x_, a.off = off.data(), a.corner = rows_.hinges.corner.data();
    a.rest_angle = rows_.hinges.rest_now.data(), a.stiffness = rows_.hinges.stiffness.data();
    a.weight = rows_.hinges.weight.data(), a.dx = dx_.data(), a.push = rows_.push.data() + 3 * triangles.size;
    a.assembling = assembling, a.judging = judging;
    a.first_entry = body.hinges.first, a.stride = rows_.hinges.size, a.bend = body.bend;
    backend.launchLanes(body.hinges.padded(), a);
  }
}

void MultilevelCloth::assemble(Backend& backend) {
  pushCorners(off_, true, false, backend);
  auto a = clothAt<ml_assemble_args>(off_);
  a.edge_triangle = rows_.edge_triangle.data(), a.triangle_block = rows_.triangles.block.data();
  a.triangle_stride = rows_.triangles.blockStride(), a.width = rows_.width();
  a.energy = value_.data(), a.edge = rows_.edge.data(), a.residual = r_.data(), a.inverse = inverse_.data(),
  a.stride = unknowns();
  launchBodies(a, backend);
}

MultilevelCloth::Energy MultilevelCloth::energyAt(const std::vector<Vec4f>& off, bool judging,
                                                  Backend& backend) {
  pushCorners(off, false, judging, backend);
  auto a = clothAt<ml_energy_args>(off);
  a.dx = dx_.data(), a.energy = y_.data(), a.judging = judging;
  launchBodies(a, backend);
  const int count = rows_.points(), blocks = (count + 1023) / 1024;
  ml_sum3_args s;
  s.value = y_.data(), s.result = partial_.data(), s.count = count;
  backend.launch(blocks, s);
  Energy all;
  for (int k = 0; k < blocks; ++k)
    all.sum += partial_[3 * k], all.above += partial_[3 * k + 1], all.below += partial_[3 * k + 2];
  return all;
}

double MultilevelCloth::sum(const std::vector<float>& values, Backend& backend) {
  const int count = unknowns(), blocks = (count + 1023) / 1024;
  ml_sum_args a;
  a.value = values.data(), a.result = partial_.data(), a.count = count;
  backend.launch(blocks, a);
  double total = 0;
  for (int k = 0; k < blocks; ++k) total += partial_[k];
  return total;
}

void MultilevelCloth::axpy(const Vec4f* a, const Vec4f* b, float s, std::vector<Vec4f>& y, Backend& backend) {
  ml_axpy_args args;
  args.a = a, args.b = b, args.y = y.data(), args.s = s;
  backend.launchLanes(unknowns(), args);
}

std::size_t MultilevelCloth::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t all = rows_.bytes() + terms_.bytes() + of(inverse_) + of(value_) + of(partial_);
  for (const auto* v : {&off_, &aim_, &r_, &z_, &y_, &p_, &dx_}) all += of(*v);
  for (const CoarseLevel& level : levels_) all += level.bytes();
  return all;
}

}  // namespace repose
