// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_soft.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/read_params.h"
#include "scene/read_pins.h"
#include "scene/read_transform.h"
#include "scene/shapes.h"
#include "tetra/box_cells.h"
#include "tetra/embed.h"

namespace repose {

namespace {

// What "tets" says.
struct TetRequest {
  TextPlace place;
  CellCut cells = CellCut::mirrored;
};

TetRequest readRequest(ObjectReader& body, Problems& problems) {
  TetRequest request{body.node().place};
  const JsonNode* node = body.find("tets");
  if (!node) return request;
  request.place = node->place;
  ObjectReader object(*node, "tets", problems);
  if (const JsonNode* cells = object.find("cells"))
    if (const int cut =
            readName(*cells, "cells", {std::begin(kCellCutNames), std::end(kCellCutNames)}, problems);
        cut >= 0)
      request.cells = static_cast<CellCut>(cut);
  object.rejectUnknown();
  return request;
}

bool allFinite(const std::vector<Vec3f>& points) {
  return std::all_of(points.begin(), points.end(), [](Vec3f p) { return isFinite(p); });
}

// The tetrahedra in world space; none after a report.
TetMesh makeTets(const Source& source, const TetRequest& request, const Mat4d& transform,
                 Problems& problems) {
  const bool box = source.formula && source.formula->row->name == "box";
  if (!box) {
    problems.error(request.place, "only a box by formula can be cut into tetrahedra yet");
    return {};
  }
  const Shape& shape = source.formula->shape;
  TetMesh mesh = cutBox(shape.size, shape.divisions, request.cells);
  for (Vec3f& p : mesh.geometry.points) p = transformPoint(transform, p);
  return mesh;
}

}  // namespace

void readSoftBody(ObjectReader& object, Body& body, const SceneContext& context) {
  Problems& problems = context.problems;
  Mat4d transform;
  if (const JsonNode* placing = object.find("transform")) transform = readTransform(*placing, problems);
  const TetRequest request = readRequest(object, problems);
  if (const JsonNode* node = object.require("source"))
    if (std::optional<Source> source = readSource(*node, transform, context)) {
      if (allFinite(source->geometry.points)) body.tets = makeTets(*source, request, transform, problems);
      if (!body.tets.tets.empty()) {
        body.geometry = std::move(source->geometry);
        body.embedding = embed(body.tets, body.geometry.points);
      }
    }
  object.vector("velocity", body.velocity);
  readParams(object, body.soft, problems);
  readPins(object, body, context);
}

}  // namespace repose
