// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The nodes without a host.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "base/hash.h"
#include "houdini_nodes/object_world.h"
#include "solve/simulation.h"
#include "tests/houdini/node_play.h"

namespace repose::nodes {

namespace {

NodeGeometry heldSheet() {
  return configured("cloth", sheet(6, {0, 1, 0}), [](Parms& p) { p.setText("pingroup", "corner00"); });
}

NodeGeometry mixed() {
  NodeGeometry grains = configured("grain", dots(3, 0.03f, {-0.2f, 1.1f, -0.2f}));
  NodeGeometry boxes = joined(crate(0.3f, {2, 0.3f, 0}), crate(0.3f, {2.05f, 0.7f, 0}));
  boxes = configured("rigid", boxes, [](Parms& p) { p.setText("pieces", "connected"); });
  return joined(joined(heldSheet(), grains), boxes);
}

// What the command line makes of a job.
std::vector<std::string> runJob(const std::string& path, int last) {
  std::vector<std::string> hashes;
  const SceneLoad load = loadScene(path, {});
  EXPECT_TRUE(load.ok()) << lines(load.errors);
  if (!load.ok()) return hashes;
  Result<std::unique_ptr<Simulation>> simulation = Simulation::create(load.scene, 1);
  EXPECT_TRUE(simulation.ok()) << simulation.status().message();
  StepReport report;
  hashes.push_back(hexHash((*simulation)->stateHash()));
  for (int frame = 2; frame <= last; ++frame) {
    EXPECT_TRUE((*simulation)->advance(1, report).ok());
    hashes.push_back(hexHash(report.hash));
  }
  return hashes;
}

}  // namespace

TEST(NodeTable, NamesAreTheirOwn) {
  for (const NodeRow& row : nodeTable()) {
    std::set<std::string> names;
    for (const OwnParameter& own : row.own)
      EXPECT_TRUE(names.insert(own.name).second) << row.type << " " << own.name;
    for (const std::string& group : row.groups)
      for (const std::string& name : paramNames(group))
        EXPECT_TRUE(names.insert(name).second) << row.type << " " << name;
  }
}

TEST(Nodes, AColdStateGoesOnLikeAWarmOne) {
  const Play warm = play(mixed(), world(), 8, true), cold = play(mixed(), world(), 8, false);
  EXPECT_EQ(warm.hashes, cold.hashes);
  EXPECT_NE(warm.hashes[6], warm.hashes[7]);
}

TEST(Nodes, AnExportedJobHasTheSameHashes) {
  const std::string path = ::testing::TempDir() + "repose_job/mixed.json";
  Parms job = parmsOf("repose::export_job");
  job.setNumbers("useground", 1), job.setNumbers("write", 1), job.setNumbers("f2", 12),
      job.setText("file", path);
  NodeGeometry start = mixed();
  start.write(Owner::point, "v", 3, std::vector<double>(3 * start.points.size(), 0.25));
  const CookResult written = cook(job, {&start});
  ASSERT_TRUE(written.ok()) << lines(written.errors);
  EXPECT_EQ(runJob(path, 6), play(start, world(), 6, true).hashes);
}

TEST(Nodes, AMovingColliderCarriesWhatLiesOnIt) {
  const auto floor = [](int frame) {
    NodeGeometry box = crate(2, {0.05f * static_cast<float>(frame), -1, 0});
    Parms parms = parmsOf("repose::collider");
    parms.setNumbers("moves", 1), parms.setNumbers("friction", 1);
    return cook(parms, {&box}).geometry;
  };
  const NodeGeometry start = configured("grain", dots(2, 0.05f));
  const Parms parms = parmsOf("repose::solver");
  const Play warm = play(start, parms, 10, true, nullptr, floor),
             cold = play(start, parms, 10, false, nullptr, floor);
  EXPECT_EQ(warm.hashes, cold.hashes);
  float way = 0;
  for (std::size_t p = 0; p < start.points.size(); ++p) way += warm.geometry.points[p].x - start.points[p].x;
  EXPECT_GT(way / static_cast<float>(start.points.size()), 0.1f);
}

TEST(Nodes, BadInputIsNamed) {
  NodeGeometry grains = configured("grain", dots(2));
  const Parms parms = world();
  const auto failure = [&](const NodeGeometry& geometry) {
    const CookResult result = cook(parms, {&geometry, nullptr, nullptr, nullptr}, 1);
    return result.errors.empty() ? std::string() : result.errors[0];
  };
  EXPECT_EQ(failure(NodeGeometry()), "the geometry has no points");
  EXPECT_EQ(
      failure(dots(2)),
      "the point attribute repose_body (string) is missing: put a repose::configure node before this one");
  NodeGeometry broken = grains;
  broken.points[3].y = NAN;
  EXPECT_EQ(failure(broken), "Geometry: P is not finite at point 3");
  broken = grains;
  broken.write(Owner::point, "pscale", 1, std::vector<std::string>(8, "small"));
  EXPECT_EQ(failure(broken),
            "Geometry: the point attribute pscale is text (string), but must be numbers (float)");
  broken = grains;
  broken.write(Owner::point, "id", 1, std::vector<float>(8, 1));
  EXPECT_EQ(failure(broken),
            "Geometry: the point attribute id is numbers (float), but must be whole numbers (int)");
  EXPECT_EQ(cook(parms, {nullptr, nullptr, nullptr, nullptr}).errors[0], "input 1 (Geometry) is not wired");
  const CookResult late = cook(parms, {&grains, nullptr, nullptr, nullptr}, 30);
  EXPECT_EQ(late.errors[0],
            "the geometry has no state (detail attribute repose_state), which only the start frame 1 may "
            "lack, and this "
            "is frame 30");
}

TEST(Nodes, PinsOfConstraintsSlideAlongALine) {
  const NodeGeometry cloth = configured("cloth", sheet(4, {0, 1, 0}));
  NodeGeometry corner = cloth;
  corner.groups = sheet(4).groups;
  Parms pins = parmsOf("repose::constraints"), solver = parmsOf("repose::solver");
  pins.setText("type", "pin"), pins.setText("groupa", "top"), pins.setNumbers("slide", 1);
  pins.setNumbers("axis", 0, 0, 1);
  const NodeGeometry rod = cook(pins, {&corner}).geometry;
  for (const ParamRow& row : kParamRows)
    if (row.group == "solver" && row.name == "method") {
      const std::vector<std::string> methods = paramChoices(row);
      for (std::size_t k = 0; k < methods.size(); ++k)
        if (methods[k] == "interleaved") solver.setNumbers("method", static_cast<double>(k));
    }
  solver.setNumbers("gravity", 0, 0, 4);
  const NodeGeometry end = play(cloth, solver, 12, true, &rod).geometry;
  ASSERT_EQ(rod.primitives.size(), 5u);
  for (const Primitive& pin : rod.primitives) {
    const auto p = static_cast<std::size_t>(rod.corners[static_cast<std::size_t>(pin.first)]);
    EXPECT_NEAR(end.points[p].x, cloth.points[p].x, 1e-4f);
    EXPECT_NEAR(end.points[p].y, cloth.points[p].y, 1e-4f);
    // 1/2 g t^2 of 11 frames, without friction
    EXPECT_NEAR(end.points[p].z - cloth.points[p].z, 0.5f * 4 * 11 * 11 / (24 * 24), 0.03f);
  }
  NodeGeometry wrong = rod;
  wrong.write(Owner::primitive, "line", 1, std::vector<float>(5, 1));
  EXPECT_EQ(cook(solver, {&cloth, &wrong, nullptr, nullptr}).errors.at(0),
            "the primitive attribute line of the constraints must be numbers (float) of width 3");
}

}  // namespace repose::nodes
