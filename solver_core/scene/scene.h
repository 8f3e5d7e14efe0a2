// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host gives: geometry, parameters with keys, pins, frame range. No physics.
#pragma once
#include <array>
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

// A mesh beside the bodies, still or moving, that pins follow.
struct AnchorMesh {
  Geometry geometry;
  std::shared_ptr<Motion> motion;  // null: still
};

// Points that do not answer to forces: held where they are, moved by keys, or following the source's
// animation or another mesh.
struct Pin {
  std::string name;                           // for messages: the group, or "points"
  std::vector<std::int32_t> points;           // ascending, of the body's geometry
  Keys<Vec3f> translate;                      // metres from the rest place, by frame; empty = none
  bool animated = false;                      // follow Body::motion
  std::shared_ptr<const AnchorMesh> to = {};  // follow the nearest place on it; null: none
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::cloth;
  Geometry geometry;  // at the start, in world space; also the rest shape, unless there is another
  Vec3f velocity;     // at the start [m/s]
  Keyed<ClothParams> cloth;
  std::vector<Pin> pins;
  std::shared_ptr<Motion> motion;  // null for a still source
  std::vector<Vec3f> rest_points;  // of a rest shape of its own; empty: those of the geometry
  std::shared_ptr<Motion> rest_motion;
};

// Threads between points of two bodies, or of one.
struct Stitch {
  int a = 0, b = 0;                       // bodies
  std::vector<std::array<int, 2>> pairs;  // a point of a and one of b
  float restlength = 0;                   // [m]
  float stiffness = 1e10f;                // [N/m] of each thread
  // Between these frames the rest length goes from the gap at the start to restlength.
  bool closes = false;
  double close_first = 0, close_last = 0;
};

struct Output {
  std::string path;                     // .abc; as it stands, already resolved against the scene's folder
  int samples = 1;                      // samples a frame, for motion blur
  std::vector<std::string> attributes;  // on request: "strain", "speed", "stress"
};

struct Scene {
  std::string path;
  int first_frame = 1, last_frame = 48;
  Keyed<WorldParams> world;
  Keyed<SolverParams> solver;
  std::vector<Body> bodies;
  std::vector<Stitch> stitches;
  std::vector<Output> outputs;
};

// A scene, or every reason why there is none, each with its place ("flag.json:12:7: ...").
struct SceneLoad {
  Scene scene;
  std::vector<std::string> errors, warnings;
  Code code = Code::bad_input;  // of the errors
  bool ok() const { return errors.empty(); }
};

// Reads a scene file and everything it names. `sets` are "NAME=VALUE": "iterations=40",
// "solver.iterations=40" or "BODY.density=0.3". Paths are relative to the scene file.
SceneLoad loadScene(const std::string& path, const std::vector<std::string>& sets);

}  // namespace repose
