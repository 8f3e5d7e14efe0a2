// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/direct.h"

#include <Eigen/SparseCholesky>

namespace repose {

struct DirectSolver::Factor {
  using Matrix = Eigen::SparseMatrix<double>;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> ldlt;
  std::vector<int> points;  // in the order of elimination
  Eigen::VectorXd diagonal;
  std::vector<Eigen::Vector3d> answer;
  bool analysed = false;

  const Matrix& lower() const { return ldlt.matrixL().nestedExpression(); }  // without its diagonal of ones
};

DirectSolver::DirectSolver() : factor_(std::make_unique<Factor>()) {}
DirectSolver::~DirectSolver() = default;

void DirectSolver::factor(const PointMatrix& matrix) {
  const std::vector<int>& free = matrix.freePoints();
  const auto size = static_cast<Eigen::Index>(free.size());
  std::vector<Eigen::Triplet<double>> entries;
  matrix.eachEntry([&](int row, int column, double value) { entries.emplace_back(row, column, value); });
  Factor::Matrix lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  // the pattern, and with it the order of elimination, never changes
  if (!factor_->analysed) factor_->ldlt.analyzePattern(lower);
  factor_->analysed = true;
  factor_->ldlt.factorize(lower);
  factor_->points = free;
  const auto& order = factor_->ldlt.permutationP().indices();
  for (Eigen::Index r = 0; r < order.size(); ++r) factor_->points[order[r]] = free[r];
  factor_->diagonal = factor_->ldlt.vectorD();
  factor_->answer.resize(free.size());
}

// x, y and z in one pass over the factor, which is what takes the time.
void DirectSolver::solve(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step) {
  const Factor::Matrix& lower = factor_->lower();
  const int *start = lower.outerIndexPtr(), *row = lower.innerIndexPtr();
  const double* value = lower.valuePtr();
  const auto size = static_cast<int>(factor_->points.size());
  std::vector<Eigen::Vector3d>& q = factor_->answer;
  for (int r = 0; r < size; ++r) {
    const Vec4f g = gradient[factor_->points[r]];
    q[r] = Eigen::Vector3d(-g.x, -g.y, -g.z);
  }
  for (int c = 0; c < size; ++c) {
    const Eigen::Vector3d known = q[c];
    for (int k = start[c]; k < start[c + 1]; ++k) q[row[k]] -= value[k] * known;
  }
  for (int c = size - 1; c >= 0; --c) {
    Eigen::Vector3d sum = q[c] / factor_->diagonal[c];
    for (int k = start[c]; k < start[c + 1]; ++k) sum -= value[k] * q[row[k]];
    q[c] = sum;
  }
  for (int r = 0; r < size; ++r)
    step[factor_->points[r]] = {static_cast<float>(q[r][0]), static_cast<float>(q[r][1]),
                                static_cast<float>(q[r][2]), 0};
}

std::size_t DirectSolver::bytes() const {
  const auto rows = factor_->points.size();
  const auto entries = factor_->analysed ? static_cast<std::size_t>(factor_->lower().nonZeros()) : 0;
  return entries * (sizeof(double) + sizeof(int)) + rows * (4 * sizeof(double) + sizeof(int));
}

}  // namespace repose
