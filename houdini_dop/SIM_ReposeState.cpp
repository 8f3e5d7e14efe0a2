// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/SIM_ReposeState.h"

#include <UT/UT_IStream.h>

#include <ostream>

namespace repose::houdini {

namespace {

constexpr int64 kMostBytes = int64(1) << 40;  // more is no state
constexpr int64 kChunk = 1 << 20;             // so that a wrong size asks for no memory

}  // namespace

void SIM_ReposeState::initializeSubclass() {
  SIM_Data::initializeSubclass();
  bytes.clear();
  memory.reset();
}

void SIM_ReposeState::makeEqualSubclass(const SIM_Data* source) {
  SIM_Data::makeEqualSubclass(source);
  if (const auto* other = SIM_DATA_CASTCONST(source, SIM_ReposeState)) bytes = other->bytes;
  memory.reset();
}

void SIM_ReposeState::saveSubclass(std::ostream& os) const {
  SIM_Data::saveSubclass(os);
  const auto size = static_cast<int64>(bytes.size());
  os.write(reinterpret_cast<const char*>(&size), sizeof size);
  os.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

bool SIM_ReposeState::loadSubclass(UT_IStream& is) {
  int64 size = 0;
  std::string loaded;
  if (!SIM_Data::loadSubclass(is) || is.bread(&size) != 1 || size < 0 || size > kMostBytes) return false;
  while (static_cast<int64>(loaded.size()) < size) {
    const std::size_t at = loaded.size();
    const int64 count = std::min(kChunk, size - static_cast<int64>(at));
    loaded.resize(at + static_cast<std::size_t>(count));
    if (is.bread(loaded.data() + at, count) != count) return false;
  }
  bytes = std::move(loaded);
  memory.reset();
  return true;
}

int64 SIM_ReposeState::getMemorySizeSubclass() const {
  return SIM_Data::getMemorySizeSubclass() + static_cast<int64>(bytes.capacity());
}

}  // namespace repose::houdini
