// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene_files.h"

namespace repose {

using LoadScene = SceneFiles;

TEST_F(LoadScene, ReadsEveryPart) {
  const SceneLoad loaded = load(R"({
    "frames": "1001-1240", "fps": 25, "gravity": [0, -5, 0],
    "windturbulence": [[1001, 0], [1011, 1]], "wind": [[1001, [0, 0, 0]], [1003, [2, 4, 6]]],
    "solver": {"method": "gauss_seidel", "iterations": 7, "boost": false},
    "joints": [],
    "bodies": [{
      "name": "sheet_1", "kind": "cloth", "velocity": [1, 2, 3], "density": 0.5,
      "bendmodel": "dihedral", "bendstiffness": [[1001, 1], [1002, 3]],
      "source": {"shape": "grid", "plane": "xy", "size": [2, 1], "divisions": [4, 2]},
      "transform": {"translate": [10, 0, 0], "rotate": [0, 0, 90], "scale": 2},
      "pins": [{"group": "corner00"}, {"points": [3, 1, 3], "translate": [0, 1, 0]},
               {"group": "top", "translate": [[1001, [0, 0, 0]], [1011, [0, 10, 0]]]}]}],
    "outputs": [{"path": "out/a.abc", "samples": 2, "attributes": ["strain"]}]})");
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Scene& scene = loaded.scene;
  EXPECT_EQ(scene.first_frame, 1001);
  EXPECT_EQ(scene.last_frame, 1240);
  EXPECT_EQ(scene.world.base.fps, 25);
  EXPECT_EQ(scene.world.at(1001).gravity, (Vec3f{0, -5, 0}));
  EXPECT_FLOAT_EQ(scene.world.at(1006).windturbulence, 0.5f);
  EXPECT_EQ(scene.world.at(1002).wind, (Vec3f{1, 2, 3}));
  EXPECT_EQ(scene.world.at(2000).wind, (Vec3f{2, 4, 6}));
  EXPECT_EQ(scene.solver.base.method, SolverMethod::gauss_seidel);
  EXPECT_EQ(scene.solver.base.iterations, 7);
  EXPECT_FALSE(scene.solver.base.boost);
  ASSERT_EQ(scene.bodies.size(), 1u);
  const Body& body = scene.bodies[0];
  EXPECT_EQ(body.name, "sheet_1");
  EXPECT_EQ(body.velocity, (Vec3f{1, 2, 3}));
  EXPECT_FLOAT_EQ(body.cloth.base.density, 0.5f);
  EXPECT_FLOAT_EQ(body.cloth.at(1001.5).bendstiffness, 2.0f);
  EXPECT_EQ(body.cloth.base.bendmodel, BendModel::dihedral);
  // The corner (-1, -0.5, 0), scaled by 2, turned by 90 degrees, moved.
  EXPECT_NEAR(body.geometry.points[0].x, 11, 1e-6);
  EXPECT_NEAR(body.geometry.points[0].y, -2, 1e-6);
  ASSERT_EQ(body.pins.size(), 3u);
  EXPECT_EQ(body.pins[0].points, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(body.pins[1].points, (std::vector<std::int32_t>{1, 3}));
  EXPECT_EQ(body.pins[1].translate.at(1500), (Vec3f{0, 1, 0}));
  EXPECT_EQ(body.pins[2].translate.at(1006), (Vec3f{0, 5, 0}));
  ASSERT_EQ(scene.outputs.size(), 1u);
  EXPECT_EQ(scene.outputs[0].path, path("out/a.abc"));
  EXPECT_EQ(scene.outputs[0].samples, 2);
}

TEST_F(LoadScene, RotatesAboutXThenYThenZ) {
  const SceneLoad loaded = load(cloth(R"("transform": {"rotate": [90, 90, 0]},)"));
  ASSERT_TRUE(loaded.ok());
  // The first corner (-0.5, 0, 0.5) goes to (-0.5, -0.5, 0) about x and on to (0, -0.5, 0.5) about y.
  const Vec3f p = loaded.scene.bodies[0].geometry.points[0];
  EXPECT_NEAR(p.x, 0, 1e-6);
  EXPECT_NEAR(p.y, -0.5, 1e-6);
  EXPECT_NEAR(p.z, 0.5, 1e-6);
}

TEST_F(LoadScene, ExamplesAreValid) {
  for (const char* name : {"flag", "sheet"}) {
    const SceneLoad loaded = loadScene(std::string(REPOSE_SOURCE_DIR "/examples_hip/") + name + ".json", {});
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
    EXPECT_EQ(loaded.scene.last_frame - loaded.scene.first_frame, 119);
  }
}

TEST_F(LoadScene, EveryMistakeIsReportedAtOnceWithItsPlace) {
  EXPECT_EQ(
      errors(R"({
  "frame": "1-10",
  "gravty": [0, 0, 0],
  "substeps": 0,
  "solver": {"iteration": 3, "scheme": "pdb", "omega": "x"},
  "bodies": [
    {"kind": "sand", "source": {"shape": "gird"}},
    {"name": "b c", "kind": "cloth", "densty": 1, "source": {"file": "none.obj"}}
  ],
  "colliders": [1],
  "outputs": [{"path": "a.bgeo", "samples": 0, "attributes": ["stran"]}]
})"),
      (std::vector<std::string>{
          "s.json:2:3: the scene has no key \"frame\"; did you mean \"frames\"?",
          "s.json:3:3: the scene has no key \"gravty\"; did you mean \"gravity\"?",
          "s.json:4:15: substeps is 0, but must be a whole number from 1 to 1000",
          "s.json:5:14: solver has no key \"iteration\"; did you mean \"iterations\"?",
          "s.json:5:40: scheme is \"pdb\", but must be one of pbd, sp; did you mean \"pbd\"?",
          "s.json:5:56: omega is \"x\", but must be a number from 0 to 2",
          "s.json:7:5: a body has no \"name\"",
          "s.json:7:14: kind is \"sand\", but this version has only cloth, grain, rigid, soft",
          // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): two lines of one sentence
          "s.json:7:42: shape is \"gird\", but must be one of grid, disk, tube, sphere, box, torus, capsule, "
          "cone, cylinder; did you mean \"grid\"?",
          "s.json:8:14: name is \"b c\", but must consist of letters, digits and underscores",
          "s.json:8:38: a body has no key \"densty\"; did you mean \"density\"?",
          "s.json:8:70: the file none.obj does not exist",
          "s.json:10:17: a collider is 1, but must be an object",
          "s.json:11:24: path is \"a.bgeo\", but must end in .abc, or in .vdb for a surface",
          "s.json:11:45: samples is 0, but must be a whole number from 1 to 100",
          "s.json:11:63: an attribute is \"stran\", but must be one of speed, strain, stress, volume, "
          "contactforce, "
          "ncontacts, asleep, hits; did you mean \"strain\"?",
      }));
}

