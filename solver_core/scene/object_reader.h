// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Reads JSON values with their checks; every mistake is reported with its place, and reading goes on.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "scene/json_tree.h"
#include "scene/scene.h"

namespace repose {

// Collects the messages of one scene file.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void error(TextPlace place, std::string sentence) { errors_.push_back({place, std::move(sentence)}); }
  void warn(TextPlace place, std::string sentence) { warnings_.push_back({place, std::move(sentence)}); }
  // For what has no place in the file, as an override.
  void errorAt(std::string_view where, std::string_view sentence);
  // All messages in the order of their places, those without one last.
  void moveTo(SceneLoad& load);

 private:
  using Messages = std::vector<std::pair<TextPlace, std::string>>;
  void append(Messages& messages, std::vector<std::string>& out) const;
  std::string file_;
  Messages errors_, warnings_;
  std::vector<std::string> placeless_;
};

// `count` numbers (one stands alone, more are a list), each within the range.
struct NumberRule {
  int count = 1;
  bool whole = false;
  double least = -1e9, greatest = 1e9;
};

// Each reads a value called `name` in messages; false after a report.
bool readNumbers(const JsonNode& node, std::string_view name, const NumberRule& rule, double* out,
                 Problems& problems);
// Two frames, the first not after the last.
bool readFrameSpan(const JsonNode& node, std::string_view name, bool whole, double frames[2],
                   Problems& problems);
bool readVector(const JsonNode& node, std::string_view name, Vec3f& out, Problems& problems);
bool readText(const JsonNode& node, std::string_view name, std::string& out, Problems& problems);
bool readFlag(const JsonNode& node, std::string_view name, bool& out, Problems& problems);
// Its index in `names`; -1 after a report.
int readName(const JsonNode& node, std::string_view name, const std::vector<std::string>& names,
             Problems& problems);
bool expectType(const JsonNode& node, std::string_view name, JsonNode::Type type, Problems& problems);
// "5", "\"wool\"", "a list of 2": a value as a message shows it.
std::string describeValue(const JsonNode& node);

// One object: remembers the keys that were asked for, so that the others can be reported as unknown.
class ObjectReader {
 public:
  // `what` names the object in messages: "a body", "the scene".
  ObjectReader(const JsonNode& node, std::string what, Problems& problems);

  const JsonNode* find(std::string_view key);     // null when it is not there
  const JsonNode* require(std::string_view key);  // reports it when it is not there
  bool has(std::string_view key) const;

  // The optional values leave `out` alone when the key is not there.
  void vector(std::string_view key, Vec3f& out);
  void flag(std::string_view key, bool& out);
  void number(std::string_view key, double least, double greatest, float& out);

  void rejectUnknown() const;
  const JsonNode& node() const { return node_; }

 private:
  const JsonNode& node_;
  std::string what_;
  Problems& problems_;
  std::vector<std::string> known_;
};

}  // namespace repose
