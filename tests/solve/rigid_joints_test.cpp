// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Joints against closed forms: pendulums, hinges, limits, motors, springs, breaking.
#include <gtest/gtest.h>

#include "rigid_world.h"

namespace repose {
namespace {

// A rod that hangs on one end: the error of its joint, over its length.
float jointError(const RigidWorld& world, Vec3f at) {
  const Vec3f end = world.pose(0).world({0.5f, 0, 0});
  return length(end - at);
}

TEST(Joints, APendulumKeepsItsJointAndItsEnergy) {
  for (const Joint::Kind kind : {Joint::Kind::spherical, Joint::Kind::hinge}) {
    RigidWorld world;
    const int rod = world.addBox({1, 0.05f, 0.05f});
    world.place(rod, {-0.5f, 0, 0});
    world.addJoint(kind, {rod, 0}, {}, {}, {0, 0, 1});
    world.begin();
    const double energy = world.energy();
    float worst = 0, lowest = 0;
    for (int k = 0; k < 600; ++k) {
      world.step();
      worst = std::max(worst, jointError(world, {}));
      lowest = std::min(lowest, world.at(0).y);
    }
    EXPECT_LT(worst, 1e-3f);
    EXPECT_NEAR(lowest, -0.5f, 0.02f);
    const double swing = 0.5 * 9.8 * world.model.rigid.bodies[0].mass;  // from the top to the bottom
    EXPECT_LT(world.energy(), energy + 0.01 * swing);
    EXPECT_GT(world.energy(), energy - 0.35 * swing);
    if (kind == Joint::Kind::hinge) {
      EXPECT_NEAR(std::abs(world.pose(0).axis[2].z), 1.0f, 1e-5f);
    }
  }
}

// A light rod and a bob of a thousand times its mass.
TEST(Joints, AHeavyPendulumDoesNotStretch) {
  RigidWorld world;
  const int rod = world.addBox({1, 0.05f, 0.05f}), bob = world.addBox({0.4f, 0.4f, 0.4f});
  world.place(rod, {-0.5f, 0, 0});
  world.place(bob, {-1.2f, 0, 0});
  const float light = 1000 * 1 * 0.05f * 0.05f;
  world.scene.bodies[bob].rigid.base.density = 1000 * light / (0.4f * 0.4f * 0.4f);
  world.addJoint(Joint::Kind::spherical, {rod, 0}, {}, {});
  world.addJoint(Joint::Kind::fixed, {bob, 0}, {rod, 0}, {-1, 0, 0});
  world.begin();
  float longest = 0;
  for (int k = 0; k < 600; ++k) {
    world.step();
    longest = std::max(longest, std::abs(length(world.at(1)) - 1.2f));
  }
  EXPECT_LT(longest, 0.012f);
}

TEST(Joints, ALimitedHingeStopsAndAMotorTurnsIt) {
  RigidWorld world;
  const int rod = world.addBox({1, 0.05f, 0.05f});
  world.place(rod, {0.5f, 0, 0});
  Joint& joint = world.addJoint(Joint::Kind::hinge, {}, {rod, 0}, {}, {0, 0, 1});
  joint.params.base.limited = true;
  joint.params.base.lower = -30, joint.params.base.upper = 60;
  world.step(300);
  const auto angle = [&] {
    const Vec3f x = world.pose(0).axis[0];
    return std::atan2(x.y, x.x) * 57.29578f;
  };
  EXPECT_NEAR(angle(), -30.0f, 0.5f);
  RigidWorld driven;
  driven.place(driven.addBox({1, 0.05f, 0.05f}), {0.5f, 0, 0});
  Joint& servo = driven.addJoint(Joint::Kind::hinge, {}, {0, 0}, {}, {0, 0, 1});
  servo.params.base.motor = JointMotor::position;
  servo.params.base.motortarget = 45, servo.params.base.motorforce = 1e4f;
  driven.step(300);
  const Vec3f x = driven.pose(0).axis[0];
  EXPECT_NEAR(std::atan2(x.y, x.x) * 57.29578f, 45.0f, 1.0f);
}

TEST(Joints, ASliderFallsAlongItsAxisToItsLimit) {
  RigidWorld world;
  const int box = world.addBox({0.2f, 0.2f, 0.2f});
  world.place(box, {0, 0, 0}, {}, {}, {1, 2, 3});
  const float s = std::sqrt(0.5f);
  Joint& joint = world.addJoint(Joint::Kind::slider, {}, {box, 0}, {}, {s, -s, 0});
  joint.params.base.limited = true;
  joint.params.base.lower = -1, joint.params.base.upper = 2;
  world.step(240);
  EXPECT_NEAR(dot(world.at(0), {s, -s, 0}), 2.0f, 0.01f);
  EXPECT_LT(length(world.at(0) - Vec3f{s, -s, 0} * 2.0f), 0.01f);
  EXPECT_GT(world.pose(0).axis[0].x, 0.9999f);
}

// Static sag m g compliance.
TEST(Joints, ASpringSagsAsItsComplianceSays) {
  RigidWorld world;
  const int box = world.addBox({0.1f, 0.1f, 0.1f});
  world.place(box, {0, -1, 0});
  Joint& joint = world.addJoint(Joint::Kind::distance, {box, 0}, {}, {0, -1, 0});
  joint.other = {0, 0, 0};
  joint.params.base.compliance = 0.01f, joint.params.base.damping = 20;
  world.step(600);
  EXPECT_NEAR(world.at(0).y, -1 - 1.0f * 9.8f * 0.01f, 0.002f);
}

TEST(Joints, AJointBreaksAboveItsForce) {
  for (const float mass : {0.5f, 2.0f}) {
    RigidWorld world;
    const int box = world.addBox({0.1f, 0.1f, 0.1f});
    world.scene.bodies[box].rigid.base.density = 1000 * mass;
    world.place(box, {0, 0, 0});
    world.addJoint(Joint::Kind::fixed, {box, 0}, {}, {0, 0, 0}).params.base.breakforce = 10;
    world.step(60);
    if (mass < 1)
      EXPECT_NEAR(world.at(0).y, 0.0f, 1e-4f);
    else
      EXPECT_LT(world.at(0).y, -1.0f);
  }
}

// Keys may begin to limit a joint during the run.
TEST(Joints, ALimitMayComeLater) {
  RigidWorld world;
  const int rod = world.addBox({1, 0.05f, 0.05f});
  world.place(rod, {0.5f, 0, 0});
  world.addJoint(Joint::Kind::spherical, {}, {rod, 0}, {}, {1, 0, 0});
  world.step(5);
  world.params.joint[0].coneangle = 30, world.params.joint[0].twistangle = 20;
  world.step(300);
  EXPECT_GT(world.pose(0).axis[0].x, std::cos(32 * 0.0174532925f));
}

// Two joints that pull a box apart find a middle; the rest of the scene does not notice.
TEST(Joints, JointsThatContradictLiveOn) {
  RigidWorld world;
  const int box = world.addBox({0.5f, 0.5f, 0.5f});
  world.place(box, {0, 1, 0});
  world.place(box, {5, 1.25f, 0});
  world.addJoint(Joint::Kind::fixed, {box, 0}, {}, {0, 1, 0});
  Joint& rod = world.addJoint(Joint::Kind::distance, {box, 0}, {}, {0, 1, 0});
  rod.other = {1, 1, 0};
  rod.params.base.restlength = 0.5f;  // the fixed joint wants 1
  world.addPlane({}, {0, 1, 0});
  for (int k = 0; k < 120; ++k) {
    world.step();
    ASSERT_LT(length(world.velocity(0)), 20.0f) << k;
    ASSERT_LT(length(world.at(0) - Vec3f{0, 1, 0}), 0.6f) << k;
  }
  EXPECT_NEAR(world.at(1).y, 0.25f, 5e-3f);
}

TEST(Joints, AChainHangsAtItsLength) {
  RigidWorld world;
  const int link = world.addBody({makeCapsule(0.02f, 0.16f)});
  for (int k = 0; k < 20; ++k) world.place(link, {0.1f + 0.2f * k, 0, 0}, turnAbout({0, 0, 1}, 90));
  world.addJoint(Joint::Kind::spherical, {link, 0}, {}, {});
  for (int k = 1; k < 20; ++k)
    world.addJoint(Joint::Kind::spherical, {link, k}, {link, k - 1}, {0.2f * k, 0, 0});
  world.begin();
  float worst = 0;
  for (int k = 0; k < 600; ++k) {
    world.step();
    for (int i = 0; i < 19; ++i) {
      const Vec3f gap = world.pose(i).world({0, -0.1f, 0}) - world.pose(i + 1).world({0, 0.1f, 0});
      worst = std::max(worst, length(gap));
    }
  }
  EXPECT_LT(worst, 0.01f * 0.2f * 5);
}

}  // namespace
}  // namespace repose
