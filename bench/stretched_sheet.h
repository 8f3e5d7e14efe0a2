// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The sheet of reference.md (e), S1: 100 x 100 points with 19,800 springs, a fifth too long and free, which
// relaxes without inertia of motion in frames of 11 iterations.
#pragma once
#include "bench/falling_sheet.h"

namespace repose {

struct StretchedSheet {
  static constexpr int kIterations = 11;  // a frame

  static Sheet::Shape shape() {
    Sheet::Shape s;
    s.mass = 0.01f, s.stiffness = 1000;
    return s;
  }

  StretchedSheet(const SolverParams& solver, int threads) : sheet(shape(), solver, makeTbbBackend(threads)) {
    sheet.params.h = 1.0f / 60;
    for (const ModelPin& pin : sheet.model.pins)
      sheet.model.inv_mass[pin.point] = sheet.state.x[pin.point].w = 1 / shape().mass;
    sheet.work = std::make_unique<Workspace>(sheet.model, sheet.params);
    for (Vec4f& x : sheet.state.x) x.x *= 1.2f, x.z *= 1.2f;
    sheet.work->prepare(sheet.model, sheet.state, sheet.params);
  }

  void relax() { iterateAll(sheet, sheet.state.x); }

  Sheet sheet;
};

}  // namespace repose
