// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "scene/validate.h"

namespace repose {

void validateMethod(const Scene& scene, std::vector<Finding>& findings) {
  const SolverMethod method = scene.solver.base.method;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const auto refuse = [&](std::string sentence) {
      findings.push_back({Finding::About::body, static_cast<int>(b), true,
                          fmt::format("body \"{}\" {}", body.name, sentence)});
    };
    const ClothParams& cloth = body.cloth.base;
    if (body.tears() && method != SolverMethod::projective)
      refuse("tears, which only the method projective can: set solver.method to \"projective\"");
    if (body.tears() && cloth.tethers)
      refuse("tears, but tethers would hold it across the tear: set tethers to false");
    if (body.tears() && body.cloth.ever([](const ClothParams& at) { return at.creaseangle > 0; }))
      refuse("tears, but creases would not survive it: set creaseangle to 0");
    if (body.tears() && body.rest_motion)
      refuse("tears, but its animated rest stays whole: leave \"rest\" out, or set tearstretch to 0");
    if (body.tears() && cloth.membrane == Membrane::triangles)
      refuse("tears, which only springs can: set membrane to \"springs\"");

    if (method != SolverMethod::interleaved &&
        std::any_of(body.pins.begin(), body.pins.end(), [](const Pin& pin) { return pin.slides(); }))
      refuse(
          "has a pin with a \"line\", which only the method interleaved can: set solver.method to "
          "\"interleaved\"");

    const char* lacks = body.kind == BodyKind::soft              ? "is soft"
                        : body.kind != BodyKind::cloth           ? nullptr
                        : cloth.bendmodel == BendModel::dihedral ? "has bendmodel \"dihedral\""
                        : cloth.membrane == Membrane::triangles  ? "has membrane \"triangles\""
                                                                 : nullptr;
    if (method == SolverMethod::interleaved && lacks)
      refuse(
          fmt::format("{}, which the method interleaved cannot solve: set solver.method to \"multilevel\" "
                      "or \"projective\"",
                      lacks));
    if (method == SolverMethod::projective && body.kind == BodyKind::soft &&
        body.soft.base.fibrestiffness > 0)
      refuse(
          "has fibrestiffness, which the method projective cannot solve: set it to 0, or solver.method to "
          "\"multilevel\"");
  }
}

}  // namespace repose
