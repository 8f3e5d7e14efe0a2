// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The contact loop of contact_study.md 4 over whatever the contacts of a step are, and the published schemes
// (algorithms.md 4). Every scheme runs with every method.
#pragma once
#include "solve/contact/contacts.h"

namespace repose {

// How rows answer a gap in one pass.
struct ContactLaw {
  int model = 0;    // a FrictionModel, or none
  float inv_h = 0;  // share of a gap that may be closed [1/s]
  float bias = 0;   // share of an overlap that is wanted gone [1/s]
  float push = 0;   // at most so fast [m/s]
  float soft = 0;   // compliance over the row's own response
};

class ContactLoop {
 public:
  ContactLoop(Contacts& contacts, const SolverParams& solver, float h, Backend& backend);

  void accelerate(Vec3f gravity);  // grains
  void begin(float warm);          // normals and gaps of pairs, last impulses
  void sweep(int times);           // bias on, after the velocityiterations of sp
  void move();                     // grains, and the gaps of all rows; then the friction of pbd
  void relax(int times);           // bias off
  void bounce();                   // parts what came fast enough

 private:
  // One SOLVE of contact_study.md: momentum begins anew. regap: the first pass finds the gaps of pairs.
  void solve(int times, const ContactLaw& law, bool regap, bool bounce);
  struct Pass {
    bool regap, bounce;
    float gain, beta;    // of rows that are solved together
    bool rough = false;  // only rows of heaps whose masses differ much
  };
  template <class PairArgs, class PatchArgs>
  void beginRows(float warm);
  template <class PairArgs, class PatchArgs>
  void sweepRows(const ContactLaw& law, const Pass& pass);
  void renewPairs();
  void gather();

  Contacts& contacts_;
  const SolverParams& solver_;
  float h_, gravity_ = 0;
  Backend& backend_;
  ContactLaw law_;
  bool together_;
  bool moved_ = false;  // gaps of pairs are behind their places
};

}  // namespace repose
