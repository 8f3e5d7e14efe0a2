// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Forces of DOP objects: what the host says of each point joins what POPs have written.
#include <algorithm>
#include <cmath>

#include "tests/houdini/network.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::dots;
using nodes::NodeGeometry;
using nodes::Owner;
using nodes::sheet;

constexpr float kMass = 4.18879020f * 0.05f * 0.05f * 0.05f * 2000;  // of a grain of dots(n, 0.05f)

// Drags towards a wind, by the mass, and stronger farther out.
class Wind : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;
  static UT_Vector3 at(const UT_Vector3& position, const UT_Vector3& velocity, double mass) {
    const auto k = static_cast<float>(mass) * (1 + position.x());
    return UT_Vector3(k * (3 - velocity.x()), k * (0 - velocity.y()), k * (0 - velocity.z()));
  }
  DECLARE_DATAFACTORY(Wind, SIM_Force, "Wind", nullptr);

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3& position, const UT_Vector3& velocity,
                        const UT_Vector3&, const fpreal mass, UT_Vector3& force,
                        UT_Vector3& torque) const override {
    force = at(position, velocity, mass), torque = UT_Vector3(0, 0, 0);
  }
};

// Turns about an axis along y, the faster the farther, and twists by a torque besides.
class Vortex : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;
  static constexpr float kRate = 2;  // [rad/s^2]
  UT_Vector3 centre{0, 0, 0};
  float twist = 0;  // [N m]
  DECLARE_DATAFACTORY(Vortex, SIM_Force, "Vortex", nullptr);

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3& position, const UT_Vector3&, const UT_Vector3&,
                        const fpreal mass, UT_Vector3& force, UT_Vector3& torque) const override {
    const auto k = kRate * static_cast<float>(mass);
    force = UT_Vector3(k * (position.z() - centre.z()), 0, k * (centre.x() - position.x()));
    torque = UT_Vector3(0, twist, 0);
  }
};

// Without weight and air.
const std::map<std::string, std::string> kSpace = {{"gravity", "0 0 0"}, {"airdensity", "0"}};

SIM_Data& addForce(SIM_Object& object, const char* type) {
  if (!object.named[SIM_FORCES_DATANAME]) object.named[SIM_FORCES_DATANAME] = std::make_shared<SIM_Object>();
  return *(object.named[SIM_FORCES_DATANAME]->named[type] = standin::makeData(type));
}

void addUniform(SIM_Object& object, UT_Vector3 force) {
  dynamic_cast<SIM_ForceUniform&>(addForce(object, "SIM_ForceUniform")).uniform = force;
}

UT_Vector3 meanOf(const GU_Detail& detail) {
  UT_Vector3 sum(0, 0, 0);
  const auto share = 1 / static_cast<float>(detail.getNumPoints());
  for (GA_Index p = 0; p < detail.getNumPoints(); ++p) {
    const UT_Vector3 at = detail.getPos3(detail.pointOffset(p));
    sum = UT_Vector3(sum.x() + at.x() * share, sum.y() + at.y() * share, sum.z() + at.z() * share);
  }
  return sum;
}

float vectorOf(const GU_Detail& detail, const char* name, std::size_t component) {
  return static_cast<float>(detail.findAttribute(GA_ATTRIB_POINT, name)->numbers()[component]);
}

// A bar of 0.6 by 0.3 by 0.2 m, of many points at one end.
NodeGeometry bar(Vec3f by) {
  Shape shape;
  shape.size = {0.6f, 0.3f, 0.2f}, shape.divisions = {12, 1, 1};
  NodeGeometry geometry = nodes::meshOf(makeBox(shape));
  for (Vec3f& p : geometry.points) {
    const float share = p.x / 0.6f + 0.5f;
    p.x = 0.6f * (share * share - 0.5f);
    p += by;
  }
  return geometry;
}

std::vector<float> everywhere(std::size_t points, Vec3f force) {
  std::vector<float> all;
  for (std::size_t p = 0; p < points; ++p) all.insert(all.end(), {force.x, force.y, force.z});
  return all;
}

}  // namespace

TEST(DopForces, AUniformForceIsThatOfTheSopChain) {
  Session session;
  Network network;
  const Vec3f force{0.4f * kMass, 2 * kMass, 0};
  NodeGeometry grains = dots(3, 0.05f, {0, 0.2f, 0}), cloth = sheet(5, {0, 1, 0});
  const GU_Detail sand = session.configured("grain", grains), flag = session.configured("cloth", cloth);
  for (const GU_Detail* detail : {&sand, &flag})
    addUniform(network.add(*detail), {force.x, force.y, force.z});
  for (NodeGeometry* geometry : {&grains, &cloth})
    geometry->write(Owner::point, "force", 3, everywhere(geometry->points.size(), force));
  SolverSop solver(session,
                   mergedDetails(session.configured("grain", grains), session.configured("cloth", cloth)));
  network.playTo(24);
  EXPECT_EQ(hashOf(network.shown(0)), hashOf(solver.at(24)));
}

