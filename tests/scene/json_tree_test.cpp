// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/json_tree.h"

#include <gtest/gtest.h>

namespace repose {

namespace {

// "line:column: message" of the first error, or "" for a good document.
std::string firstError(std::string_view text) {
  JsonNode root;
  const std::vector<JsonError> errors = parseJson(text, root);
  if (errors.empty()) return "";
  return std::to_string(errors[0].place.line) + ":" + std::to_string(errors[0].place.column) + ": " +
         errors[0].message;
}

JsonNode parsed(std::string_view text) {
  JsonNode root;
  EXPECT_TRUE(parseJson(text, root).empty()) << text;
  return root;
}

}  // namespace

TEST(JsonTree, KeepsValuesAndPlaces) {
  const JsonNode root = parsed("{\n  \"a\": [1, -2.5e2, true, null],\n\t\"b\": \"x\"\r\n}\n");
  ASSERT_EQ(root.members.size(), 2u);
  EXPECT_EQ(root.members[0].key, "a");
  EXPECT_EQ(root.members[0].place.line, 2);
  EXPECT_EQ(root.members[0].place.column, 3);
  const std::vector<JsonNode>& items = root.members[0].value.items;
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[1].number, -250.0);
  EXPECT_EQ(items[1].place.column, 12);
  EXPECT_TRUE(items[2].boolean);
  EXPECT_EQ(items[3].type, JsonNode::Type::null);
  EXPECT_EQ(root.members[1].value.place.line, 3);
  EXPECT_EQ(root.members[1].value.place.column, 7);
}

TEST(JsonTree, ReadsEscapesAndSurrogates) {
  EXPECT_EQ(parsed(R"("a\n\"\\\/\u00e9\u20ac\ud83d\ude00")").text,
            "a\n\"\\/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(JsonTree, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(firstError("[\"\xc3\xa9\xc3\xa9\", x]"), "1:8: expected a value, found 'x'");
}

TEST(JsonTree, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(firstError(""), "1:1: expected a value, found end of the file");
  EXPECT_EQ(firstError("{\n \"a\": 1\n \"b\": 2}"), "3:2: expected ',' or '}', found '\"'");
  EXPECT_EQ(firstError("[1, 2"), "1:6: expected ',' or ']', found end of the file");
  EXPECT_EQ(firstError("[1,]"), "1:4: expected a value, found ']'");
  EXPECT_EQ(firstError("{a: 1}"), "1:2: expected a key in quotes, found 'a'");
  EXPECT_EQ(firstError("{\"a\" 1}"), "1:6: expected ':' after the key \"a\", found '1'");
  EXPECT_EQ(firstError("[\"abc]\n"), "1:2: the closing quote of this text is missing");
  EXPECT_EQ(firstError("[1.]"), "1:2: \"1.\" is not a number as JSON writes it");
  EXPECT_EQ(firstError("[012]"), "1:2: \"012\" is not a number as JSON writes it");
  EXPECT_EQ(firstError("[1e999]"), "1:2: the number 1e999 does not fit");
  EXPECT_EQ(firstError("[NaN]"), "1:2: expected a value, found 'N'");
  EXPECT_EQ(firstError("// note\n{}"), "1:1: expected a value, found '/'");
  EXPECT_EQ(firstError("{} {}"), "1:4: unexpected '{' after the end of the document");
  EXPECT_EQ(firstError(R"(["\ud800"])"), "1:9: half of a surrogate pair in a text");
  EXPECT_EQ(firstError("{\"a\": 1,\n \"a\": 2}"), "2:2: the key \"a\" is already in line 1");
}

TEST(JsonTree, DepthIsLimited) {
  EXPECT_EQ(firstError(std::string(50, '[') + std::string(50, ']')), "");
  EXPECT_EQ(firstError(std::string(1000000, '[')), "1:66: more than 64 brackets inside each other");
}

}  // namespace repose
