// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What points weigh by their attribute mass.
#include <cmath>

#include "houdini_nodes/assembly.h"
#include "tests/houdini/job_run.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::NodeGeometry;
using nodes::Owner;
using nodes::sheet;

constexpr int kCells = 4, kPoints = (kCells + 1) * (kCells + 1);

// A sheet that a force of so many newtons pulls at each point.
NodeGeometry pulled(const std::vector<float>& masses, float force) {
  NodeGeometry cloth = sheet(kCells, {0, 2, 0});
  cloth.write(Owner::point, "mass", 1, masses);
  std::vector<float> forces;
  for (int p = 0; p < kPoints; ++p) forces.insert(forces.end(), {force, 0, 0});
  cloth.write(Owner::point, "force", 3, forces);
  return cloth;
}

const std::map<std::string, std::string> kNoWeight = {{"gravity", "0 0 0"}, {"airdensity", "0"}};

float moved(const GU_Detail& end, const NodeGeometry& start, int p) {
  return end.getPos3(end.pointOffset(p)).x() - start.points[static_cast<std::size_t>(p)].x;
}

nodes::Assembly assembled(const NodeGeometry& geometry) {
  nodes::Parms parms = nodes::parmsOf("repose::solver");
  nodes::WorldInput input;
  input.geometry = &geometry, input.parms = &parms;
  return nodes::assemble(input);
}

}  // namespace

TEST(Masses, EqualMassesAreMovedAlikeWhateverTheirArea) {
  Session session;
  const NodeGeometry cloth = pulled(std::vector<float>(kPoints, 0.02f), 0.04f);
  SolverSop solver(session, session.configured("cloth", cloth), kNoWeight);
  const GU_Detail end = solver.at(25);
  for (int p = 0; p < kPoints; ++p) EXPECT_NEAR(moved(end, cloth, p), 1, 0.03f) << p;
}

TEST(Masses, TheCentreOfMassGoesByTheirSum) {
  Session session;
  std::vector<float> masses;
  double sum = 0;
  for (int p = 0; p < kPoints; ++p) masses.push_back(p < 10 ? 0.1f : 0.02f), sum += masses.back();
  const NodeGeometry cloth = pulled(masses, 0.04f);
  SolverSop solver(session, session.configured("cloth", cloth), kNoWeight);
  const GU_Detail end = solver.at(13);
  double way = 0, seconds = 0;
  for (int p = 0; p < kPoints; ++p) way += masses[static_cast<std::size_t>(p)] * moved(end, cloth, p) / sum;
  seconds = 12 / kFps;
  EXPECT_NEAR(way / (0.5 * kPoints * 0.04 / sum * seconds * seconds), 1, 0.03);
}

TEST(Masses, AJobHasTheHashOfTheNodes) {
  Session session;
  std::vector<float> masses;
  for (int p = 0; p < kPoints; ++p) masses.push_back(p == 7 ? 0.0f : 0.01f * static_cast<float>(1 + p % 5));
  NodeGeometry cloth = sheet(kCells, {0, 0.2f, 0});
  cloth.write(Owner::point, "mass", 1, masses);
  const GU_Detail start = session.configured("cloth", cloth);
  const std::string job = temporary("mass_job.json");
  session.cook(
      session.make("repose::export_job", {{"file", job}, {"write", "1"}, {"f2", "16"}, {"useground", "1"}}),
      {&start, nullptr, nullptr, nullptr});
  SolverSop solver(session, start);
  EXPECT_EQ(hashAfterRun(job), hashOf(solver.at(16)));
  EXPECT_EQ(moved(solver.at(16), cloth, 7), 0) << "a mass of 0 holds its point";
}

TEST(Masses, ANegativeMassIsNamedAndNotTaken) {
  Session session;
  std::vector<float> masses(kPoints, 0.02f);
  masses[3] = -0.5f, masses[4] = -1;
  NodeGeometry cloth = sheet(kCells, {0, 2, 0});
  cloth.write(Owner::point, "mass", 1, masses);
  SolverSop solver(session, session.configured("cloth", cloth));
  solver.at(1);
  ASSERT_FALSE(solver.node().warnings.empty());
  EXPECT_EQ(
      solver.node().warnings[0],
      "body \"cloth\": mass is -0.5 at point 3, which weighs nothing; the density is taken there (and 1 "
      "more like it)");
  masses[3] = std::nanf("");
  cloth.write(Owner::point, "mass", 1, masses);
  SOP_Node& node = session.make("repose::solver");
  const GU_Detail wild = session.configured("cloth", sheet(kCells));
  GU_Detail given = wild;
  GA_Attribute* mass = given.addFloatTuple(GA_ATTRIB_POINT, "mass", 1);
  for (std::size_t p = 0; p < masses.size(); ++p) mass->numbers()[p] = masses[p];
  mass->bumpDataId();
  node.inputs = {&given, nullptr, nullptr, nullptr};
  EXPECT_EQ(node.standinCook(0), UT_ERROR_ABORT);
  EXPECT_EQ(node.errors.at(0), "Geometry: the point attribute mass is not finite at point 3");
}

TEST(Masses, ASoftBodyThatIsFilledWeighsTheirSum) {
  NodeGeometry box = nodes::crate(0.5f);
  box.write(Owner::point, "mass", 1, std::vector<float>(box.points.size(), 2.0f));
  nodes::Parms parms = nodes::parmsOf("repose::configure_soft");
  const nodes::CookResult soft = nodes::cook(parms, {&box});
  ASSERT_TRUE(soft.ok()) << nodes::lines(soft.errors);
  const nodes::Assembly assembly = assembled(soft.geometry);
  ASSERT_TRUE(assembly.ok()) << nodes::lines(assembly.errors);
  EXPECT_NEAR(assembly.bodies[0].settings.value("density", 0.0), 16 / 0.125, 1e-3);
}

}  // namespace repose::houdini