TEST_F(LoadScene, WrongSurfaces) {
  const auto output = [&](const char* text) {
    return onlyError(cloth("", (std::string("\"outputs\": [{") + text + "}],").c_str()));
  };
  EXPECT_EQ(output(R"("path": "a.vdb")"),
            "s.json:1:23: path is \"a.vdb\", but a .vdb needs \"surface\": {\"voxel\": metres}");
  EXPECT_EQ(output(R"("path": "a.abc", "surface": {"voxel": 0.1})"),
            "s.json:1:14: a surface needs a body of kind grain, and the scene has none");
  EXPECT_EQ(output(R"("path": "a.abc", "attributes": ["asleep"])"),
            "s.json:1:14: the output attribute \"asleep\" belongs to grains, and the scene has none");
}

TEST_F(LoadScene, WrongTypes) {
  EXPECT_EQ(onlyError("[]"), "s.json:1:1: the scene is a list of 0, but must be an object");
  EXPECT_EQ(onlyError("{\"bodies\": 3}"), "s.json:1:12: bodies is 3, but must be a list");
  EXPECT_EQ(onlyError("{\"bodies\": []}"), "s.json:1:12: bodies is an empty list");
  EXPECT_EQ(onlyError("{}"), "s.json:1:1: the scene has no \"bodies\"");
  EXPECT_EQ(onlyError(cloth("\"velocity\": [1, \"2\", 3],")),
            "s.json:3:17: velocity[1] is \"2\", but must be a number from -1000000000 to 1000000000");
  EXPECT_EQ(onlyError(cloth("", "\"gravity\": [1, 2],")),
            "s.json:1:13: gravity is a list of 2, but must be three numbers, each from -1000 to 1000");
  EXPECT_EQ(onlyError(cloth("", "\"solver\": {\"boost\": 1},")),
            "s.json:1:22: boost is 1, but must be on or off");
  EXPECT_EQ(onlyError(cloth("\"transform\": {\"scale\": -1},")),
            "s.json:3:24: scale is -1, but must be a number from 1e-06 to 1000000");
}

