// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Concave rigid bodies: what lies in them, on them and hangs on them.
#include <gtest/gtest.h>

#include "rigid_world.h"
#include "scene/shapes.h"
#include "solid_meshes.h"

namespace repose {
namespace {

int addConcave(RigidWorld& world, Geometry mesh, float voxel = 0) {
  const int body = world.addBody({});
  world.scene.bodies[body].shapes[0].geometry = std::move(mesh);
  world.scene.bodies[body].shapes[0].voxel = voxel;
  return body;
}

// How deep anything is in anything, over the run.
float stepAndMeasure(RigidWorld& world, int steps) {
  float deepest = 0;
  for (int k = 0; k < steps; ++k) {
    world.step();
    deepest = std::max(deepest, world.work->contacts->summary(world.state).max_penetration);
  }
  return deepest;
}

Geometry torusMesh(float ring, float tube) {
  Shape shape;
  shape.radius = ring, shape.tuberadius = tube, shape.divisions = {48, 24, 1};
  return makeTorus(shape);
}

TEST(Concave, ABowlHoldsABall) {
  RigidWorld world;
  const float voxel = 0.02f;
  const int bowl = addConcave(world, bowlMesh(0.5f, 0.4f), voxel);
  world.place(bowl, {0, 0.5f, 0});
  world.place(world.addBody({makeSphere(0.1f)}), {0.22f, 0.6f, 0.05f});
  world.addPlane({}, {0, 1, 0});
  world.setFriction(0.4f);
  for (Body& body : world.scene.bodies) body.rigid.base.spindamping = body.rigid.base.veldamping = 1;
  EXPECT_LT(stepAndMeasure(world, 300), 0.5f * voxel);
  // the mesh is a little inside of the sphere it stands for
  const Vec3f place = world.pose(0).local(world.at(1));
  EXPECT_NEAR(length(place), 0.3f, 0.01f);
  EXPECT_LT(place.y, -0.25f);
  EXPECT_LT(length(world.velocity(1)), 0.15f);
  EXPECT_NEAR(world.at(1).y, 0.2f, 0.02f) << "the ball lies at the bottom";
}

TEST(Concave, ATorusHangsOnAPeg) {
  for (const bool collider : {true, false}) {
    RigidWorld world;
    const float voxel = 0.02f;
    const int torus = addConcave(world, torusMesh(0.4f, 0.08f), voxel);
    const Quat upright = turnAbout({1, 0, 0}, 90);
    world.place(torus, {0.05f, -0.28f, 0}, upright, {}, {0, 0, 0.5f});
    if (collider) {
      Collider peg;
      peg.shape = Collider::Shape::volume;
      peg.volume.shape = Volume::Shape::capsule;
      peg.volume.radius = 0.03f, peg.volume.height = 1;
      peg.volume.place.m[1][1] = 0, peg.volume.place.m[1][2] = -1;
      peg.volume.place.m[2][1] = 1, peg.volume.place.m[2][2] = 0;
      world.scene.colliders.push_back(peg);
    } else {
      const int peg = world.addBody({makeCapsule(0.03f, 1)});
      world.scene.bodies[peg].rigid.base.animated = true;
      world.place(peg, {}, upright);
      world.params.animated.push_back(poseOf({}, upright));
    }
    world.setFriction(0.5f);
    EXPECT_LT(stepAndMeasure(world, 300), 0.5f * voxel) << collider;
    // the inner side of the ring lies on the peg: its middle hangs below
    EXPECT_NEAR(length(world.at(0)), 0.4f - 0.08f - 0.03f, 0.5f * voxel) << collider;
    EXPECT_LT(world.at(0).y, -0.2f);
    EXPECT_LT(std::abs(world.at(0).z), 0.1f);
  }
}

TEST(Concave, LShapesStackInUShapes) {
  RigidWorld world;
  const float size = 0.2f, small = 0.18f, voxel = 0.04f;
  const int u =
      addConcave(world, cubesMesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, size), voxel);
  const int l = addConcave(world, cubesMesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}, small), voxel);
  world.place(u, {0, 0.1f, 0});
  // upside down, its leg over the gap of the U
  world.place(l, {0.2f, 0.52f, 0}, turnAbout({0, 0, 1}, 180));
  world.place(l, {-0.16f, 0.75f, 0});
  world.addPlane({}, {0, 1, 0});
  world.setFriction(0.5f);
  EXPECT_LT(stepAndMeasure(world, 300), 0.5f * voxel);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(length(world.velocity(i)), 0.01f) << i;
    EXPECT_LT(length(world.spin(i)), 0.05f) << i;
  }
  EXPECT_NEAR(world.pose(0).origin.y, 0.1f, 0.005f);
  const Vec3f leg = world.pose(1).world({0, small, 0});
  EXPECT_NEAR(leg.x, 0.2f, 0.02f) << "in the gap";
  EXPECT_NEAR(leg.y, 0.2f + 0.5f * small, 0.02f) << "on its ground";
  EXPECT_GT(world.at(2).y, 0.5f) << "on top of the other";
}

