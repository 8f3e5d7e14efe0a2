// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The local step: what the elements pull.
#include "solve/projective/projective.h"

#include <algorithm>

#include "base/vectors.h"

namespace repose {

Projective::Projective(const Model& model, const StepParams& params, const std::vector<int>& colours)
    : elements_(model), soft_(model.tets.size() > 0) {
  const std::size_t points = model.source.size();
  for (std::vector<Vec4f>* v : {&aim_, &last_, &gradient_, &step_, &direction_, &product_}) v->resize(points);
  partial_.resize(points / 1024 + 1);
  const GlobalStep way = params.solver.globalstep;
  const bool coloured = way == GlobalStep::gauss_seidel_coloured || way == GlobalStep::red_black;
  matrix_.build(elements_.neighbours(model), elements_.mass,
                coloured ? VisitOrder::colours : VisitOrder::index, colours);
  if (way == GlobalStep::direct) direct_ = std::make_unique<DirectSolver>();
}

void Projective::weigh(const Model& model, const State& state, const StepParams& params) {
  elements_.weigh(model, state, params, &matrix_);
  spectrum_known_ = false, power_radius_ = 0;
  if (direct_) direct_->factor(matrix_);
}

void Projective::begin(const State& state, const std::vector<Vec4f>& x_start) {
  aim_ = state.x;
  last_ = state.x;
  start_ = x_start.data();
  std::fill(step_.begin(), step_.end(), Vec4f{});
}

// One launch for each body, with what all sorts of elements share.
template <class Args, class Elements>
void Projective::launchElements(Args& a, const Model& model, const Elements& elements,
                                Backend& backend) const {
  a.x_start = start_;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range range = elements(b, a);
    a.first_entry = range.first;
    if (range.count > 0) backend.launchLanes(range.padded(), a);
  }
}

void Projective::findGradient(const Model& model, const State& state, Backend& backend) {
  backend.inOrder([&] { launchGradient(model, state, backend); });
}

void Projective::launchGradient(const Model& model, const State& state, Backend& backend) {
  Vec4f* push = elements_.push.data();
  const auto hinges = [&](BendModel bend) {
    return [&, bend](std::size_t b, auto& a) {
      a.rho = elements_.bend_rho[b];
      return model.bodies[b].bend == bend ? model.bodies[b].hinges : Range{};
    };
  };
  pd_quadratic_args q;
  q.x = state.x.data(), q.corner = model.quadratic.corner.data(), q.stencil = model.quadratic.weight.data();
  q.weight = elements_.quadratic.data(), q.push = push, q.stride = model.quadratic.size();
  launchElements(q, model, hinges(BendModel::quadratic), backend);
  push += model.quadratic.size();

  pd_dihedral_args d;
  d.x = state.x.data(), d.corner = model.dihedral.corner.data();
  d.rest_angle = restAngles(model, state).data();
  d.weight = elements_.dihedral.data(), d.push = push, d.stride = model.dihedral.size();
  launchElements(d, model, hinges(BendModel::dihedral), backend);
  push += 4 * model.dihedral.size();

  pd_membrane_args m;
  m.x = state.x.data(), m.corner = model.membrane.corner.data();
  m.warp = model.membrane.warp.data(), m.weft = model.membrane.weft.data();
  m.weight = elements_.membrane.data(), m.push = push, m.stride = model.membrane.size();
  launchElements(
      m, model,
      [&](std::size_t b, pd_membrane_args& a) {
        a.rho = elements_.stretch_rho[b], a.rest = elements_.rest_scale[b];
        return model.bodies[b].membrane;
      },
      backend);
  push += 2 * model.membrane.size();

  pd_tets_args t;
  t.x = state.x.data(), t.corner = model.tets.corner.data(), t.y = restShapes(model, state).data();
  t.weight = elements_.tet.data(), t.push = push, t.stride = model.tets.size();
  launchElements(
      t, model,
      [&](std::size_t b, pd_tets_args& a) {
        a.rho = elements_.soft_rho[b];
        return model.bodies[b].tets;
      },
      backend);

  pd_gradient_args g;
  g.x = state.x.data(), g.aim = aim_.data(), g.x_start = start_, g.mass = elements_.mass.data();
  g.spring_start = elements_.springs.lists.start().data(), g.spring_point = elements_.springs.point.data();
  g.spring_rest = elements_.springs.rest.data(), g.spring_weight = elements_.springs.weight.data();
  g.spring_rho = elements_.springs.rho.data(), g.damped = elements_.springs.damped;
  g.push_start = elements_.push_lists.start().data(), g.push_row = elements_.push_row.data();
  g.push_weight = elements_.push_weight.data(), g.push = elements_.push.data(), g.gradient = gradient_.data();
  backend.launchLanes(model.numPoints(), g);
}

std::size_t Projective::bytes() const {
  return elements_.bytes() + matrix_.bytes() + factorBytes() +
         bytesOf(partial_, aim_, last_, gradient_, step_, direction_, product_, alphas_, betas_);
}

}  // namespace repose
