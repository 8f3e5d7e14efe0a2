// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The coarse levels of a cloth: smoothed aggregation on the graph of its edges (cloth_study.md 5). Built
// once; only the numbers in the blocks change. Every sum is a gather in list order, so any thread count gives
// the same bits.
#pragma once
#include <vector>

#include "base/types.h"
#include "model/incidence.h"

namespace repose {

struct Edge {
  int a, b;   // points
  int slot;   // address of the edge's block, as seen from a
  bool near;  // neighbours on the cloth; a rope is not
};

struct WeightedPair {
  int a, b;
  float weight;
};

// Weights of the transfer are multiples of 1/120: products of two are then whole numbers of 16 bits, and the
// lists of the coarse blocks a quarter shorter. Any weights whose rows sum to one carry a constant over.
inline constexpr int kWeightUnits = 120;
inline constexpr float kUnitSquared = 1.0f / (kWeightUnits * kWeightUnits);

// A coarse level; sizes are padded to 16. Block k < nodes is the diagonal of node k.
struct CoarseLevel {
  int nodes = 0;   // padded
  int blocks = 0;  // padded

  SlicedLists down;  // node <- finer points, r = P^T t
  std::vector<int> down_point;
  std::vector<float> down_weight;
  SlicedLists up;  // finer point <- nodes, z += P c
  std::vector<int> up_node;
  std::vector<float> up_weight;

  SlicedLists list;  // block <- edges or blocks of the finer level
  std::vector<int> source;
  std::vector<short> weight;      // in kUnitSquared
  std::vector<float> block_mass;  // [kg]
  std::vector<float> block_bend;  // of pairs without an edge, for a stiffness of 1; first level only
  std::vector<int> place;         // 2 blocks: addresses in `row`; padding writes behind the last
  std::vector<float> block;       // 6 blocks [N/m]

  SlicedLists rows;  // node <- off-diagonal blocks
  std::vector<int> row_node;
  std::vector<float> row;

  std::vector<float> inverse;  // 6 nodes, of the diagonal blocks
  std::vector<Vec4f> r, z, t;
  std::vector<float> dot;
  float omega = 0;           // of the smoother
  std::vector<Vec4f> power;  // running eigenvector

  std::size_t bytes() const;
};

// Levels under `points` points (padded), whose free ones have mass > 0 [kg]; finest first, the last one
// small.
std::vector<CoarseLevel> buildHierarchy(int points, const std::vector<float>& mass,
                                        const std::vector<Edge>& edges,
                                        const std::vector<WeightedPair>& bends);

}  // namespace repose
