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

// The group of a name that stands alone.
bool resolveOwner(Override& change, Problems& problems) {
  const std::vector<const ParamRow*> rows = findParams(change.name);
  if (rows.size() == 1) {
    change.owner = rows[0]->group;
    return true;
  }
  std::vector<std::string> names = {"frames"};
  for (const ParamRow& row : kParamRows) names.emplace_back(row.name);
  std::vector<std::string> full_names;
  for (const ParamRow* row : rows) full_names.push_back(fmt::format("{}.{}", row->group, row->name));
  if (rows.empty())
    report(change, fmt::format("there is no parameter \"{}\"{}", change.name, didYouMean(change.name, names)),
           problems);
  else
    report(change,
           fmt::format("several groups have \"{}\": write one of {}", change.name, joinText(full_names)),
           problems);
  return false;
}

bool isBody(std::string_view name, const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [&](const Body& body) { return body.name == name; });
}

// The body of that name, else all bodies of that kind.
bool concerns(const Override& change, const Body& body, const Scene& scene) {
  return isBody(change.owner, scene) ? body.name == change.owner : change.owner == kGroupOf<ClothParams>;
}

// Whether the change is about colliders: the one of that name, or all.
bool overrideColliders(const Override& change, Scene& scene, Problems& problems) {
  const bool all = change.owner == kGroupOf<ColliderParams>;
  bool found = all;
  for (Collider& collider : scene.colliders) {
    if (!all && collider.name != change.owner) continue;
    found = true;
    if (!apply(change, collider.params, problems)) break;  // a wrong value is reported once
  }
  return found;
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
      if (!concerns(change, scene.bodies[k], scene)) continue;
      ObjectReader object(nodes[k], "a body", reported);
      readCloth(object, static_cast<Preset>((*value)[0]), scene.bodies[k].cloth, reported);
    }
  }
}

void overrideBodies(const std::vector<Override>& overrides, Scene& scene, Problems& problems) {
  for (const Override& change : overrides) {
    if (isSetting(change)) continue;
    if (overrideColliders(change, scene, problems)) continue;
    if (!isBody(change.owner, scene) && change.owner != kGroupOf<ClothParams>) {
      std::vector<std::string> owners = {std::string(kGroupOf<ClothParams>)};
      for (const Body& body : scene.bodies) owners.push_back(body.name);
      for (const Collider& collider : scene.colliders) owners.push_back(collider.name);
      const std::string nearest = didYouMean(change.owner, owners);
      report(change, fmt::format("there is no body, collider or group \"{}\"{}", change.owner, nearest),
             problems);
      continue;
    }
    for (Body& body : scene.bodies)  // a wrong value is reported once
      if (concerns(change, body, scene) && !apply(change, body.cloth, problems)) break;
  }
}

}  // namespace repose
