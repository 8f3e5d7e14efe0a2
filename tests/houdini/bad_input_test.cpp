// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the host may hand over and should not, on the stand-in: each gets a sentence on the node, nothing is
// written, and nothing is thrown. And points that come and go, which is no mistake.
#include <cmath>

#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::dots;
using nodes::sheet;

// The first error of a cook that must fail and leave its output as the input was.
std::string refusal(SOP_Node& node, std::vector<const GU_Detail*> inputs, int frame = 1) {
  inputs.resize(4, nullptr);
  const std::string before = inputs[0] ? bitsOf(*inputs[0]) : "";
  node.inputs = std::move(inputs);
  EXPECT_EQ(node.standinCook((frame - 1) / kFps), UT_ERROR_ABORT);
  if (node.inputs[0]) {
    EXPECT_EQ(bitsOf(*node.output.gdp()), before) << "something was written";
  }
  return node.errors.empty() ? "" : node.errors[0];
}

}  // namespace

TEST(BadInput, GeometryWithoutPoints) {
  Session session;
  const GU_Detail nothing;
  for (const nodes::NodeRow& row : nodes::nodeTable()) {
    if (row.context != nodes::NodeContext::sop || row.type == "repose::cache" ||
        row.type == "repose::export_job")
      continue;
    EXPECT_EQ(refusal(session.make(row.type), {&nothing}), "the geometry has no points") << row.type;
  }
  EXPECT_EQ(refusal(session.make("repose::export_job", {{"write", "1"}, {"file", "/nowhere/job.json"}}),
                    {&nothing}),
            "the geometry has no points");
}

TEST(BadInput, OnlyUnknownPrimitives) {
  Session session;
  nodes::NodeGeometry ball;
  ball.writePoints({{0, 1, 0}});
  ball.addPrimitive(nodes::PrimitiveKind::other, {0});
  const GU_Detail cloth = session.configured("cloth", ball), rigid = session.configured("rigid", ball);
  EXPECT_EQ(refusal(session.make("repose::solver"), {&cloth}),
            "body \"cloth\" has no polygons, but a cloth needs them");
  EXPECT_EQ(refusal(session.make("repose::solver"), {&rigid}),
            "body \"rigid\" has no polygons, but a rigid needs them");
}

TEST(BadInput, NumbersThatAreNone) {
  Session session;
  GU_Detail sand = session.configured("grain", dots(2));
  sand.setPos3(sand.pointOffset(5), {0, NAN, 0});
  EXPECT_EQ(refusal(session.make("repose::solver"), {&sand}), "Geometry: P is not finite at point 5");
  sand = session.configured("grain", dots(2));
  sand.addFloatTuple(GA_ATTRIB_POINT, "v", 3)->numbers().at(3 * 6 + 1) = INFINITY;
  EXPECT_EQ(refusal(session.make("repose::solver"), {&sand}),
            "Geometry: the point attribute v is not finite at point 6");
  GU_Detail wall = toHost(crate());
  wall.setPos3(wall.pointOffset(2), {NAN, 0, 0});
  sand = session.configured("grain", dots(2));
  EXPECT_EQ(refusal(session.make("repose::solver"), {&sand, nullptr, &wall}),
            "Colliders: P is not finite at point 2");
}

TEST(BadInput, AttributesOfTheWrongType) {
  Session session;
  const auto with = [&](const std::function<void(GU_Detail&)>& change) {
    GU_Detail sand = session.configured("grain", dots(2));
    change(sand);
    return refusal(session.make("repose::solver"), {&sand});
  };
  EXPECT_EQ(with([](GU_Detail& d) { d.addStringTuple(GA_ATTRIB_POINT, "mass", 1); }),
            "Geometry: the point attribute mass is text (string), but must be numbers (float)");
  EXPECT_EQ(with([](GU_Detail& d) { d.addFloatTuple(GA_ATTRIB_POINT, "id", 1); }),
            "Geometry: the point attribute id is numbers (float), but must be whole numbers (int)");
  EXPECT_EQ(with([](GU_Detail& d) { d.addFloatTuple(GA_ATTRIB_POINT, "force", 1); }),
            "Geometry: the point attribute force is numbers (float), but must be numbers (float) of width 3");
  EXPECT_EQ(with([](GU_Detail& d) { d.addIntTuple(GA_ATTRIB_POINT, nodes::kBody, 1); }),
            "Geometry: the point attribute repose_body is whole numbers (int), but must be text (string)");
}

