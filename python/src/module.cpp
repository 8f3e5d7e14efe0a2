// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// repose._repose: the core for Python. The package around it (python/repose) is what people import.
#include "parts.h"

NB_MODULE(_repose, module) {
  module.doc() = "The core of Repose.";
  nanobind::set_leak_warnings(false);  // an interpreter that exits may hold simulations
  repose_python::bindScene(module);
  repose_python::bindSimulation(module);
  repose_python::bindRun(module);
  repose_python::bindCache(module);
  repose_python::bindRender(module);
}