TEST(DopForces, AForceOnAPieceMovesItByItsWholeMass) {
  Session session;
  Network network(kNoGround);
  const float mass = 0.3f * 0.3f * 0.3f * 1000;
  SIM_Object& box = network.add(session.configured("rigid", crate(0.3f, {0, 2, 0}), {{"density", "1000"}}));
  addUniform(box, {2 * mass, 9.81f * mass, 0});
  const UT_Vector3 before = network.shown(0).getPos3(3);
  network.playTo(25);
  EXPECT_NEAR(network.shown(0).getPos3(3).x() - before.x(), 1, 0.03f);
  EXPECT_NEAR(network.shown(0).getPos3(3).y(), before.y(), 0.01f);
}

// One thing of its whole mass, as a piece; every point takes its share, so that nothing is bent.
TEST(DopForces, AUniformForceMovesASoftBodyByItsWholeMassAndDoesNotBendIt) {
  Session session;
  Network network(kSpace);
  const float mass = 0.3f * 0.3f * 0.3f * 1000;
  SIM_Object& box = network.add(
      session.configured("soft", crate(0.3f, {0, 2, 0}), {{"density", "1000"}, {"youngsmodulus", "20000"}}));
  addUniform(box, {2 * mass, 0, 0});
  const UT_Vector3 before = meanOf(network.shown(0)), corner = network.shown(0).getPos3(3);
  network.playTo(7);
  EXPECT_NEAR(meanOf(network.shown(0)).x() - before.x(), 0.0625f, 0.012f);
  EXPECT_NEAR(vectorOf(network.shown(0), "v", 0), 0.5f, 1e-3f);
  EXPECT_NEAR(network.shown(0).getPos3(3).x() - corner.x(), meanOf(network.shown(0)).x() - before.x(), 1e-4f);
  EXPECT_NEAR(meanOf(network.shown(0)).y(), before.y(), 1e-4f);
}

