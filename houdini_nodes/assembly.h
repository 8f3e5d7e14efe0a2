// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry of a host, taken apart into the bodies and colliders of a scene, and the text of that scene. A
// solver reads it with the meshes in memory, a job with the meshes in a file: both build the same world.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "houdini_nodes/cook.h"
#include "houdini_nodes/settings.h"
#include "scene/scene.h"

namespace repose::nodes {

inline constexpr double kSphere = 4.18879020478639098;  // 4/3 pi

// A mesh of the scene, and which points of the geometry it is made of.
struct Part {
  std::string name;
  std::string kind;         // cloth, grain, soft, rigid, collider
  Json settings;            // of the scene, without its source
  std::vector<int> points;  // of the geometry
  Geometry mesh;
  bool moves = false;                    // its animation is followed
  std::string field = {};                // collider: the VDB file that it is, in place of a mesh
  std::vector<std::string> pieces = {};  // rigid: names, in the order of piece_of
  std::vector<int> piece_of = {};        // rigid: of each point
  // Of each point that is one of a packed piece the name of the piece. Such points all stand for the point of
  // the geometry that the piece hangs at.
  std::vector<std::string> packed_names = {};

  bool isPacked(std::size_t k) const { return k < packed_names.size() && !packed_names[k].empty(); }
  // Whether the point of the geometry has come already.
  bool repeats(std::size_t k) const { return k > 0 && points[k] == points[k - 1]; }
};

struct Assembly {
  std::vector<Part> bodies, colliders;
  Json scene;  // all but bodies and colliders that have meshes
  std::vector<std::string> errors, warnings;
  bool ok() const { return errors.empty(); }

  void fail(std::string sentence) { errors.push_back(std::move(sentence)); }
  // Also the frames of the scene are part of the text.
  template <class SourceOf>
  std::string text(int first_frame, int last_frame, const SourceOf& source) const {
    Json whole = {{"frames", {first_frame, last_frame}}};
    whole.update(scene);
    whole["bodies"] = Json::array();
    for (const Part& part : bodies) whole["bodies"].push_back(withSource(part, source(part)));
    if (!whole.contains("colliders")) whole["colliders"] = Json::array();
    for (const Part& part : colliders) whole["colliders"].push_back(withSource(part, source(part)));
    return whole.dump(1);
  }

 private:
  static Json withSource(const Part& part, Json source) {
    Json object = {{"name", part.name}};
    if (part.field.empty())
      object["source"] = std::move(source);
    else
      object["field"] = {{"file", part.field}};
    object.update(part.settings);
    return object;
  }
};

struct WorldInput {
  const NodeGeometry* geometry = nullptr;     // configured
  const NodeGeometry* constraints = nullptr;  // null: none
  const NodeGeometry* colliders = nullptr;    // null: none
  const NodeGeometry* source = nullptr;       // null: pins that follow an animation stay
  const Parms* parms = nullptr;               // with the rows of world and solver, and those of the ground
  double frame = 1;
};

Assembly assemble(const WorldInput& input);
// Of colliders alone, for the frames behind the first.
std::vector<Part> takeColliders(const NodeGeometry& colliders, double frame, Assembly& assembly);

// Stitches, pins and joints of constraint primitives; pins are marked in `pins` of the points of the
// geometry.
void addConstraints(const NodeGeometry& constraints, const NodeGeometry& geometry, Assembly& assembly);

}  // namespace repose::nodes
