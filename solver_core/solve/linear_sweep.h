// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The Jacobi sweep as a linear map around the current places, for solvers that need step lengths or spectral
// radii. It acts on changes: a displacement of the points with the change of multipliers that made it. A
// rigid row needs no multiplier of its own, since its displacement says it all; so nothing is stored by row
// but for soft rows.
//
// With s = -W J^T D^-1 r the plain Jacobi step and q = J u + E m the answer of the rows to a change (u, m),
// sums over rows become sums over points:  r^T D^-1 q = -(s . u),  q^T D^-1 q = respond(u) . u,  where a . b
// weighs points with their mass and soft rows with their compliance. All sums run in a fixed order
// (kernel/measure.h).
#pragma once
#include "solve/workspace.h"

namespace repose {

class LinearSweep {
 public:
  LinearSweep(const Model& model, State& state, Workspace& work, Backend& backend)
      : model_(model), state_(state), work_(work), backend_(backend) {}

  // The arrays that make up a change, or the state that it changes.
  struct Arrays {
    std::vector<Vec4f>* points;
    std::vector<float>* soft;
    std::vector<Vec4f>* quadratic;
    std::vector<float>* dihedral;
    std::vector<float>* membrane;
  };
  Arrays current() const;   // places and multipliers
  Arrays lastStep() const;  // what the last jacobiSweep added
  Arrays direction() const;
  Arrays response() const;

  // response <- D^-1 (A + E) direction
  void respond();
  // a . b, in double over blocks
  double dot(const Arrays& a, const Arrays& b);
  double norm(const Arrays& a);
  // y <- keep y + gain x
  void blend(const Arrays& y, float keep, const Arrays& x, float gain);
  // Multipliers as they were before the last sweep.
  void takeBackMultipliers();

 private:
  template <class T>
  void blendOne(std::vector<T>& y, float keep, const std::vector<T>& x, float gain);
  void respondQuadratic();
  void respondDihedral();
  void respondMembrane();
  double sum(int entries);

  const Model& model_;
  State& state_;
  Workspace& work_;
  Backend& backend_;
};

}  // namespace repose
