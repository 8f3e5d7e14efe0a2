// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The glue of the DOP, on the stand-in: a network that steps, keeps copies of its objects, and saves them.
#include <cmath>
#include <sstream>

#include "tests/houdini/network.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::dots;
using nodes::sheet;

void addMixed(Session& session, Network& network) {
  network.add(session.configured("cloth", sheet(5, {0, 1, 0}), {{"pingroup", "corner00"}}));
  network.add(session.configured("grain", dots(3, 0.03f, {-0.2f, 1.1f, -0.2f})));
  network.add(session.configured("rigid", crate(0.3f, {2, 0.5f, 0})));
}

}  // namespace

TEST(Dop, HasTheHashOfTheSopChain) {
  Session session;
  Network network;
  addMixed(session, network);
  GU_Detail start = mergedDetails(mergedDetails(network.shown(0), network.shown(1)), network.shown(2));
  SolverSop solver(session, start);
  network.playTo(24);
  EXPECT_EQ(hashOf(network.shown(0)), hashOf(solver.at(24)));
  EXPECT_NE(hashOf(network.shown(0)), "");
}

TEST(Dop, KeptFramesAreTheirOwn) {
  Session session;
  Network network, other;
  addMixed(session, network), addMixed(session, other);
  network.playTo(10);
  const Network::Frame tenth = network.keep();
  const std::string bits_at_ten = network.bits();
  network.playTo(15);  // 14 more frames
  const std::string end = network.bits();
  network.goBackTo(tenth);
  EXPECT_EQ(network.bits(), bits_at_ten);
  network.playTo(15);
  EXPECT_EQ(network.bits(), end);
  other.playTo(24);
  EXPECT_EQ(other.bits(), end);
}

TEST(Dop, SavedStatesGoOnWithTheSameBits) {
  Session session;
  Network network, loaded;
  addMixed(session, network), addMixed(session, loaded);
  network.playTo(9);
  std::stringstream file;
  network.objects[0]->named.at("ReposeState")->save(file);
  loaded.goBackTo(network.objects);
  loaded.objects[0]->named["ReposeState"] = standin::makeData("SIM_ReposeState");
  UT_IStream in(file);
  ASSERT_TRUE(loaded.objects[0]->named["ReposeState"]->load(in));
  network.playTo(6), loaded.playTo(6);
  EXPECT_EQ(network.bits(), loaded.bits());
}

TEST(Dop, TruncatedFilesAreRefused) {
  Session session;
  Network network;
  addMixed(session, network);
  network.playTo(3);
  std::stringstream file;
  network.objects[0]->named.at("ReposeState")->save(file);
  const std::string whole = file.str();
  for (const std::size_t size :
       {std::size_t(0), std::size_t(4), std::size_t(12), whole.size() / 2, whole.size() - 1}) {
    std::istringstream half(whole.substr(0, size));
    UT_IStream in(half);
    EXPECT_FALSE(standin::makeData("SIM_ReposeState")->load(in)) << size;
  }
}

TEST(Dop, AnInterruptChangesNothing) {
  Session session;
  Network network, undisturbed;
  addMixed(session, network), addMixed(session, undisturbed);
  network.playTo(6), undisturbed.playTo(8);
  const std::string before = network.bits();
  standin::pollsUntilInterrupt() = 2;
  EXPECT_EQ(network.step(), SIM_Solver::SIM_SOLVER_FAIL);
  standin::pollsUntilInterrupt() = -1;
  EXPECT_EQ(network.bits(), before);
  network.playTo(3);
  EXPECT_EQ(network.bits(), undisturbed.bits());
}

TEST(Dop, GravityComesFromTheForces) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(2, 0.05f, {0, 3, 0})));
  sand.named[SIM_FORCES_DATANAME] = std::make_shared<SIM_Object>();
  for (const char* name : {"Gravity", "Side"}) {
    auto gravity = standin::makeData("SIM_ForceGravity");
    dynamic_cast<SIM_ForceGravity&>(*gravity).gravity = {1.5f, 0, 0};
    sand.named[SIM_FORCES_DATANAME]->named[name] = gravity;
  }
  const float before = network.shown(0).getPos3(3).x(), height = network.shown(0).getPos3(3).y();
  network.playTo(25);
  EXPECT_NEAR(network.shown(0).getPos3(3).x() - before, 1.5f, 0.05f);
  EXPECT_NEAR(network.shown(0).getPos3(3).y(), height, 0.01f);
}

