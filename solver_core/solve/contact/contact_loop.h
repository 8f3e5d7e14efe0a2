// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The contact loop of contact_study.md 4 over whatever the contacts of a step are, and the published schemes
// (algorithms.md 4). Every scheme runs with every method.
#pragma once
#include "solve/rigid/rigid_loop.h"

namespace repose {

class ContactLoop {
 public:
  // params: of the whole step; h: of a contact substep [s].
  ContactLoop(Contacts& contacts, const StepParams& params, float h, Backend& backend);

  void accelerate(Vec3f gravity);  // grains and rigid bodies
  void begin(float warm);          // normals and gaps of pairs, last impulses
  void sweep(int times);           // bias on, after the velocityiterations of sp
  void move();            // grains and rigid bodies, and the gaps of all rows; then the friction of pbd
  void relax(int times);  // bias off
  void bounce();          // parts what came fast enough
  // Whether the host does nothing in all this but launch: joints and the friction of pbd are its own.
  bool launchesAlone() const;

 private:
  // One SOLVE of contact_study.md: momentum begins anew. regap: the first pass finds the gaps of pairs.
  void solve(int times, const ContactLaw& law, bool regap, bool bounce, bool biased);
  struct Pass {
    bool regap, bounce;
    float gain, beta;    // of rows that are solved together
    bool rough = false;  // only rows of heaps whose masses differ much
  };
  template <class Args>
  void answer(Args& a, const ContactLaw& law, const Pass& pass);
  template <class Args>
  void beginPatches(ContactBatch& batch, float warm);
  template <class Args>
  void sweepPatches(ContactBatch& batch, const ContactLaw& law, const Pass& pass);
  template <class PairArgs, class PatchArgs>
  void beginRows(float warm);
  template <class PairArgs, class PatchArgs>
  void sweepRows(const ContactLaw& law, const Pass& pass);
  // Rows that see each other's changes at once.
  void sweepEach(const ContactLaw& law, const Pass& pass);
  bool tiled() const { return contacts_.pairs.tiles() > 1; }
  ContactLaw rigidLaw(const ContactLaw& law) const;
  void renewPairs();
  void gather();
  bool bounces() const;  // some grain, cloth or collider

  Contacts& contacts_;
  const SolverParams& solver_;
  float h_, gravity_ = 0;
  Backend& backend_;
  RigidLoop rigid_;
  ContactLaw law_;
  bool together_;
  bool moved_ = false;  // gaps of pairs are behind their places
};

}  // namespace repose
