// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth against itself and other cloth. Before a step: points near triangles and edges near edges, now or on
// their way, become contacts that push. After it: whatever would still have gone through something else is
// held back on its way, so that cloth that begins untangled stays so.
#pragma once
#include <memory>
#include <vector>

#include "collide/approach.h"
#include "collide/cloth_tree.h"
#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"
#include "solve/step.h"

namespace repose {

class ClothSelf {
 public:
  ClothSelf() = default;
  ClothSelf(const Scene& scene, const Model& model);

  // Some cloth can meet cloth.
  bool any() const { return any_; }

  // A contact of up to four points of the model, with signed weights; positive ones are the first side.
  struct Touch {
    int point[4];
    float weight[4];
    Vec3f normal;
    float gap;              // at the start of the step [m]
    int body, other;        // of the two sides
    std::uint64_t surface;  // tells the contacts of the first point apart
  };
  // Places and velocities at the start of a step. The list stays until the next call.
  const std::vector<Touch>& find(const Vec4f* x, const Vec4f* v, const StepParams& params, Backend& backend);
  // After the step: holds back what would pass something since find(), and takes away its speed.
  void guard(State& state, Backend& backend);

  std::size_t bytes() const;

 private:
  // A pair that cannot go all of its way.
  struct Hit {
    Parts parts;
    int point[4];
    float share;
  };
  struct Found {
    std::vector<Touch> points, edges;
    std::vector<Hit> hits;
  };

  void numberEdges();
  void measureSeams(const Scene& scene, const Model& model);
  void findFolds(Backend& backend);
  template <class Visit>
  void forParts(int s, int t, bool all_edges, const Visit& visit) const;
  bool related(const int point[4], Parts parts) const;
  float contactDistance(Parts parts, const int point[4], const StepParams& params) const;
  void findTouch(Parts parts, const int point[4], std::uint64_t surface, const StepParams& params,
                 Found& found) const;
  bool nearestOfAll(const Nearness& near, const int point[4], float share) const;
  void choosePoints();
  void chooseEdges();
  void findTangles();
  bool crosses(const std::array<int, 2>& edge, const std::array<int, 3>& corner) const;
  bool untangle(const std::array<int, 2>& crossing, const StepParams& params, Touch& touch) const;
  bool findHits(bool first, Backend& backend);
  int clusterOf(int point);
  void joinClusters();
  void stopHits(State& state);
  void measureSolids(const Scene& scene);
  bool sameSolid(const int point[4]) const;  // both parts are of one soft body

  bool any_ = false;
  ClothTree tree_;
  std::vector<int> body_of_cloth_;
  std::vector<char> meets_;          // of each cloth of the tree
  std::vector<int> cloth_of_point_;  // -1: none
  std::vector<float> solid_;         // of soft bodies: parts this near at rest do not meet [m]; 0 for cloth
  bool solid_meets_ = false;         // some soft body meets itself
  std::vector<Vec3f> rest_;
  std::vector<float> seam_;                  // of each point: way along the cloth to the next stitch [m]
  std::vector<std::array<int, 3>> edge_of_;  // of each triangle: its sides
  std::vector<std::array<int, 2>> edges_, faces_;  // ends of each edge, and triangles beside it, -1 for none
  std::vector<char> bent_;
  std::vector<unsigned char> owns_;  // of each triangle: bits of the points and sides that it stands for

  std::vector<Vec3f> x_, way_, full_way_;
  std::vector<float> inv_mass_;
  float shortest_ = 0;            // edge at rest [m]
  float reach_ = 0, margin_ = 0;  // up to which contacts are looked for, and beyond the thickness [m]
  std::vector<Found> found_;
  std::vector<Touch> point_touches_, touches_;
  std::vector<int> first_touch_;  // of each point, among point_touches_

  std::vector<float> share_, least_;  // of its way that each point may go, and of that in a pass
  std::vector<char> changed_;
  std::vector<Hit> hits_;
  std::vector<int> cluster_;   // of each point: one before it of those that hit, or itself
  std::vector<Vec4f> common_;  // of a cluster's first point: mass times way [kg m], and mass
  bool look_for_tangles_ = true;
  std::vector<char> tangled_;                  // of each point: it is a corner of something that crosses
  std::vector<std::array<int, 2>> crossings_;  // an edge, and the triangle that it goes through
};

}  // namespace repose