TEST(Dop, CollidersComeThroughRelationships) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(2, 0.05f)));
  SIM_Object wall(99);
  Network::setGeometry(wall, toHost(crate(2, {0, -1, 0})));
  sand.colliders = {&wall, &wall};
  network.playTo(20);
  expectAbove(network.shown(0), 0.04f);
}

TEST(Dop, AWrongTimeStepIsNamed) {
  Session session;
  Network network;
  addMixed(session, network);
  EXPECT_EQ(network.step(0.4), SIM_Solver::SIM_SOLVER_FAIL);
  ASSERT_FALSE(network.errors().empty());
  EXPECT_EQ(network.errors().back(),
            "the time step is 0.4 of a frame, but must be a frame or a part of it, 1/2, 1/3 ...");
  network.objects[1]->named.erase(SIM_GEOMETRY_DATANAME);
  EXPECT_EQ(network.step(), SIM_Solver::SIM_SOLVER_FAIL);
}

TEST(Dop, AnObjectThatStandsElsewhereIsSolvedThere) {
  Session session;
  Network network, straight;
  UT_DMatrix4 place(1.0);  // a quarter turn about y, and up
  place(0, 0) = 0, place(0, 2) = -1, place(2, 0) = 1, place(2, 2) = 0, place(3, 1) = 0.5, place(3, 2) = 3;
  const auto inWorld = [](UT_Vector3 p) { return UT_Vector3(p.z(), p.y() + 0.5f, -p.x() + 3); };
  for (const char* kind : {"grain", "rigid"}) {
    const bool sand = std::string(kind) == "grain";
    nodes::NodeGeometry given = sand ? dots(3, 0.03f, {0.5f, 0.2f, 0}) : crate(0.25f, {2, 0.5f, 0});
    given.write(nodes::Owner::point, "v", 3, std::vector<float>(3 * given.points.size(), 0.25f));
    network.add(session.configured(kind, given));
    dynamic_cast<SIM_Geometry&>(*network.objects.back()->named[SIM_GEOMETRY_DATANAME]).place = place;
    for (std::size_t p = 0; p < given.points.size(); ++p) {
      const UT_Vector3 to = inWorld({given.points[p].x, given.points[p].y, given.points[p].z});
      given.points[p] = {to.x(), to.y(), to.z()};
    }
    std::vector<float> v;
    for (std::size_t p = 0; p < given.points.size(); ++p) v.insert(v.end(), {0.25f, 0.25f, -0.25f});
    given.write(nodes::Owner::point, "v", 3, v);
    straight.add(session.configured(kind, given));
  }
  for (int frame = 0; frame < 8; ++frame) {
    network.playTo(4), straight.playTo(4);
    ASSERT_EQ(hashOf(network.shown(0)), hashOf(straight.shown(0))) << "after " << frame;
  }
  for (std::size_t k = 0; k < 2; ++k)
    for (GA_Index p = 0; p < network.shown(k).getNumPoints(); ++p) {
      const GA_Offset offset = network.shown(k).pointOffset(p);
      const UT_Vector3 a = inWorld(network.shown(k).getPos3(offset)), b = straight.shown(k).getPos3(offset);
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(a(c), b(c), 1e-5f) << k << " " << p;
    }
  // what an artist moves there is moved in the world
  dynamic_cast<SIM_Geometry&>(*network.objects[0]->named[SIM_GEOMETRY_DATANAME]).detail.setPos3(3, {9, 1, 0});
  dynamic_cast<SIM_Geometry&>(*network.objects[0]->named[SIM_GEOMETRY_DATANAME]).detail.getP()->bumpDataId();
  network.playTo(2);
  EXPECT_NEAR(network.shown(0).getPos3(3).x(), 9, 0.1f);
}

TEST(Dop, ACollidersTransformIsTaken) {
  Session session;
  Network network(kNoGround);
  SIM_Object& sand = network.add(session.configured("grain", dots(2, 0.05f)));
  SIM_Object wall(99);
  Network::setGeometry(wall, toHost(crate(2)));
  dynamic_cast<SIM_Geometry&>(*wall.named[SIM_GEOMETRY_DATANAME]).place(3, 1) = -1;
  sand.colliders = {&wall};
  network.playTo(20);
  expectAbove(network.shown(0), 0.04f);
}

TEST(Dop, AFlatTransformIsRefused) {
  Session session;
  Network network;
  addMixed(session, network);
  dynamic_cast<SIM_Geometry&>(*network.objects[0]->named[SIM_GEOMETRY_DATANAME]).place(1, 1) = 0;
  EXPECT_EQ(network.step(), SIM_Solver::SIM_SOLVER_FAIL);
  EXPECT_EQ(network.errors().back(), "the transform of the object is flat: it has no way back");
}

