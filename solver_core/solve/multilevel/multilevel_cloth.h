// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The implicit solver for cloth: blocks on its edges, one V-cycle of smoothed aggregation as preconditioner
// (cloth_study.md 5). The cloth keeps its length whatever its resolution, because the work of a step does not
// depend on how far a pull has to travel.
#pragma once
#include <vector>

#include "solve/multilevel/cloth_rows.h"
#include "solve/multilevel/dense.h"
#include "solve/multilevel/hierarchy.h"
#include "solve/multilevel/implicit_body.h"

namespace repose {

class MultilevelCloth final : public ImplicitBody {
 public:
  MultilevelCloth(const Model& model, BodySpan bodies);
  const BodyPoints& at() const override { return rows_; }
  float enoughStiffness(const WorldParams& world) const override { return rows_.enoughStiffness(world); }
  std::size_t bytes() const override;

 private:
  friend struct MultilevelProbe;

  void weigh(const Model& model, const State& state, const StepParams& params) override {
    rows_.weigh(model, state, params);
  }
  void damp(const Model& model, const State& state, Backend& backend) override;
  double energyTolerance(const WorldParams& world) const override { return rows_.energyTolerance(world); }
  void assemble(Backend& backend) override;
  Energy energyAt(const std::vector<Vec4f>& off, bool judging, Backend& backend) override;
  void launchProduct(const std::vector<Vec4f>& x, Mode mode, std::vector<Vec4f>& y,
                     Backend& backend) override;
  void forgetCoarse() override;
  void buildCoarse(Backend& backend) override;
  void correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend) override;

  template <class Args>
  void launchBodies(Args& args, Backend& backend);
  template <class Args>
  Args clothAt(const std::vector<Vec4f>& off);
  void pushCorners(const std::vector<Vec4f>& off, bool assembling, bool judging, Backend& backend);

  // The coarse levels (cloth_cycle.cpp)
  void updateSmoother(CoarseLevel& level, Backend& backend);
  void factorBottom();
  void descend(std::size_t level, Backend& backend);
  void restrictTo(CoarseLevel& coarse, const std::vector<Vec4f>& t, Backend& backend);
  void prolongFrom(const CoarseLevel& coarse, std::vector<Vec4f>& z, Backend& backend);
  void solveBottom(Backend& backend);
  void productOn(CoarseLevel& level, const std::vector<Vec4f>& x, int mode, float omega,
                 std::vector<Vec4f>& y, Backend& backend);

  ClothRows rows_;
  std::vector<CoarseLevel> levels_;
  DenseCholesky bottom_;
  std::vector<double> bottom_rhs_;
};

// Bodies differ in how they bend.
template <class Args>
void MultilevelCloth::launchBodies(Args& args, Backend& backend) {
  for (const ClothRows::OfBody& body : rows_.bodies) {
    args.bend = body.bend, args.first_entry = body.points.first;
    if constexpr (!std::is_same_v<Args, ml_edges_args>) args.straight = body.dihedral ? 0.0f : 1.0f;
    backend.launchLanes(body.points.padded(), args);
  }
}

}  // namespace repose
