// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloths with all that garments have, and meshes that move by formula.
#pragma once
#include <functional>

#include "scenes.h"

namespace repose {

// A mesh whose points move by a formula of place and frame.
class FormulaMotion : public Motion {
 public:
  using Formula = std::function<Vec3f(Vec3f, double)>;
  FormulaMotion(std::vector<Vec3f> points, Formula formula)
      : points_(std::move(points)), formula_(std::move(formula)) {}
  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    points.resize(points_.size());
    for (std::size_t p = 0; p < points_.size(); ++p) points[p] = formula_(points_[p], frame);
    return {};
  }

 private:
  std::vector<Vec3f> points_;
  Formula formula_;
};

// Joins the last column of one grid to the first column of another, row by row.
inline Stitch sideStitch(int cells) {
  Stitch stitch;
  stitch.a = 0, stitch.b = 1;
  for (int j = 0; j <= cells; ++j) stitch.pairs.push_back({j * (cells + 1) + cells, j * (cells + 1)});
  return stitch;
}

// Two free sheets side by side with a gap between them, without gravity.
inline Scene twoSheets(int cells, float gap) {
  Scene scene = sceneOf(makeGrid(cells, cells, 1, 1));
  scene.world.base.gravity = {};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  for (Vec3f& p : scene.bodies[1].geometry.points) p.x += 1 + gap;
  scene.stitches.push_back(sideStitch(cells));
  return scene;
}

// Tethers, a strain limit, creases, pressure, a keyed rest scale, an animated rest, an attachment, and
// stitches that close.
inline Scene garmentScene(int cells, SolverMethod method) {
  Scene scene = twoSheets(cells, 0.1f);
  scene.world.base.gravity = {0, -9.81f, 0};
  scene.world.base.airdensity = 1.2f;
  scene.world.base.wind = {2, 0, 1};
  scene.solver.base.method = method;
  scene.stitches[0].closes = true;
  scene.stitches[0].close_first = 2, scene.stitches[0].close_last = 6;
  for (Body& body : scene.bodies) {
    ClothParams& cloth = body.cloth.base;
    cloth.stretchstiffness = 200;
    cloth.strainlimit = 0.1f;
    cloth.tethers = true;
    cloth.tetherslack = 0.02f;
    cloth.pressure = 0.5f;
    cloth.bendmodel = BendModel::dihedral;
    cloth.creaseangle = 2;
  }
  scene.bodies[0].cloth.tracks.push_back(
      {offsetof(ClothParams, restscale), 1, {{{1, {1, 0, 0}}, {8, {0.9f, 0, 0}}}}});
  scene.bodies[0].pins.push_back({"edge", {0, 1, 2}, {}, false});
  Body& second = scene.bodies[1];
  second.cloth.base.creaseangle = 0;
  second.rest_points = second.geometry.points;
  second.rest_motion = std::make_shared<FormulaMotion>(second.rest_points, [](Vec3f p, double frame) {
    return p * static_cast<float>(1 - 0.01 * (frame - 1));
  });
  Geometry board = makeGrid(1, 1, 4, 4);
  const auto motion = std::make_shared<FormulaMotion>(board.points, [](Vec3f p, double frame) {
    return p + Vec3f{0, static_cast<float>(0.01 * (frame - 1)), 0};
  });
  Pin pin{"attached", {cells}, {}, false};
  pin.to = std::make_shared<AnchorMesh>(AnchorMesh{board, motion});
  second.pins.push_back(pin);
  return scene;
}

// The same with a body of triangles, sewn to one of springs, and damping.
inline Scene fabricScene(int cells, SolverMethod method) {
  Scene scene = garmentScene(cells, method);
  scene.bodies[0].cloth.base.membrane = Membrane::triangles;
  scene.bodies[0].cloth.base.weftstiffness = 150;
  scene.bodies[0].cloth.base.shearstiffness = 20;
  for (Body& body : scene.bodies) {
    body.cloth.base.stretchdamping = 0.003f;
    body.cloth.base.benddamping = 0.01f;
  }
  return scene;
}

}  // namespace repose
