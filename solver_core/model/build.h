// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Scene -> model and state.
#pragma once
#include "base/status.h"
#include "model/model.h"
#include "model/state.h"
#include "scene/scene.h"

namespace repose {

struct Built {
  Model model;
  State state;
};

Result<Built> buildModel(const Scene& scene);
// Points and their rows alone, of bodies that have points; nothing rigid.
Built buildPoints(const Scene& scene);

// Collects points and rows body by body, then closes the lists. Also the way for tests to make a model by
// hand.
class ModelBuilder {
 public:
  // Points get their places in the order of calls; the body's rows name them by source index.
  void beginBody(const std::string& name);
  // order: source indices in the order in which the solver keeps the points.
  void addPoints(const std::vector<Vec3f>& positions, const std::vector<float>& masses, Vec3f velocity,
                 const std::vector<int>& order);
  // Adds the point attribute "v" to the velocities of the points; before they are pinned.
  void addVelocities(const Geometry& geometry);
  void pin(int source, int body, int pin);  // holds a point; repeated calls are one
  void slide(int source, int body, int pin,
             Vec3f line);  // after all pins; of repeated calls the first counts
  void addDistance(RowKind kind, int a, int b, float rest, float stiffness);
  // A rope to a pin; next: see ModelBody::tether_next.
  void addTether(int point, int pin, float rest, int next);
  void addHinge(BendModel bend, const int corner[4], const float weight[4], float rest_angle,
                float stiffness);
  void addMembrane(const int corner[3], const float warp[3], const float weft[3], float stretch, float shear);
  // y: rows of the inverse of the edge matrix at rest [1/m].
  void addTet(const int corner[4], const float y[9], float volume, float stiffness, Vec3f fibre);
  void addTriangle(const int corner[3], float mass, float normal_scale, float tangent_scale);
  void endBody();
  // A row between points of any two bodies, after both have ended.
  void addStitch(int body_a, int a, int body_b, int b, float rest, float stiffness);

  Built finish();

 private:
  struct Distance {
    int a, b;
    float rest, stiffness;
  };
  int point(int source) const { return places_.back()[source]; }
  // Moves the rows into the model, padded with rows from a point to itself.
  Range append(std::vector<Distance>& batch, int padding_point);
  void writeHinges();
  void writeElements();  // membranes and tetrahedra
  void writeAir();

  Built built_;
  std::vector<std::vector<int>> places_;  // source index -> model point, of each body
  std::vector<bool> pinned_;              // by source index, or on a line
  struct Hinge {
    int corner[4];
    float weight[4], rest_angle, stiffness;
  };
  struct Triangle {
    int corner[3];
    float mass, normal_scale, tangent_scale;
  };
  struct Membrane {
    int corner[3];
    float warp[3], weft[3], stretch, shear;
  };
  struct Tet {
    int corner[4];
    float y[9], volume, stiffness;
    Vec3f fibre;
  };
  std::vector<Membrane> all_membrane_;  // padded
  std::vector<Tet> all_tets_;           // padded
  std::vector<Distance> distance_[kRowKinds], stitches_;
  std::vector<Hinge> hinges_;            // of the current body
  std::vector<Hinge> all_hinges_[2];     // quadratic, dihedral; padded
  std::vector<Triangle> all_triangles_;  // padded
};

void buildCloth(const Body& body, int body_index, ModelBuilder& builder);
void buildSoft(const Body& body, int body_index, ModelBuilder& builder);

// Indices along a space-filling (Morton) curve, so that neighbours share cache lines.
std::vector<int> spaceOrder(const std::vector<Vec3f>& points);

}  // namespace repose
