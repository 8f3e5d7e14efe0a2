// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What joints hold both ways, solved at once: A dp = -r with A = J M^-1 J^T of all joints that hang together,
// by a sparse factorisation in blocks of six rows (Baraff 1996). Chains, bridges and ragdolls then keep their
// joints whatever the masses. Very large nets would fill the factors; they are swept joint by joint instead.
#pragma once
#include <array>
#include <vector>

#include "backend/backend.h"
#include "base/types.h"

namespace repose {

struct JointBlock {
  int a = 0, b = 0;        // bodies or anchors
  int rows = 0;            // of six
  double along[2][6][6];   // of each side and row: how the velocity and the turning of its body count
  double error[6] = {};    // [m or rad]
  double rate[6] = {};     // share of it that is taken away [1/s]; 0: as hard joints do
  double gamma[6] = {};    // softness
  double impulse[6] = {};  // of this substep [N s or N m s]
};

class JointSystem {
 public:
  std::vector<JointBlock> blocks;

  // Which joints hang together; movable[i] tells whether anything pushes body i.
  void arrange(const std::vector<char>& movable, int bodies);
  // v, spin: of the bodies, changed by the impulses; turn_a, turn_b: inverse inertia (kernel/rigid.def).
  struct Bodies {
    Vec4f *v, *spin;
    const Vec4f *turn_a, *turn_b;
  };
  // Weighs and factorises after `along` and `gamma` have been set. Impulses begin with zero.
  void prepare(const Bodies& bodies, Backend& backend);
  // hard: share of an error that hard joints take away [1/s].
  void solve(const Bodies& bodies, double hard, Backend& backend);

 private:
  using Block = std::array<double, 36>;
  // Joints that share movable bodies, in the order of elimination.
  struct Island {
    std::vector<int> joint;
    std::vector<int> first;  // of each joint: its entries below the diagonal, ascending
    std::vector<int> row;    // of each entry
    std::vector<Block> lower, diagonal;
    std::vector<std::array<int, 3>> pair;  // of joints of the island and the body they share: what fills A
    std::vector<int> pair_entry;
    std::vector<double> r;
    bool factorised = true;
  };
  std::vector<std::array<int, 3>> sharedBodies(const Island& island, const std::vector<char>& movable) const;
  void orderIsland(Island& island, const std::vector<char>& movable);
  void factorise(Island& island, const Bodies& bodies);
  void solveIsland(Island& island, const Bodies& bodies, double hard);
  static void residual(const JointBlock& block, const Bodies& bodies, double hard, double* r);
  static void push(JointBlock& block, const Bodies& bodies, const double* dp);

  std::vector<Island> islands_;
};

}  // namespace repose
