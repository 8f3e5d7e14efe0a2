// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloths as the multilevel solver sees them: springs, ropes, membranes and bending as blocks on the edges of
// one graph. Bodies that are sewn together are one graph.
#pragma once
#include <vector>

#include "base/status.h"
#include "model/incidence.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/multilevel/body_points.h"
#include "solve/multilevel/hierarchy.h"
#include "solve/step.h"

namespace repose {

// Which bodies have to be solved together: those that stitches join, and what lies between them.
std::vector<BodySpan> sewnTogether(const Model& model);

// Whether each of these systems is of one kind: soft bodies are solved one by one.
Status solvableApart(const Model& model);

class ClothRows : public BodyPoints {
 public:
  ClothRows(const Model& model, BodySpan span);

  // Stiffness and rest lengths for the parameters of this step; cheap when they have not changed.
  void weigh(const Model& model, const State& state, const StepParams& params);

  int width() const { return triangles.size > 0 ? 6 : 4; }  // floats of an edge's block
  // The stretch stiffness that a cloth as heavy and as large as this one can use [N/m].
  float enoughStiffness(const WorldParams& world) const;
  double energyTolerance(const WorldParams& world) const;  // [J], what Newton's model may miss in a step
  std::size_t bytes() const;

  // Edges: both ends have a slot. Slots of one row of 16 lie side by side; `edge` has width() such rows each.
  SlicedLists edges;
  std::vector<int> edge_point;
  std::vector<float> edge_rest, edge_stiffness, edge_bend, edge;
  std::vector<int> edge_triangle;         // two blocks of triangles a slot, membranes only
  std::vector<float> edge_rho, rest_now;  // only where something is damped
  bool damped = false;

  // Pairs that bend together without sharing an edge.
  SlicedLists bends;
  std::vector<int> bend_point;
  std::vector<float> bend_weight;  // [1/m^2]

  struct {
    int size = 0;  // padded
    std::vector<int> corner;
    std::vector<float> warp, weft, rest, stiffness;  // rest and stiffness: four fibres, size apart
    std::vector<float> block;                        // 6 x (3 size + 16), the last 16 zero
    int blockStride() const { return 3 * size + 16; }
  } triangles;

  struct {
    int size = 0;  // padded
    std::vector<int> corner;
    std::vector<float> rest_now, stiffness, weight;
  } hinges;  // with rest angles

  // Gradients and energies that triangles and hinges hand to their corners.
  SlicedLists pushes;
  std::vector<int> push_slot;
  std::vector<Vec4f> push;  // of triangles, then of hinges, then one zero

  // What differs from body to body: bending stiffness with its damping [N m], and the damping times.
  struct OfBody {
    Range points, membrane, hinges;  // in this cloth
    bool dihedral = false;
    float bend = 0, bend_rho = 0, stretch_rho = 0, rest_scale = 1;
  };
  std::vector<OfBody> bodies;
  float mean_bend = 0;   // [N m], for the coarse levels
  float bend_bound = 2;  // of the spectral radius of D^-1 Q

  std::vector<Edge> graph() const;  // for the hierarchy; slots in `edge`
  std::vector<WeightedPair> bendPairs() const;

 private:
  struct Link {
    int a, b;
    float rest;
    int triangle_block[2];
  };
  void addEdges(const Model& model);
  void addMembranes(const Model& model, std::vector<Link>& links);
  void addBending(const Model& model);
  void listBends(const std::vector<WeightedPair>& apart);
  void addHinges(const Model& model);
  void addPushes();
  void measureReach(const Model& model);
  void boundBending();
  void weighTriangles(const Model& model, const StepParams& params, float bulk, float pin);

  float size_ = 0;  // side of a square cloth of the same area [m]
  // Way along the cloth to the nearest pin plus the size of that pin's patch [m]: how far a pull has spread.
  std::vector<float> reach_;
  std::vector<int> cursor_;
  std::vector<ClothParams> last_cloth_;
  float last_h_ = -1, last_gravity_ = -1;
  int last_rest_ = -1;
};

}  // namespace repose
