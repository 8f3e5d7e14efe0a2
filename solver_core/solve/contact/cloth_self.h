// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth against itself and other cloth. Before a step: points near triangles and edges near edges, now or on
// their way, become contacts that push. After it: whatever would still have gone through something else is
// held back on its way, so that cloth that begins untangled stays so.
#pragma once
#include <memory>
#include <vector>

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
    int point[4];
    int edges;  // two of them, not a point and a triangle
    float share;
  };

  void numberEdges();
  void measureSeams(const Scene& scene, const Model& model);
  void readParams(const StepParams& params);
  void findFolds(Backend& backend);
  // What the kernels of pairs of triangles take.
  template <class Args>
  void passMeeting(Args& args) const;
  void findTouches(Backend& backend);
  bool ofEdges(int k) const {
    return found_touch_[static_cast<std::size_t>(k) * RE_MEET_TOUCH_INTS + 5] >= 0;
  }
  Touch touchAt(int k) const;
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

  bool any_ = false;
  ClothTree tree_;
  std::vector<int> body_of_cloth_;
  std::vector<char> meets_;          // of each cloth of the tree
  std::vector<int> cloth_of_point_;  // -1: none
  // Of each cloth: thickness, scale of the rest shape, and of soft bodies how near parts at rest do not meet
  // [m], 0 for cloth.
  std::vector<Vec4f> cloth_;
  std::vector<int> layer_;    // of each cloth
  bool solid_meets_ = false;  // some soft body meets itself
  std::vector<Vec3f> rest_;
  std::vector<float> seam_;                  // of each point: way along the cloth to the next stitch [m]
  std::vector<std::array<int, 3>> edge_of_;  // of each triangle: its sides
  std::vector<std::array<int, 2>> edges_, faces_;  // ends of each edge, and triangles beside it, -1 for none
  std::vector<char> bent_;
  std::vector<int> owns_;  // of each triangle: bits of the points and sides that it stands for

  std::vector<Vec3f> x_, way_, full_way_;
  std::vector<float> inv_mass_;
  float shortest_ = 0;            // edge at rest [m]
  float reach_ = 0, margin_ = 0;  // up to which contacts are looked for, and beyond the thickness [m]
  // What the kernels find, in a list for each task of the tree.
  Slices touch_lists_, hit_lists_;
  std::vector<int> found_touch_, found_hit_;
  std::vector<Vec4f> touch_form_;
  std::vector<float> hit_share_;
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
