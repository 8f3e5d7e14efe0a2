// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A folder of its own for each test, with scene files and what they name.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scene/scene.h"

namespace repose {

class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("repose_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  SceneLoad load(const std::string& text, const std::vector<std::string>& sets = {}) const {
    write("s.json", text);
    return loadScene(path("s.json"), sets);
  }
  // Without the folder, so that messages can be compared.
  std::vector<std::string> shortened(std::vector<std::string> messages) const {
    for (std::string& message : messages)
      for (std::size_t at; (at = message.find(folder_.string() + "/")) != std::string::npos;)
        message.erase(at, folder_.string().size() + 1);
    return messages;
  }
  std::vector<std::string> errors(const std::string& text, const std::vector<std::string>& sets = {}) const {
    return shortened(load(text, sets).errors);
  }
  std::string onlyError(const std::string& text, const std::vector<std::string>& sets = {}) const {
    const std::vector<std::string> all = errors(text, sets);
    EXPECT_EQ(all.size(), 1u) << testing::PrintToString(all);
    return all.empty() ? "" : all[0];
  }
  // A scene of one cloth: `top` is put at the start of the file, `inside` at the start of the body (column
  // 35).
  static std::string cloth(const std::string& inside, const std::string& top = "") {
    return "{" + top + "\n\"bodies\": [{\"name\": \"flag\",\n" + inside +
           "\n\"kind\": \"cloth\", \"source\": " + "{\"shape\": \"grid\", \"divisions\": [4, 3]}}]}";
  }

  std::filesystem::path folder_;
};

}  // namespace repose
