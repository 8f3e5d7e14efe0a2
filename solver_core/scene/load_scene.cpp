// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>

#include "base/frame_name.h"
#include "params/text.h"
#include "scene/output_fields.h"
#include "scene/overrides.h"
#include "scene/radius_law.h"
#include "scene/read_body.h"
#include "scene/read_collider.h"
#include "scene/read_grains.h"
#include "scene/read_joints.h"
#include "scene/read_params.h"
#include "scene/read_stitches.h"
#include "scene/scene.h"
#include "scene/text_file.h"
#include "scene/validate.h"

namespace repose {

namespace {

using Type = JsonNode::Type;

constexpr int kMostSamples = 100;  // a frame

void readFrames(const JsonNode& node, Scene& scene, Problems& problems) {
  if (node.type == Type::array) {
    double frames[2];
    if (!readFrameSpan(node, "frames", true, frames, problems)) return;
    scene.first_frame = static_cast<int>(frames[0]);
    scene.last_frame = static_cast<int>(frames[1]);
    return;
  }
  const auto frames = parseFrames(node.type == Type::string ? node.text : describeValue(node));
  if (!frames.ok()) return problems.error(node.place, frames.status().message());
  std::tie(scene.first_frame, scene.last_frame) = *frames;
}

GrainSkin readSkin(const JsonNode& node, Problems& problems) {
  GrainSkin skin;
  ObjectReader object(node, "a surface", problems);
  object.require("voxel");
  object.number("voxel", 1e-6, 1e6, skin.voxel);
  object.number("radiusscale", 1, 10, skin.radiusscale);
  double smooth;
  if (const JsonNode* passes = object.find("smooth");
      passes && readNumbers(*passes, "smooth", {1, true, 0, 100}, &smooth, problems))
    skin.smooth = static_cast<int>(smooth);
  object.rejectUnknown();
  return skin;
}

// What goes with which kind of file.
void checkOutputPath(const JsonNode& path, const Output& output, Problems& problems) {
  const std::string extension = std::filesystem::path(output.path).extension().string();
  const auto wrong = [&](const char* what) {
    problems.error(path.place, fmt::format("path is \"{}\", but {}", output.path, what));
  };
  if (extension != ".abc" && extension != ".vdb") return wrong("must end in .abc, or in .vdb for a surface");
  if (extension == ".vdb" && !output.skin) return wrong("a .vdb needs \"surface\": {\"voxel\": metres}");
  if (extension == ".vdb" && !hasFrameToken(output.path))
    wrong("a .vdb holds one frame and needs its number, as in sand.####.vdb");
}

Output readOutput(const JsonNode& node, const SceneContext& context) {
  Output output;
  Problems& problems = context.problems;
  ObjectReader object(node, "an output", problems);
  if (const JsonNode* surface = object.find("surface")) output.skin = readSkin(*surface, problems);
  if (const JsonNode* path = object.require("path"); path && readText(*path, "path", output.path, problems)) {
    checkOutputPath(*path, output, problems);
    output.path = context.resolve(output.path);
  }
  double samples;
  if (const JsonNode* count = object.find("samples");
      count && readNumbers(*count, "samples", {1, true, 1, kMostSamples}, &samples, problems))
    output.samples = static_cast<int>(samples);
  const std::vector<std::string> known = outputFieldNames();
  if (const JsonNode* names = object.find("attributes");
      names && expectType(*names, "attributes", Type::array, problems))
    for (const JsonNode& name : names->items)
      if (const int index = readName(name, "an attribute", known, problems); index >= 0)
        output.attributes.push_back(known[index]);
  if (const JsonNode* body = object.find("body")) readText(*body, "body", output.body, problems);
  if (const JsonNode* rigid = object.find("rigid"))
    if (const int index = readName(*rigid, "rigid", {"xform", "points"}, problems); index >= 0)
      output.rigid = static_cast<RigidOutput>(index);
  object.rejectUnknown();
  return output;
}

void rejectLaterKeys(ObjectReader& object, Problems& problems) {
  if (const JsonNode* node = object.find("forces");
      node && !(node->type == Type::array && node->items.empty()))
    problems.error(node->place, "this version has no forces yet");
}

// The places of bodies, joints, colliders and outputs in the file, for findings about them.
struct Places {
  TextPlace scene;
  std::vector<TextPlace> bodies, joints, colliders, outputs;
};

void readLists(ObjectReader& object, const SceneContext& context, Scene& scene, Places& places) {
  const JsonNode* bodies = object.require("bodies");
  if (bodies && expectType(*bodies, "bodies", Type::array, context.problems)) {
    if (bodies->items.empty()) context.problems.error(bodies->place, "bodies is an empty list");
    for (const JsonNode& node : bodies->items) {
      scene.bodies.push_back(readBody(node, scene.joints, context));
      places.bodies.push_back(node.place);
      places.joints.resize(scene.joints.size(), node.place);
    }
  }
  const JsonNode* stitches = object.find("stitches");
  if (stitches && expectType(*stitches, "stitches", Type::array, context.problems))
    for (const JsonNode& node : stitches->items)
      scene.stitches.push_back(readStitch(node, scene, context.problems));
  const JsonNode* colliders = object.find("colliders");
  if (colliders && expectType(*colliders, "colliders", Type::array, context.problems))
    for (const JsonNode& node : colliders->items) {
      scene.colliders.push_back(readCollider(node, context));
      places.colliders.push_back(node.place);
    }
  const JsonNode* joints = object.find("joints");
  if (joints && expectType(*joints, "joints", Type::array, context.problems))
    for (const JsonNode& node : joints->items) {
      readJoints(node, scene, context.problems);
      places.joints.resize(scene.joints.size(), node.place);
    }
  const JsonNode* sinks = object.find("sinks");
  if (sinks && expectType(*sinks, "sinks", Type::array, context.problems))
    for (const JsonNode& node : sinks->items) scene.sinks.push_back(readSink(node, scene, context.problems));
  const JsonNode* outputs = object.find("outputs");
  if (outputs && expectType(*outputs, "outputs", Type::array, context.problems))
    for (const JsonNode& node : outputs->items) {
      scene.outputs.push_back(readOutput(node, context));
      places.outputs.push_back(node.place);
    }
}

void reportFindings(const Scene& scene, const Places& places, Problems& problems) {
  for (const Finding& finding : validateScene(scene)) {
    TextPlace place = places.scene;
    if (finding.about == Finding::About::output) place = places.outputs[finding.index];
    if (finding.about == Finding::About::body) {
      place = places.bodies[finding.index];
      // A source that could not be read has had its own message.
      const Body& body = scene.bodies[finding.index];
      if (body.kind == BodyKind::rigid
              ? body.pieces.empty()
              : body.geometry.points.empty() && body.emitters.empty() && RadiusLaw(body.grain.base).good())
        continue;
    }
    if (finding.about == Finding::About::joint) place = places.joints[finding.index];
    if (finding.about == Finding::About::collider) {
      const Collider& collider = scene.colliders[finding.index];
      place = places.colliders[finding.index];
      const bool surface =
          collider.shape == Collider::Shape::mesh || collider.shape == Collider::Shape::heightfield;
      if (surface && collider.geometry.points.empty()) continue;
    }
    finding.error ? problems.error(place, finding.sentence) : problems.warn(place, finding.sentence);
  }
}

void readScene(const JsonNode& root, const std::vector<std::string>& sets, Scene& scene, Problems& problems,
               Roots& roots, const HostMeshes& host) {
  ObjectReader object(root, "the scene", problems);
  if (const JsonNode* frames = object.find("frames")) readFrames(*frames, scene, problems);
  readParams(object, scene.world, problems);
  if (const JsonNode* solver = object.find("solver")) {
    ObjectReader solver_object(*solver, "solver", problems);
    readParams(solver_object, scene.solver, problems);
    solver_object.rejectUnknown();
  }
  const std::vector<Override> overrides = parseOverrides(sets, problems);
  overrideSettings(overrides, scene, problems);

  Places places{root.place, {}, {}, {}, {}};
  const SceneContext context{scene, std::filesystem::path(scene.path).parent_path().string(), problems, roots,
                             host};
  readLists(object, context, scene, places);
  rejectLaterKeys(object, problems);
  object.rejectUnknown();
  if (!scene.bodies.empty()) overridePresets(overrides, object.find("bodies")->items, scene);
  overrideBodies(overrides, scene, problems);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (scene.bodies[k].kind == BodyKind::grain)
      readGrainSource(object.find("bodies")->items[k], scene.bodies[k], context);

  reportFindings(scene, places, problems);
}

// `read` gives the text, or why there is none.
template <class Read>
SceneLoad load(const Read& read, const std::string& path, const HostMeshes& host,
               const std::vector<std::string>& sets, const std::vector<std::string>& root_folders) {
  SceneLoad load;
  Roots roots(root_folders);
  load.scene.path = path;
  try {
    const Result<std::string> text = read();
    if (!text.ok()) {
      load.errors.push_back(text.status().message());
      return load;
    }
    Problems problems(path);
    JsonNode root;
    const std::vector<JsonError> mistakes = parseJson(*text, root);
    for (const JsonError& mistake : mistakes) problems.error(mistake.place, mistake.message);
    if (mistakes.empty()) readScene(root, sets, load.scene, problems, roots, host);
    problems.moveTo(load);
    // what follows from a file that was not read needs no sentence
    if (auto refused = roots.refusals(path); !refused.empty()) load.errors = std::move(refused);
  } catch (const std::bad_alloc&) {
    load.errors.push_back(path + ": not enough memory to read the scene");
    load.code = Code::memory;
  } catch (const std::exception& problem) {
    load.errors.push_back(fmt::format("{}: unexpected failure: {}", path, problem.what()));
    load.code = Code::unexpected;
  }
  return load;
}

}  // namespace

SceneLoad loadScene(const std::string& path, const std::vector<std::string>& sets,
                    const std::vector<std::string>& roots) {
  return load([&] { return readTextFile(path); }, path, {}, sets, roots);
}

SceneLoad loadSceneText(const std::string& text, const std::string& path, const HostMeshes& meshes,
                        const std::vector<std::string>& sets, const std::vector<std::string>& roots) {
  return load([&] { return Result<std::string>(text); }, path, meshes, sets, roots);
}

}  // namespace repose
