// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host gives: geometry, parameters with keys, pins, frame range. No physics.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "params/keyed.h"
#include "params/params.h"
#include "scene/geometry.h"

namespace repose {

enum class BodyKind { cloth };

// Positions that change over the frames, of the same points as a body's geometry (an animated Alembic
// source).
class Motion {
 public:
  virtual ~Motion() = default;
  // World positions at a fractional frame: blended between samples, held outside them.
  virtual Status positionsAt(double frame, std::vector<Vec3f>& points) = 0;
};

// Points that do not answer to forces: held where they are, moved by keys, or following the source's
// animation.
struct Pin {
  std::string name;                  // for messages: the group, or "points"
  std::vector<std::int32_t> points;  // ascending, of the body's geometry
  Keys<Vec3f> translate;             // metres from the rest place, by frame; empty = none
  bool animated = false;             // follow Body::motion
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::cloth;
  Geometry geometry;  // rest shape, in world space
  Vec3f velocity;     // at the start [m/s]
  Keyed<ClothParams> cloth;
  std::vector<Pin> pins;
  std::shared_ptr<Motion> motion;  // null for a still source
};

struct Output {
  std::string path;                     // .abc; as it stands, already resolved against the scene's folder
  int samples = 1;                      // samples a frame, for motion blur
  std::vector<std::string> attributes;  // on request: "strain", "speed"
};

struct Scene {
  std::string path;
  int first_frame = 1, last_frame = 48;
  Keyed<WorldParams> world;
  Keyed<SolverParams> solver;
  std::vector<Body> bodies;
  std::vector<Output> outputs;
};

// A scene, or every reason why there is none, each with its place ("flag.json:12:7: ...").
struct SceneLoad {
  Scene scene;
  std::vector<std::string> errors, warnings;
  bool ok() const { return errors.empty(); }
};

// Reads a scene file and everything it names. `sets` are "NAME=VALUE": "iterations=40",
// "solver.iterations=40" or "BODY.density=0.3". Paths are relative to the scene file.
SceneLoad loadScene(const std::string& path, const std::vector<std::string>& sets);

}  // namespace repose
