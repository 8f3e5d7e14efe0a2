// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = repose::asFile(data, size, ".abc");
  repose::verifyAlembic(path);
  const auto reader = repose::AbcReader::open(path);
  if (!reader) return 0;
  (void)repose::summarize(**reader);
  for (int object = 0; object < static_cast<int>((*reader)->objects().size()) && object < 16; ++object)
    for (int sample = -1; sample < 3; ++sample) {
      const auto mesh = (*reader)->mesh(object, sample);
      if (mesh)
        for (const std::int32_t index : mesh->face_indices)
          if (static_cast<std::size_t>(index) >= mesh->points.size()) __builtin_trap();
      (void)(*reader)->points(object, sample);
      (void)(*reader)->curves(object, sample);
      (void)(*reader)->xform(object, sample);
    }
  return 0;
}
