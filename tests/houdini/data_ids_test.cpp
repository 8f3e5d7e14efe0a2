// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a node keeps by the host's data ids is never what has changed: with and without its cache it does the
// same.
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::dots;
using nodes::sheet;

// Errors and bits of frame 6, of a node that has played to frame 5 where somebody changes its input.
std::string sixthFrame(Session& session, const GU_Detail& start, bool warm,
                       const std::function<void(GU_Detail&, SOP_Node&)>& change) {
  SolverSop solver(session, start);
  GU_Detail changed = solver.at(5);
  change(changed, solver.node());
  if (!warm) solver.node().forget();
  solver.node().inputs = {&changed, nullptr, nullptr, nullptr};
  const bool failed = solver.node().standinCook(5 / kFps) >= UT_ERROR_ABORT;
  return failed ? nodes::lines(solver.node().errors) : bitsOf(*solver.node().output.gdp());
}

// Of a change that matters.
void expectSame(const char* kind, const nodes::NodeGeometry& body,
                const std::function<void(GU_Detail&, SOP_Node&)>& change) {
  Session session;
  const GU_Detail start = session.configured(kind, body);
  const std::string cold = sixthFrame(session, start, false, change);
  EXPECT_TRUE(sixthFrame(session, start, true, change) == cold);
  EXPECT_TRUE(sixthFrame(session, start, true, [](GU_Detail&, SOP_Node&) {}) != cold);
}

nodes::NodeGeometry rolling() {
  nodes::NodeGeometry grains = dots(3, 0.05f, {0, 0.05f, 0});
  std::vector<float> v;
  for (std::size_t p = 0; p < grains.points.size(); ++p) v.insert(v.end(), {2, 0, 0});
  grains.write(nodes::Owner::point, "v", 3, v);
  grains.write(nodes::Owner::point, "friction", 1, std::vector<float>(grains.points.size(), 1));
  return grains;
}

}  // namespace

TEST(DataIds, FacesAreReadAnewWhenTheTopologyHasChanged) {
  expectSame("cloth", sheet(4, {0, 1, 0}), [](GU_Detail& detail, SOP_Node&) {
    detail.primitives().pop_back();
    detail.bumpDataIdsForAddOrRemove(false, true, true);
  });
}

TEST(DataIds, AttributesAreReadAnewWhenTheyHaveChanged) {
  expectSame("grain", rolling(), [](GU_Detail& detail, SOP_Node&) {
    for (double& friction : detail.find(GA_ATTRIB_POINT, "friction")->numbers()) friction = 0.1;
  });
}

TEST(DataIds, AnotherStateIsNotTheOneThatWasLeft) {
  Session session;
  nodes::NodeGeometry slower = rolling();
  slower.write(nodes::Owner::point, "v", 3, std::vector<float>(3 * slower.points.size(), 0.1f));
  SolverSop other(session, session.configured("grain", slower));
  const GU_Detail& at = other.at(5);
  expectSame("grain", rolling(), [&](GU_Detail& detail, SOP_Node&) {
    detail.find(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues() =
        at.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues();
  });
}

TEST(DataIds, PointsThatWereMovedAreNotAsTheyWereLeft) {
  expectSame("cloth", sheet(4, {0, 1, 0}), [](GU_Detail& detail, SOP_Node&) {
    detail.setPos3(detail.pointOffset(3), {0, 2, 0});
  });
}

// The state that was left goes into a simulation that is built anew.
TEST(DataIds, ParametersMayChange) {
  for (const char* parameter : {"gravity", "timescale"})
    expectSame("cloth", sheet(4, {0, 1, 0}), [&](GU_Detail&, SOP_Node& node) {
      node.setParm(parameter, std::string(parameter) == "gravity" ? "3 0 0" : "0.5");
    });
}

TEST(DataIds, GrainsMayDie) {
  expectSame("grain", rolling(), [](GU_Detail& detail, SOP_Node&) {
    detail = onlyPoints(detail, {0, 1, 2, 3, 5, 8, 13, 21});
    detail.bumpDataIdsForAddOrRemove(true, true, true);
  });
}

TEST(DataIds, AStepThatCouldNotBeWrittenIsForgotten) {
  Session session;
  const GU_Detail start = session.configured("grain", rolling());
  SolverSop undisturbed(session, start), solver(session, start);
  GU_Detail wrong = solver.at(5);
  wrong.addIntTuple(GA_ATTRIB_POINT, "v", 3)->bumpDataId();
  solver.node().inputs = {&wrong, nullptr, nullptr, nullptr};
  EXPECT_EQ(solver.node().standinCook(5 / kFps), UT_ERROR_ABORT);
  EXPECT_TRUE(bitsOf(solver.at(8)) == bitsOf(undisturbed.at(8)));
}

}  // namespace repose::houdini
