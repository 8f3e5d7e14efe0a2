// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The elements of cloth and soft bodies with their weights, stiffness times h^2, for steppers that solve for
// positions: springs as half edges, and what hinges, membrane triangles and tetrahedra push at each point.
#pragma once
#include <utility>
#include <vector>

#include "solve/projective/point_matrix.h"
#include "solve/step.h"

namespace repose {

class PullElements {
 public:
  explicit PullElements(const Model& model);

  // Weights for the parameters of this step. matrix, when there is one: masses plus all stencils.
  void weigh(const Model& model, const State& state, const StepParams& params, PointMatrix* matrix);
  void takeRest(const Model& model, const State& state);

  // Points that share an element.
  std::vector<std::pair<int, int>> neighbours(const Model& model) const;
  // Share of the stiffness asked for that is solved, the least in a body.
  float solvedShare(int body) const { return solved_share_[body]; }
  std::size_t bytes() const;

  // Each end of a spring has an entry; a rest length below 0 is that of a rope, which only pulls.
  struct {
    SlicedLists lists;
    std::vector<int> point;
    std::vector<float> rest, weight, rho;
    bool damped = false;
  } springs;
  std::vector<float> mass, live;                                   // [kg]; live: 1 of free points, 0 of pins
  std::vector<float> quadratic, dihedral, membrane, tet;           // weights; of membranes fibre after fibre
  std::vector<float> bend_rho, stretch_rho, soft_rho, rest_scale;  // of bodies
  float limit_weight;               // of a strain limit over what the masses weigh; 0: filtered elsewhere
  std::vector<float> strain_scale;  // of points: strain that a gradient stands for [1/(kg m)]

  // Pushes of quadratic hinges, of the corners of dihedral ones, of warps and wefts, of the corners of
  // tetrahedra; and who gathers them.
  std::vector<Vec4f> push;
  SlicedLists push_lists;
  std::vector<int> push_row;
  std::vector<float> push_weight;

 private:
  // visit(row, kind, other end, slot) for each free end of the distance rows, in their order.
  template <class Visit>
  void eachHalfSpring(const Model& model, const Visit& visit);
  void buildSprings(const Model& model);
  void buildPushes(const Model& model);
  void weighSprings(const Model& model, const StepParams& params);
  void weighHinges(const Model& model, const StepParams& params);
  void weighMembranes(const Model& model, const StepParams& params);
  void weighTets(const Model& model, const State& state, const StepParams& params);
  float limited(int body, float weight, float a);
  void addStencil(const int* corner, const float* c, int count, float weight, float rho);

  std::vector<float> solved_share_;  // of bodies
  std::vector<int> cursor_;
  PointMatrix* matrix_ = nullptr;  // while weighing
};

}  // namespace repose
