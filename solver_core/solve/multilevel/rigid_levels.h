// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The coarse levels of a soft body (cloth_study.md 7): aggregates of some 25 points that move as rigid
// bodies, so six unknowns each, then aggregates of those, until a dense factor is small. Rigid motions about
// the current places cost no strain, which is why the number of cycles depends neither on size nor on
// stiffness. In double: there are few nodes, and stiff bodies leave little of a float. Lists are built once;
// sums have fixed orders.
#pragma once
#include <array>
#include <vector>

#include "backend/backend.h"
#include "base/types.h"
#include "base/vec3d.h"
#include "solve/multilevel/aggregates.h"
#include "solve/multilevel/dense.h"
#include "solve/multilevel/soft_rows.h"

namespace repose {

using Mat6 = std::array<double, 36>;  // by columns: translations, then rotations
using Vec6 = std::array<double, 6>;

class RigidLevels {
 public:
  explicit RigidLevels(const SoftRows& rows);

  // The matrices from that of the points, at places x + off [m]. contact: blocks of the points, six arrays,
  // or null.
  void build(const SoftRows& rows, const Vec4f* x, const std::vector<Vec4f>& off, float inv_h2,
             const float* contact, int contact_stride, Backend& backend);
  // z += P A^-1 P^T t, by one cycle.
  void correct(const std::vector<Vec4f>& t, std::vector<Vec4f>& z, Backend& backend);
  void forget();  // how the smoothers were chosen
  std::size_t bytes() const;
  std::size_t depth() const { return levels_.size(); }

 private:
  struct Level {
    int nodes = 0;
    // Members: points of the body on the first level, nodes of the finer one on the others.
    std::vector<int> member_start, member, parent;  // parent: of each member, -1 for none
    std::vector<Vec3d> centre, arm;                 // of nodes, and of members from the centre [m]
    std::vector<double> weight;                     // of members, for the centre
    std::vector<int> row_start, column;             // off the diagonal, ascending
    std::vector<int> turned;                        // the block of the same pair, the other way round
    std::vector<int>
        target;  // of each slot or block of the finer level: block of this one, or kInside, kFixed
    std::vector<Mat6> block, diagonal, inverse;
    std::vector<Vec6> r, z, t, power;
    double omega = 0;
  };
  static constexpr int kInside = -1, kFixed = -2;

  void addLevel(const Graph& graph, int members);
  template <class EachLink>
  static void connect(Level& level, std::size_t links, const EachLink& eachLink);
  Graph graphOf(const Level& level) const;
  void placeCentres(Level& level, const std::vector<Vec3d>& places);
  void gatherPoints(const SoftRows& rows, float inv_h2, const float* contact, int contact_stride,
                    Backend& backend);
  void gatherNodes(const Level& finer, Level& level);
  void chooseStep(Level& level, Backend& backend);
  void factorBottom();
  void product(const Level& level, const std::vector<Vec6>& x, std::vector<Vec6>& y, Backend& backend) const;
  void smooth(Level& level, Backend& backend);
  void solve(std::size_t l, Backend& backend);
  void descend(std::size_t l, Backend& backend);

  std::vector<Level> levels_;
  std::vector<Vec3d> places_;
  DenseCholesky bottom_;
  std::vector<double> bottom_rhs_;
};

}  // namespace repose
