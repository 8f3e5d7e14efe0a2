// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cache/abc_verify.h"
#include "commands.h"
#include "params/params.h"
#include "scene/read_joints.h"
#include "tetra/quality.h"
#include "vdb/level_set.h"

namespace repose {
namespace {

constexpr const char* kFooter =
    "\nExamples:\n"
    "  repose info flag.abc\n"
    "  repose info flag.json --json\n";

using Json = nlohmann::ordered_json;

std::size_t pinnedPoints(const Body& body) {
  std::size_t count = 0;
  for (const Pin& pin : body.pins) count += pin.points.size();
  return count;
}

// The parameters of a group that differ from the table, as "name value".
template <class Params>
Json changedParams(const Keyed<Params>& params) {
  Json changed = Json::object();
  const Params defaults;
  for (const ParamRow& row : kParamRows) {
    if (row.group != kGroupOf<Params>) continue;
    const std::string value = formatParam(row, loadParam(row, &params.base));
    if (value != formatParam(row, loadParam(row, &defaults))) changed[std::string(row.name)] = value;
    for (const auto& track : params.tracks)
      if (track.offset == row.offset) changed[std::string(row.name)] = "keyed";
  }
  return changed;
}

const char* kindName(const Body& body) {
  return body.kind == BodyKind::grain   ? "grain"
         : body.kind == BodyKind::rigid ? "rigid"
         : body.kind == BodyKind::soft  ? "soft"
                                        : "cloth";
}

Json bodyParams(const Body& body) {
  if (body.kind == BodyKind::rigid) return changedParams(body.rigid);
  if (body.kind == BodyKind::soft) return changedParams(body.soft);
  return body.kind == BodyKind::grain ? changedParams(body.grain) : changedParams(body.cloth);
}

const char* kindName(Joint::Kind kind) {
  static constexpr const char* kNames[] = {"fixed", "spherical", "hinge", "slider", "distance"};
  return kNames[static_cast<int>(kind)];
}

Json tetsAsJson(const Body& body) {
  const TetQuality q = qualityOf(body.tets, body.geometry);
  Json json = {{"count", body.tets.tets.size()},
               {"points", body.tets.geometry.points.size()},
               {"parts", q.parts},
               {"mean_edge", q.mean_edge},
               {"least_angle", q.angles.least},
               {"greatest_angle", q.angles.greatest},
               {"worst_aspect", q.worst_aspect},
               {"volume", q.volume}};
  if (q.surface_volume > 0) json["surface_volume"] = q.surface_volume;
  return json;
}

std::string tetsAsText(const Body& body) {
  const TetQuality q = qualityOf(body.tets, body.geometry);
  std::string text = fmt::format(
      "   tets: {} of {} points{}, mean edge {:.4g} m, angles {:.1f} to {:.1f} degrees, worst aspect {:.2f}, "
      "volume {:.6g} m^3",
      body.tets.tets.size(), body.tets.geometry.points.size(),
      q.parts > 1 ? fmt::format(" in {} parts", q.parts) : "", q.mean_edge, q.angles.least, q.angles.greatest,
      q.worst_aspect, q.volume);
  if (q.surface_volume > 0)
    text += fmt::format(" ({:+.2f} % against the surface)", 100 * (q.volume / q.surface_volume - 1));
  return text + '\n';
}

Json bodyAsJson(const Body& body) {
  Json json = {{"name", body.name}, {"kind", kindName(body)}};
  if (body.kind == BodyKind::rigid) {
    json["pieces"] = body.pieces.size();
    json["shapes"] = body.shapes.size();
  } else {
    json["points"] = body.geometry.points.size();
    json["faces"] = body.geometry.face_counts.size();
    json["pinned"] = pinnedPoints(body);
    json["animated"] = body.motion != nullptr;
  }
  if (body.kind == BodyKind::soft) json["tets"] = tetsAsJson(body);
  json["parameters"] = bodyParams(body);
  return json;
}

Json jointAsJson(const Scene& scene, const Joint& joint) {
  return {{"name", joint.name},
          {"kind", kindName(joint.kind)},
          {"a", endName(scene, joint.a)},
          {"b", endName(scene, joint.b)},
          {"parameters", changedParams(joint.params)}};
}

Json sceneAsJson(const Scene& scene) {
  Json bodies = Json::array(), joints = Json::array(), outputs = Json::array();
  for (const Body& body : scene.bodies) bodies.push_back(bodyAsJson(body));
  for (const Joint& joint : scene.joints) joints.push_back(jointAsJson(scene, joint));
  for (const Output& output : scene.outputs)
    outputs.push_back(
        {{"path", output.path}, {"samples", output.samples}, {"attributes", output.attributes}});
  return {{"scene", scene.path},
          {"first_frame", scene.first_frame},
          {"last_frame", scene.last_frame},
          {"fps", scene.world.base.fps},
          {"substeps", scene.world.base.substeps},
          {"world", changedParams(scene.world)},
          {"solver", changedParams(scene.solver)},
          {"bodies", bodies},
          {"joints", joints},
          {"outputs", outputs}};
}

std::string paramsLine(const Json& changed) {
  std::string line;
  for (const auto& [name, value] : changed.items())
    line += fmt::format("  {} {}", name, value.get<std::string>());
  return line.empty() ? "  as in the table" : line;
}

std::string bodyAsText(const Body& body) {
  const std::string facts =
      body.kind == BodyKind::rigid
          ? fmt::format("{} pieces of {} shapes", body.pieces.size(), body.shapes.size())
          : fmt::format("{} points, {} faces, {} pinned{}", body.geometry.points.size(),
                        body.geometry.face_counts.size(), pinnedPoints(body),
                        body.motion ? ", animated source" : "");
  return fmt::format("  body {}: {}, {}\n{}   {}\n", body.name, kindName(body), facts,
                     body.kind == BodyKind::soft ? tetsAsText(body) : "", paramsLine(bodyParams(body)));
}

std::string sceneAsText(const Scene& scene) {
  std::string text =
      fmt::format("{}: frames {}-{}, {:g} a second, {} substeps each\n", scene.path, scene.first_frame,
                  scene.last_frame, scene.world.base.fps, scene.world.base.substeps);
  text += fmt::format("  world {}\n  solver{}\n", paramsLine(changedParams(scene.world)),
                      paramsLine(changedParams(scene.solver)));
  for (const Body& body : scene.bodies) text += bodyAsText(body);
  std::map<std::string_view, int> joints;  // of each kind
  for (const Joint& joint : scene.joints) ++joints[kindName(joint.kind)];
  for (const auto& [kind, count] : joints) text += fmt::format("  joints: {} {}\n", count, kind);
  for (const Output& output : scene.outputs)
    text += output.skin ? fmt::format("  output {}: surface of grains, voxel {:g} m\n", output.path,
                                      output.skin->voxel)
                        : fmt::format("  output {}: {} samples a frame\n", output.path, output.samples);
  return text;
}

int infoOfScene(const std::string& path, bool as_json) {
  const Result<Scene> scene = readScene(path, {});
  if (!scene) return fail(scene.status());
  fmt::print("{}", as_json ? sceneAsJson(*scene).dump(2) + "\n" : sceneAsText(*scene));
  return 0;
}

int infoOfCache(const std::string& path, bool as_json) {
  const Result<std::unique_ptr<AbcReader>> reader = AbcReader::open(path);
  if (!reader) return fail(reader.status());
  const Result<AbcSummary> summary = summarize(**reader);
  if (!summary) return fail(summary.status());
  fmt::print("{}", as_json ? toJson(*summary, path) : toText(*summary, path));
  return 0;
}

Json vdbAsJson(const VdbSummary& summary, const std::string& path) {
  Json grids = Json::array();
  for (const VdbGridSummary& grid : summary.grids) {
    const Bounds& b = grid.bounds;
    Json bounds = nullptr;
    if (!b.empty()) bounds = {{b.lo.x, b.lo.y, b.lo.z}, {b.hi.x, b.hi.y, b.hi.z}};
    grids.push_back({{"name", grid.name},
                     {"type", grid.type},
                     {"class", grid.kind},
                     {"voxel", grid.voxel},
                     {"active_voxels", grid.active_voxels},
                     {"bounds", bounds}});
  }
  return {{"file", path}, {"format", "vdb"}, {"bytes", summary.bytes}, {"grids", grids}};
}

std::string vdbAsText(const VdbSummary& summary, const std::string& path) {
  std::string text = fmt::format("{}: VDB, {} bytes\n", path, summary.bytes);
  for (const VdbGridSummary& grid : summary.grids) {
    const Bounds& b = grid.bounds;
    text += fmt::format("  {}  {}, {}, voxel {:g}, {} active voxels", grid.name, grid.kind, grid.type,
                        grid.voxel, grid.active_voxels);
    if (!b.empty())
      text +=
          fmt::format(", {:g} {:g} {:g} to {:g} {:g} {:g}", b.lo.x, b.lo.y, b.lo.z, b.hi.x, b.hi.y, b.hi.z);
    text += '\n';
  }
  return text;
}

int infoOfVdb(const std::string& path, bool as_json) {
  const Result<VdbSummary> summary = summarizeVdb(path);
  if (!summary) return fail(summary.status());
  fmt::print("{}", as_json ? vdbAsJson(*summary, path).dump(2) + "\n" : vdbAsText(*summary, path));
  return 0;
}

int runInfo(const std::string& path, bool as_json) {
  if (hasExtension(path, ".abc")) return infoOfCache(path, as_json);
  if (hasExtension(path, ".json")) return infoOfScene(path, as_json);
  if (hasExtension(path, ".vdb")) return infoOfVdb(path, as_json);
  return fail(badInput(fmt::format("\"{}\" is no cache (.abc, .vdb) and no scene (.json)", path)));
}

}  // namespace

void addInfo(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("info", "Show what is inside a cache or a scene");
  command->footer(kFooter);
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("FILE", *path, "Cache (.abc, .vdb) or scene (.json)")->required()->type_name("");
  command->add_flag("--json", *as_json, "For programs");
  command->callback([path, as_json, &exit_code] { exit_code = runInfo(*path, *as_json); });
}

}  // namespace repose
