// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdlib>

namespace standin {

// Whether the glue is to have the seeded bug of that number (mutants.cmake).
inline bool mutant(int number) {
  static const char* const chosen = std::getenv("REPOSE_MUTANT");
  static const int wanted = chosen ? std::atoi(chosen) : 0;
  return wanted == number;
}

}  // namespace standin