TEST(Concave, BoxesLieOnItAndInIt) {
  RigidWorld world;
  const float size = 0.3f, voxel = 0.05f;
  const int u =
      addConcave(world, cubesMesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, size), voxel);
  world.place(u, {0, 0.15f, 0});
  world.place(world.addBox({0.25f, 0.25f, 0.25f}), {0.3f, 0.5f, 0}, turnAbout({0, 1, 0}, 2));
  world.place(world.addBox({0.8f, 0.1f, 0.2f}), {0.3f, 0.75f, 0});
  world.addPlane({}, {0, 1, 0});
  world.setFriction(0.5f);
  EXPECT_LT(stepAndMeasure(world, 240), 0.5f * voxel);
  EXPECT_NEAR(world.at(1).y, 0.3f + 0.125f, 0.01f);
  EXPECT_NEAR(world.at(2).y, 0.65f, 0.01f);
  for (int i = 0; i < 3; ++i) EXPECT_LT(length(world.velocity(i)), 0.01f) << i;
}

TEST(Concave, MassAndInertiaAreThoseOfTheMesh) {
  RigidWorld world;
  const int u =
      addConcave(world, cubesMesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}}, 0.5f), 0.1f);
  world.scene.bodies[u].rigid.base.density = 100;
  world.place(u, {});
  world.begin();
  const RigidBody& body = world.model.rigid.bodies[0];
  EXPECT_NEAR(body.mass, 5 * 12.5f, 1e-3f);
  // five cubes: the centre is 2/5 of a cube above the first row
  EXPECT_NEAR(world.at(0).x, 0.5f, 1e-5f);
  EXPECT_NEAR(world.at(0).y, 0.2f, 1e-5f);
  const double cube = 12.5 * 0.25 / 6, a = 0.25 * 12.5;
  const double about_z = 5 * cube + a * (4 * 1 + 3 * 0.16 + 2 * 0.36);
  const float most = std::max({body.moments.x, body.moments.y, body.moments.z});
  EXPECT_NEAR(most, about_z, 1e-3);
}

TEST(Concave, EveryThreadCountGivesTheSameBits) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 7}) {
    RigidWorld world(threads);
    const int torus = addConcave(world, torusMesh(0.2f, 0.06f)), ball = world.addBody({makeSphere(0.1f)});
    const int l = addConcave(world, cubesMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.1f));
    for (int k = 0; k < 9; ++k)
      world.place(k % 3 == 0   ? torus
                  : k % 3 == 1 ? ball
                               : l,
                  {0.05f * static_cast<float>(k % 2), 0.2f + 0.2f * static_cast<float>(k), 0.03f},
                  turnAbout({1, 0.3f, 0.2f}, static_cast<float>(37 * k)));
    world.addPlane({}, {0, 1, 0});
    world.step(60);
    const std::uint64_t hash = stateHash(world.state);
    if (!first) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

TEST(Concave, AVoxelThatAsksForTooMuchIsRefused) {
  RigidWorld world;
  world.place(addConcave(world, bowlMesh(0.5f, 0.4f), 1e-5f), {});
  world.begin();
  EXPECT_EQ(world.work->contacts->rigid->made().message(),
            "body 'body0' has a voxel of 1e-05 m, which makes 5e+14 cells; 0.0049 m would do");
}

}  // namespace
}  // namespace repose
