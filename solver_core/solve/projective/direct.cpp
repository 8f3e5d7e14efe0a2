// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/direct.h"

#include <Eigen/SparseCholesky>

namespace repose {

struct DirectSolver::Factor {
  using Matrix = Eigen::SparseMatrix<double>;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> ldlt;
  std::vector<int> points;  // of each row
  Eigen::VectorXd side[3], answer[3];
  bool analysed = false;
};

DirectSolver::DirectSolver() : factor_(std::make_unique<Factor>()) {}
DirectSolver::~DirectSolver() = default;

void DirectSolver::factor(const PointMatrix& matrix) {
  factor_->points = matrix.freePoints();
  const auto size = static_cast<Eigen::Index>(factor_->points.size());
  std::vector<Eigen::Triplet<double>> entries;
  matrix.eachEntry([&](int row, int column, double value) { entries.emplace_back(row, column, value); });
  Factor::Matrix lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  // the pattern, and with it the order of elimination, never changes
  if (!factor_->analysed) factor_->ldlt.analyzePattern(lower);
  factor_->analysed = true;
  factor_->ldlt.factorize(lower);
  for (int axis = 0; axis < 3; ++axis) factor_->side[axis].resize(size), factor_->answer[axis].resize(size);
}

void DirectSolver::solve(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step, Backend& backend) {
  const std::vector<int>& points = factor_->points;
  const auto size = static_cast<Eigen::Index>(points.size());
  for (Eigen::Index r = 0; r < size; ++r) {
    const Vec4f g = gradient[points[r]];
    factor_->side[0][r] = -g.x, factor_->side[1][r] = -g.y, factor_->side[2][r] = -g.z;
  }
  backend.forChunks(3, [&](int axis) { factor_->answer[axis] = factor_->ldlt.solve(factor_->side[axis]); });
  const Eigen::VectorXd* answer = factor_->answer;
  for (Eigen::Index r = 0; r < size; ++r)
    step[points[r]] = {static_cast<float>(answer[0][r]), static_cast<float>(answer[1][r]),
                       static_cast<float>(answer[2][r]), 0};
}

std::size_t DirectSolver::bytes() const {
  const auto rows = factor_->points.size();
  const auto entries =
      factor_->analysed ? static_cast<std::size_t>(factor_->ldlt.matrixL().nestedExpression().nonZeros()) : 0;
  return entries * (sizeof(double) + sizeof(int)) + rows * (6 * sizeof(double) + sizeof(int));
}

}  // namespace repose
