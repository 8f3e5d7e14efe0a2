// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_soft.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scene/read_params.h"
#include "scene/read_pins.h"
#include "scene/read_tets.h"
#include "scene/read_transform.h"
#include "scene/shapes.h"
#include "scene/tally.h"
#include "tetra/box_cells.h"
#include "tetra/embed.h"
#include "tetra/fill_surface.h"
#include "tetra/tet_surface.h"

namespace repose {

namespace {

constexpr double kLeastEdge = 1e-6, kGreatestEdge = 1e6;  // [m]
constexpr double kMuchVolume = 0.1;  // share by which tetrahedra and surface differ before it is said
// Weights: a point as far outside as its tetrahedron is large, and one that the motion of it says nothing of.
constexpr float kFarOutside = 3, kLost = 1000;

// What "tets" says.
struct TetRequest {
  TextPlace place;
  CellCut cells = CellCut::mirrored;
  FillOptions fill;
  bool lattice = false;  // asked for, also of a box
  bool good = true;
  std::string file, list;
};

TetRequest readRequest(ObjectReader& body, const SceneContext& context) {
  Problems& problems = context.problems;
  TetRequest request;
  request.place = body.node().place;
  const JsonNode* node = body.find("tets");
  if (!node) return request;
  request.place = node->place;
  ObjectReader object(*node, "tets", problems);
  const JsonNode* cells = object.find("cells");
  if (cells)
    if (const int cut =
            readName(*cells, "cells", {std::begin(kCellCutNames), std::end(kCellCutNames)}, problems);
        cut >= 0)
      request.cells = static_cast<CellCut>(cut);
  request.lattice = object.has("edge") || object.has("boundary");
  float edge = 0;
  object.number("edge", kLeastEdge, kGreatestEdge, edge);
  request.fill.edge = edge;
  if (const JsonNode* boundary = object.find("boundary"))
    if (const int index = readName(*boundary, "boundary",
                                   {std::begin(kTetBoundaryNames), std::end(kTetBoundaryNames)}, problems);
        index >= 0)
      request.fill.boundary = static_cast<TetBoundary>(index);
  if (const JsonNode* file = object.find("file"); file && readText(*file, "file", request.file, problems))
    request.file = context.resolve(request.file);
  if (const JsonNode* list = object.find("list")) readText(*list, "list", request.list, problems);
  request.good = !!cells + request.lattice + !request.file.empty() + !request.list.empty() <= 1;
  if (!request.good)
    problems.error(node->place,
                   "tets come from \"cells\", from a lattice (\"edge\", \"boundary\"), from a \"file\" or "
                   "from a \"list\", and only from one of them");
  object.rejectUnknown();
  return request;
}

bool isTetFile(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".mesh" || extension == ".node" || extension == ".ele";
}

// Reads the tetrahedra of one body, and the surface that goes with them.
class SoftReader {
 public:
  SoftReader(ObjectReader& object, Body& body, const SceneContext& context)
      : object_(object), body_(body), context_(context), problems_(context.problems) {}

  void read() {
    if (const JsonNode* placing = object_.find("transform")) transform_ = readTransform(*placing, problems_);
    request_ = readRequest(object_, context_);
    const JsonNode* node = object_.require("source");
    if (node && !readTetSource(*node))
      if (std::optional<Source> source = readSource(*node, transform_, context_)) takeSurface(*node, *source);
    object_.vector("velocity", body_.velocity);
    readParams(object_, body_.soft, problems_);
    readPins(object_, body_, context_);
    followSource();
  }

 private:
  void warn(TextPlace place, std::string_view sentence) {
    problems_.warn(place, fmt::format("body \"{}\" {}", body_.name, sentence));
  }

  // A source that is tetrahedra: their surface is drawn. False when it is something else.
  bool readTetSource(const JsonNode& node) {
    const auto file = std::find_if(node.members.begin(), node.members.end(),
                                   [](const JsonMember& m) { return m.key == "file"; });
    if (file == node.members.end() || file->value.type != JsonNode::Type::string ||
        !isTetFile(file->value.text))
      return false;
    ObjectReader source(node, "a source", problems_);
    source.find("file");
    source.rejectUnknown();
    if (request_.lattice || !request_.list.empty() || !request_.file.empty())
      problems_.error(request_.place, "the source is tetrahedra already");
    else if (readTetFile(file->value.place, context_.resolve(file->value.text)))
      drawTets();
    return true;
  }

  bool readTetFile(TextPlace place, const std::string& path) {
    std::error_code ignored;
    if (!isTetFile(path))
      problems_.error(place, fmt::format("file is \"{}\", but must end in .mesh, .node or .ele", path));
    else if (!std::filesystem::exists(path, ignored))
      problems_.error(place, fmt::format("the file {} does not exist", path));
    else
      return takeTets(place,
                      std::filesystem::path(path).extension() == ".mesh" ? readMedit(path) : readTetGen(path),
                      true);
    return false;
  }

