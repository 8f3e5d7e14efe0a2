// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What contacts add to the linear system of one cloth (coupling_study.md 3): the patch rows that touch it,
// the other movers in them as further unknowns, and the blocks on the diagonal for its preconditioner.
// Unknowns are the points of the cloth, then the other movers, then the turning of those that are rigid
// bodies, then padding whose last is nobody.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "backend/backend.h"
#include "collide/contact_rows.h"
#include "params/params.h"

namespace repose {

// A symmetric matrix xx xy xz yy yz zz times a vector.
inline Vec3f times(const std::array<float, 6>& s, Vec3f a) {
  return {s[0] * a.x + s[1] * a.y + s[2] * a.z, s[1] * a.x + s[3] * a.y + s[4] * a.z,
          s[2] * a.x + s[4] * a.y + s[5] * a.z};
}

// Rows on cloth are this much less soft than a/a2: with the masses of single points a heavy body would sink
// in (coupling_study.md 3).
inline constexpr float kClothSoftness = 0.1f;
// Beyond two hundred times the mass of the cloth they have to be harder still, down to a tenth of that.
float clothSoftness(float ratio);

// The law of soft rows in a contact substep (contact_study.md 4).
struct SoftLaw {
  float h = 0;                      // contact substep [s]
  float firm = 0;                   // a2: a row without mass ratios has k = a2/a
  float rate = 0;                   // bt: share of an overlap that is pushed out a second [1/s]
  float speed = 0;                  // greatest speed of that [m/s]
  float softness = kClothSoftness;  // of rows on cloth
};
// Greatest frequency of soft rows, over that of the substeps: stiffer grains press each other less, stiffer
// cloth rings.
inline constexpr float kGrainFrequency = 0.35f, kClothFrequency = 0.25f, kRigidFrequency = 0.25f;
SoftLaw softLaw(const SolverParams& solver, float h, float frequency = kClothFrequency);

// The velocity b + e p_n that a soft row asks for, of its gap C [m] and a = J M^-1 J^T [1/kg].
struct SoftAim {
  float bias, compliance;
};
inline SoftAim softAim(const SoftLaw& law, float gap, float a, float softness) {
  if (gap > 0) return {gap / law.h, 0};
  const float back = law.rate * gap;
  return {back > -law.speed ? back : -law.speed, softness * a / law.firm};
}

struct RigidMovers;

// All that contacts can push, in the order of contact_rows.h: velocity [m/s] and inverse mass [1/kg].
struct MoverView {
  Vec4f* v = nullptr;
  int grains = 0;                      // before the points of the model
  int points = 0;                      // of the model; rigid bodies come after them
  bool rolling = false;                // they rotate: what they drag along is left to the contact loop
  const ContactRows* lever = nullptr;  // beside the patches, where rigid bodies are among them
  int first_rigid = 0;                 // mover
  RigidMovers* rigid = nullptr;
};

class ContactTerms {
 public:
  // The rows of a detection on points [first, first + points) of the model, and rigid bodies that are
  // unknowns even without rows. Nothing else is kept from the last call.
  void take(const ContactRows& patches, const MoverView& movers, int first, int points,
            const std::vector<int>& carriers);
  int rows() const { return static_cast<int>(row_.size()); }
  bool clothOnCloth() const { return cloth_on_cloth_; }  // some row has only points of cloth on both sides
  int unknowns() const { return points_ + others_padded_; }
  // Unknowns of a mover and of the turning of a rigid body, and what is known of them.
  int centreOf(int mover) const;
  int turnOf(int rigid) const;
  bool turns() const { return !turners_.empty(); }  // bodies, whose part of a product is the host's
  const std::array<float, 6>& inertiaOf(int turn) const { return turners_[turn - points_ - others_].inertia; }
  std::array<float, 6> blockOf(int unknown) const;  // that rows added

  // Which rows answer in a substep that takes the points from low to off; false when none does.
  bool choose(const ContactRows& patches, const MoverView& movers, const Vec4f* off, const Vec4f* low,
              const SoftLaw& law);
  // Weighs them. inverse: of the diagonal blocks of the points, becomes that of all unknowns with the rows;
  // of the other movers over omega, for a smoother that multiplies by it.
  void weigh(std::vector<float>& inverse, float omega);
  void rest() { std::fill(mode_.begin(), mode_.end(), idle); }  // no row answers
  // Whether any row has carried an impulse since the substep began.
  bool carry(const ContactRows& patches) const;
  const float* blocks() const { return block_.data(); }  // [N/m] of the points, six arrays
  int points() const { return points_; }

