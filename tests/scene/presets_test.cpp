// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Fabrics by name: the table, and the order of preset, scene and --set.
#include "params/presets.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scene_files.h"

namespace repose {

namespace {

ClothParams fabric(Preset preset) {
  ClothParams params;
  applyPreset(preset, params);
  return params;
}

// Where a strip that sticks out over a table's edge hangs down by its own weight: (B / (rho g))^(1/3) [m].
double bendingLength(Preset preset) {
  const ClothParams params = fabric(preset);
  return std::cbrt(params.bendstiffness / (params.density * 9.81));
}

}  // namespace

TEST(Presets, NamesAreThoseOfTheParameter) {
  std::vector<std::string> names = {"none"};
  for (const PresetRow& preset : kPresetRows) names.emplace_back(preset.name);
  const ParamRow& row = *findParam("cloth", "preset");
  EXPECT_EQ(paramChoices(row), names);
  for (const PresetRow& preset : kPresetRows)
    EXPECT_EQ((*parseChoice(row, preset.name))[0], static_cast<double>(preset.preset)) << preset.name;
}

TEST(Presets, EveryFabricSetsTheSameParameters) {
  const auto namesOf = [](Preset preset) {
    std::vector<std::string_view> names;
    for (const PresetValue& value : kPresetValues)
      if (value.preset == preset) names.push_back(value.name);
    return names;
  };
  EXPECT_EQ(namesOf(Preset::silk).size(), 11u);
  for (const PresetRow& preset : kPresetRows) EXPECT_EQ(namesOf(preset.preset), namesOf(Preset::silk));
}

TEST(Presets, NoneChangesNothing) {
  const ClothParams plain, none = fabric(Preset::none);
  for (const ParamRow& row : kParamRows) {
    if (row.group != "cloth") continue;
    EXPECT_EQ(loadParam(row, &none), loadParam(row, &plain)) << row.name;
  }
}

// Textile tests find bending lengths from 1.2 cm (silk) to 3.5 cm (leather, raw denim).
TEST(Presets, FabricsDrapeInTheOrderOfTheirStiffness) {
  EXPECT_GT(bendingLength(Preset::silk), 0.012);
  EXPECT_LT(bendingLength(Preset::silk), bendingLength(Preset::cotton));
  EXPECT_LT(bendingLength(Preset::cotton), bendingLength(Preset::denim));
  EXPECT_LT(bendingLength(Preset::denim), bendingLength(Preset::leather));
  EXPECT_LT(bendingLength(Preset::leather), 0.035);
}

// A sheet that is the same in all directions and keeps its volume: E = 3 G, and its bending follows.
TEST(Presets, RubberIsOneMaterial) {
  const ClothParams rubber = fabric(Preset::rubber);
  const double thickness = rubber.density / 950;
  const double modulus = rubber.stretchstiffness / thickness;
  EXPECT_NEAR(rubber.shearstiffness / thickness, modulus / 3, modulus / 1000);
  EXPECT_NEAR(rubber.bendstiffness, modulus * std::pow(thickness, 3) / (12 * 0.75), 1e-6);
}

TEST(PresetsText, MarkdownFileIsUpToDate) {
  std::ifstream file(REPOSE_SOURCE_DIR "/docs/fabrics.md", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == presetsMarkdown()) << "docs/fabrics.md is not what the table says; run: repose "
                                                  "params --presets --markdown > docs/fabrics.md";
}

TEST(PresetsText, TerminalTextFitsAndNamesEveryFabric) {
  const std::string text = presetsText();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  for (const PresetRow& preset : kPresetRows)
    EXPECT_NE(text.find(std::string(preset.name) + ": " + std::string(preset.what)), std::string::npos);
}

TEST(PresetsText, JsonHasEveryValueWithItsSource) {
  const nlohmann::json table = nlohmann::json::parse(presetsJson());
  ASSERT_EQ(table.size(), std::size(kPresetRows));
  std::size_t count = 0;
  for (const auto& preset : table) {
    EXPECT_EQ(preset["values"].size(), preset["sources"].size());
    count += preset["values"].size();
  }
  EXPECT_EQ(count, std::size(kPresetValues));
  EXPECT_EQ(table[2]["values"]["density"].get<float>(), fabric(Preset::denim).density);
  EXPECT_EQ(table[2]["values"]["membrane"], "triangles");
}

using PresetScene = SceneFiles;

TEST_F(PresetScene, PresetThenSceneThenSet) {
  const ClothParams denim = fabric(Preset::denim), silk = fabric(Preset::silk);
  // wherever the key stands in the body, and whatever has keys
  const std::string text =
      cloth("\"shearstiffness\": 77, \"bendstiffness\": [[1, 1], [3, 3]], \"preset\": \"denim\",");
  const ClothParams plain = load(text).scene.bodies[0].cloth.at(2);
  EXPECT_EQ(plain.preset, Preset::denim);
  EXPECT_EQ(plain.density, denim.density);
  EXPECT_EQ(plain.membrane, Membrane::triangles);
  EXPECT_EQ(plain.shearstiffness, 77);
  EXPECT_EQ(plain.bendstiffness, 2);
  for (const char* owner : {"", "flag.", "cloth."}) {
    const SceneLoad set = load(text, {std::string(owner) + "density=3", std::string(owner) + "preset=silk"});
    ASSERT_TRUE(set.ok()) << testing::PrintToString(set.errors);
    const ClothParams changed = set.scene.bodies[0].cloth.at(2);
    EXPECT_EQ(changed.preset, Preset::silk);
    EXPECT_EQ(changed.density, 3);
    EXPECT_EQ(changed.stretchstiffness, silk.stretchstiffness);
    EXPECT_EQ(changed.shearstiffness, 77);
    EXPECT_EQ(changed.bendstiffness, 2);
  }
  EXPECT_EQ(load(text, {"preset=none"}).scene.bodies[0].cloth.base.density, ClothParams().density);
}

TEST_F(PresetScene, SetConcernsTheNamedBodyOnly) {
  const std::string source = R"("kind": "cloth", "source": {"shape": "grid", "divisions": [2, 2]})";
  const std::string text =
      "{\"bodies\": [{\"name\": \"cloth\", " + source + "}, {\"name\": \"b\", " + source + "}]}";
  const Scene one = load(text, {"cloth.preset=denim"}).scene;
  EXPECT_EQ(one.bodies[0].cloth.base.preset, Preset::denim);
  EXPECT_EQ(one.bodies[1].cloth.base.density, ClothParams().density);
}

TEST_F(PresetScene, WrongNames) {
  EXPECT_EQ(
      onlyError(cloth("\"preset\": \"denin\",")),
      "s.json:3:11: preset is \"denin\", but must be one of none, silk, cotton, denim, leather, rubber; "
      "did you mean \"denim\"?");
  EXPECT_EQ(onlyError(cloth("\"preset\": 3,")),
            "s.json:3:11: preset is 3, but must be one of none, silk, cotton, denim, leather, rubber");
  EXPECT_EQ(onlyError(cloth("\"prest\": \"silk\",")),
            "s.json:3:1: a body has no key \"prest\"; did you mean \"preset\"?");
  EXPECT_EQ(
      onlyError(cloth(""), {"flag.preset=slik"}),
      "--set flag.preset=slik: preset is \"slik\", but must be one of none, silk, cotton, denim, leather, "
      "rubber; did you mean \"silk\"?");
}

TEST_F(PresetScene, ExampleHangsEveryFabric) {
  const SceneLoad loaded = loadScene(REPOSE_SOURCE_DIR "/examples_hip/fabrics.json", {});
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  EXPECT_TRUE(loaded.warnings.empty());
  ASSERT_EQ(loaded.scene.bodies.size(), std::size(kPresetRows));
  for (std::size_t k = 0; k < std::size(kPresetRows); ++k) {
    EXPECT_EQ(loaded.scene.bodies[k].name, kPresetRows[k].name);
    EXPECT_EQ(loaded.scene.bodies[k].cloth.base.preset, kPresetRows[k].preset);
  }
}

}  // namespace repose
