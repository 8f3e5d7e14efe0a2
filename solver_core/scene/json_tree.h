// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Plain JSON (RFC 8259) as a tree in which every value and key knows its line and column, so that a message
// can point at it. Keys keep their order; the same key twice in an object is an error.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace repose {

// Both from 1; a column is a character (a UTF-8 code point).
struct TextPlace {
  int line = 1, column = 1;
};

struct JsonMember;

struct JsonNode {
  enum class Type { null, boolean, number, string, array, object };
  Type type = Type::null;
  TextPlace place;
  bool boolean = false;
  double number = 0;
  std::string text;                 // string
  std::vector<JsonNode> items;      // array
  std::vector<JsonMember> members;  // object
};

struct JsonMember {
  std::string key;
  TextPlace place;
  JsonNode value;
};

// "an object", "a number"...: for messages.
const char* jsonTypeName(JsonNode::Type type);

struct JsonError {
  TextPlace place;
  std::string message;
};

// Reads the text into `root`; returns every error, of which the first bad character ends the reading.
std::vector<JsonError> parseJson(std::string_view text, JsonNode& root);

}  // namespace repose
