// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Forces of DOP objects: what the host says of each point joins what POPs have written.
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

SIM_Data& addForce(SIM_Object& object, const char* type) {
  if (!object.named[SIM_FORCES_DATANAME]) object.named[SIM_FORCES_DATANAME] = std::make_shared<SIM_Object>();
  return *(object.named[SIM_FORCES_DATANAME]->named[type] = standin::makeData(type));
}

void addUniform(SIM_Object& object, UT_Vector3 force) {
  dynamic_cast<SIM_ForceUniform&>(addForce(object, "SIM_ForceUniform")).uniform = force;
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
