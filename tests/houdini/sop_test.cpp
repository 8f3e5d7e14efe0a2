// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The glue of the SOPs, on the stand-in.
#include <cmath>

#include "cache/abc_reader.h"
#include "standin/rop.h"
#include "tests/houdini/job_run.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::dots;
using nodes::sheet;

// Sand on a held sheet beside a crate: everything moves for long.
GU_Detail mixed(Session& session) {
  const GU_Detail cloth =
      session.configured("cloth", sheet(5, {0, 1, 0}), {{"pingroup", "corner00"}, {"name", "sheet"}});
  nodes::NodeGeometry grains = dots(3, 0.03f, {-0.2f, 1.1f, -0.2f});
  grains.write(nodes::Owner::point, "v", 3, std::vector<float>(3 * grains.points.size(), 0.2f));
  const GU_Detail sand = session.configured("grain", grains);
  const GU_Detail box = session.configured("rigid", crate(0.3f, {2, 0.5f, 0}));
  return mergedDetails(mergedDetails(cloth, sand), box);
}

}  // namespace

TEST(Sops, AllOfTheTableAreRegistered) {
  Session session;
  for (const nodes::NodeRow& row : nodes::nodeTable()) {
    if (row.context != nodes::NodeContext::sop) continue;
    const OP_Operator* op = session.table().find(row.type);
    ASSERT_TRUE(op) << row.type;
    EXPECT_EQ(op->english, row.label);
    EXPECT_EQ(op->labels.size(), row.inputs.size());
    EXPECT_EQ(op->max_sources, row.inputs.size());
    EXPECT_EQ(op->min_sources, 1u);
  }
}

TEST(Sops, PlayingJumpingAndGoingBackGiveTheSameBits) {
  Session session;
  SolverSop played(session, mixed(session)), jumped(session, mixed(session));
  jumped.forgets = true;
  const std::string last = bitsOf(played.at(48));
  EXPECT_EQ(last, bitsOf(jumped.at(48)));
  EXPECT_NE(last, bitsOf(played.at(47)));
  EXPECT_EQ(bitsOf(played.again(12)), bitsOf(jumped.at(12)));
  EXPECT_EQ(bitsOf(played.again(30)), bitsOf(jumped.at(30)));
  played.reset();
  EXPECT_EQ(last, bitsOf(played.at(48)));
}

TEST(Sops, AnInterruptLeavesNothingBehind) {
  Session session;
  SolverSop undisturbed(session, mixed(session)), stopped(session, mixed(session));
  const GU_Detail before = stopped.at(9);
  for (const int polls : {0, 2}) {
    standin::pollsUntilInterrupt() = polls;
    stopped.node().inputs = {&before, nullptr, nullptr, nullptr};
    EXPECT_EQ(stopped.node().standinCook(9 / kFps), UT_ERROR_ABORT) << polls;
    EXPECT_EQ(bitsOf(*stopped.node().output.gdp()), bitsOf(before)) << "half a step was shown";
    standin::pollsUntilInterrupt() = -1;
  }
  EXPECT_EQ(bitsOf(stopped.at(14)), bitsOf(undisturbed.at(14)));
}

TEST(Sops, TheExportedJobRunByTheProgramEndsWithTheSameHash) {
  Session session;
  const std::string job = temporary("sop_job.json");
  const GU_Detail start = mixed(session);
  session.cook(
      session.make("repose::export_job", {{"file", job}, {"write", "1"}, {"f2", "24"}, {"useground", "1"}}),
      {&start, nullptr, nullptr, nullptr});
  SolverSop played(session, start);
  EXPECT_EQ(hashAfterRun(job), hashOf(played.at(24)));
}

