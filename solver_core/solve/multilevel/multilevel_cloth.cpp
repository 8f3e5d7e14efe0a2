// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A cloth's energy, gradient and matrix, edge by edge. Newton's method is in implicit_body.cpp, the coarse
// levels in cloth_cycle.cpp, what the cloth is made of in cloth_rows.cpp.
#include "solve/multilevel/multilevel_cloth.h"

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

// Bounds of the spectral radius of D^-1 A: a spring has two ends, a fibre of a triangle three
// (multilevel_study.md 2); the smoother's step is 1.5 over the bound.
float smootherStep(const ClothRows& rows) {
  return 1.5f / std::max(rows.width() == 4 ? 2.0f : 3.0f, rows.bend_bound);
}

}  // namespace

MultilevelCloth::MultilevelCloth(const Model& model, BodySpan bodies) : rows_(model, bodies) {
  resize(model, smootherStep(rows_));
  levels_ = buildHierarchy(rows_.points(), rows_.mass, rows_.graph(), rows_.bendPairs());
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

ImplicitBody::Energy MultilevelCloth::energyAt(const std::vector<Vec4f>& off, bool judging,
                                               Backend& backend) {
  pushCorners(off, false, judging, backend);
  auto a = clothAt<ml_energy_args>(off);
  a.dx = dx_.data(), a.energy = y_.data(), a.judging = judging;
  launchBodies(a, backend);
  return summedEnergy(backend);
}

std::size_t MultilevelCloth::bytes() const {
  std::size_t all = ImplicitBody::bytes() + rows_.bytes();
  for (const CoarseLevel& level : levels_) all += level.bytes();
  return all;
}

}  // namespace repose
