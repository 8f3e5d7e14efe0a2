// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth that tears where it is stretched too far or where it is cut (algorithms.md 7.1): points are split
// between the faces around them, across an edge that is too long or along one that is cut. What a copy pulls
// at is what its point pulled at, so that colours stay valid.
#pragma once
#include <vector>

#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"
#include "solve/step.h"
#include "solve/torn_mesh.h"

namespace repose {

// Of each body of the scene: the points that its new points were split off, in their order.
using Splits = std::vector<std::vector<int>>;

// Where the points of each body's mesh are in a model.
struct PointNumbers {
  explicit PointNumbers(const Model& model);
  std::vector<std::vector<int>> of;
};

// The points of a model that was built anew from those before, x and v; copies are where their points were.
void carrySplits(const Splits& splits, const PointNumbers& before, const std::vector<Vec4f>& x,
                 const std::vector<Vec4f>& v, const Model& model, State& state);
// What points had before, of points and their copies; those of padding have nothing.
template <class T>
std::vector<T> copiedValues(const Scene& scene, const PointNumbers& before, const std::vector<T>& values,
                            const Model& model) {
  std::vector<T> all(model.source.size(), T{});
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Range points = model.bodies[b].points;
    for (int p = points.first; p < points.first + points.count; ++p)
      all[p] = values[before.of[b][wholePoint(scene.bodies[b], model.source[p])]];
  }
  return all;
}

class Tearing {
 public:
  explicit Tearing(const Scene& scene);

  bool any() const { return !sheets_.empty(); }
  // Of a step between two frames. Changes the bodies' meshes and State::torn; the caller builds the model
  // anew when some point was split.
  Splits tear(double from, double to, const StepParams& params, const Model& model, State& state,
              Scene& scene) const;
  // The meshes as State::torn says; false: it makes no sense.
  bool restore(const std::vector<std::int32_t>& torn, Scene& scene) const;

 private:
  struct Sheet {
    int body;
    std::vector<std::int32_t> corners;      // of the whole mesh
    std::vector<std::vector<double>> cuts;  // of each cut: when it reaches each point of the whole mesh
    double cutFrame(int a, int b) const;    // of the edge between two of them
  };
  void tearSheet(const Sheet& sheet, double from, double to, const StepParams& params, const Model& model,
                 const State& state, Body& body, std::vector<int>& splits) const;
  void note(const Scene& scene, State& state) const;

  double first_frame_;
  std::vector<Sheet> sheets_;
};

}  // namespace repose
