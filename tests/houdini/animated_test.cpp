// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid pieces that follow their animation and push others, in SOPs, in DOPs and in a job.
#include <algorithm>
#include <cmath>

#include "houdini_nodes/object_world.h"
#include "standin/packed.h"
#include "standin/rop.h"
#include "tests/houdini/job_run.h"
#include "tests/houdini/network.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::NodeGeometry;
using nodes::Owner;

constexpr int kCorners = 8;  // of a crate: the first are those of the paddle

// It begins to move behind frame 2, which is the first that a DOP network solves.
int movingFrames(int frame) { return std::max(frame - 2, 0); }

Vec3f paddleAt(Vec3f p, int frame) {
  const auto k = static_cast<float>(movingFrames(frame));
  const float c = std::cos(0.02f * k), s = std::sin(0.02f * k);
  return {c * p.x + s * p.z - 0.6f + 0.03f * k, p.y + 0.21f, -s * p.x + c * p.z};
}

// A paddle that goes along x and turns, before a crate that is free.
NodeGeometry scene(int frame, int animated = 1) {
  NodeGeometry paddle = crate(0.4f);
  for (Vec3f& p : paddle.points) p = paddleAt(p, frame);
  NodeGeometry both = nodes::joined(paddle, crate(0.4f, {0, 0.2f, 0}));
  std::vector<std::int32_t> active, follows;
  std::vector<std::string> names;
  for (std::size_t p = 0; p < both.points.size(); ++p) {
    active.push_back(p >= kCorners), follows.push_back(p < kCorners ? animated : 0);
    names.emplace_back(p < kCorners ? "paddle" : "crate");
  }
  both.write(Owner::point, "active", 1, active);
  both.write(Owner::point, "animated", 1, follows);
  both.write(Owner::point, "name", 1, names);
  return both;
}

// the third of the menu
const std::map<std::string, std::string> kByName = {{"pieces", "2"}};

UT_Vector3 pointOf(const GU_Detail& detail, GA_Index p) { return detail.getPos3(detail.pointOffset(p)); }

std::string paddleBits(const GU_Detail& detail) {
  return bitsOf(detail).substr(0, 3 * kCorners * sizeof(double));
}

SolverSop chain(Session& session) {
  SolverSop solver(session, session.configured("rigid", scene(1), kByName));
  solver.source = [&session](int frame) { return session.configured("rigid", scene(frame), kByName); };
  return solver;
}

void moveTo(int frame, SIM_Object& object) {
  GU_Detail& detail = dynamic_cast<SIM_Geometry&>(*object.named[SIM_GEOMETRY_DATANAME]).detail;
  const NodeGeometry now = scene(frame);
  for (GA_Index p = 0; p < kCorners; ++p) {
    const Vec3f to = now.points[static_cast<std::size_t>(p)];
    detail.setPos3(detail.pointOffset(p), {to.x, to.y, to.z});
  }
  detail.getP()->bumpDataId();
}

}  // namespace

TEST(Animated, APieceFollowsItsSourceAndPushesAnother) {
  Session session;
  SolverSop solver = chain(session);
  for (int frame = 1; frame <= 24; ++frame) {
    const GU_Detail now = solver.at(frame);
    const NodeGeometry source = scene(frame);
    for (GA_Index p = 0; p < kCorners; ++p)
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(pointOf(now, p)(c), source.points[static_cast<std::size_t>(p)][c], 2e-6f)
            << "frame " << frame << " point " << p;
  }
  EXPECT_TRUE(solver.node().warnings.empty());
  // the paddle's face is 0.29 m further than where the crate began
  EXPECT_GT(pointOf(solver.at(24), kCorners).x(), pointOf(solver.at(1), kCorners).x() + 0.2f);
}

TEST(Animated, WithoutAnimatedAPieceStays) {
  Session session;
  SolverSop solver(session, session.configured("rigid", scene(1, 0), kByName));
  solver.source = [&](int frame) { return session.configured("rigid", scene(frame, 0), kByName); };
  EXPECT_EQ(paddleBits(solver.at(1)), paddleBits(solver.at(12)));
}

TEST(Animated, WithoutASourceAPieceStaysAndTheNodeSaysSo) {
  Session session;
  SolverSop solver(session, session.configured("rigid", scene(1), kByName));
  solver.at(1);
  ASSERT_EQ(solver.node().warnings.size(), 1u);
  EXPECT_EQ(solver.node().warnings[0],
            "body \"rigid\": pieces with animated = 1 stay where they are, for the animated source is not "
            "wired");
  EXPECT_NEAR(pointOf(solver.at(9), 0).x(), scene(1).points[0].x, 1e-6f);
}

