// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A Status of the core becomes an exception of repose/errors.py.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "base/status.h"

namespace repose_python {

namespace nb = nanobind;

[[noreturn]] void raise(const repose::Status& status);
[[noreturn]] void raiseBadInput(const std::string& sentence);
[[noreturn]] void raiseBusy(const std::string& sentence);
inline void check(const repose::Status& status) {
  if (!status) raise(status);
}

}  // namespace repose_python
