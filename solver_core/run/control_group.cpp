// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/control_group.h"

#include <filesystem>
#include <fstream>

#include "params/text.h"

namespace repose {
namespace {

constexpr const char* kRoot = "/sys/fs/cgroup";

// A group and those above it; inside a container its own name may be one that is only known outside.
void visitUpwards(const std::string& root, std::string group,
                  const std::function<void(const std::string&)>& visit) {
  for (;;) {
    std::error_code none;
    if (std::filesystem::is_directory(root + group, none)) visit(root + group);
    if (group.empty()) return;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

}  // namespace

void eachControlGroup(const std::string& controller, const std::function<void(const std::string&)>& visit) {
  // lines of "ID:controller,controller:/group"; version 2 has no controllers there
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (group == "/") group.clear();
    if (controllers.empty()) visitUpwards(kRoot, group, visit);
    for (const std::string& name : splitText(controllers, ','))
      if (name == controller) visitUpwards(std::string(kRoot) + "/" + name, group, visit);
  }
}

}  // namespace repose
