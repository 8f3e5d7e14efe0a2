// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  repose::loadScene(repose::asFile(data, size, ".json"), {});
  return 0;
}
