// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "params/text.h"
#include "scene/read_body.h"
#include "scene/read_params.h"

namespace repose {

namespace {

constexpr std::string_view kEveryKind =
    "*";  // owner of a name that several kinds of bodies, joints and colliders have

void report(const Override& change, std::string_view sentence, Problems& problems) {
  problems.errorAt("--set " + change.text, sentence);
}

// False after a report.
template <class Params>
bool apply(const Override& change, Keyed<Params>& params, Problems& problems) {
  const ParamRow* row = findParam(kGroupOf<Params>, change.name);
  if (!row) {
    const std::string nearest = didYouMean(change.name, paramNames(kGroupOf<Params>));
    report(change, fmt::format("{} has no parameter \"{}\"{}", change.owner, change.name, nearest), problems);
    return false;
  }
  const Result<ParamValue> value = parseParam(*row, change.value);
  if (!value.ok()) {
    report(change, value.status().message(), problems);
    return false;
  }
  assignParam(*row, ParamSetting{*value, {}}, params);
  return true;
}

// Frames, world and solver, as opposed to bodies.
bool isSetting(const Override& change) {
  return change.owner.empty() || change.owner == kGroupOf<WorldParams> ||
         change.owner == kGroupOf<SolverParams>;
}

// Groups whose parameters belong to bodies, joints or colliders.
bool isKind(std::string_view group) {
  return group == kGroupOf<ClothParams> || group == kGroupOf<GrainParams> || group == kGroupOf<SoftParams> ||
         group == kGroupOf<RigidParams> || group == kGroupOf<JointParams> ||
         group == kGroupOf<ColliderParams>;
}

// The group of a name that stands alone; kEveryKind when several kinds have it.
bool resolveOwner(Override& change, Problems& problems) {
  const std::vector<const ParamRow*> rows = findParams(change.name);
  if (rows.empty()) {
    std::vector<std::string> names = {"frames"};
    for (const ParamRow& row : kParamRows) names.emplace_back(row.name);
    report(change, fmt::format("there is no parameter \"{}\"{}", change.name, didYouMean(change.name, names)),
           problems);
    return false;
  }
  if (rows.size() == 1) {
    change.owner = rows[0]->group;
    return true;
  }
  std::vector<std::string> full_names;
  full_names.reserve(rows.size());
  for (const ParamRow* row : rows) full_names.push_back(fmt::format("{}.{}", row->group, row->name));
  if (std::all_of(rows.begin(), rows.end(), [](const ParamRow* row) { return isKind(row->group); })) {
    change.owner = kEveryKind;
    return true;
  }
  report(change,
         fmt::format("several groups have \"{}\": write one of {}", change.name, joinText(full_names)),
         problems);
  return false;
}

bool isName(std::string_view name, const Scene& scene) {
  const auto named = [&](const auto& owner) { return owner.name == name; };
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), named) ||
         std::any_of(scene.joints.begin(), scene.joints.end(), named) ||
         std::any_of(scene.colliders.begin(), scene.colliders.end(), named);
}

// The body, joint or collider of that name, else all of that kind; of all kinds those that have the
// parameter.
template <class Params>
bool concerns(const Override& change, std::string_view name, const Scene& scene) {
  if (isName(change.owner, scene)) return name == change.owner;
  return change.owner == kGroupOf<Params> ||
         (change.owner == kEveryKind && findParam(kGroupOf<Params>, change.name));
}

// Who takes part in an override, until a wrong value is reported: once is enough.
class Target {
 public:
  Target(const Override& change, const Scene& scene, Problems& problems)
      : change_(change), scene_(scene), problems_(problems) {}
  template <class Params>
  void offer(std::string_view name, Keyed<Params>& params) {
    if (failed_ || !concerns<Params>(change_, name, scene_)) return;
    found_ = true;
    failed_ = !apply(change_, params, problems_);
  }
  bool found() const { return found_; }

 private:
  const Override& change_;
  const Scene& scene_;
  Problems& problems_;
  bool found_ = false, failed_ = false;
};

