// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rows sorted by colour: no two rows of a colour share a point, so all of them may be solved at once. Greedy,
// in index order, the lowest colour that is free (algorithms.md 10 rule 6); a body far away changes nothing.
// Each colour is padded to a multiple of 16 with copies of its last row, which the kernels do not write back.
#pragma once
#include <functional>
#include <vector>

#include "solve/membrane_rows.h"
#include "solve/step.h"

namespace repose {

enum class RowSort;

class ColouredRows {
 public:
  using SortOf = std::function<RowSort(int body, RowKind kind)>;
  void build(const Model& model, const SortOf& sort_of);
  void buildLimits(const Model& model);  // nothing else
  void weigh(const Model& model, const StepParams& params);
  void takeRest(const std::vector<float>& rest);          // of all distance rows
  void takeRestAngles(const std::vector<float>& angles);  // of all dihedral rows
  std::size_t bytes() const;

  struct Edges {
    ColourOrder order;
    std::vector<RowKind> kind;
    std::vector<int> a, b;
    std::vector<float> rest, inv_diagonal;
    std::vector<float> alpha, rho, lambda;  // soft rows only
  } rigid, soft, limit, tether;

  struct Hinges {
    ColourOrder order;
    std::vector<int> corner;  // corner after corner, order.size() apart
    std::vector<float> weight, rest_angle, inv_diagonal, alpha, rho;
    std::vector<Vec4f> vector_lambda;  // quadratic
    std::vector<float> lambda;         // dihedral
  } quadratic, dihedral;

  MembraneRows membrane;
};

// Edges that are too long become as long as their limit allows, one colour after another.
void visitLimits(const ColouredRows::Edges& limit, State& state, float omega, Backend& backend);

}  // namespace repose
