// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The contact loop of contact_study.md 4 over whatever the contacts of a step are.
#pragma once
#include "solve/contact/contacts.h"

namespace repose {

// How rows answer a gap in one pass.
struct ContactLaw {
  float inv_h = 0;  // [1/s]
  float bias = 0;   // share of an overlap that is wanted gone [1/s]
  float push = 0;   // at most so fast [m/s]
  float soft = 0;   // compliance over the row's own response
};

class ContactLoop {
 public:
  ContactLoop(Contacts& contacts, const SolverParams& solver, float h, Backend& backend);

  void accelerate(Vec3f gravity);  // grains
  void begin(float warm);          // normals and gaps of pairs, last impulses
  void sweep(int times);           // bias on
  void move();                     // grains, and the gaps of all rows
  void relax(int times);           // bias off
  void bounce();                   // parts what came fast enough

 private:
  void sweepAll(const ContactLaw& law, bool regap, bool bounce);

  Contacts& contacts_;
  const SolverParams& solver_;
  float h_;
  Backend& backend_;
  ContactLaw law_;
  bool moved_ = false;  // gaps of pairs are behind their places
};

// Steps grains alone.
int stepGrains(Contacts& contacts, const StepParams& params, Backend& backend);

}  // namespace repose
