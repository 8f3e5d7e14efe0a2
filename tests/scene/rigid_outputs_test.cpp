// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What an output may say of rigid bodies.
#include <algorithm>

#include "scene/output_fields.h"
#include "scene/validate.h"
#include "scene_files.h"

namespace repose {
namespace {

class RigidOutputKeys : public SceneFiles {
 protected:
  std::string output(const std::string& text) const {
    return onlyError(cloth("", "\"outputs\": [{\"path\": \"a.abc\", " + text + "}],"));
  }
};

TEST_F(RigidOutputKeys, AWrongFormIsNamedWithTheRightOnes) {
  EXPECT_EQ(output(R"("rigid": "point")"),
            "s.json:1:41: rigid is \"point\", but must be one of xform, points; did you mean \"points\"?");
}

TEST_F(RigidOutputKeys, NothingRigidToWrite) {
  EXPECT_EQ(output(R"("rigid": "points")"),
            "s.json:1:14: \"rigid\" says how rigid bodies are written, and the scene has none");
  EXPECT_EQ(output(R"("attributes": ["hits"])"),
            "s.json:1:14: the output attribute \"hits\" belongs to rigid bodies, and the scene has none");
  EXPECT_TRUE(load(cloth("", R"("outputs": [{"path": "a.abc", "rigid": "xform"}],)")).ok());
}

TEST(RigidOutputs, FitASceneWithRigidBodies) {
  Scene scene;
  Body stone;
  stone.name = "stone";
  stone.kind = BodyKind::rigid;
  scene.bodies = {stone};
  EXPECT_TRUE(checkOutputFields(scene, {"hits"}).ok());
  EXPECT_FALSE(checkOutputFields(scene, {"strain"}).ok()) << "a rigid body is no cloth";
  Output output;
  output.path = "a.abc";
  output.rigid = RigidOutput::points;
  scene.outputs = {output};
  const auto ofOutputs = [&] {
    const std::vector<Finding> all = validateScene(scene);
    return std::count_if(all.begin(), all.end(),
                         [](const Finding& f) { return f.about == Finding::About::output; });
  };
  EXPECT_EQ(ofOutputs(), 0);
  scene.outputs[0].skin = GrainSkin{0.1f, 2, 2};
  EXPECT_EQ(ofOutputs(), 1) << "a surface has no rigid bodies";
}

}  // namespace
}  // namespace repose