  void addImpulses(std::vector<Vec4f>& r, Backend& backend);  // r += J^T q / h
  // y += J^T K J x with x.y, and the inertia of the other movers.
  void addProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, std::vector<float>& dot,
                  Backend& backend);
  // The other movers' share of a cycle: they have answered already.
  void passOthers(const std::vector<Vec4f>& r, const std::vector<Vec4f>& z, std::vector<Vec4f>& y,
                  std::vector<float>& dot, Backend& backend);
  // Energy of the rows and the other movers [J] behind a step of so much of dx.
  double energyAt(const std::vector<Vec4f>& dx, float step);
  // Takes that step, for another one from there.
  void advance(const std::vector<Vec4f>& dx, float step);
  // After the last solve and so much of its dx: what the rows gave goes into the rows, the other movers and
  // the aim of the points. Returns the impulse on the cloth [N s].
  std::array<double, 3> finish(const std::vector<Vec4f>& dx, float step, ContactRows& patches,
                               const MoverView& movers, std::vector<Vec4f>& aim, Backend& backend);
  // Impulses that the velocities at the end show to be too great are not carried into the next substep.
  // inverse: of the diagonal blocks of the points, six arrays of `stride`.
  void forget(ContactRows& patches, const MoverView& movers, const std::vector<float>& inverse,
              int stride) const;
  std::size_t bytes() const;

 private:
  enum Mode : unsigned char { idle, slides, sticks };
  void answer(const std::vector<Vec4f>& x, float keep, float scale, Backend& backend);
  void gather(const Vec4f* x, Vec4f* y, float* dot, float scale, Backend& backend);
  void takeLevers(const MoverView& movers, const std::vector<int>& carriers);
  void clearRows();
  void listTouched();
  void weighTurning(std::vector<float>& inverse, float omega);
  void takeSpeeds(const std::vector<Vec4f>& dx, float step, std::vector<Vec4f>& speed) const;

  int first_ = 0, points_ = 0, others_ = 0, others_padded_ = 0, stride_ = 0;
  float h_ = 0, firm_law_ = 0;
  bool active_ = false, cloth_on_cloth_ = false;
  std::vector<int> row_;                       // in the patches
  std::vector<int> other_;                     // movers, ascending
  std::vector<float> mass_;                    // of them [kg]
  std::vector<Vec3f> way_;                     // of them and of turning since the substep began
  std::vector<int> mover_;                     // unknowns of the rows, four arrays
  std::vector<float> weight_, mass_term_;      // signed weights; a = J M^-1 J^T
  std::vector<Vec4f> speed_, later_;           // u, and b + e p_n; behind a step
  std::vector<unsigned char> mode_, between_;  // between_: cloth and cloth
  std::vector<Vec4f> firm_, impulse_, pull_;
  std::vector<float> across_, block_, other_block_;

  // A row on a rigid body: its place is moved by sign (turn x arm).
  struct Lever {
    int row;   // of the terms
    int turn;  // unknown
    float sign;
    Vec3f arm;
  };
  float answerOf(const Lever& lever, Vec3f n) const;
  Vec3f speedOf(const Lever& lever, const MoverView& movers) const;  // by turning [m/s]
  Vec3f firmOf(int row, Vec3f way) const;
  std::vector<Lever> levers_;
  std::vector<float> unturned_;  // mass_term_ without turning
  std::vector<Vec3f> turned_;    // velocity of each row by turning [m/s]
  struct Turner {
    int rigid;
    std::array<float, 6> inverse, inertia;  // xx xy xz yy yz zz [1/(kg m^2)], [kg m^2]
  };
  std::vector<Turner> turners_;  // unknowns behind the other movers

  // Rows of each unknown that has any, in slices of 16.
  std::vector<int> touched_, touched_start_, touched_row_, cursor_;
  std::vector<float> touched_weight_;
  int touched_count_ = 0;
  std::vector<Vec4f> sum_;
};

}  // namespace repose