TEST(BadInput, ConstraintsThatPointNowhere) {
  Session session;
  const GU_Detail cloth = session.configured("cloth", sheet(2, {0, 1, 0}));
  const auto with = [&](const std::string& type, std::vector<int> corners, int points) {
    nodes::NodeGeometry lines;
    lines.writePoints(std::vector<Vec3f>(static_cast<std::size_t>(points)));
    lines.addPrimitive(nodes::PrimitiveKind::curve, corners);
    lines.write(nodes::Owner::primitive, "type", 1, std::vector<std::string>{type});
    const GU_Detail detail = toHost(lines);
    return refusal(session.make("repose::solver"), {&cloth, &detail});
  };
  EXPECT_EQ(
      with("stitch", {0, 1}, 4),
      "the constraints have 4 points, but the geometry has 9; they must be the same points, or both have the "
      "point attribute id (int)");
  EXPECT_EQ(with("stitch", {0, 1, 2}, 9),
            "constraint primitive 0 of the type stitch has 3 points, but must have 2");
  nodes::NodeGeometry joint;
  joint.writePoints({{}, {}});
  joint.addPrimitive(nodes::PrimitiveKind::curve, {0, 1});
  joint.write(nodes::Owner::primitive, "type", 1, std::vector<std::string>{"joint"});
  joint.write(nodes::Owner::point, "name", 1, std::vector<std::string>{"nobody", ""});
  const GU_Detail nowhere = toHost(joint);
  EXPECT_EQ(refusal(session.make("repose::solver"), {&cloth, &nowhere}),
            "constraint primitive 0 holds \"nobody\" (point attribute name), but no body or rigid piece has "
            "that name");
  GU_Detail ids = cloth;
  ids.addIntTuple(GA_ATTRIB_POINT, "id", 1);
  for (GA_Index p = 0; p < 9; ++p)
    ids.find(GA_ATTRIB_POINT, "id")->numbers()[static_cast<std::size_t>(p)] = double(p);
  nodes::NodeGeometry pin;
  pin.writePoints({{}});
  pin.addPrimitive(nodes::PrimitiveKind::curve, {0});
  pin.write(nodes::Owner::primitive, "type", 1, std::vector<std::string>{"pin"});
  pin.write(nodes::Owner::point, "id", 1, std::vector<std::int32_t>{77});
  const GU_Detail lost = toHost(pin);
  EXPECT_EQ(refusal(session.make("repose::solver"), {&ids, &lost}),
            "constraint primitive 0 is at point 0, which is of no body");
}

TEST(BadInput, AMissingColliderFrame) {
  Session session;
  const GU_Detail sand = session.configured("grain", dots(2, 0.05f));
  const GU_Detail box = toHost(crate(2, {0, -1, 0})),
                  walls = session.cook(session.make("repose::collider", {{"moves", "1"}}), {&box});
  SOP_Node& node = session.make("repose::solver");
  GU_Detail now = session.cook(node, {&sand, nullptr, &walls, nullptr}, 1);
  now = session.cook(node, {&now, nullptr, &walls, nullptr}, 2);
  EXPECT_EQ(refusal(node, {&now}, 3), "colliders that were there at the frame before are missing at frame 3");
  const GU_Detail other_box = toHost(sheet(3));
  const GU_Detail other = session.cook(session.make("repose::collider", {{"moves", "1"}}), {&other_box});
  EXPECT_EQ(refusal(node, {&now, nullptr, &other}, 3),
            "the collider \"collider\" has 16 points at frame 3, but 8 at the frame before; a collider that "
            "moves must "
            "keep its points");
  // the frame is there again: it goes on
  session.cook(node, {&now, nullptr, &walls, nullptr}, 3);
}

TEST(Points, GrainsMayBeDeletedAndAddedByTheirIds) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(2, 0.05f, {0, 1, 0})), {});
  const GU_Detail before = solver.at(5);
  nodes::NodeGeometry flying = dots(1, 0.05f, {3, 1, 0});
  flying.write(nodes::Owner::point, "id", 1, std::vector<std::int32_t>{100});
  flying.write(nodes::Owner::point, "v", 3, std::vector<float>{2.4f, 0, 0});
  const GU_Detail changed = mergedDetails(onlyPoints(before, {6, 1, 2}), session.configured("grain", flying));
  ASSERT_EQ(changed.getNumPoints(), 4);
  const GU_Detail next = session.cook(solver.node(), {&changed, nullptr, nullptr, nullptr}, 6);
  for (GA_Index p = 0; p < 3; ++p) {
    const GA_Index was = p == 0 ? 6 : p;
    const UT_Vector3 a = next.getPos3(next.pointOffset(p)), b = solver.at(6).getPos3(before.pointOffset(was));
    for (int c = 0; c < 3; ++c)
      EXPECT_EQ(a(c), b(c)) << "they touch nobody, so nothing changes for them: " << p;
  }
  EXPECT_NEAR(next.getPos3(next.pointOffset(3)).x(), flying.points[0].x + 0.1f, 1e-4f);
  const GU_Detail last = session.cook(solver.node(), {&next, nullptr, nullptr, nullptr}, 7);
  EXPECT_NEAR(last.getPos3(last.pointOffset(3)).x(), flying.points[0].x + 0.2f, 1e-4f);
}

TEST(Points, NeitherWithoutIdsNorThoseOfACloth) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(2)));
  GU_Detail fewer = onlyPoints(solver.at(3), {0, 1});
  fewer.destroyAttribute(GA_ATTRIB_POINT, "id");
  EXPECT_EQ(
      refusal(solver.node(), {&fewer}, 4),
      "the geometry has 2 points in 1 bodies, but 8 in 1 at the frame before; grains are born and die by the "
      "point attribute id (int), which is not there: keep it, or reset the simulation");
  SolverSop cloth(session, session.configured("cloth", sheet(2, {0, 1, 0})));
  GU_Detail cut = onlyPoints(cloth.at(3), {0, 1, 2, 3, 4, 5});
  cut.addPrimitive(cloth.at(3).primitives()[0]);
  cut.bumpDataIdsForAddOrRemove(true, true, true);
  EXPECT_EQ(refusal(cloth.node(), {&cut}, 4),
            "body \"cloth\" (cloth) has 6 points, but 9 at the frame before; only grains may be added or "
            "deleted in "
            "the middle of a simulation: reset it");
}

}  // namespace repose::houdini
