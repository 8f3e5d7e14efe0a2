// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scene/validate.h"

namespace repose {

void validateMethod(const Scene& scene, std::vector<Finding>& findings) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (scene.solver.base.method == SolverMethod::projective && body.kind == BodyKind::soft &&
        body.soft.base.fibrestiffness > 0)
      findings.push_back(
          {Finding::About::body, static_cast<int>(b), true,
           fmt::format("body \"{}\" has fibrestiffness, which the method projective cannot solve: "
                       "set it to 0, or solver.method to \"multilevel\"",
                       body.name)});
  }
}

}  // namespace repose