TEST(Sops, PressureBehindClockwisePolygonsInflates) {
  Session session;
  const GU_Detail start = session.configured("cloth", crate(1), {{"pressure", "50"}});
  SolverSop solver(session, start, {{"gravity", "0 0 0"}});
  float before = 0, after = 0;
  for (GA_Index p = 0; p < start.getNumPoints(); ++p) {
    const UT_Vector3 a = start.getPos3(start.pointOffset(p)), b = solver.at(4).getPos3(start.pointOffset(p));
    before += a.x() * a.x() + a.z() * a.z(),
        after += b.x() * b.x() + b.z() * b.z();  // falling changes neither
  }
  EXPECT_GT(after, before);
}

TEST(Sops, VelocityAtTheStartIsTaken) {
  Session session;
  nodes::NodeGeometry grains = dots(2, 0.05f, {0, 3, 0});
  std::vector<float> v;
  for (std::size_t p = 0; p < grains.points.size(); ++p) v.insert(v.end(), {1, 0, 0});
  grains.write(nodes::Owner::point, "v", 3, v);
  SolverSop solver(session, session.configured("grain", grains), {});
  const GU_Detail& end = solver.at(25);
  for (GA_Index p = 0; p < end.getNumPoints(); ++p)
    EXPECT_NEAR(end.getPos3(end.pointOffset(p)).x(), grains.points[static_cast<std::size_t>(p)].x + 1, 0.01f);
}

TEST(Sops, PinnedPointsStay) {
  Session session;
  const nodes::NodeGeometry cloth = sheet(4);
  SolverSop solver(session, session.configured("cloth", cloth, {{"pingroup", "corner01"}}), {});
  const GU_Detail& end = solver.at(10);
  int held = 0;
  for (GA_Index p = 0; p < end.getNumPoints(); ++p) {
    const UT_Vector3 at = end.getPos3(end.pointOffset(p));
    held += at.x() == cloth.points[static_cast<std::size_t>(p)].x &&
            at.y() == cloth.points[static_cast<std::size_t>(p)].y;
  }
  EXPECT_EQ(held, 1);
}

TEST(Sops, WarningsAndErrorsAreOnTheNode) {
  Session session;
  nodes::NodeGeometry cloth = sheet(3);
  cloth.addPrimitive(nodes::PrimitiveKind::other, {0});
  SolverSop solver(session, session.configured("cloth", cloth));
  solver.at(1);
  ASSERT_FALSE(solver.node().warnings.empty());
  EXPECT_EQ(solver.node().warnings[0],
            "1 primitives are neither polygons nor tetrahedra and are left out, the first is 9");
  SOP_Node& bare = session.make("repose::solver");
  const GU_Detail nothing = toHost(sheet(2));
  bare.inputs = {&nothing, nullptr, nullptr, nullptr};
  EXPECT_EQ(bare.standinCook(0), UT_ERROR_ABORT);
  bare.inputs = {};
  EXPECT_EQ(bare.standinCook(0), UT_ERROR_ABORT);
  EXPECT_EQ(bare.errors.at(0), "input 1 (Geometry) is not wired");
}

TEST(Sops, AnAttributeOfTheWrongKindIsNamed) {
  Session session;
  GU_Detail start = session.configured("grain", dots(2));
  start.addIntTuple(GA_ATTRIB_POINT, "v", 3);
  SOP_Node& node = session.make("repose::solver");
  node.inputs = {&start, nullptr, nullptr, nullptr};
  EXPECT_EQ(node.standinCook(0), UT_ERROR_ABORT);
  EXPECT_EQ(node.errors.at(0), "the attribute v is of a kind that cannot be written");
}

TEST(Sops, DamagedStatesAreRefused) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(2)));
  GU_Detail state = solver.at(3);
  UT_Int32Array& bytes = state.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues();
  bytes.setSize(bytes.size() / 2);
  solver.node().inputs = {&state, nullptr, nullptr, nullptr};
  EXPECT_EQ(solver.node().standinCook(3 / kFps), UT_ERROR_ABORT);
  EXPECT_NE(solver.node().errors.at(0).find("is damaged"), std::string::npos);
}

