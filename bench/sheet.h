// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The hanging sheet of reference.md (b), T2, U4 and peers.md S1, made by hand so that masses and the order of
// rows are exactly the stated ones: n x n points of one mass, the two corners of the first row pinned.
#pragma once
#include <initializer_list>
#include <memory>
#include <utility>

#include "model/build.h"
#include "solve/residual.h"
#include "solve/workspace.h"

namespace repose {

struct Sheet {
  Model model;
  State state;
  StepParams params;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<Backend> backend;

  struct Shape {
    int n = 100;
    float spacing = 0.1f;
    bool shear = false;
    bool across = false;  // second-neighbour bend rows
    float mass = 1;       // of each point [kg]
    float stiffness = 0;  // of every spring [N/m]; 0: rigid whatever the parameter
    float damping = 0;    // rho_d of stretch and shear rows [s]
    // T2 and U4 take the rows point by point (right, down, down right, down left), the others one direction
    // at a time
    bool by_point = false;

    // S1 of peers.md: 2 x 2 m, 1 kg.
    static Shape s1(int n) {
      Shape shape;
      shape.n = n;
      shape.spacing = 2.0f / static_cast<float>(n - 1);
      shape.mass = 1.0f / static_cast<float>(n * n);
      shape.shear = shape.across = true;
      return shape;
    }
  };

  static SolverParams solverParams(SolverMethod method, int iterations, float omega) {
    SolverParams solver;
    solver.method = method;
    solver.iterations = iterations;
    solver.omega = omega;
    return solver;
  }

  Sheet(const Shape& shape, SolverMethod method, int iterations, float omega, int threads = 1)
      : Sheet(shape, solverParams(method, iterations, omega), makeTbbBackend(threads)) {}

  Sheet(const Shape& shape, const SolverParams& solver, std::unique_ptr<Backend> runs_on)
      : backend(std::move(runs_on)) {
    ModelBuilder builder;
    const int n = shape.n;
    const auto at = [n](int i, int j) { return j * n + i; };
    std::vector<Vec3f> points;
    std::vector<int> order;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        order.push_back(at(i, j));
        points.push_back({static_cast<float>(i) * shape.spacing, 0, static_cast<float>(j) * shape.spacing});
      }
    builder.beginBody("sheet");
    builder.addPoints(points, std::vector<float>(points.size(), shape.mass), {}, order);
    builder.pin(at(0, 0), 0, 0);
    builder.pin(at(n - 1, 0), 0, 0);
    const auto add = [&](RowKind kind, int i, int j, int di, int dj) {
      const int p = i + di, q = j + dj;
      if (p < 0 || p >= n || q >= n) return;
      const float rest = shape.spacing * std::sqrt(static_cast<float>(di * di + dj * dj));
      builder.addDistance(kind, at(i, j), at(p, q), rest, shape.stiffness > 0 ? shape.stiffness : 1e25f);
    };
    const auto everywhere = [&](RowKind kind, std::initializer_list<std::pair<int, int>> ways) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          for (const auto& [di, dj] : ways) add(kind, i, j, di, dj);
    };
    // kinds are visited one after another, so rows that mix have one kind
    if (shape.by_point && shape.shear)
      everywhere(RowKind::stretch, {{1, 0}, {0, 1}, {1, 1}, {-1, 1}});
    else if (shape.by_point)
      everywhere(RowKind::stretch, {{1, 0}, {0, 1}});
    else
      everywhere(RowKind::stretch, {{1, 0}}), everywhere(RowKind::stretch, {{0, 1}});
    if (shape.shear && !shape.by_point) everywhere(RowKind::shear, {{1, 1}, {-1, 1}});
    if (shape.across) everywhere(RowKind::neighbour, {{2, 0}}), everywhere(RowKind::neighbour, {{0, 2}});
    builder.endBody();
    Built built = builder.finish();
    model = std::move(built.model);
    state = std::move(built.state);
    params.h = 0.016f;
    params.world.gravity = {0, -9.8f, 0};
    params.world.airdensity = 0;
    params.solver = solver;
    params.cloth.resize(1);
    params.cloth[0].stretchdamping = shape.damping;
    if (shape.stiffness > 0)
      params.cloth[0].stretchstiffness = params.cloth[0].shearstiffness = params.cloth[0].bendstiffness = 1;
    for (const ModelPin& pin : model.pins) params.pin_targets.push_back(points[pin.source]);
    work = std::make_unique<Workspace>(model, params);
  }

  std::size_t bytes() const { return model.bytes() + 2 * state.x.capacity() * sizeof(Vec4f) + work->bytes(); }

  StepResult advance() {
    StageSeconds seconds{};
    return step(model, state, params, *work, *backend, seconds);
  }

  // RBerr of algorithms.md 13 over all distance rows [m^2].
  double squaredStretch() const {
    double sum = 0;
    const DistanceRows& rows = model.distance;
    for (int i = 0; i < rows.size(); ++i) {
      const double c = length(xyz(state.x[rows.a[i]]) - xyz(state.x[rows.b[i]])) - rows.rest[i];
      sum += c * c;
    }
    return sum;
  }

  // L1 of algorithms.md 13 over all distance rows.
  double stretchSum() const {
    double sum = 0;
    const DistanceRows& rows = model.distance;
    for (int i = 0; i < rows.size(); ++i)
      if (rows.rest[i] > 0)
        sum += std::abs(length(xyz(state.x[rows.a[i]]) - xyz(state.x[rows.b[i]])) - rows.rest[i]);
    return sum;
  }
};

}  // namespace repose
