// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "params/params.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace repose {

namespace {

// A struct large enough for any group, with the defaults of that group.
struct AnyParams {
  WorldParams world;
  SolverParams solver;
  ClothParams cloth;
  GrainParams grain;
  SoftParams soft;
  RigidParams rigid;
  JointParams joint;
  ColliderParams collider;
  void* of(const ParamRow& row) {
    if (row.group == "world") return &world;
    if (row.group == "solver") return &solver;
    if (row.group == "grain") return &grain;
    if (row.group == "soft") return &soft;
    if (row.group == "rigid") return &rigid;
    if (row.group == "joint") return &joint;
    if (row.group == "collider") return &collider;
    return &cloth;
  }
};

ParamValue defaultOf(const ParamRow& row) { return {row.value[0], row.value[1], row.value[2]}; }

// A value of the row that is not its default.
ParamValue otherValue(const ParamRow& row) {
  ParamValue value = defaultOf(row);
  for (int k = 0; k < paramWidth(row); ++k) {
    value[k] = row.value[k] == row.least ? row.greatest : row.least;
  }
  return value;
}

}  // namespace

TEST(Params, StructDefaultsAreTheRows) {
  AnyParams params;
  for (const ParamRow& row : kParamRows)
    EXPECT_EQ(loadParam(row, params.of(row)), defaultOf(row)) << row.name;
}

TEST(Params, EveryRowSurvivesSetAndGetThroughText) {
  AnyParams params;
  for (const ParamRow& row : kParamRows) {
    const ParamValue wanted = otherValue(row);
    const Result<ParamValue> parsed = parseParam(row, formatParam(row, wanted));
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    storeParam(row, *parsed, params.of(row));
    EXPECT_EQ(loadParam(row, params.of(row)), wanted) << row.name;
  }
  // No row has written over its neighbour.
  for (const ParamRow& row : kParamRows)
    EXPECT_EQ(loadParam(row, params.of(row)), otherValue(row)) << row.name;
}

TEST(Params, RefusesWhatIsOutsideTheRange) {
  for (const ParamRow& row : kParamRows) {
    for (double wrong : {row.least - 1 - std::abs(row.least), row.greatest + 1 + std::abs(row.greatest)}) {
      const Status status = checkParam(row, {wrong, wrong, wrong});
      EXPECT_EQ(status.code(), Code::bad_input) << row.name;
      EXPECT_NE(status.message().find(row.name), std::string::npos);
    }
  }
}

TEST(Params, MessagesNameValueAndRange) {
  const auto message = [](const char* group, const char* name, const char* text) {
    return parseParam(*findParam(group, name), text).status().message();
  };
  EXPECT_EQ(message("solver", "iterations", "0"),
            "iterations is 0, but must be a whole number from 1 to 100000");
  EXPECT_EQ(message("solver", "iterations", "1.5"),
            "iterations is 1.5, but must be a whole number from 1 to 100000");
  EXPECT_EQ(message("solver", "iterations", "abc"),
            "iterations is \"abc\", but must be a whole number from 1 to 100000");
  EXPECT_EQ(message("solver", "scheme", "pbx"),
            "scheme is \"pbx\", but must be one of pbd, sp; did you mean \"pbd\"?");
  EXPECT_EQ(message("solver", "boost", "maybe"), "boost is \"maybe\", but must be on or off");
  EXPECT_EQ(message("world", "gravity", "0,-5"),
            "gravity is \"0,-5\", but must be three numbers, each from -1000 to 1000");
  EXPECT_EQ(message("world", "gravity", "0,nan,0"),
            "gravity is \"0,nan,0\", but must be three numbers, each from -1000 to 1000");
}

TEST(Params, LimitsThatFloatsCannotHoldExactlyAreInside) {
  EXPECT_TRUE(parseParam(*findParam("cloth", "density"), "0.0001").ok());
  EXPECT_TRUE(parseParam(*findParam("solver", "momentumcap"), "0.999").ok());
}

TEST(Params, IsFoundByGroupAndNameOnly) {
  ASSERT_NE(findParam("solver", "iterations"), nullptr);
  EXPECT_EQ(findParam("cloth", "iterations"), nullptr);
  EXPECT_EQ(findParams("iterations").size(), 1u);
  EXPECT_TRUE(findParams("nothing").empty());
}

TEST(ParamsText, MarkdownFileIsUpToDate) {
  std::ifstream file(REPOSE_SOURCE_DIR "/docs/params.md", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == paramsMarkdown())
      << "docs/params.md is not what the table says; run: repose params --markdown > docs/params.md";
}

TEST(ParamsText, JsonHasEveryRowWithItsDefault) {
  const nlohmann::json table = nlohmann::json::parse(paramsJson());
  ASSERT_EQ(table.size(), std::size(kParamRows));
  for (std::size_t k = 0; k < table.size(); ++k) {
    EXPECT_EQ(table[k]["name"], std::string(kParamRows[k].name));
    if (kParamRows[k].type == ParamType::real) {
      EXPECT_EQ(table[k]["default"].get<float>(), static_cast<float>(kParamRows[k].value[0]));
    }
  }
}

TEST(ParamsText, TerminalTextFitsAndNamesEveryRow) {
  const std::string text = paramsText();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  for (const ParamRow& row : kParamRows)
    EXPECT_NE(text.find("  " + std::string(row.name) + " = "), std::string::npos) << row.name;
}

TEST(ParamsText, DialogScriptIsBalancedAndComplete) {
  const std::string script = paramsDialogScript();
  int depth = 0, parms = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < script.size(); ++k) {
    if (quoted && script[k] == '\\') {
      ++k;
    } else if (script[k] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += script[k] == '{' ? 1 : script[k] == '}' ? -1 : 0;
      parms += script.compare(k, 5, "parm ") == 0;
    }
    ASSERT_GE(depth, 0) << "at character " << k;
  }
  EXPECT_EQ(depth, 0);
  EXPECT_FALSE(quoted);
  EXPECT_EQ(parms, static_cast<int>(std::size(kParamRows)));
  EXPECT_NE(script.find("\"accelerated_jacobi\" \"accelerated jacobi\""), std::string::npos);
}

}  // namespace repose