TEST(Sops, AFlippedBitOfAStateIsFound) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(2)));
  const GU_Detail good = solver.at(3);
  const exint count = good.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues().size();
  int refused = 0;
  for (exint k = 0; k < count; ++k) {
    GU_Detail state = good;
    state.findAttribute(GA_ATTRIB_DETAIL, nodes::kState)->arrayValues()(k) ^= 1;
    SOP_Node& cold = session.make("repose::solver");
    cold.inputs = {&state, nullptr, nullptr, nullptr};
    refused += cold.standinCook(3 / kFps) == UT_ERROR_ABORT;
  }
  EXPECT_EQ(refused, count);
}

TEST(Sops, StitchesHoldTwoSheetsTogether) {
  Session session;
  const GU_Detail upper = session.configured("cloth", sheet(3, {0, 1, 0}),
                                             {{"name", "upper"}, {"pingroup", "top"}}),
                  lower = session.configured("cloth", sheet(3, {0, 1, 1.02f}), {{"name", "lower"}});
  const GU_Detail both = mergedDetails(upper, lower);
  const GU_Detail threads =
      session.cook(session.make("repose::constraints", {{"maxdistance", "0.05"}}), {&both});
  EXPECT_EQ(threads.getNumPrimitives(), 4);
  SolverSop solver(session, both, {});
  solver.constraints = &threads;
  const GU_Detail& end = solver.at(12);
  const UT_Vector3 a = end.getPos3(threads.primitives()[0]->points[0]),
                   b = end.getPos3(threads.primitives()[0]->points[1]);
  EXPECT_NEAR(a.y(), b.y(), 0.02f);
  EXPECT_NEAR(a.z(), b.z(), 0.02f);
}

TEST(Sops, ForcesOfPopsPush) {
  Session session;
  nodes::NodeGeometry grains = dots(1, 0.05f, {0, 3, 0});
  const float mass = 4.18879f * 0.05f * 0.05f * 0.05f * 2000;
  grains.write(nodes::Owner::point, "force", 3, std::vector<float>{2 * mass, 9.81f * mass, 0});
  SolverSop solver(session, session.configured("grain", grains), {});
  const UT_Vector3 at = solver.at(25).getPos3(3);
  EXPECT_NEAR(at.x(), 1, 0.03f);
  EXPECT_NEAR(at.y(), grains.points[0].y, 0.01f);
}

TEST(Sops, PointsThatAnArtistMovesStayMoved) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(1, 0.05f, {0, 3, 0})), {});
  GU_Detail edited = solver.at(5);
  edited.setPos3(3, {7, 1, 0});
  const GU_Detail next = session.cook(solver.node(), {&edited, nullptr, nullptr, nullptr}, 6);
  EXPECT_NEAR(next.getPos3(3).x(), 7, 1e-4f);
  EXPECT_LT(next.getPos3(3).y(), 1);
}

TEST(Sops, CachesHoldEveryFrame) {
  Session session;
  const std::string file = temporary("sop_cache.abc");
  SolverSop solver(session, mixed(session));
  SOP_Node& cache = session.make("repose::cache", {{"file", file}, {"write", "1"}, {"f2", "6"}});
  for (int frame = 1; frame <= 6; ++frame) {
    const GU_Detail now = solver.at(frame);
    EXPECT_EQ(bitsOf(session.cook(cache, {&now}, frame)), bitsOf(now));
  }
  Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(file);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  EXPECT_EQ((*reader)->info().frames, 6);
  std::vector<Vec3f> points;
  ASSERT_TRUE((*reader)->positions((*reader)->firstMesh(), 5, points).ok());
  const UT_Vector3 last = solver.at(6).getPos3(solver.at(6).pointOffset(20));
  EXPECT_EQ(points.at(20), (Vec3f{last.x(), last.y(), last.z()}));
  cache.inputs = {&solver.at(3)};
  EXPECT_EQ(cache.standinCook(3 / kFps), UT_ERROR_ABORT) << "frame 4 does not follow frame 6";
}

