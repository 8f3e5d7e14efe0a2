// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// U5 of algorithms.md 12: a box on a deformable torus, friction 0.3, on a slope of 10 degrees that it can
// hold.
#include "scene_text.h"

namespace repose {
namespace {

// The way of the box down the slope from the first to the third second [m].
float way(const std::string& method, const std::string& contacts) {
  auto simulation = start(R"({"frames": "1-1000", "substeps": 2, "gravity": [1.703, -9.661, 0],
    "solver": {"method": ")" +
                          method + R"(", )" + contacts + R"(},
    "bodies": [
      {"name": "torus", "kind": "soft", "youngsmodulus": 1e5, "poissonratio": 0.3, "density": 300, "friction": 0.3,
       "source": {"shape": "torus", "radius": 0.5, "tuberadius": 0.2, "divisions": [48, 24]},
       "transform": {"translate": [0, 0.2, 0]}, "tets": {"edge": 0.12},
       "pins": [{"region": {"shape": "box", "size": [2, 0.2, 2]}}]},
      {"name": "box", "kind": "rigid", "density": 100, "friction": 0.3,
       "source": {"shape": "box", "size": [1.2, 0.1, 1.2]}, "transform": {"translate": [0, 0.46, 0]}}]})");
  RigidView box;
  run(*simulation, 24);
  simulation->readRigid(1, box);
  const float before = box.poses[0].origin.x;
  run(*simulation, 48);
  simulation->readRigid(1, box);
  EXPECT_GT(box.poses[0].origin.y, 0.3f) << method << " " << contacts;
  return box.poses[0].origin.x - before;
}

}  // namespace

TEST(BoxOnATorus, StaysByFrictionInTheLoopAndSlipsWhereItComesAfter) {
  const std::string published = R"("contactiterations": 20, "contactscheme": )";
  const std::string soft = R"("contactscheme": "soft")", sp = published + R"("sp")";
  const std::string after = published + R"("pbd")";
  for (const auto& [method, contacts] :
       {std::pair("gauss_seidel_coloured", soft), {"gauss_seidel_coloured", sp}, {"multilevel", soft}})
    EXPECT_LT(way(method, contacts), 1e-3f) << method << " " << contacts;
  EXPECT_GT(way("gauss_seidel_coloured", after), 0.04f);
}

}  // namespace repose
