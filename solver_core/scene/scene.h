// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a host gives: geometry, parameters with keys, pins, frame range. No physics.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "params/keyed.h"
#include "params/params.h"
#include "scene/geometry.h"
#include "scene/tet_mesh.h"
#include "shape/convex.h"

namespace repose {

enum class BodyKind { cloth, grain, rigid, soft };

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
  std::vector<std::int32_t> points;           // ascending, of Body::simulated()
  Keys<Vec3f> translate;                      // metres from the rest place, by frame; empty = none
  bool animated = false;                      // follow Body::motion
  std::shared_ptr<const AnchorMesh> to = {};  // follow the nearest place on it; null: none
  Vec3f line = {};                            // unit: the points slide along it through their place; 0: held
  bool slides() const { return dot(line, line) > 0; }
};

// Edges between these points tear, from the first point to the last between two frames.
struct Cut {
  std::vector<std::int32_t> points;  // ascending
  double first_frame = 0, last_frame = 0;
};

// A volume by formula, centred at its own origin, y up; `place` puts it into the world.
struct Volume {
  enum class Shape { box, sphere, cylinder, cone, capsule, torus } shape = Shape::box;
  Vec3f size{1, 1, 1};              // box
  float radius = 0.5f, height = 1;  // height of a cylinder, of a cone, of the straight part of a capsule
  float tuberadius = 0.1f;          // torus
  Mat4d place;
};

// Where grains come from during the run.
struct Emitter {
  Volume volume;     // they appear in
  float rate = 0;    // grains a second
  Vec3f velocity;    // at birth [m/s]
  float spread = 0;  // share of its length by which velocities differ at random
  double first_frame = -1e9, last_frame = 1e9;
  std::uint32_t seed = 0;
};

// Where grains go: those inside a volume, below a plane, or too old.
struct Sink {
  enum class Kind { volume, plane, age } kind = Kind::volume;
  Volume volume;
  Vec3f point, normal{0, 1, 0};  // plane: grains behind it go
  float age = 0;                 // [s]
  std::string body;              // of these grains only; empty: of all
};

// What bodies meet and cannot move.
struct Collider {
  enum class Shape { plane, volume, heightfield, mesh, field } shape = Shape::plane;
  std::string name;
  Keyed<ColliderParams> params;
  bool inside = false;             // bodies are kept inside it: a container
  Volume volume;                   // its place included
  Mat4d place;                     // field: from the space of the file into the world
  Vec3f point;                     // the origin of its own space, which `rotate` turns it about; on a plane
  Vec3f normal{0, 1, 0};           // plane and heightfield: up
  Geometry geometry;               // mesh, and of a heightfield the grid of its points, in world space
  int columns = 0;                 // heightfield: points in a row of the grid
  std::shared_ptr<Motion> motion;  // of a deforming mesh; null: none
  Keys<Vec3f> translate, rotate;   // added to its place: metres, and degrees about x, y and z; empty = none
  std::string path;                // field: a VDB file
  float voxel = 0;                 // of a mesh that is turned into a field [m]; 0: it stays a mesh
};

// What rigid pieces look like and where they touch, in a space of their own.
struct RigidShape {
  Geometry geometry;          // as written and drawn
  std::vector<Convex> parts;  // empty: a concave mesh, which touches by a field of distances
  float voxel = 0;            // of that field [m]; 0 chooses
};

// One rigid body.
struct RigidPiece {
  std::string name;
  int shape = 0;         // of Body::shapes
  Pose place;            // of the shape's space at the start
  Vec3f velocity, spin;  // at the start: of its centre of mass [m/s], and turning [rad/s]
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::cloth;
  // At the start, in world space; of cloth and soft bodies also the rest shape, unless there is another; of
  // grains only points.
  Geometry geometry;
  Vec3f velocity;  // at the start [m/s]
  Keyed<ClothParams> cloth;
  Keyed<GrainParams> grain;
  std::vector<float> radii;  // of each grain of the geometry [m]
  std::vector<Emitter> emitters;
  Keyed<SoftParams> soft;
  TetMesh tets;                     // soft: what is simulated, in world space at the start
  std::vector<Embedded> embedding;  // soft: of each point of the geometry, which is what is written and drawn
  Keyed<RigidParams> rigid;
  std::vector<RigidShape> shapes;
  std::vector<RigidPiece> pieces;
  Keys<Vec3f> translate, rotate;  // of animated pieces, as of colliders
  std::vector<Pin> pins;
  std::vector<Cut> cuts;  // of cloth
  bool tears() const { return kind == BodyKind::cloth && (cloth.base.tearstretch > 0 || !cuts.empty()); }
  std::shared_ptr<Motion> motion;  // null for a still source
  // What is simulated, which pins name points of.
  const Geometry& simulated() const { return kind == BodyKind::soft ? tets.geometry : geometry; }
  // Of the last points of the geometry, which tears have made: the points that they are copies of.
  std::vector<std::int32_t> copied;
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

// One side of a joint: a rigid piece, a point of a cloth or soft body, a grain, or the world.
struct JointEnd {
  int body = -1;      // of the scene; -1: the world
  int piece = 0;      // of a rigid body; of cloth, soft bodies and grains the point
  int collider = -1;  // of the world: what it goes with; -1: nothing
};

// Holds two bodies together. At the start both ends are where `frame` is; its x axis is that of a hinge, of a
// slider and of twisting.
struct Joint {
  enum class Kind { fixed, spherical, hinge, slider, distance } kind = Kind::fixed;
  std::string name;
  JointEnd a, b;
  Pose frame;   // in the world at the start
  Vec3f other;  // distance: the anchor on b, in the world at the start; the anchor on a is the frame's
  Keyed<JointParams> params;
};

// A skin around grains: spheres are joined, grown so that the gaps between them close, and shrunk again.
struct GrainSkin {
  float voxel = 0;        // [m]
  float radiusscale = 2;  // of the mean grain while gaps close
  int smooth = 2;         // passes over the joined spheres
};

// How rigid pieces are in a cache: each as a mesh that is moved, or all of a body as points to copy shapes
// to.
enum class RigidOutput { xform, points };

// A cache of all bodies (.abc), or a skin: a level set a frame (.vdb) or a mesh (.abc).
struct Output {
  std::string path;                     // as it stands, already resolved against the scene's folder
  int samples = 1;                      // samples a frame, for motion blur
  std::vector<std::string> attributes;  // on request (scene/output_fields.h)
  std::optional<GrainSkin> skin = {};
  std::string body = {};  // of a skin: whose grains; empty: those of all bodies
  RigidOutput rigid = RigidOutput::xform;
};

struct Scene {
  std::string path;
  int first_frame = 1, last_frame = 48;
  Keyed<WorldParams> world;
  Keyed<SolverParams> solver;
  std::vector<Body> bodies;
  std::vector<Stitch> stitches;
  std::vector<Joint> joints;
  std::vector<Collider> colliders;
  std::vector<Sink> sinks;
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
// "solver.iterations=40" or "BODY.density=0.3". Paths are relative to the scene file; with `roots` all of
// them have to be inside one of these folders.
SceneLoad loadScene(const std::string& path, const std::vector<std::string>& sets,
                    const std::vector<std::string>& roots = {});

}  // namespace repose
