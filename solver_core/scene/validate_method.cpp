// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scene/validate.h"

namespace repose {

void validateMethod(const Scene& scene, std::vector<Finding>& findings) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const auto refuse = [&](const char* what) {
      findings.push_back({Finding::About::body, static_cast<int>(b), true,
                          fmt::format("body \"{}\" tears (tearstretch or cuts), {}", body.name, what)});
    };
    if (body.tears() && scene.solver.base.method != SolverMethod::projective)
      refuse("which only the method projective can: set solver.method to \"projective\"");
    if (body.tears() && body.cloth.base.tethers)
      refuse("but tethers would hold it across the tear: set tethers to false");
    if (body.tears() && body.cloth.base.membrane == Membrane::triangles)
      refuse("which only springs can: set membrane to \"springs\"");
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
