// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pins that follow other meshes: each keeps its place against the triangle that is nearest at the first
// frame.
#pragma once
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "scene/scene.h"

namespace repose {

class Attachments {
 public:
  // Finds the places at the first frame.
  Status bind(const Scene& scene, const Model& model);
  Status moveTo(double frame);
  bool holds(std::size_t pin) const { return pin < places_.size() && places_[pin].mesh >= 0; }
  Vec3f place(std::size_t pin) const;  // of a pin of the model that holds

 private:
  struct Mesh {
    std::shared_ptr<const AnchorMesh> source;
    std::vector<Vec3f> points;  // at the frame of the last moveTo
  };
  struct Place {
    int mesh = -1;     // -1: not attached
    int corner[3]{};   // of the triangle
    float share[3]{};  // of the corners in the nearest place
    Vec3f offset;      // from it, along the first side, across it, and along the normal [m]
  };
  std::vector<Mesh> meshes_;
  std::vector<Place> places_;  // of the model's pins; empty when none is attached
};

}  // namespace repose
