// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The part of the contact loop that rigid bodies and their joints take: the same verbs as ContactLoop.
#pragma once
#include <type_traits>

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

// Whether the arguments of a kernel have the field that a reader below returns.
template <class Args, class Read>
constexpr bool has(Read) {
  return std::is_invocable_v<Read, Args&>;
}
inline constexpr auto kPushed = [](auto& a) -> decltype(a.pushed) { return a.pushed; };  // changes are kept
inline constexpr auto kChange = [](auto& a) -> decltype(a.change) { return a.change; };  // the same
inline constexpr auto kLever = [](auto& a) -> decltype(a.lever) { return a.lever; };     // bodies turn
inline constexpr auto kTile = [](auto& a) -> decltype(a.first_tile) { return a.first_tile; };

// Colour after colour of a batch. rough: only those of heaps whose masses differ much.
template <class Args>
void launchColours(ContactBatch& batch, Args& a, Backend& backend, bool rough = false) {
  backend.inOrder([&] {
    for (const ContactBatch::Colour colour : batch.colours) {
      if (rough && !colour.rough) continue;
      a.first_row = colour.first, a.end_row = colour.end;
      backend.launch((colour.end - colour.first + backend.lanes() - 1) / backend.lanes(), a);
    }
  });
}

class RigidLoop {
 public:
  RigidLoop(Contacts& contacts, const StepParams& params, float h, Backend& backend);

  bool any() const;
  bool joined() const;  // whether there are joints
  void accelerate(Vec3f gravity);
  void begin(float warm);
  // One pass over joints and contacts. biased: errors of hard joints are taken away.
  struct Pass {
    bool regap, bounce, biased;
    float beta;  // momentum of rows that are solved together
  };
  void sweep(const ContactLaw& law, const Pass& pass);
  void move();

 private:
  template <class Args>
  void aim(Args& a) const;
  template <class Args, class More>
  void launchHulls(const More& more);
  void gather();

  Contacts& contacts_;
  RigidMovers& movers_;
  Vec4f* v_;
  const StepParams& params_;
  float h_, since_ = 0;
  bool fresh_ = true, together_;
  Backend& backend_;
};

}  // namespace repose
