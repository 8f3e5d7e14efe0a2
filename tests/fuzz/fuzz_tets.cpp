// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "scene/read_tets.h"

// The first byte chooses the format; a .node file ends at the first zero byte, where its .ele begins.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto file = [](const std::string& part, const char* name) {
    return repose::asFile(reinterpret_cast<const std::uint8_t*>(part.data()), part.size(), name);
  };
  if (data[0] % 2 == 0) {
    (void)repose::readMedit(file(text, ".mesh"));
    return 0;
  }
  const std::size_t end = text.find('\0');
  file(end == std::string::npos ? "" : text.substr(end + 1), ".ele");
  (void)repose::readTetGen(file(text.substr(0, end), ".node"));
  return 0;
}
