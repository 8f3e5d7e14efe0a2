// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/validate.h"

#include <gtest/gtest.h>

#include <limits>

#include "scene/shapes.h"

namespace repose {

namespace {

// A scene of one square of two triangles, free of faults.
Scene square() {
  Scene scene;
  Body body;
  body.name = "cloth";
  body.geometry.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  body.geometry.face_counts = {3, 3};
  body.geometry.face_indices = {0, 1, 2, 0, 2, 3};
  scene.bodies.push_back(body);
  return scene;
}

// Sentences, warnings marked with "?".
std::vector<std::string> findings(const Scene& scene) {
  std::vector<std::string> sentences;
  for (const Finding& finding : validateScene(scene))
    sentences.push_back((finding.error ? "" : "? ") + finding.sentence);
  return sentences;
}

using Sentences = std::vector<std::string>;

Attribute pointAttribute(const char* name, std::vector<float> values) {
  Attribute attribute;
  attribute.name = name;
  attribute.floats = std::move(values);
  return attribute;
}

}  // namespace

TEST(Validate, AcceptsEveryShapeAndSeparatePieces) {
  Scene scene = square();
  Geometry& g = scene.bodies[0].geometry;
  for (int k = 0; k < 3; ++k) {
    g.points.push_back({static_cast<float>(k), 5.0f + static_cast<float>(k * k), 0});
    g.face_indices.push_back(4 + k);
  }
  g.face_counts.push_back(3);
  EXPECT_EQ(findings(scene), Sentences{});
  for (const ShapeRow& row : kShapes) {
    Shape shape;
    shape.divisions = row.default_divisions;
    scene.bodies[0].geometry = row.make(shape);
    EXPECT_EQ(findings(scene), Sentences{}) << row.name;
  }
}

TEST(Validate, EmptyMeshes) {
  Scene scene = square();
  scene.bodies[0].geometry.face_counts.clear();
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has no faces"});
  scene.bodies[0].geometry = {};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has no points"});
}

TEST(Validate, PositionsMustBeFinite) {
  Scene scene = square();
  scene.bodies[0].geometry.points[2].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has a position at point 2 that is not finite"});
}

TEST(Validate, FacesMustBeReal) {
  Scene scene = square();
  Geometry& g = scene.bodies[0].geometry;
  g.face_indices = {0, 1, 2, 0, 2, 2};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has a face 1 that uses point 2 twice"});
  g.face_indices = {0, 1, 2, 0, 2, 9};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has a face 1 that uses point 9, but only 4 points"});
  g.face_indices = {0, 1, 2, 0, 2};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has 5 corners, but its faces need 6"});

  scene = square();
  scene.bodies[0].geometry.points[3] = {0.5f, 0.5f, 0};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has a face 1 without area"});
  scene.bodies[0].geometry.points[3] = {0, 0, 0};
  EXPECT_EQ(findings(scene),
            (Sentences{"body \"cloth\" has a face 1 whose points 3 and 0 are at the same place",
                       "body \"cloth\" has a face 1 without area"}));
}

TEST(Validate, ManyFaultsOfOneKindAreOneSentence) {
  Scene scene = square();
  Geometry& g = scene.bodies[0].geometry;
  for (int k = 0; k < 100; ++k) g.points.push_back({});
  EXPECT_EQ(findings(scene),
            Sentences{"? body \"cloth\" has a point 4 that no face uses (and 99 more like it)"});
}

TEST(Validate, CrowdedEdgesAreWarnings) {
  Scene scene = square();
  Geometry& g = scene.bodies[0].geometry;
  g.points.push_back({0, 0, 1});
  g.face_counts.push_back(3);
  g.face_indices.insert(g.face_indices.end(), {0, 2, 4});
  EXPECT_EQ(findings(scene), Sentences{"? body \"cloth\" has 3 faces at the edge from point 0 to 2"});
}

TEST(Validate, PointAttributesMustMakeSense) {
  Scene scene = square();
  Geometry& g = scene.bodies[0].geometry;
  g.attributes = {pointAttribute("density", {1, 1, 0, 1}), pointAttribute("bendstiffness", {0, 1, 2, -3})};
  EXPECT_EQ(
      findings(scene),
      (Sentences{
          "body \"cloth\" has 0 for \"density\" at point 2, but it must be from 1e-09 to 1000000000",
          "body \"cloth\" has -3 for \"bendstiffness\" at point 3, but it must be from 0 to 1000000000"}));
  g.attributes = {pointAttribute("density", {1, 1})};
  EXPECT_EQ(findings(scene),
            Sentences{"body \"cloth\" has a point attribute \"density\" that is not one number a point"});
}

TEST(Validate, PinsOnAllPointsAreAWarning) {
  Scene scene = square();
  Pin pin;
  pin.name = "all";
  pin.points = {0, 1, 2, 3};
  scene.bodies[0].pins = {pin};
  EXPECT_EQ(findings(scene),
            Sentences{"? body \"cloth\" has pins on all its points, so that none is free to move"});
  scene.bodies[0].pins[0].points = {7};
  EXPECT_EQ(findings(scene), Sentences{"body \"cloth\" has no point 7, which the pin \"all\" names"});
}

TEST(Validate, NamesOutputsAndFrames) {
  Scene scene = square();
  scene.bodies.push_back(scene.bodies[0]);
  scene.world.base.substeps = 4;
  scene.outputs = {{"a.abc", 3, {}}, {"a.abc", 2, {}}};
  scene.first_frame = 9, scene.last_frame = 1;
  EXPECT_EQ(findings(scene), (Sentences{"the first frame must not be after the last",
                                        "the name \"cloth\" is already that of body 0",
                                        "substeps is 4, which samples = 3 does not divide",
                                        "the path a.abc is already that of output 0"}));
}

}  // namespace repose