TEST(Rop, AJobOfAMovingColliderHasTheHashOfTheSopChain) {
  Session session;
  OP_OperatorTable table;
  newDriverOperator(&table);
  OP_Operator* op = table.find("repose_rop");
  ASSERT_TRUE(op);
  std::unique_ptr<ROP_Node> rop(static_cast<ROP_Node*>(op->construct(nullptr, "rop", op)));
  for (const char* name : {"trange", "f1", "f2", "f3", "initsim", "alfprogress"})
    EXPECT_NO_THROW(rop->find(name));

  const GU_Detail start = session.configured("grain", dots(2, 0.05f));
  const auto tray = [&](int frame) {
    const GU_Detail box = toHost(crate(2, {0.04f * static_cast<float>(frame), -1, 0}));
    return session.cook(session.make("repose::collider", {{"moves", "1"}}), {&box});
  };
  SOP_Node &bodies = session.make("repose::configure_grain"),
           &walls = session.make("repose::collider", {{"moves", "1"}});
  const GU_Detail plain = toHost(dots(2, 0.05f));
  GU_Detail box;
  bodies.inputs = {&plain}, walls.inputs = {&box};
  walls.before_cook = [&](fpreal time) {
    box = toHost(crate(2, {0.04f * static_cast<float>(std::lround(time * kFps) + 1), -1, 0}));
  };
  rop->scene = {{"/obj/sand", &bodies}, {"/obj/tray", &walls}};
  const std::string job = temporary("rop_job.json");
  rop->setParm("soppath", "/obj/sand"), rop->setParm("colliderpath", "/obj/tray"), rop->setParm("file", job);
  EXPECT_EQ(rop->standinRender(1, 12), ROP_CONTINUE_RENDER) << nodes::lines(rop->errors);
  EXPECT_EQ(rop->simulations_begun, 1);
  EXPECT_EQ(rop->standinRender(1, 12, 2), ROP_ABORT_RENDER);

  SolverSop solver(session, start, {});
  solver.colliders = tray;
  EXPECT_EQ(hashAfterRun(job), hashOf(solver.at(12)));
}

TEST(Rop, AnimatedParametersBecomeKeysOfTheJob) {
  Session session;
  OP_OperatorTable table;
  newDriverOperator(&table);
  OP_Operator* op = table.find("repose_rop");
  std::unique_ptr<ROP_Node> rop(static_cast<ROP_Node*>(op->construct(nullptr, "rop", op)));
  SOP_Node& bodies = session.make("repose::configure_grain");
  const GU_Detail plain = toHost(dots(2, 0.05f));
  bodies.inputs = {&plain};
  rop->scene = {{"/obj/sand", &bodies}};
  const std::string job = temporary("rop_keys.json"), gravity = "$FF -9.81 0";
  rop->setParm("soppath", "/obj/sand"), rop->setParm("file", job), rop->setParm("gravity", gravity);
  rop->setParm("substeps", "1"), rop->setParm("useground", "1");
  EXPECT_EQ(rop->standinRender(1, 8), ROP_CONTINUE_RENDER) << nodes::lines(rop->errors);
  // with one substep a frame, keys and values that are taken at each frame are the same
  SolverSop solver(session, session.configured("grain", dots(2, 0.05f)),
                   {{"gravity", gravity}, {"substeps", "1"}, {"useground", "1"}});
  EXPECT_EQ(hashAfterRun(job), hashOf(solver.at(8)));
  rop->setParm("substeps", "$FF");
  EXPECT_EQ(rop->standinRender(1, 8), ROP_ABORT_RENDER);
  EXPECT_EQ(rop->errors.at(0), "substeps has another value at frame 2 than at frame 1, but cannot have keys");
}

}  // namespace repose::houdini
