// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All that is constant for a run: masses, topology, rows of constraints, incidence lists. Only builders
// change it. Points of a body lie in space order and are padded to a multiple of 16; so are the rows of each
// batch. A padding point has no mass to move (w = 0), a padding row joins a point to itself with rest length
// 0: both do nothing.
#pragma once
#include <string>
#include <vector>

#include "base/types.h"
#include "model/incidence.h"
#include "model/rigid.h"
#include "params/params.h"

namespace repose {

struct Range {
  int first = 0, count = 0;  // count without padding
  int padded() const { return (count + 15) / 16 * 16; }
};

// Distance rows (algorithms.md 6): 16 bytes a row.
struct DistanceRows {
  std::vector<int> a, b;
  std::vector<float> rest;       // [m]
  std::vector<float> stiffness;  // [N/m] for a parameter of 1
  int size() const { return static_cast<int>(a.size()); }
};

// Bending rows over an edge: corners x1, x2 opposite, x3, x4 on the edge, corner after corner, size() apart.
struct HingeRows {
  std::vector<int> corner;  // 4 size()
  std::vector<float>
      weight;  // 4 size(): quadratic stencil k_s / sqrt(A0+A1); of rest gradients, signed, for dihedral
  std::vector<float> rest_angle;  // [rad], dihedral only
  std::vector<float> stiffness;   // for a parameter of 1
  int size() const { return static_cast<int>(stiffness.size()); }
};

// Membrane triangles: fibres along warp, weft and both biases. The deformed warp is sum warp_s x_s, 1 long at
// rest, the weft alike; biases are (warp +- weft)/sqrt 2. A fibre's row is C = |fibre| - restscale with
// gradient (its weight at s) * (its direction). Corner after corner, size() apart.
struct MembraneTriangles {
  std::vector<int> corner;            // 3 size()
  std::vector<float> warp, weft;      // 3 size() [1/m]
  std::vector<float> stretch, shear;  // [m^2]: area times point attributes
  int size() const { return static_cast<int>(stretch.size()); }
};

// Tetrahedra (algorithms.md 6.1): corner after corner, size() apart. y_1 to y_3 are the rows of the inverse
// of the rest shape's edge matrix, nine arrays.
struct TetElements {
  std::vector<int> corner;       // 4 size()
  std::vector<float> y;          // 9 size() [1/m]
  std::vector<float> volume;     // [m^3], 0 for padding
  std::vector<float> stiffness;  // of point attributes
  std::vector<Vec3f> fibre;      // unit, at rest
  int size() const { return static_cast<int>(volume.size()); }
};

// Triangles that feel the air, corner after corner, size() apart.
struct AirTriangles {
  std::vector<int> corner;                         // 3 size()
  std::vector<float> inv_mass;                     // [1/kg]
  std::vector<float> normal_scale, tangent_scale;  // from point attributes; 16 ones when not scaled
  bool scaled = false;
  SlicedLists fan;  // point -> triangles
  std::vector<int> fan_triangle;
  int size() const { return static_cast<int>(inv_mass.size()); }
};

// limit and tether only pull: their rest length is the longest that is allowed. Stitches belong to no body.
enum class RowKind : unsigned char { stretch, shear, neighbour, limit, tether, stitch };
inline constexpr int kRowKinds = 5;  // of a body
inline bool onlyPulls(RowKind kind) { return kind == RowKind::limit || kind == RowKind::tether; }

struct ModelBody {
  std::string name;
  Range points, triangles;
  Range rows[kRowKinds];  // of Model::distance
  Range hinges;           // of Model::quadratic or Model::dihedral
  Range membrane;         // of Model::membrane
  Range tets;             // of Model::tets
  BendModel bend = BendModel::none;
  // Of each tether, which are sorted by length: the one of the next point on the way to the pin, counted from
  // the first, or -1 when that is the pin.
  std::vector<int> tether_next;
};

struct ModelPin {
  int point;   // of the model
  int body;    // index of the scene's body
  int pin;     // index in Body::pins
  int source;  // point of the body's geometry
};

// A point that slides along a line.
struct ModelSlide {
  ModelPin at;
  Vec3f line;  // unit
};

struct Model {
  std::vector<ModelBody> bodies;
  std::vector<int> source;      // model point -> point of its body's geometry, -1 for padding
  std::vector<float> inv_mass;  // [1/kg], 0 for pins and padding
  DistanceRows distance;
  Range stitches;  // of distance, behind all bodies: rows between any two points
  HingeRows quadratic, dihedral;
  MembraneTriangles membrane;
  TetElements tets;
  AirTriangles air;
  std::vector<ModelPin> pins;
  std::vector<ModelSlide> slides;
  RigidModel rigid;

  int numPoints() const { return static_cast<int>(source.size()); }  // with padding
  const HingeRows& hinges(const ModelBody& body) const {
    return body.bend == BendModel::dihedral ? dihedral : quadratic;
  }
  std::size_t bytes() const;
};

}  // namespace repose
