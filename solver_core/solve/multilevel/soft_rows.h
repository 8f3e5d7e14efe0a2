// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One soft body as the multilevel solver sees it: tetrahedra, the edges of its matrix and the lists by which
// both hand their shares on. Corners of a tetrahedron ascend, so that the blocks of an edge lie one way
// round.
#pragma once
#include <vector>

#include "model/incidence.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/multilevel/body_points.h"
#include "solve/step.h"

namespace repose {

class SoftRows : public BodyPoints {
 public:
  SoftRows(const Model& model, BodySpan span, bool smoothed);

  // Material and rest shape for the parameters of this step.
  void weigh(const Model& model, const State& state, const StepParams& params);
  double energyTolerance(const WorldParams& world) const;  // [J], what Newton's model may miss in a step
  std::size_t bytes() const;

  bool smoothed;   // strain averaged around edges
  int tets = 0;    // padded
  int matrix = 0;  // edges, padded

  std::vector<int> corner;   // four arrays, local points
  std::vector<float> y;      // nine arrays [1/m]
  std::vector<float> scale;  // [m^3] times relative stiffness
  std::vector<float> fibre;  // three arrays
  std::vector<float> start;  // six arrays, of tetrahedra or smoothed edges; only where something is damped
  std::vector<Vec4f> push;   // of four corners, then one zero
  SlicedLists pushes;        // point <- push
  std::vector<int> push_slot;

  // Of the matrix: blocks of the tetrahedra, and where they go.
  std::vector<Vec4f> block;
  std::vector<float> block_last;
  SlicedLists around;  // edge <- tetrahedra
  std::vector<int> around_block;
  std::vector<int> place;
  SlicedLists edges;  // point <- directed edges, nine floats each
  std::vector<int> edge_point;
  std::vector<float> edge;

  // Of smoothed edges.
  std::vector<int> around_tet;
  std::vector<float> around_weight;
  std::vector<int> tet_edge;      // six arrays
  std::vector<float> tet_weight;  // six arrays
  std::vector<float> edge_scale, edge_fibre, stiffness;
  std::vector<Vec4f> gradient, change, stress;
  std::vector<float> gradient_last, change_last;

  // Constants of the material in this step [Pa].
  float mu = 0, lambda = 0, fibre_stiffness = 0, rho = 0;
  int material = 0;

 private:
  void takeTets(const Model& model);
  void takeShapes(const Model& model, const std::vector<float>& source);
  void addPushes();
  void addEdges();
  void addSmoothing();
  void takeFibres(const Model& model);

  Range from_;                        // of Model::tets
  std::vector<unsigned char> order_;  // of each sorted corner: which it was, two bits each
  float size_ = 0;                    // side of a cube of the same volume [m]
};

}  // namespace repose
