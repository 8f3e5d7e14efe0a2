// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "scene/read_obj.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mesh = repose::parseObj({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
  if (!mesh) return 0;
  for (const std::int32_t index : mesh->face_indices)
    if (static_cast<std::size_t>(index) >= mesh->points.size()) __builtin_trap();
  return 0;
}