TEST_F(LoadScene, Frames) {
  EXPECT_EQ(load(cloth("", "\"frames\": [5, 9],")).scene.last_frame, 9);
  EXPECT_EQ(load(cloth("", "\"frames\": \"-5-9\",")).scene.first_frame, -5);
  EXPECT_EQ(onlyError(cloth("", "\"frames\": \"9-5\",")),
            "s.json:1:12: frames is 9-5, but the first frame must not be after the last");
  EXPECT_EQ(onlyError(cloth("", "\"frames\": \"1..5\",")),
            "s.json:1:12: frames is \"1..5\", but must be like \"1001-1240\"");
  EXPECT_EQ(onlyError(cloth("", "\"frames\": [9, 5],")),
            "s.json:1:12: the first of the frames must not be after the last");
}

TEST_F(LoadScene, Keys) {
  EXPECT_EQ(onlyError(cloth("", "\"fps\": [[1, 24], [2, 25]],")),
            "s.json:1:9: fps cannot have keys; it must be a number from 1 to 1000");
  EXPECT_EQ(onlyError(cloth("", "\"timescale\": [[5, 1], [5, 2]],")),
            "s.json:1:25: frame 5 of timescale comes after frame 5, but the frames of keys must ascend");
  EXPECT_EQ(onlyError(cloth("", "\"timescale\": [[5, 1], [6, -2]],")),
            "s.json:1:28: timescale is -2, but must be a number from 0 to 100");
  EXPECT_EQ(onlyError(cloth("", "\"timescale\": [[5, 1], [6]],")),
            "s.json:1:24: a key of timescale is a list of 1, but must be [frame, value]");
}

TEST_F(LoadScene, Pins) {
  EXPECT_EQ(onlyError(cloth("\"pins\": [{\"group\": \"lft\"}],")),
            "s.json:3:20: the source has no group \"lft\"; its groups are left, right, bottom, top, corners, "
            "corner00, "
            "corner10, corner01, corner11; did you mean \"left\"?");
  EXPECT_EQ(onlyError(cloth("\"pins\": [{}],")),
            "s.json:3:10: a pin must have one of \"group\", \"points\" and \"region\"");
  EXPECT_EQ(onlyError(cloth("\"pins\": [{\"points\": [20]}],")),
            "s.json:3:22: a point is 20, but must be a whole number from 0 to 19");
  EXPECT_EQ(onlyError(cloth("\"pins\": [{\"group\": \"top\", \"line\": [0, 0, 0]}],")),
            "s.json:3:35: \"line\" must be the direction of a line, as [1, 0, 0]");
  EXPECT_EQ(onlyError(cloth("\"pins\": [{\"group\": \"top\", \"animated\": true}],")),
            "s.json:3:10: an animated pin needs a source with \"animated\": true");
  EXPECT_EQ(onlyError(cloth("\"pins\": [{\"points\": [0], \"translate\": [[2, [0,0,0]], [1, [0,0,0]]]}],")),
            "s.json:3:55: frame 1 of translate comes after frame 2, but the frames of keys must ascend");
}

TEST_F(LoadScene, Sources) {
  const auto source = [&](const std::string& text) {
    return onlyError("{\"bodies\": [{\"name\": \"a\", \"kind\": \"cloth\", \"source\":\n" + text + "}]}");
  };
  EXPECT_EQ(source("{}"), "s.json:2:1: a source must have one of \"shape\", \"file\" and \"blob\"");
  EXPECT_EQ(source("{\"shape\": \"sphere\", \"divisions\": [2, 5]}"),
            "s.json:2:35: divisions[0] of a sphere is 2, but must be at least 3");
  EXPECT_EQ(source("{\"shape\": \"grid\", \"divisions\": [20000, 20000]}"),
            "s.json:2:32: divisions make 400000000 cells, but at most 50000000 are possible");
  EXPECT_EQ(source("{\"shape\": \"grid\", \"radius\": 1}"), "s.json:2:19: a source has no key \"radius\"");
  EXPECT_EQ(source("{\"file\": \"a.fbx\"}"), "s.json:2:10: file is \"a.fbx\", but must end in .obj or .abc");
  write("bad.obj", "v 0 0 0\nv 1 nan 0\n");
  EXPECT_EQ(source("{\"file\": \"bad.obj\"}"), "s.json:2:10: bad.obj:2: \"nan\" is not a finite number");
  write("twice.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n");
  EXPECT_EQ(source("{\"file\": \"twice.obj\"}"), "s.json:2:10: twice.obj:4: a face uses point 2 twice");
  write("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng collar\nf 1 2 3\n");
  EXPECT_EQ(source("{\"file\": \"good.obj\", \"animated\": true}"),
            "s.json:2:22: a source has no key \"animated\"");
  EXPECT_TRUE(
      load("{\"bodies\": [{\"name\": \"a\", \"kind\": \"cloth\", \"source\": {\"file\": \"good.obj\"}, "
           "\"pins\": [{\"group\": \"collar\"}]}]}")
          .ok());
}

