// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/projective/direct.h"

#include <Eigen/SparseCholesky>

#include "base/vectors.h"
#include "solve/projective/panels.h"

namespace repose {

struct DirectSolver::Factor {
  using Matrix = Eigen::SparseMatrix<double>;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> ldlt;
  Panels lower;             // without its diagonal of ones
  std::vector<int> points;  // in the order of elimination
  std::vector<double> diagonal;
  std::vector<Triple> answer;
  bool analysed = false;
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
  const Eigen::VectorXd diagonal = factor_->ldlt.vectorD();
  factor_->diagonal.assign(diagonal.begin(), diagonal.end());
  const Factor::Matrix& l = factor_->ldlt.matrixL().nestedExpression();
  factor_->lower.take(static_cast<int>(size), l.outerIndexPtr(), l.innerIndexPtr(), l.valuePtr());
  factor_->answer.resize(free.size());
}

// x, y and z in one pass over the factor, which is what takes the time.
void DirectSolver::solve(const std::vector<Vec4f>& gradient, std::vector<Vec4f>& step) {
  const std::vector<int>& points = factor_->points;
  std::vector<Triple>& q = factor_->answer;
  for (std::size_t r = 0; r < points.size(); ++r) {
    const Vec4f g = gradient[points[r]];
    q[r].xy = Triple::Two{-g.x, -g.y}, q[r].z = Triple::Two{-g.z, 0};
  }
  factor_->lower.solveForward(q);
  factor_->lower.solveBackward(q, factor_->diagonal);
  for (std::size_t r = 0; r < points.size(); ++r)
    step[points[r]] = {static_cast<float>(q[r].xy[0]), static_cast<float>(q[r].xy[1]),
                       static_cast<float>(q[r].z[0]), 0};
}

std::size_t DirectSolver::bytes() const {
  // the factor as Eigen made it, which is made again in the same places
  const Eigen::Index entries = factor_->analysed ? factor_->ldlt.matrixL().nestedExpression().nonZeros() : 0;
  return static_cast<std::size_t>(entries) * (sizeof(double) + sizeof(int)) + passBytes();
}

std::size_t DirectSolver::passBytes() const {
  return factor_->lower.bytes() + bytesOf(factor_->points, factor_->diagonal, factor_->answer);
}

}  // namespace repose
