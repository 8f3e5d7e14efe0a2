// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel (SOR with omega above 1) in index order, on one thread: the reference that the others are
// measured by. The same formulas as the Jacobi kernels, on one lane, each applied before the next row looks.
#include <algorithm>

#include "kernel/lane1.h"
#include "solve/solver.h"
#include "solve/workspace.h"

namespace repose {

namespace {

using lane1::vec3;

vec3 place(const std::vector<Vec4f>& x, int p) { return {x[p].x, x[p].y, x[p].z}; }

void move(Vec4f& p, vec3 push, float scale) {
  p.x += push.x * scale * p.w, p.y += push.y * scale * p.w, p.z += push.z * scale * p.w;
}

struct Visit {
  const Model& model;
  std::vector<Vec4f>& x;
  const std::vector<float>&rest_length, &rest_angle;
  Workspace& work;
  float omega;

  vec3 moved(int p) const { return lane1::v3_sub(place(x, p), place(work.x_start, p)); }

  void distance(int i, RowLaw law, RowSort sort) const {
    const int a = model.distance.a[i], b = model.distance.b[i];
    const float w = x[a].w + x[b].w, rest = rest_length[i];
    if (w == 0) return;
    const vec3 d = lane1::v3_sub(place(x, a), place(x, b));
    vec3 push;
    if (sort == RowSort::soft) {
      const float alpha = law.alpha_of_unit / model.distance.stiffness[i];
      const float l2 = lane1::v3_dot(d, d), y = lane1::re_rsqrt(l2);
      const float slide = lane1::v3_dot(d, lane1::v3_sub(moved(a), moved(b))) * y;
      float& lambda = work.sequential.distance_lambda[i];
      const float step = omega * lane1::soft_step(l2 * y - rest, slide, lambda, alpha, law.rho,
                                                  1 / ((1 + law.rho) * w + alpha));
      lambda += step;
      push = lane1::v3_scale(d, y * step);
    } else if (sort == RowSort::pull) {
      push = lane1::v3_scale(lane1::distance_pull(d, rest, 1 / w), omega);
    } else {
      push = lane1::v3_scale(lane1::distance_rigid(d, rest, 1 / w), omega);
    }
    move(x[a], push, 1);
    move(x[b], push, -1);
  }

  void quadratic(int i, RowLaw law) const {
    const HingeRows& h = model.quadratic;
    const float alpha = law.alpha_of_unit / h.stiffness[i];
    vec3 c{}, slide{};
    float own = 0;
    for (int s = 0; s < 4; ++s) {
      const int k = s * h.size() + i;
      c = lane1::v3_mad(place(x, h.corner[k]), h.weight[k], c);
      slide = lane1::v3_mad(moved(h.corner[k]), h.weight[k], slide);
      own += h.weight[k] * h.weight[k] * x[h.corner[k]].w;
    }
    if (own == 0) return;
    const float inv_d = omega / ((1 + law.rho) * own + alpha);
    Vec4f& l = work.sequential.quadratic_lambda[i];
    const vec3 step = {lane1::soft_step(c.x, slide.x, l.x, alpha, law.rho, inv_d),
                       lane1::soft_step(c.y, slide.y, l.y, alpha, law.rho, inv_d),
                       lane1::soft_step(c.z, slide.z, l.z, alpha, law.rho, inv_d)};
    l.x += step.x, l.y += step.y, l.z += step.z;
    for (int s = 0; s < 4; ++s) move(x[h.corner[s * h.size() + i]], step, h.weight[s * h.size() + i]);
  }

  void dihedral(int i, RowLaw law) const {
    const HingeRows& h = model.dihedral;
    const auto corner = [&](int s) { return h.corner[s * h.size() + i]; };
    const lane1::hinge now =
        lane1::hinge_at(place(x, corner(0)), place(x, corner(1)), place(x, corner(2)), place(x, corner(3)));
    float own = 0, slide = 0;
    for (int s = 0; s < 4; ++s) {
      own += lane1::v3_dot(now.gradient[s], now.gradient[s]) * x[corner(s)].w;
      slide += lane1::v3_dot(now.gradient[s], moved(corner(s)));
    }
    if (own == 0) return;
    const float alpha = law.alpha_of_unit / h.stiffness[i];
    float& lambda = work.sequential.dihedral_lambda[i];
    const float step = lane1::soft_step(lane1::short_way(now.angle - rest_angle[i]), slide, lambda, alpha,
                                        law.rho, omega / ((1 + law.rho) * own + alpha));
    lambda += step;
    for (int s = 0; s < 4; ++s) move(x[corner(s)], now.gradient[s], step);
  }

  void membrane(Range triangles, float keep) const {
    MembraneRows& m = work.sequential.membrane;
    for (int i = triangles.first; i < triangles.first + triangles.count; ++i)
      lane1::visit_membrane_item(i, x.data(), work.x_start.data(), m.corner.data(), m.warp.data(),
                                 m.weft.data(), m.rest.data(), m.alpha.data(), m.inv_diagonal.data(),
                                 m.rho.data(), m.lambda.data(), m.order.size(), 0, m.order.size(), omega,
                                 keep);
  }

  void tets(float keep, bool measured) const {
    for (int material = 0; material < kSoftMaterials; ++material) {
      TetBlocks& rows = work.tets.of[material];
      const auto a = tetArgs<visit_stvk_args>(rows, x, work.x_start, keep, measured);
      for (int e = 0; e < rows.size(); ++e)
        if (model.tets.volume[rows.order.row[e]] > 0)
          lane1::visit_tets(material, e, a.x, a.x_start, a.corner, a.row, a.fibre, a.multiplier, a.error, 0,
                            rows.size(), omega, a.keep, a.last, a.damped, a.fibred, a.measured);
    }
  }
};

}  // namespace

StepResult solveGaussSeidel(const Model& model, State& state, const StepParams& params, Workspace& work,
                            Backend& backend) {
  const Visit visit{model,
                    state.x,
                    restLengths(model, state),
                    restAngles(model, state),
                    work,
                    params.solver.omega > 0 ? params.solver.omega : 1.0f};
  auto& memory = work.sequential;
  std::fill(memory.distance_lambda.begin(), memory.distance_lambda.end(), 0.0f);
  std::fill(memory.quadratic_lambda.begin(), memory.quadratic_lambda.end(), Vec4f{});
  std::fill(memory.dihedral_lambda.begin(), memory.dihedral_lambda.end(), 0.0f);
  const auto visitBatch = [&](int body, RowKind kind, Range rows) {
    const RowLaw law = rowLaw(kind, body, params);
    const RowSort sort = work.sortOf(body, kind);
    for (int i = rows.first; i < rows.first + rows.count; ++i) visit.distance(i, law, sort);
  };
  return iterateUntilDone(model, state, params, work, backend, [&](int iteration) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ModelBody& body = model.bodies[b];
      for (int k = 0; k < kRowKinds; ++k)
        visitBatch(static_cast<int>(b), static_cast<RowKind>(k), body.rows[k]);
      visit.membrane(body.membrane, iteration == 0 ? 0.0f : 1.0f);
      const RowLaw law = bendLaw(params.cloth[b], params);
      for (int i = body.hinges.first; i < body.hinges.first + body.hinges.count; ++i)
        body.bend == BendModel::dihedral ? visit.dihedral(i, law) : visit.quadratic(i, law);
    }
    visitBatch(-1, RowKind::stitch, model.stitches);
    visit.tets(iteration == 0 ? 0.0f : 1.0f, isTested(params.solver, iteration));
  });
}

}  // namespace repose
