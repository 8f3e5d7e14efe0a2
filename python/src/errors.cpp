// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <nanobind/stl/string.h>

namespace repose_python {

namespace {

[[noreturn]] void raiseNamed(const char* maker, int code, const std::string& sentence) {
  const nb::object error = nb::module_::import_("repose.errors").attr(maker)(code, sentence);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace

void raise(const repose::Status& status) {
  raiseNamed("from_status", static_cast<int>(status.code()), status.message());
}

void raiseBadInput(const std::string& sentence) { raise(repose::badInput(sentence)); }

void raiseBusy(const std::string& sentence) { raiseNamed("busy", 0, sentence); }

}  // namespace repose_python