// An override that met nobody.
void reportNobody(const Override& change, const Scene& scene, Problems& problems) {
  if (change.owner == kEveryKind)
    return report(change, fmt::format("nothing in the scene has \"{}\"", change.name), problems);
  if (change.owner == kGroupOf<ColliderParams>) return report(change, "the scene has no colliders", problems);
  if (change.owner == kGroupOf<JointParams>) return report(change, "the scene has no joints", problems);
  if (isKind(change.owner))
    return report(change, fmt::format("the scene has no body of kind {}", change.owner), problems);
  std::vector<std::string> owners;
  for (const ParamGroup& group : kParamGroups)
    if (isKind(group.name)) owners.emplace_back(group.name);
  for (const Body& body : scene.bodies) owners.push_back(body.name);
  for (const Joint& joint : scene.joints) owners.push_back(joint.name);
  for (const Collider& collider : scene.colliders) owners.push_back(collider.name);
  report(change,
         fmt::format("there is no body, joint, collider or group \"{}\"{}", change.owner,
                     didYouMean(change.owner, owners)),
         problems);
}

}  // namespace

Result<std::pair<int, int>> parseFrames(std::string_view text) {
  const std::size_t dash = std::min(text.find('-', 1), text.size());  // a first frame may be negative
  const std::optional<int> first = parseNumber<int>(text.substr(0, dash));
  const std::optional<int> last = parseNumber<int>(text.substr(std::min(dash + 1, text.size())));
  if (!first || !last) return badInput(fmt::format("frames is \"{}\", but must be like \"1001-1240\"", text));
  if (*first > *last)
    return badInput(fmt::format("frames is {}, but the first frame must not be after the last", text));
  return std::pair{*first, *last};
}

std::vector<Override> parseOverrides(const std::vector<std::string>& sets, Problems& problems) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    Override change{set, "", "", ""};
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0 || set[0] == '.') {
      report(change, "must be NAME=VALUE", problems);
      continue;
    }
    change.name = set.substr(0, equals);
    change.value = set.substr(equals + 1);
    if (const std::size_t dot = change.name.find('.'); dot != std::string::npos) {
      change.owner = change.name.substr(0, dot);
      change.name.erase(0, dot + 1);
    } else if (change.name != "frames" && !resolveOwner(change, problems)) {
      continue;
    }
    overrides.push_back(std::move(change));
  }
  return overrides;
}

void overrideSettings(const std::vector<Override>& overrides, Scene& scene, Problems& problems) {
  for (const Override& change : overrides) {
    if (change.owner == kGroupOf<WorldParams>) apply(change, scene.world, problems);
    if (change.owner == kGroupOf<SolverParams>) apply(change, scene.solver, problems);
    if (!change.owner.empty()) continue;
    const auto frames = parseFrames(change.value);
    if (frames.ok())
      std::tie(scene.first_frame, scene.last_frame) = *frames;
    else
      report(change, frames.status().message(), problems);
  }
}

void overridePresets(const std::vector<Override>& overrides, const std::vector<JsonNode>& nodes,
                     Scene& scene) {
  Problems reported("");  // by the first reading
  for (const Override& change : overrides) {
    if (change.name != "preset") continue;
    const Result<ParamValue> value = parseParam(*findParam(kGroupOf<ClothParams>, "preset"), change.value);
    if (!value.ok()) continue;  // overrideBodies says so
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      const Body& body = scene.bodies[k];
      if (body.kind != BodyKind::cloth || !concerns<ClothParams>(change, body.name, scene)) continue;
      ObjectReader object(nodes[k], "a body", reported);
      readCloth(object, static_cast<Preset>((*value)[0]), scene.bodies[k].cloth, reported);
    }
  }
}

void overrideBodies(const std::vector<Override>& overrides, Scene& scene, Problems& problems) {
  for (const Override& change : overrides) {
    if (isSetting(change)) continue;
    Target target(change, scene, problems);
    for (Body& body : scene.bodies) {
      if (body.kind == BodyKind::cloth) target.offer(body.name, body.cloth);
      if (body.kind == BodyKind::grain) target.offer(body.name, body.grain);
      if (body.kind == BodyKind::soft) target.offer(body.name, body.soft);
      if (body.kind == BodyKind::rigid) target.offer(body.name, body.rigid);
    }
    for (Joint& joint : scene.joints) target.offer(joint.name, joint.params);
    for (Collider& collider : scene.colliders) target.offer(collider.name, collider.params);
    if (!target.found()) reportNobody(change, scene, problems);
  }
}

}  // namespace repose