TEST_F(LoadScene, Overrides) {
  const std::string text = cloth("\"stretchdamping\": [[1, 1], [2, 2]],", "\"solver\": {\"iterations\": 3},");
  const SceneLoad loaded =
      load(text, {"iterations=40", "world.fps=30", "gravity=0,-5,0", "flag.density=0.3", "stretchdamping=0.5",
                  "cloth.normaldrag=2", "method=jacobi", "boost=off", "frames=1001-1048"});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  EXPECT_EQ(loaded.scene.solver.base.iterations, 40);
  EXPECT_EQ(loaded.scene.world.base.fps, 30);
  EXPECT_EQ(loaded.scene.world.base.gravity, (Vec3f{0, -5, 0}));
  EXPECT_FLOAT_EQ(loaded.scene.bodies[0].cloth.base.density, 0.3f);
  EXPECT_FLOAT_EQ(loaded.scene.bodies[0].cloth.at(1.5).stretchdamping, 0.5f);  // the keys are gone
  EXPECT_FLOAT_EQ(loaded.scene.bodies[0].cloth.base.normaldrag, 2);
  EXPECT_EQ(loaded.scene.solver.base.method, SolverMethod::jacobi);
  EXPECT_FALSE(loaded.scene.solver.base.boost);
  EXPECT_EQ(loaded.scene.last_frame, 1048);

  EXPECT_EQ(onlyError(text, {"iterations=abc"}),
            "--set iterations=abc: iterations is \"abc\", but must be a whole number from 1 to 100000");
  EXPECT_EQ(onlyError(text, {"iteratoins=4"}),
            "--set iteratoins=4: there is no parameter \"iteratoins\"; did you mean \"iterations\"?");
  EXPECT_EQ(
      onlyError(text, {"flga.density=1"}),
      "--set flga.density=1: there is no body, joint, collider or group \"flga\"; did you mean \"flag\"?");
  EXPECT_EQ(onlyError(text, {"flag.densty=1"}),
            "--set flag.densty=1: flag has no parameter \"densty\"; did you mean \"density\"?");
  EXPECT_EQ(onlyError(text, {"density=0"}),
            "--set density=0: density is 0, but must be a number from 0.0001 to 1000");
  EXPECT_EQ(onlyError(text, {"iterations"}), "--set iterations: must be NAME=VALUE");
  EXPECT_EQ(onlyError(text, {".density=1"}), "--set .density=1: must be NAME=VALUE");
  EXPECT_EQ(onlyError(text, {"frames=5"}), "--set frames=5: frames is \"5\", but must be like \"1001-1240\"");
}

TEST_F(LoadScene, MissingSceneFile) {
  EXPECT_EQ(loadScene("no_such.json", {}).errors,
            (std::vector<std::string>{"cannot read no_such.json: No such file or directory"}));
}

TEST_F(LoadScene, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(onlyError("{\n  \"frames\": \"1-2\",\n}"), "s.json:3:1: expected a key in quotes, found '}'");
}

// Any damage gives a scene or messages, never a crash; the seed is fixed.
TEST_F(LoadScene, MutatedScenesNeverCrash) {
  std::ifstream file(REPOSE_SOURCE_DIR "/examples_hip/flag.json");
  const std::string original((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(original.empty());
  static constexpr std::string_view kBytes = "{}[]\",:-0123456789.eE+truefalsn \n\\u\x80\xff";
  std::uint32_t state = 12345;
  const auto random = [&](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % n;
  };
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = original;
    for (std::size_t edits = 1 + random(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random(text.size()), kind = random(4);
      if (kind == 0) text[at] = kBytes[random(kBytes.size())];
      if (kind == 1) text.insert(at, 1, kBytes[random(kBytes.size())]);
      if (kind == 2) text.erase(at, 1 + random(10));
      if (kind == 3) text.insert(at, original.substr(random(original.size()), random(40)));
    }
    refused += !load(text).ok();
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace repose
