// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The parts of the module, each in a file of its own.
#pragma once
#include <nanobind/nanobind.h>

namespace repose_python {

void bindScene(nanobind::module_& module);
void bindSimulation(nanobind::module_& module);
void bindRun(nanobind::module_& module);
void bindCache(nanobind::module_& module);
void bindRender(nanobind::module_& module);

}  // namespace repose_python
