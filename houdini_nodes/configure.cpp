// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that say what geometry is: a body of some kind, or a collider. They add two attributes: of each point
// the name of its body, and of the detail what the body is like, as the text of a scene has it.
#include <fmt/format.h>

#include <cmath>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/cook.h"
#include "houdini_nodes/settings.h"
#include "params/text.h"
#include "scene/host_mesh.h"

namespace repose::nodes {

namespace {

void writeNames(const char* attribute, const std::string& name, NodeGeometry& geometry) {
  geometry.write(Owner::point, attribute, 1, std::vector<std::string>(geometry.points.size(), name));
}

// Points of a group as held, or as following the animated source.
void pinGroup(const Parms& parms, CookResult& result) {
  const std::string& group = parms.text("pingroup");
  if (group.empty()) return;
  NodeGeometry& geometry = result.geometry;
  const PointGroup* points = geometry.findGroup(group);
  if (!points) {
    std::vector<std::string> known;
    for (const PointGroup& g : geometry.groups) known.push_back(g.name);
    result.fail(fmt::format("pingroup is \"{}\", but the geometry has no point group of that name{}", group,
                            didYouMean(group, known)));
    return;
  }
  const char* name = parms.text("pintype") == "animated" ? "pintoanimation" : "stopped";
  std::vector<std::int32_t> values(geometry.points.size(), 0);
  if (const PointNumbers old(geometry, name); old)
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = static_cast<std::int32_t>(old.at(p));
  for (const std::int32_t p : points->points) values[p] |= 1;
  geometry.write(Owner::point, name, 1, std::move(values));
}

// Grains in place of the closed mesh.
void createGrains(const Parms& parms, Json body, CookResult& result) {
  body["name"] = "grain";
  body["source"] = {{"fill", {{"host", "mesh"}}},
                    {"packing", parms.text("packing")},
                    {"jitter", exact(static_cast<float>(parms.number("jitter")))},
                    {"seed", static_cast<std::int64_t>(parms.number("seed"))}};
  const Json scene = {{"bodies", {body}}};
  HostMeshes meshes;
  meshes["mesh"].geometry = polygonsOf(result.geometry);
  SceneLoad load = loadSceneText(scene.dump(), "fill", meshes);
  for (std::string& error : load.errors) result.fail(std::move(error));
  result.warnings.insert(result.warnings.end(), load.warnings.begin(), load.warnings.end());
  if (!load.ok()) return;
  const Body& grains = load.scene.bodies[0];
  result.geometry.replaceTopology();
  result.geometry.writePoints(grains.geometry.points);
  result.geometry.write(Owner::point, "pscale", 1, grains.radii);
}

// Text of own choices and numbers that only stand when they are not the default.
void addOwn(const Parms& parms, const std::string& kind, Json& body) {
  const auto positive = [&](const char* name, Json& object, const char* key) {
    if (parms.number(name) > 0) object[key] = exact(static_cast<float>(parms.number(name)));
  };
  if (kind == "rigid") {
    body["pieces"] = parms.text("pieces");
    body["collision"] = parms.text("collision");
    if (parms.text("collision") == "concave") positive("voxel", body, "voxel");
  }
  if (kind == "soft") {
    body["tets"] = {{"boundary", parms.text("boundary")}};
    positive("edge", body["tets"], "edge");
  }
}

}  // namespace

CookResult cookConfigure(const CookInput& input) {
  const Parms& parms = *input.parms;
  const std::string kind = parms.row().groups[0], name = parms.text("name");
  CookResult result;
  result.geometry = *input.at(0);
  if (result.geometry.points.empty()) return result.fail("the geometry has no points");
  if (!checkName(name, result)) return result;
  Json body = {{"kind", kind}};
  addSettings(parms, kind, body, result);
  addOwn(parms, kind, body);
  if (!result.ok()) return result;
  if (kind == "grain" && parms.on("createpoints")) createGrains(parms, body, result);
  if (kind == "cloth" || kind == "soft") pinGroup(parms, result);
  writeNames(kBody, name, result.geometry);
  result.geometry.writeDetail(fmt::format("{}_{}", kBody, name), body.dump());
  return result;
}

CookResult cookCollider(const CookInput& input) {
  const Parms& parms = *input.parms;
  const std::string& name = parms.text("name");
  CookResult result;
  result.geometry = *input.at(0);
  if (result.geometry.points.empty()) return result.fail("the geometry has no points");
  if (!checkName(name, result)) return result;
  Json collider = {{"inside", parms.on("inside")}, {"moves", parms.on("moves")}};
  if (parms.number("voxel") > 0) collider["voxel"] = exact(static_cast<float>(parms.number("voxel")));
  addSettings(parms, "collider", collider, result);
  writeNames(kCollider, name, result.geometry);
  spreadField(result.geometry);
  result.geometry.writeDetail(fmt::format("{}_{}", kCollider, name), collider.dump());
  return result;
}

}  // namespace repose::nodes
