// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The implicit solver for soft bodies: tetrahedra, plain or with strain smoothed around edges, and rigid
// modes of aggregates as coarse levels (cloth_study.md 7). With smoothed strain the preconditioner is that of
// the plain tetrahedra, which are stiffer by a factor that depends neither on size nor on stiffness.
#pragma once
#include <limits>
#include <vector>

#include "solve/multilevel/implicit_body.h"
#include "solve/multilevel/rigid_levels.h"
#include "solve/multilevel/soft_rows.h"

namespace repose {

class MultilevelSoft final : public ImplicitBody {
 public:
  MultilevelSoft(const Model& model, BodySpan bodies, bool smoothed);
  const BodyPoints& at() const override { return rows_; }
  float enoughStiffness(const WorldParams&) const override { return std::numeric_limits<float>::infinity(); }
  std::size_t bytes() const override;

 private:
  void weigh(const Model& model, const State& state, const StepParams& params) override {
    rows_.weigh(model, state, params);
  }
  Meeting meeting() const override { return {8, 8, 6}; }
  void damp(const Model& model, const State& state, Backend& backend) override;
  double energyTolerance(const WorldParams& world) const override { return rows_.energyTolerance(world); }
  void assemble(Backend& backend) override;
  Energy energyAt(const std::vector<Vec4f>& off, bool judging, Backend& backend) override;
  void launchProduct(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                     Backend& backend) override;
  void forgetCoarse() override { levels_.forget(); }
  void buildCoarse(Backend& backend) override;
  void correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend) override {
    levels_.correct(t, z, backend);
  }

  template <class Args>
  void setMaterial(Args& args) const;
  void launchTets(const std::vector<Vec4f>& off, bool assembling, bool judging, Backend& backend);
  void takeGradients(const Vec4f* off, bool changing, Backend& backend);
  void launchEdges(bool assembling, bool judging, Backend& backend);
  void pushCorners(bool assembling, Backend& backend);
  void smoothedProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, Backend& backend);

  SoftRows rows_;
  RigidLevels levels_;
};

}  // namespace repose