// Of a field that grows with the distance dw = k dt, whatever the shape and its points are like.
TEST(DopForces, AVortexTurnsAPieceByItsMomentOfInertia) {
  IMPLEMENT_DATAFACTORY(Vortex);
  Session session;
  Network network(kSpace);
  auto& vortex =
      dynamic_cast<Vortex&>(addForce(network.add(session.configured("rigid", bar({3, 2, 1}))), "Vortex"));
  vortex.centre = UT_Vector3(3, 2, 1);
  network.playTo(13);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(vectorOf(network.shown(0), "w", k), k == 1 ? Vortex::kRate / 2 : 0, 2e-3f) << k;
  // about an axis elsewhere it pushes besides: k times the distance
  Network far(kSpace);
  auto& other =
      dynamic_cast<Vortex&>(addForce(far.add(session.configured("rigid", crate(0.3f, {3, 2, 1}))), "Vortex"));
  other.centre = UT_Vector3(2, 2, 1);
  ASSERT_EQ(far.step(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_NEAR(vectorOf(far.shown(0), "w", 1), Vortex::kRate / kFps, 1e-4f);
  EXPECT_NEAR(meanOf(far.shown(0)).z(), 1, 0.01f);
  const float push = (vectorOf(far.shown(0), "v", 2) + vectorOf(far.shown(0), "v", 3 * 7 + 2)) / 2;
  EXPECT_NEAR(push, -Vortex::kRate / kFps, 1e-3f);  // of two corners across from each other
}

TEST(DopForces, AUniformForceTurnsNoPieceWhereverItsPointsAre) {
  Session session;
  Network network(kSpace);
  addUniform(network.add(session.configured("rigid", bar({0, 2, 0}))), {0, 0, 40});
  network.playTo(13);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(vectorOf(network.shown(0), "w", k), 0, 1e-4f) << k;
}

TEST(DopForces, ATorqueTurnsAPieceByItsMomentOfInertia) {
  IMPLEMENT_DATAFACTORY(Vortex);
  Session session;
  Network network(kSpace), pops(kSpace);
  const float inertia = 27.0f * 0.3f * 0.3f / 6;
  NodeGeometry box = crate(0.3f, {0, 2, 0});
  auto& twist = dynamic_cast<Vortex&>(
      addForce(network.add(session.configured("rigid", box, {{"density", "1000"}})), "Vortex"));
  twist.twist = 3 * inertia;
  network.playTo(25);
  EXPECT_NEAR(vectorOf(network.shown(0), "w", 1), 3 + Vortex::kRate, 5e-3f);
  // the same by the attribute, of all points together
  box.write(Owner::point, "torque", 3, everywhere(8, {0, 3 * inertia / 8, 0}));
  pops.add(session.configured("rigid", box, {{"density", "1000"}}));
  pops.playTo(25);
  EXPECT_NEAR(vectorOf(pops.shown(0), "w", 1), 3, 5e-3f);
}

// What POPs write on one point acts there: dv = f dt / m and dw = r x f dt / I.
TEST(DopForces, AForceOnACornerTurnsAPiece) {
  Session session;
  Network network(kSpace);
  NodeGeometry box = crate(0.3f, {1, 2, 3});
  std::vector<float> forces(24, 0.0f);
  forces[0] = 27;  // 1 m/s^2 along x
  box.write(Owner::point, "force", 3, forces);
  const Vec3f lever = box.points[0] - Vec3f{1, 2, 3};
  network.add(session.configured("rigid", box, {{"density", "1000"}}));
  ASSERT_EQ(network.step(), SIM_Solver::SIM_SOLVER_SUCCESS);
  const Vec3f expected = cross(lever, Vec3f{27, 0, 0}) * (1 / (27.0f * 0.3f * 0.3f / 6 * float(kFps)));
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(vectorOf(network.shown(0), "w", static_cast<std::size_t>(k)), expected[k], 0.01f) << k;
  EXPECT_GT(std::abs(expected.y), 0.4f);
}

// Momentum of a soft body is the sum of the forces on its points times time; air drags as it is written.
TEST(DopForces, PopsPushSoftBodies) {
  Session session;
  const std::map<std::string, std::string> rubber = {
      {"density", "1000"}, {"youngsmodulus", "1e5"}, {"edge", "0.3"}};
  Network forced(kSpace), blown(kSpace);
  NodeGeometry box = crate(0.3f, {0, 2, 0});
  box.write(Owner::point, "force", 3, everywhere(8, {27.0f / 8, 0, 0}));
  forced.add(session.configured("soft", box, rubber));
  forced.playTo(13);
  EXPECT_NEAR(meanOf(forced.shown(0)).x(), 0.125f, 0.02f);
  NodeGeometry sail = crate(0.3f, {0, 2, 0});
  sail.write(Owner::point, "targetv", 3, everywhere(8, {0, 0, 6}));
  sail.write(Owner::point, "airresist", 1, std::vector<float>(8, 27.0f / 8));
  blown.add(session.configured("soft", sail, rubber));
  blown.playTo(13);
  // v = 6 (1 - exp(-t)), a frame at a time, for half a second
  EXPECT_NEAR(meanOf(blown.shown(0)).z(), 6 * (std::exp(-0.5) - 0.5), 0.08f);
}

// The simulation that goes on and one that is built anew at each step take it off alike.
TEST(DopForces, AForceThatIsTakenAwayActsNoMore) {
  using namespace nodes;
  const NodeGeometry box = crate(0.3f);
  const NodeGeometry given = cook(parmsOf("repose::configure_rigid"), {&box}).geometry;
  const Parms solver = parmsOf("repose::solver");
  std::string hashes[2];
  for (const bool forgets : {false, true}) {
    std::unique_ptr<NodeMemory> memory;
    NodeGeometry now = cook(solver, {&given, nullptr, nullptr, nullptr}, 1, &memory).geometry;
    for (int frame = 2; frame <= 8; ++frame) {
      if (forgets) memory.reset();
      if (frame == 3) now.write(Owner::point, "force", 3, everywhere(8, {5, 0, 2}));
      if (frame == 6)
        now.attributes.erase(std::remove_if(now.attributes.begin(), now.attributes.end(),
                                            [](const NodeAttribute& a) { return a.name == "force"; }),
                             now.attributes.end());
      const CookResult next = cook(solver, {&now, nullptr, nullptr, nullptr}, frame, &memory);
      ASSERT_TRUE(next.ok()) << lines(next.errors);
      now = next.geometry;
    }
    hashes[forgets] = nodes::hashOf(now);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(DopForces, PlaceVelocityAndMassReachTheForce) {
  IMPLEMENT_DATAFACTORY(Wind);
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(1, 0.05f, {0.5f, 2, 0})));
  addForce(sand, "Wind");
  // the same by the attribute, frame by frame
  SolverSop solver(session, session.configured("grain", dots(1, 0.05f, {0.5f, 2, 0})), {});
  GU_Detail now = solver.at(1);
  for (int frame = 2; frame <= 12; ++frame) {
    GA_Attribute* force = now.addFloatTuple(GA_ATTRIB_POINT, "force", 3);
    const GA_Attribute* v = now.findAttribute(GA_ATTRIB_POINT, "v");
    const UT_Vector3 p = now.getPos3(3);
    const UT_Vector3 velocity(float(v->numbers()[0]), float(v->numbers()[1]), float(v->numbers()[2]));
    const UT_Vector3 push = Wind::at(p, velocity, 4.18879020478639098 * std::pow(double(0.05f), 3) * 2000);
    for (int c = 0; c < 3; ++c) force->numbers()[static_cast<std::size_t>(c)] = push(c);
    force->bumpDataId();
    now = session.cook(solver.node(), {&now, nullptr, nullptr, nullptr}, frame);
    ASSERT_EQ(network.step(), SIM_Solver::SIM_SOLVER_SUCCESS) << nodes::lines(network.errors());
    ASSERT_EQ(hashOf(network.shown(0)), hashOf(now)) << frame;
  }
}

TEST(DopForces, GravityIsNotTakenTwice) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(1, 0.05f, {0, 9, 0})));
  addForce(sand, "SIM_ForceGravity");
  const float before = network.shown(0).getPos3(3).y();
  network.playTo(25);
  EXPECT_NEAR(before - network.shown(0).getPos3(3).y(), 9.81f / 2, 0.1f);
}

}  // namespace repose::houdini