TEST(Dop, TheGuideShowsHowThickThingsAre) {
  Session session;
  const std::map<std::string, std::string> thick = {{"showthickness", "1"}};
  Network network(thick), plain;
  SIM_Object& sand = network.add(session.configured("grain", dots(1, 0.05f)));
  dynamic_cast<SIM_Geometry&>(*sand.named[SIM_GEOMETRY_DATANAME]).place(3, 0) = 4;
  const auto drawn = [&](Network& shown, UT_DMatrix4& xform) {
    GU_DetailHandle gdh;
    gdh.allocateAndSet(new GU_Detail);
    EXPECT_TRUE(shown.solver().standinGuide());
    shown.solver().standinDraw(sand, SIM_Options(), gdh, &xform);
    return gdh;
  };
  UT_DMatrix4 xform(1.0), other(1.0);
  const GU_DetailHandle guide = drawn(network, xform);
  EXPECT_EQ(guide.gdp()->unbumped(), "");
  ASSERT_EQ(guide.gdp()->getNumPoints(), 6);
  EXPECT_EQ(guide.gdp()->getNumPrimitives(), 3);
  EXPECT_EQ(xform(3, 0), 4);
  const UT_Vector3 centre = network.shown(0).getPos3(3);
  for (GA_Index p = 0; p < 6; ++p) {
    const UT_Vector3 at = guide.gdp()->getPos3(guide.gdp()->pointOffset(p));
    EXPECT_NEAR(std::hypot(at.x() - centre.x(), at.y() - centre.y(), at.z() - centre.z()), 0.05, 1e-6);
  }
  EXPECT_EQ(drawn(plain, other).gdp()->getNumPoints(), 0);
  EXPECT_EQ(other(3, 0), 0) << "nothing is asked for where nothing is drawn";
}

// Lines at the contacts of a crate that lies still are its weight together, up from the floor, and so they
// are where the object is moved, turned and scaled. Only the first object has them.
TEST(Dop, TheGuideShowsWhatPushes) {
  Session session;
  const std::map<std::string, std::string> wish = {
      {"useground", "1"}, {"showcontacts", "1"}, {"contactscale", "0.002"}};
  Network network(wish), plain;
  for (Network* each : {&network, &plain}) {
    UT_DMatrix4& place =
        dynamic_cast<SIM_Geometry&>(
            *each->add(session.configured("rigid", crate(0.3f, {0, 0.15f, 0}), {{"density", "1000"}}))
                 .named[SIM_GEOMETRY_DATANAME])
            .place;
    place(0, 0) = place(1, 1) = place(2, 2) = 2, place(3, 0) = 4;
    each->add(session.configured("grain", dots(1, 0.05f, {-3, 0, 0})));
    each->playTo(8);
  }
  const auto drawn = [&](Network& shown, std::size_t object) {
    GU_DetailHandle gdh;
    gdh.allocateAndSet(new GU_Detail);
    UT_DMatrix4 xform(1.0);
    shown.solver().standinDraw(*shown.objects[object], SIM_Options(), gdh, &xform);
    return *gdh.gdp();
  };
  const GU_Detail lines = drawn(network, 0);
  float sum = 0;
  ASSERT_GE(lines.getNumPrimitives(), 3);
  for (GA_Index k = 0; k < lines.getNumPrimitives(); ++k) {
    const UT_Vector3 from = lines.getPos3(lines.pointOffset(2 * k)),
                     to = lines.getPos3(lines.pointOffset(2 * k + 1));
    EXPECT_NEAR(from.y(), 0, 5e-3f);
    sum += 2 * (to.y() - from.y());
  }
  const float grain = 4.18879020f * 0.05f * 0.05f * 0.05f * 2000;
  EXPECT_NEAR(sum, 0.002f * 9.81f * (8 * 27 + grain), 0.05f * sum);
  EXPECT_EQ(drawn(network, 1).getNumPrimitives(), 0);
  EXPECT_EQ(drawn(plain, 0).getNumPrimitives(), 0);
  EXPECT_EQ(plain.shown(0).findAttribute(GA_ATTRIB_DETAIL, "repose_contacts"), nullptr);
  EXPECT_EQ(network.bits(), plain.bits()) << "to look changes nothing";
}

}  // namespace repose::houdini