  bool takeTets(TextPlace place, Result<TetSource> source, bool transform) {
    if (!source.ok()) return problems_.error(place, source.status().message()), false;
    for (const std::string& note : source->notes) warn(place, note);
    body_.tets = std::move(source->mesh);
    if (transform)
      for (Vec3f& p : body_.tets.geometry.points) p = transformPoint(transform_, p);
    return true;
  }

  // The points of the tetrahedra are those of the surface, with all that they carry.
  void drawTets() {
    body_.geometry = body_.tets.geometry;
    goWithTets(request_.place);
  }

  void takeSurface(const JsonNode& node, Source& source) {
    const std::vector<Vec3f>& points = source.geometry.points;
    const bool finite = std::all_of(points.begin(), points.end(), [](Vec3f p) { return isFinite(p); });
    const bool box = source.formula && source.formula->row->name == "box";
    body_.motion = source.motion;
    if (!request_.good) return;
    if (!finite) {
      problems_.error(node.place, fmt::format("body \"{}\" has a position that is not finite", body_.name));
      return;
    }
    if (!request_.list.empty()) {
      if (takeTets(request_.place, tetsOfList(std::move(source.geometry), request_.list), false)) drawTets();
      return;
    }
    if (!request_.file.empty()) {
      if (!readTetFile(request_.place, request_.file)) return;
    } else if (box && !request_.lattice) {
      body_.tets = cutBox(source.formula->shape.size, source.formula->shape.divisions, request_.cells);
      for (Vec3f& p : body_.tets.geometry.points) p = transformPoint(transform_, p);
    } else if (!fillWithLattice(node, source.geometry)) {
      return;
    }
    body_.geometry = std::move(source.geometry);
    goWithTets(node.place);
  }

  bool fillWithLattice(const JsonNode& node, const Geometry& mesh) {
    const ClosedSurface surface(mesh);
    if (!surface.problem().empty())
      return problems_.error(node.place,
                             fmt::format("the surface of body \"{}\" {}", body_.name, surface.problem())),
             false;
    if (surface.wasInsideOut())
      warn(node.place, "has a surface that is inside out; it is filled all the same");
    Result<Filled> filled = fillSurface(surface, request_.fill);
    if (!filled.ok()) return problems_.error(request_.place, filled.status().message()), false;
    body_.tets = std::move(filled->mesh);
    carryAttributes(mesh, body_.tets);
    if (request_.fill.boundary == TetBoundary::conforming) compareVolume(filled->solid);
    return true;
  }

  void compareVolume(double volume) {
    double six = 0;
    for (const TetCorners& tet : body_.tets.tets) six += sixVolumes(tet, body_.tets.geometry.points);
    const double share = six / 6 / volume;
    if (std::abs(share - 1) > kMuchVolume)
      warn(request_.place,
           fmt::format(
               "has tetrahedra with {:.0f} % of the volume of its surface: take a smaller \"edge\", or "
               "\"boundary\": \"embedded\"",
               100 * share));
  }

  void goWithTets(TextPlace place) {
    const std::vector<Vec3f>& points = body_.tets.geometry.points;
    for (const TetCorners& tet : body_.tets.tets)  // validation says which
      if (!(std::abs(sixVolumes(tet, points)) > 0)) return;
    body_.embedding = embed(body_.tets, body_.geometry.points);
    Tally far, lost;
    for (std::size_t k = 0; k < body_.embedding.size(); ++k) {
      const float outside = outsideOf(body_.embedding[k]);
      if (outside > kLost)
        lost.add(fmt::format("has point {} far away from all its tetrahedra", k));
      else if (outside > kFarOutside)
        far.add(fmt::format("has point {} outside its tetrahedra by more than {} times their size", k,
                            kFarOutside));
    }
    if (!lost.empty())
      problems_.error(place, fmt::format("body \"{}\" {}", body_.name, lost.sentence()));
    else if (!far.empty())
      warn(place, far.sentence());
  }

  // Animated pins are held by the surface of the source, as by any other mesh.
  void followSource() {
    std::shared_ptr<const AnchorMesh> to;
    for (Pin& pin : body_.pins) {
      if (!pin.animated) continue;
      if (!to) to = std::make_shared<AnchorMesh>(AnchorMesh{body_.geometry, body_.motion});
      pin.animated = false, pin.to = to;
    }
    body_.motion = nullptr;
  }

  ObjectReader& object_;
  Body& body_;
  const SceneContext& context_;
  Problems& problems_;
  Mat4d transform_;
  TetRequest request_;
};

}  // namespace

void readSoftBody(ObjectReader& object, Body& body, const SceneContext& context) {
  SoftReader(object, body, context).read();
}

}  // namespace repose
