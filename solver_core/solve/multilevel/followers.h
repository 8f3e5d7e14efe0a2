// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Points of a body that joints hold to rigid bodies, colliders or the world. They are no unknowns of their
// own: x = c + R r, so that what pulls on them pulls on the rigid body, with its mass and inertia, in the
// same linear system. A carrier is a rigid body that such points pull along.
#pragma once
#include <array>
#include <vector>

#include "base/pose.h"
#include "solve/multilevel/contact_terms.h"
#include "solve/multilevel/dense.h"

namespace repose {

// A point that something holds in a step.
struct HeldPoint {
  int hold;     // of the model
  int point;    // of the model
  int rigid;    // -1: a collider or the world
  Vec3f place;  // in the own space of the rigid body; of others where it is at the end of the substep
};

class Followers {
 public:
  // Of all held points those that are in [first, first + points).
  void take(const std::vector<HeldPoint>& held, const MoverView& movers, int first, int points);
  // Numbers of the unknowns, after the terms have them.
  void number(const ContactTerms& terms);
  bool any() const { return !points_.empty(); }
  bool held() const { return held_; }  // some point follows something that nothing pushes
  const std::vector<int>& carriers() const { return rigid_; }

  // A substep begins: carriers aim where their velocities lead, and points are brought to their places.
  // x: of the points of the body; held: as in take, with the places of this substep.
  void begin(const std::vector<HeldPoint>& held, const MoverView& movers, const ContactTerms& terms,
             const Vec4f* x, float h, std::vector<Vec4f>& off, std::vector<Vec4f>& aim);
  // Brings the points to where the carriers are.
  void place(std::vector<Vec4f>& off);
  // Of the gradient or a product at all points: that of carriers instead of followers.
  void fold(std::vector<Vec4f>& r) const;
  // After assembly, with the terms in it: folds the residual, gives carriers their blocks and value their
  // energy [J].
  void weigh(const ContactTerms& terms, const std::vector<Vec4f>& off, const std::vector<Vec4f>& aim,
             std::vector<Vec4f>& r, std::vector<float>& inverse, std::vector<float>& value);
  double energy(const std::vector<Vec4f>& off, const std::vector<Vec4f>& aim) const;
  // A product y = A x of all points becomes that of the unknowns; dot is x.y.
  void foldProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, std::vector<float>& dot) const;
  // Preconditioner: carriers answer by their own blocks, followers with them.
  void smooth(const std::vector<Vec4f>& r, std::vector<Vec4f>& z, std::vector<float>& dot);

  // Velocities of the carriers to the movers, and what others made of them since then, or since mark(), into
  // the aim.
  void mark(const MoverView& movers);
  void give(const std::vector<Vec4f>& off, const MoverView& movers);
  void takeBack(const MoverView& movers, std::vector<Vec4f>& aim);
  void addMomentum(const MoverView& movers, double sign, std::array<double, 3>& sum) const;
  void shift(const MoverView& movers, const double way[3]) const;  // [m/s]
  double mass() const;
  // visit(hold, force [N]) by which each point pulled at the last assembly.
  template <class Visit>
  void eachForce(const Visit& visit) const {
    for (const Point& p : points_) visit(p.hold, length(p.force));
  }

 private:
  struct Carrier {
    int mover, rigid;
    int centre = 0, turn = 0;  // unknowns
    float mass = 0;
    std::array<float, 6> inertia{};  // in the world [kg m^2]
    Vec3f x, v, spin;                // where it was at the start; as last given to the movers
    Quat q;
    DenseCholesky block;
  };
  struct Point {
    int hold, held;  // held: place in the list of take()
    int point;       // of the body
    int carrier;     // -1: none
    Vec3f place;     // in its own space, or the target [m]
    Vec3f arm;       // from its centre, in the world
    Vec3f force;
  };
  Vec3f wayOf(const Carrier& carrier, const std::vector<Vec4f>& x, Vec3f arm) const {
    return xyz(x[carrier.centre]) + cross(xyz(x[carrier.turn]), arm);
  }

  std::vector<Point> points_;
  std::vector<Carrier> carriers_;
  std::vector<int> rigid_;  // of the carriers, ascending
  std::vector<double> rhs_;
  const Vec4f* x_ = nullptr;
  float h_ = 0;
  bool held_ = false;
};

}  // namespace repose
