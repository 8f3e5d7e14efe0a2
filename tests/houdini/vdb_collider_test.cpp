// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Colliders that are VDB files, named by an attribute.
#include "tests/houdini/job_run.h"
#include "tests/houdini/network.h"
#include "vdb/level_set.h"

namespace repose::houdini {

namespace {

using nodes::dots;
using nodes::NodeGeometry;
using nodes::Owner;

constexpr float kRadius = 0.5f;
const Vec3f kCentre{0.1f, -0.5f, 0.05f};

// A ball below the sand, in a file of frame 1.
std::string ballFile(const std::string& name) {
  const Result<LevelSet> ball = skinOfGrains({kCentre}, {2 * kRadius}, {0.05f, 2, 0}, 1);
  EXPECT_TRUE(ball.ok()) << ball.status().message();
  const std::string path = temporary(name);
  EXPECT_TRUE(writeVdb(*ball, path).ok());
  return path;
}

// As a VDB primitive comes: one point that it hangs at, and an attribute of the primitive.
NodeGeometry fieldOf(const std::string& file, Owner owner) {
  NodeGeometry geometry;
  geometry.points.push_back({0, 0, 0});
  geometry.addPrimitive(nodes::PrimitiveKind::other, {0});
  geometry.write(owner, "vdbfile", 1, std::vector<std::string>{file});
  return geometry;
}

void expectOutside(const GU_Detail& sand) {
  bool near = false;
  for (GA_Index p = 0; p < sand.getNumPoints(); ++p) {
    const UT_Vector3 at = sand.getPos3(sand.pointOffset(p));
    const float away = length(Vec3f{at.x(), at.y(), at.z()} - kCentre);
    EXPECT_GT(away, kRadius + 0.05f - 0.015f) << p;
    near = near || away < kRadius + 0.05f + 0.03f;
  }
  EXPECT_TRUE(near) << "nothing lies on the ball";
}

}  // namespace

TEST(VdbCollider, SandLiesOnItInSopsInDopsAndInAJob) {
  Session session;
  const std::string pattern = temporary("ball.$F4.vdb");
  ballFile("ball.0001.vdb");
  const GU_Detail start = session.configured("grain", dots(3, 0.05f, {0, 0.02f, 0}));
  const GU_Detail ball = toHost(fieldOf(ballFile("ball_of_detail.vdb"), Owner::detail));
  SOP_Node& node = session.make("repose::collider", {{"friction", "0.9"}, {"voxel", "0.1"}});
  const GU_Detail collider = session.cook(node, {&ball});
  SolverSop solver(session, start, {});
  solver.colliders = [&](int) { return collider; };
  expectOutside(solver.at(8));
  EXPECT_TRUE(solver.node().warnings.empty());

  Network network(kNoGround);
  SIM_Object& sand = network.add(start);
  SIM_Object wall(99);
  Network::setGeometry(wall, collider);
  sand.colliders = {&wall};
  network.playTo(8);
  EXPECT_EQ(hashOf(network.shown(0)), hashOf(solver.at(8)));

  const std::string job = temporary("vdb_job.json");
  session.cook(session.make("repose::export_job", {{"file", job}, {"write", "1"}, {"f2", "8"}}),
               {&start, nullptr, &collider, nullptr});
  EXPECT_EQ(hashAfterRun(job), hashOf(solver.at(8)));

  // plain geometry with the attribute at its primitive, and a number of the frame in the name
  const GU_Detail plain = toHost(fieldOf(pattern, Owner::primitive));
  SolverSop first(session, start, {});
  first.colliders = [&](int) { return plain; };
  first.at(1);
  SOP_Node& second = first.node();
  second.inputs = {&first.at(1), nullptr, &plain, nullptr};
  EXPECT_EQ(second.standinCook(1 / kFps), UT_ERROR_ABORT);
  ASSERT_FALSE(second.errors.empty());
  EXPECT_NE(second.errors[0].find("ball.0002.vdb does not exist"), std::string::npos) << second.errors[0];
}

TEST(VdbCollider, OtherCollidersStayWhatTheyAre) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(2, 0.05f, {3, 0, 0})));
  SIM_Object ball(98), floor(99);
  Network::setGeometry(ball, toHost(fieldOf(ballFile("beside.vdb"), Owner::detail)));
  const GU_Detail box = toHost(nodes::crate(2, {3, -1, 0}));
  Network::setGeometry(floor, session.cook(session.make("repose::collider"), {&box}));
  sand.colliders = {&ball, &floor};
  network.playTo(20);
  expectAbove(network.shown(0), 0.04f);
}

TEST(VdbCollider, ATransformOfTheObjectIsNotPassedOverInSilence) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(2, 0.05f)));
  SIM_Object wall(99);
  Network::setGeometry(wall, toHost(fieldOf(ballFile("placed.vdb"), Owner::point)));
  dynamic_cast<SIM_Geometry&>(*wall.named[SIM_GEOMETRY_DATANAME]).place(3, 1) = -1;
  sand.colliders = {&wall};
  network.playTo(2);
  ASSERT_EQ(network.errors().size(), 1u);
  EXPECT_EQ(network.errors()[0],
            "a VDB file (attribute vdbfile) stands where it was written: the transform of the collider does "
            "not move it");
}

}  // namespace repose::houdini
