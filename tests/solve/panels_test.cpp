// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The panels of a sparse factor solve what the dense matrix says, for panels of every width.
#include "solve/projective/panels.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

namespace repose {
namespace {

// Springs along a grid of n x n points, with some mass.
Eigen::SparseMatrix<double> gridMatrix(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto join = [&](int a, int b) {
    for (const int p : {a, b}) entries.emplace_back(p, p, 3.0 + 0.1 * (a % 7));
    entries.emplace_back(a, b, -3.0 - 0.1 * (a % 7)), entries.emplace_back(b, a, -3.0 - 0.1 * (a % 7));
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      entries.emplace_back(i * n + j, i * n + j, 0.01);
      if (i + 1 < n) join(i * n + j, i * n + n + j);
      if (j + 1 < n) join(i * n + j, i * n + j + 1);
    }
  Eigen::SparseMatrix<double> matrix(n * n, n * n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

TEST(Panels, SolveWhatTheDenseMatrixSays) {
  for (const int n : {1, 2, 3, 7, 20}) {
    const Eigen::SparseMatrix<double> matrix = gridMatrix(n);
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt(matrix);
    const Eigen::SparseMatrix<double>& l = ldlt.matrixL().nestedExpression();
    const Eigen::VectorXd d = ldlt.vectorD();
    Panels panels;
    panels.take(n * n, l.outerIndexPtr(), l.innerIndexPtr(), l.valuePtr());
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(n * n, 3);
    const Eigen::MatrixXd expected = Eigen::MatrixXd(matrix).ldlt().solve(right);
    std::vector<Triple> q(n * n);
    const auto& order = ldlt.permutationP().indices();
    for (int r = 0; r < n * n; ++r) {
      q[order[r]].xy = Triple::Two{right(r, 0), right(r, 1)};
      q[order[r]].z = Triple::Two{right(r, 2), 0};
    }
    panels.solveForward(q);
    panels.solveBackward(q, {d.begin(), d.end()});
    for (int r = 0; r < n * n; ++r) {
      const Triple& found = q[order[r]];
      const Eigen::Vector3d place(found.xy[0], found.xy[1], found.z[0]);
      EXPECT_LT((place - expected.row(r).transpose()).norm(), 1e-10 * expected.norm()) << n << " " << r;
    }
  }
}

}  // namespace
}  // namespace repose