TEST(Animated, ASourceOfOtherPointsIsRefused) {
  Session session;
  const GU_Detail start = session.configured("rigid", scene(1), kByName), other = toHost(crate(0.4f));
  SOP_Node& solver = session.make("repose::solver");
  solver.inputs = {&start, nullptr, nullptr, &other};
  EXPECT_GE(solver.standinCook(0), UT_ERROR_ABORT);
  ASSERT_EQ(solver.errors.size(), 1u);
  EXPECT_EQ(
      solver.errors[0],
      "the animated source has 8 points, but the geometry has 16; they must be the same points, or both "
      "have the point attribute id (int)");
}

TEST(Animated, PlayingJumpingAndTheDopGiveTheSameHash) {
  Session session;
  SolverSop played = chain(session), jumped = chain(session);
  jumped.forgets = true;
  EXPECT_EQ(bitsOf(played.at(20)), bitsOf(jumped.at(20)));
  Network network;
  SIM_Object& object = network.add(session.configured("rigid", scene(1), kByName));
  for (int frame = 2; frame <= 20; ++frame) {
    moveTo(frame, object);
    ASSERT_EQ(network.step(), SIM_Solver::SIM_SOLVER_SUCCESS) << nodes::lines(network.errors());
  }
  EXPECT_EQ(hashOf(network.shown(0)), hashOf(played.at(20)));
}

TEST(Animated, InDopsAPieceThatNobodyTouchesStays) {
  Session session;
  Network network;
  SIM_Object& object = network.add(session.configured("rigid", scene(1), kByName));
  network.playTo(2);
  moveTo(5, object);
  network.playTo(2);
  const std::string there = paddleBits(network.shown(0));
  network.playTo(12);
  EXPECT_EQ(paddleBits(network.shown(0)), there);
  EXPECT_NEAR(pointOf(network.shown(0), 0).x(), scene(5).points[0].x, 2e-6f);
}

TEST(Animated, TheJobOfTheRopHasTheHashOfTheChain) {
  Session session;
  OP_OperatorTable table;
  newDriverOperator(&table);
  OP_Operator* op = table.find("repose_rop");
  std::unique_ptr<ROP_Node> rop(static_cast<ROP_Node*>(op->construct(nullptr, "rop", op)));
  SOP_Node& bodies = session.make("repose::configure_rigid", kByName);
  GU_Detail plain;
  bodies.inputs = {&plain};
  bodies.before_cook = [&](fpreal time) {
    plain = toHost(scene(static_cast<int>(std::lround(time * kFps)) + 1));
  };
  rop->scene = {{"/obj/paddle", &bodies}};
  const std::string job = temporary("animated_job.json");
  rop->setParm("soppath", "/obj/paddle"), rop->setParm("file", job), rop->setParm("useground", "1");
  EXPECT_EQ(rop->standinRender(1, 16), ROP_CONTINUE_RENDER) << nodes::lines(rop->errors);
  EXPECT_EQ(hashAfterRun(job), hashOf(chain(session).at(16)));
}

TEST(Animated, APackedPieceFollowsItsTransform) {
  Session session;
  const auto packed = [](int frame) {
    GU_DetailHandle inside;
    inside.allocateAndSet(new GU_Detail(toHost(crate(0.4f))));
    NodeGeometry hooks;
    for (const float x : {-1.0f, 0.0f}) hooks.points.push_back({x, 0.2f, 0});
    hooks.write(Owner::point, "name", 1, std::vector<std::string>{"paddle", "crate"});
    hooks.write(Owner::point, "active", 1, std::vector<std::int32_t>{0, 1});
    hooks.write(Owner::point, "animated", 1, std::vector<std::int32_t>{1, 0});
    hooks.points[0] = paddleAt({}, frame);
    GU_Detail detail = toHost(hooks);
    for (GA_Index k = 0; k < 2; ++k) {
      auto piece = std::make_shared<GU_PrimPacked>();
      piece->points = {detail.pointOffset(k)}, piece->inside = inside;
      const double angle = 0.02 * movingFrames(frame), c = std::cos(angle), s = std::sin(angle);
      if (k == 0) piece->axes(0, 0) = c, piece->axes(0, 2) = -s, piece->axes(2, 0) = s, piece->axes(2, 2) = c;
      detail.addPrimitive(piece);
    }
    detail.bumpDataIdsForAddOrRemove(true, true, true);
    return detail;
  };
  const auto configured = [&](int frame) {
    const GU_Detail detail = packed(frame);
    return session.cook(session.make("repose::configure_rigid", {}), {&detail});
  };
  SolverSop solver(session, configured(1));
  solver.source = configured;
  const GU_Detail end = solver.at(24);
  EXPECT_NEAR(pointOf(end, 0).x(), paddleAt({}, 24).x, 2e-6f);
  UT_Matrix4D m;
  static_cast<const GU_PrimPacked*>(end.getGEOPrimitiveByIndex(0))->getFullTransform4(m);
  EXPECT_NEAR(m(0, 0), std::cos(0.02 * 22), 1e-5);
  EXPECT_NEAR(m(2, 0), std::sin(0.02 * 22), 1e-5);
  EXPECT_GT(pointOf(end, 1).x(), 0.2f) << "the other is pushed";
}

}  // namespace repose::houdini
