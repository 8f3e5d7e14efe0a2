// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth that tears where it is stretched too far or where it is cut: faces go, and what no face is left for
// pulls no more (algorithms.md 7.1). Points stay, so that their numbers, the pattern of the matrix and its
// colours do too.
#pragma once
#include <vector>

#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"
#include "solve/step.h"

namespace repose {

class Tearing {
 public:
  // Makes room for State::torn.
  Tearing(const Scene& scene, const Model& model, State& state);

  bool any() const { return !sheets_.empty(); }
  // After a step that ended at this frame; whether some face went.
  bool tear(double frame, const StepParams& params, const Model& model, State& state) const;
  // Rows and triangles of torn faces become padding, which does nothing.
  void apply(const State& state, Model& model) const;
  // Which faces of a body's geometry are torn; nothing of one that never tears.
  void readFaces(int body, const State& state, std::vector<unsigned char>& torn) const;

 private:
  struct Sheet {
    int body, first_face, faces;  // of State::torn
  };
  enum class Kind { edge, distance, quadratic, dihedral, triangle };
  struct Part {
    Kind kind;
    int index;         // in the rows or triangles of the model
    int first, count;  // of faces_
    bool needs_all;    // gone with the first of its faces, else with the last
    double cut;        // frame at which it tears whatever its stretch; edges
  };
  class Finder;

  void addBody(const Body& body, const Model& model, const ModelBody& shape);
  bool gone(const Part& part, const State& state) const;

  std::vector<Sheet> sheets_;
  std::vector<Part> parts_;
  std::vector<int> part_body_;  // of each part
  std::vector<int> faces_;      // of the parts, in State::torn
};

}  // namespace repose
