// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/hanging_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bench/report.h"
#include "model/build.h"
#include "scene/scene.h"
#include "scene/shapes.h"

namespace repose {

namespace {

constexpr float kSize = 2, kDensity = 0.2f, kGravity = 9.8f;

Scene sceneOf(const HangingSheet::Settings& settings) {
  Scene scene;
  Body body;
  body.name = "sheet";
  Shape shape;
  shape.size = {kSize, kSize, 1};
  shape.divisions = {settings.n - 1, settings.n - 1, 1};
  body.geometry = makeGrid(shape);
  body.cloth.base.density = kDensity;
  body.cloth.base.stretchstiffness = settings.stiffness;
  body.cloth.base.shearstiffness = 1000;
  body.cloth.base.bendstiffness = 1e-5f;
  body.pins.push_back({"corners", {0, settings.n - 1}, {}, false});
  scene.bodies.push_back(std::move(body));
  return scene;
}

}  // namespace

HangingSheet::HangingSheet(const Settings& settings) : substeps_(settings.substeps) {
  const Scene scene = sceneOf(settings);
  Result<Built> built = buildModel(scene);
  if (!built.ok()) {
    fmt::print(stderr, "{}\n", built.status().message());
    std::exit(4);
  }
  model_ = std::move(built->model);
  state_ = std::move(built->state);
  params_.h = 1.0f / (60.0f * static_cast<float>(substeps_));
  params_.world.gravity = {0, -kGravity, 0};
  params_.world.airdensity = 0;
  params_.solver = settings.solver;
  params_.cloth.push_back(scene.bodies[0].cloth.base);
  for (const ModelPin& pin : model_.pins)
    params_.pin_targets.push_back(scene.bodies[0].geometry.points[pin.source]);
  if (settings.solver.method == SolverMethod::multilevel) state_.x_low.resize(state_.x.size());
  work_ = std::make_unique<Workspace>(model_, params_);
}

float HangingSheet::stiffnessByRule(int n) {
  constexpr float kGoal = 0.007f, kLeast = 1e5f;
  const float spacing = kSize / static_cast<float>(n - 1);
  const float tension = 0.9f * kDensity * kSize * kSize * kGravity;
  return std::max(kLeast, 2 * tension / (kGoal * spacing));
}

HangingSheet::Frame HangingSheet::advance(Backend& backend) {
  Frame frame;
  StageSeconds seconds{};
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < substeps_; ++k)
    frame.iterations += step(model_, state_, params_, *work_, backend, seconds).iterations;
  frame.milliseconds = milliseconds(begin);

  const Range edges = model_.bodies[0].rows[static_cast<int>(RowKind::stretch)];
  for (int i = edges.first; i < edges.first + edges.count; ++i) {
    const Vec3f way = xyz(state_.x[model_.distance.a[i]]) - xyz(state_.x[model_.distance.b[i]]);
    const double stretch = std::max(0.0, double{length(way)} / model_.distance.rest[i] - 1);
    frame.largest = std::max(frame.largest, stretch);
    frame.mean += stretch / edges.count;
  }
  const Range points = model_.bodies[0].points;
  for (int p = points.first; p < points.first + points.count; ++p)
    frame.height += double{state_.x[p].y} / points.count;
  return frame;
}

std::size_t HangingSheet::bytes() const {
  const std::size_t state = state_.x.capacity() + state_.x_low.capacity() + state_.v.capacity();
  return model_.bytes() + state * sizeof(Vec4f) + work_->bytes();
}

double Drop::largest() const {
  double all = 0;
  for (const auto& frame : frames) all = std::max(all, frame.largest);
  return all;
}

double Drop::mean() const {
  double all = 0;
  for (std::size_t f = kDropFrames / 4; f < frames.size(); ++f) all = std::max(all, frames[f].mean);
  return all;
}

double Drop::pathError() const {
  constexpr std::array<std::pair<int, double>, 3> kPath = {{{15, -0.272}, {30, -0.804}, {45, -0.978}}};
  double error = 0;
  for (const auto& [frame, height] : kPath)
    error = std::max(error, std::abs(frames[frame - 1].height - height));
  return error;
}

double Drop::iterations() const {
  double sum = 0;
  for (const auto& frame : frames) sum += frame.iterations;
  return sum / static_cast<double>(frames.size());
}

double Drop::milliseconds() const {
  double sum = 0;
  for (const auto& frame : frames) sum += frame.milliseconds;
  return sum / static_cast<double>(frames.size());
}

bool Drop::meets(const DropGoal& goal) const {
  return largest() <= goal.largest && mean() <= goal.mean && pathError() <= goal.path;
}

}  // namespace repose
