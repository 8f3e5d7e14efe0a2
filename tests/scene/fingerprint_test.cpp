// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/fingerprint.h"

#include "scene_files.h"

namespace repose {
namespace {

class FingerprintTest : public SceneFiles {
 protected:
  std::vector<std::string> changes(const std::string& was, const std::string& is,
                                   const std::vector<std::string>& sets = {}) {
    const SceneLoad a = load(was);
    EXPECT_TRUE(a.ok()) << testing::PrintToString(a.errors);
    const Fingerprint first = fingerprint(a.scene);
    const SceneLoad b = load(is, sets);
    EXPECT_TRUE(b.ok()) << testing::PrintToString(b.errors);
    return differences(first, fingerprint(b.scene));
  }
};

using Texts = std::vector<std::string>;

TEST_F(FingerprintTest, SameSceneWrittenOtherwiseIsTheSame) {
  EXPECT_EQ(changes(cloth("\"density\": 0.2,"), cloth("\"density\":   2e-1,")), Texts());
  EXPECT_EQ(changes(cloth("", "\"frames\": [1, 10],"), cloth("", "\"frames\": [1, 90],")), Texts());
}

TEST_F(FingerprintTest, NamesWhatChanged) {
  EXPECT_EQ(changes(cloth("\"density\": 0.2,"), cloth("\"density\": 0.3,")),
            Texts({"flag.density was 0.2 and is 0.3"}));
  EXPECT_EQ(changes(cloth(""), cloth(""), {"solver.iterations=77"}),
            Texts({"solver.iterations was 20 and is 77"}));
  EXPECT_EQ(changes(cloth(""), cloth("\"pins\": [{\"points\": [1]}],")), Texts({"flag: pins changed"}));
  EXPECT_EQ(changes(cloth(""), cloth("\"transform\": {\"translate\": [0, 1, 0]},")),
            Texts({"flag: shape changed"}));
  EXPECT_EQ(changes(cloth("\"restscale\": [[1, 1], [9, 1.3]],"), cloth("\"restscale\": [[1, 1], [9, 1.4]],"))
                .size(),
            1u);
}

TEST_F(FingerprintTest, NamesWhatCameAndWent) {
  const std::string ground = "\"colliders\": [{\"name\": \"ground\", \"shape\": \"plane\"}],";
  const Texts came = changes(cloth(""), cloth("", ground));
  ASSERT_FALSE(came.empty());
  EXPECT_NE(testing::PrintToString(came).find("ground: shape is new"), std::string::npos);
  EXPECT_NE(testing::PrintToString(changes(cloth("", ground), cloth(""))).find("ground: shape is gone"),
            std::string::npos);
}

}  // namespace
}  // namespace repose
