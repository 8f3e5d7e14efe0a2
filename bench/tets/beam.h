// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A soft beam, for benchmarks.
#pragma once
#include <algorithm>

#include "bench/tets/beam_mesh.h"
#include "model/build.h"
#include "solve/workspace.h"

namespace repose {

constexpr int kSubsteps = 20;  // of a frame of S4 of peers.md

// A soft beam held at x = 0.
struct Beam {
  Beam(TetMesh mesh, SoftMaterial material, int passes, int substeps,
       SolverMethod method = SolverMethod::gauss_seidel_coloured,
       SoftSmoothing smoothing = SoftSmoothing::none, float youngsmodulus = 1e6f) {
    Body body;
    body.name = "beam", body.kind = BodyKind::soft, body.tets = std::move(mesh);
    SoftParams& soft = body.soft.base;
    soft.material = material, soft.youngsmodulus = youngsmodulus, soft.poissonratio = 0.3f;
    soft.smoothing = smoothing;
    Pin wall;
    for (std::size_t p = 0; p < body.tets.geometry.points.size(); ++p)
      if (body.tets.geometry.points[p].x < 1e-6f) wall.points.push_back(static_cast<int>(p));
    body.pins.push_back(wall);
    ModelBuilder builder;
    buildSoft(body, 0, builder);
    built = builder.finish();
    float end = 0;
    for (const Vec3f& p : body.tets.geometry.points) end = std::max(end, p.x);
    for (int p = 0; p < built.model.numPoints(); ++p)
      if (const int source = built.model.source[p];
          source >= 0 && body.tets.geometry.points[source].x > end - 1e-5f)
        tip.push_back(p);
    params.h = 1.0f / 60 / static_cast<float>(substeps);
    params.world.substeps = substeps;
    params.world.gravity = {0, -9.81f, 0}, params.world.airdensity = 0;
    params.solver.method = method, params.solver.iterations = passes;
    if (method == SolverMethod::multilevel) built.state.x_low.resize(built.state.x.size());
    params.soft = {soft}, params.cloth = {skinOf(soft)};
    for (const ModelPin& pin : built.model.pins)
      params.pin_targets.push_back(body.tets.geometry.points[pin.source]);
    work = std::make_unique<Workspace>(built.model, params);
  }
  void frame(Backend& backend) {
    StageSeconds seconds{};
    frame(backend, seconds);
  }
  void frame(Backend& backend, StageSeconds& seconds) {
    for (int s = 0; s < params.world.substeps; ++s)
      iterations += step(built.model, built.state, params, *work, backend, seconds).iterations;
  }
  double sag() const {
    float lowest = 0;
    for (const Vec4f& x : built.state.x) lowest = std::min(lowest, x.y);
    return -lowest;
  }
  std::size_t bytes() const {
    return built.model.bytes() + 2 * built.state.x.capacity() * sizeof(Vec4f) + work->bytes();
  }
  Built built;
  StepParams params;
  std::unique_ptr<Workspace> work;
  std::vector<int> tip;  // points of the free end
  std::int64_t iterations = 0;
};

}  // namespace repose
