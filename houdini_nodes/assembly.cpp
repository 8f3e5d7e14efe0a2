// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "base/frame_name.h"
#include "houdini_nodes/attributes.h"
#include "houdini_nodes/packed_parts.h"
#include "houdini_nodes/rigid_parts.h"
#include "params/text.h"
#include "scene/mesh_check.h"
#include "scene/tally.h"

namespace repose::nodes {

namespace {

constexpr const char* kGroundName = "groundplane";  // as Vellum calls it
constexpr const char* kPlainCollider = "external";

// Points of each name, in the order in which names come first; points without a name are in none.
std::vector<Part> splitByName(const NodeGeometry& geometry, const NodeAttribute* names, const char* unnamed) {
  std::vector<Part> parts;
  std::map<std::string, std::size_t> known;
  const std::string none = unnamed;
  std::size_t last = 0;  // neighbours are mostly of one part
  for (std::size_t p = 0; p < geometry.points.size(); ++p) {
    const std::string& name = names && !names->text(p).empty() ? names->text(p) : none;
    if (name.empty()) continue;
    if (parts.empty() || parts[last].name != name) {
      last = known.try_emplace(name, parts.size()).first->second;
      if (last == parts.size()) parts.push_back({name, "", Json::object(), {}, {}});
    }
    parts[last].points.push_back(static_cast<int>(p));
  }
  return parts;
}

// Faces of the parts whose points they have; what is of other kinds is said once.
void takeFaces(const NodeGeometry& geometry, std::vector<Part>& parts, Assembly& assembly) {
  std::vector<int> part_of(geometry.points.size(), -1), local(geometry.points.size(), 0);
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (std::size_t i = 0; i < parts[k].points.size(); ++i)
      part_of[parts[k].points[i]] = static_cast<int>(k), local[parts[k].points[i]] = static_cast<int>(i);
  const std::vector<int>& all_corners = *geometry.corners;
  const bool one = parts.size() == 1 && parts[0].points.size() == geometry.points.size();
  std::vector<char> has_tets(parts.size(), 0);
  std::vector<std::size_t> faces(parts.size(), 0), corners_of(parts.size(), 0);
  for (const Primitive& primitive : geometry.primitives) {
    const int k = primitive.count > 0 ? part_of[all_corners[primitive.first]] : -1;
    if (k < 0) continue;
    if (primitive.kind == PrimitiveKind::tetrahedron) has_tets[k] = 1;
    ++faces[k], corners_of[k] += static_cast<std::size_t>(primitive.count);
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].kind == "grain") continue;
    parts[k].mesh.face_counts.reserve(faces[k]), parts[k].mesh.face_indices.reserve(corners_of[k]);
  }
  std::size_t others = 0, first_other = 0;
  for (std::size_t f = 0; f < geometry.primitives.size(); ++f) {
    const Primitive& primitive = geometry.primitives[f];
    const int* corners = all_corners.data() + primitive.first;
    const int k = primitive.count > 0 ? part_of[corners[0]] : -1;
    if (k < 0) continue;
    Part& part = parts[k];
    if (part.kind == "grain" || !part.field.empty()) continue;
    const bool wanted = has_tets[k] && part.kind == "soft" ? primitive.kind == PrimitiveKind::tetrahedron
                                                           : primitive.kind == PrimitiveKind::polygon;
    if (!wanted) {
      if (primitive.kind != PrimitiveKind::polygon && primitive.kind != PrimitiveKind::tetrahedron)
        if (others++ == 0) first_other = f;
      continue;
    }
    part.mesh.face_counts.push_back(primitive.count);
    if (one) {  // has the points of the geometry, by their numbers
      part.mesh.face_indices.insert(part.mesh.face_indices.end(), corners, corners + primitive.count);
      continue;
    }
    for (int i = 0; i < primitive.count; ++i) {
      if (part_of[corners[i]] != k)
        return assembly.fail(
            fmt::format("primitive {} has points of the bodies \"{}\" and \"{}\"; a face belongs to one", f,
                        part.name, part_of[corners[i]] < 0 ? "" : parts[part_of[corners[i]]].name));
      part.mesh.face_indices.push_back(local[corners[i]]);
    }
  }
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (has_tets[k] && parts[k].kind == "soft") parts[k].settings["tets"] = {{"list", "faces"}};
  if (others > 0)
    assembly.warnings.push_back(
        fmt::format("{} primitives are neither polygons nor tetrahedra and are left out, the first is {}",
                    others, first_other));
}

Attribute floats(const char* name, std::vector<float> values, int width = 1) {
  Attribute a;
  a.name = name, a.width = width, a.floats = std::move(values);
  return a;
}

// Point attributes that multiply a parameter of the kind.
void takeScales(const NodeGeometry& geometry, Part& part) {
  for (const ParamRow& row : kParamRows) {
    if (row.group != part.kind || !(row.flags & kPerPoint)) continue;
    const NodeAttribute* scale = geometry.find(Owner::point, row.name);
    if (!scale || scale->isText() || scale->width != 1) continue;
    std::vector<float> values;
    for (const int p : part.points) values.push_back(static_cast<float>(scale->number(p)));
    part.mesh.attributes.push_back(floats(std::string(row.name).c_str(), std::move(values)));
  }
}

// One number for the whole body: an attribute that scales or replaces a parameter.
std::optional<double> oneOf(const NodeGeometry& geometry, const char* name, const Part& part,
                            Assembly& assembly) {
  const PointNumbers numbers(geometry, name);
  if (!numbers) return std::nullopt;
  const std::optional<double> value = numbers.common(part.points);
  if (!value)
    assembly.warnings.push_back(
        fmt::format("body \"{}\": the point attribute {} differs from point to point; that of its first "
                    "point is taken for all",
                    part.name, name));
  return value ? value : numbers.at(part.points[0]);
}

void takeSurface(const NodeGeometry& geometry, Part& part, Assembly& assembly) {
  for (const char* name : {"friction", "dynamicfriction"})
    if (const std::optional<double> scale = oneOf(geometry, name, part, assembly)) {
      const double own = part.settings.value(name, findParam(part.kind, name)->value[0]);
      part.settings[name] = exact(static_cast<float>(own * *scale));
    }
  if (part.kind != "cloth" && part.kind != "soft") return;
  if (const PointNumbers sizes(geometry, "pscale"); sizes) {
    double largest = 0;
    for (const int p : part.points) largest = std::max(largest, sizes.at(p));
    if (largest > 0)  // where bodies are merged, points that had no pscale have 0
      part.settings["thickness"] = exact(static_cast<float>(largest));
  }
  if (part.kind == "cloth")
    if (const std::optional<double> layer = oneOf(geometry, "layer", part, assembly))
      part.settings["layer"] = static_cast<int>(*layer);
}

void takeGrains(const NodeGeometry& geometry, Part& part) {
  const PointNumbers sizes(geometry, "pscale"), masses(geometry, "mass");
  if (!sizes) return;
  std::vector<float> radii;
  for (const int p : part.points) radii.push_back(static_cast<float>(sizes.at(p)));
  if (masses && !part.mesh.find(AttributeOwner::point, "density")) {
    const double density = part.settings.value("density", findParam("grain", "density")->value[0]);
    std::vector<float> scales;
    for (std::size_t k = 0; k < radii.size(); ++k)
      scales.push_back(static_cast<float>(masses.at(part.points[k]) /
                                          (kSphere * std::pow(double(radii[k]), 3) * density)));
    part.mesh.attributes.push_back(floats("density", std::move(scales)));
  }
  part.mesh.attributes.push_back(floats("pscale", std::move(radii)));
}

// Masses of the points [kg]. A surface that is filled has no points inside: there their sum is that of the
// body.
void takeMasses(const NodeGeometry& geometry, Part& part, Assembly& assembly) {
  const PointNumbers masses(geometry, "mass");
  if (!masses || part.mesh.find(AttributeOwner::point, "density")) return;
  std::vector<float> own;
  double sum = 0;
  Tally negative;
  for (const int p : part.points) {
    const double mass = masses.at(p);
    if (mass < 0)
      negative.add(fmt::format("mass is {:.6g} at point {}, which weighs nothing; the density is taken there",
                               mass, p));
    own.push_back(static_cast<float>(std::max(mass, 0.0)));
    sum += own.back();
  }
  if (!negative.empty())
    assembly.warnings.push_back(fmt::format("body \"{}\": {}", part.name, negative.sentence()));
  if (!(sum > 0)) return;
  const bool filled = part.kind == "soft" && part.settings["tets"].value("list", "").empty();
  if (!filled) return part.mesh.attributes.push_back(floats("pointmass", std::move(own)));
  const double volume = enclosedVolume(fanTriangles(part.mesh), part.mesh.points);
  if (volume > 0) part.settings["density"] = exact(static_cast<float>(sum / volume));
}

// 1 where points are held, 2 where they follow the animation; as it was at the start when the solver has
// begun.
std::vector<std::int32_t> pinsOf(const NodeGeometry& geometry) {
  std::vector<std::int32_t> pins(geometry.points.size(), 0);
  const PointNumbers begun(geometry, kPin), stopped(geometry, "stopped"), follow(geometry, "pintoanimation"),
      mass(geometry, "mass");
  for (std::size_t p = 0; p < pins.size(); ++p) {
    if (begun)
      pins[p] = static_cast<std::int32_t>(begun.at(p));
    else if (follow && follow.at(p) != 0)
      pins[p] = 2;
    else if ((stopped && (static_cast<std::int64_t>(stopped.at(p)) & 1)) || (mass && mass.at(p) == 0))
      pins[p] = 1;
  }
  return pins;
}

void takePins(const std::vector<std::int32_t>& pins, Part& part) {
  for (const int kind : {1, 2}) {
    if (std::none_of(part.points.begin(), part.points.end(), [&](int p) { return pins[p] == kind; }))
      continue;
    std::vector<float> chosen;
    for (const int p : part.points) chosen.push_back(pins[p] == kind ? 1.0f : 0.0f);
    const char* name = kind == 1 ? "repose_held" : "repose_follows";
    Json pin = {{"group", name}};
    if (kind == 2) pin["animated"] = part.moves = true;
    part.settings["pins"].push_back(std::move(pin));
    part.mesh.attributes.push_back(floats(name, std::move(chosen)));
  }
}

void takeVelocities(const NodeGeometry& geometry, Part& part) {
  const PointVectors v(geometry, "v");
  if (!v || geometry.find(Owner::point, kRest)) return;  // of a state that has begun it is part of the state
  std::vector<Vec3f> velocities;
  for (const int p : part.points) velocities.push_back(v.at(p));
  if (std::any_of(velocities.begin(), velocities.end(), [](Vec3f a) { return a != Vec3f{}; }))
    part.mesh.attributes.push_back(floats("v", flat(velocities), 3));
}

// Parameters that may change from frame to frame, as the configure node has them now.
void takeAnimated(const std::string& text, Part& part) {
  const Json now = Json::parse(text, nullptr, false);
  const std::string kind = part.settings.value("kind", "");
  if (!now.is_object() || now.value("kind", "") != kind) return;
  for (const ParamRow& row : kParamRows) {
    if (row.group != kind || !(row.flags & kAnimatable)) continue;
    part.settings.erase(std::string(row.name));
    if (const auto found = now.find(row.name); found != now.end())
      part.settings[std::string(row.name)] = *found;
  }
}

// What the configure node has said of a body or collider; of a body it may say something else now, in the
// animated source.
bool readSettings(const NodeGeometry& geometry, const char* prefix, Part& part, Assembly& assembly,
                  const NodeGeometry* source = nullptr) {
  const std::string name = fmt::format("{}_{}", prefix, part.name);
  const NodeAttribute* settings = geometry.find(Owner::detail, name);
  if (!settings || !settings->isText()) {
    assembly.fail(fmt::format(
        "the detail attribute {} (string) is missing, which a repose::configure node writes", name));
    return false;
  }
  part.settings = Json::parse(settings->text(0), nullptr, false);
  if (part.settings.is_object()) {
    const NodeAttribute* now = source ? source->find(Owner::detail, name) : nullptr;
    if (now && now->isText() && now->text(0) != settings->text(0)) takeAnimated(now->text(0), part);
    return true;
  }
  assembly.fail(fmt::format("the detail attribute {} is not what a repose::configure node writes", name));
  return false;
}

void takeBodies(const NodeGeometry& geometry, const NodeGeometry* source, Assembly& assembly) {
  const NodeAttribute* names = geometry.find(Owner::point, kBody);
  if (!names)
    return assembly.fail(fmt::format(
        "the point attribute {} (string) is missing: put a repose::configure node before this one", kBody));
  std::vector<Part> parts = splitByName(geometry, names, "");
  if (parts.empty()) return assembly.fail(fmt::format("no point has a name in the attribute {}", kBody));
  for (Part& part : parts) {
    if (!readSettings(geometry, kBody, part, assembly, source)) return;
    part.kind = part.settings.value("kind", "");
  }
  std::vector<std::vector<int>> hooks;
  for (Part& part : parts)
    hooks.push_back(part.kind == "rigid" ? takePackedPoints(geometry, part) : std::vector<int>());
  takeFaces(geometry, parts, assembly);
  const std::vector<std::int32_t> pins = pinsOf(geometry);
  const PointVectors rest(geometry, kRest);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Part& part = parts[k];
    part.mesh.points.reserve(part.points.size());
    for (const int p : part.points) part.mesh.points.push_back(rest ? rest.at(p) : geometry.points[p]);
    if (!hooks[k].empty()) addPacked(geometry, hooks[k], part);
    if (part.kind != "grain" && part.mesh.face_counts.empty())
      return assembly.fail(fmt::format("body \"{}\" has no polygons{}, but a {} needs them", part.name,
                                       part.kind == "soft" ? " or tetrahedra" : "", part.kind));
    takeScales(geometry, part);
    takeSurface(geometry, part, assembly);
    if (part.kind == "grain") takeGrains(geometry, part);
    if (part.kind == "cloth" || part.kind == "soft")
      takePins(pins, part), takeMasses(geometry, part, assembly);
    if (part.kind == "rigid")
      splitRigid(geometry, part, assembly);
    else {
      takeVelocities(geometry, part);
      assembly.bodies.push_back(std::move(part));
    }
  }
  // last, so that grains that come and go leave the numbers of the others alone
  std::stable_partition(assembly.bodies.begin(), assembly.bodies.end(),
                        [](const Part& part) { return part.kind != "grain"; });
}

// The VDB file that stands for a collider, with the number of the frame in its name.
void takeField(const NodeGeometry& geometry, double frame, Part& part) {
  std::string file;
  for (const Owner owner : {Owner::point, Owner::primitive, Owner::detail}) {
    const NodeAttribute* files = geometry.find(owner, "vdbfile");
    if (!files || !files->isText()) continue;
    if (owner != Owner::primitive) file = files->text(owner == Owner::point ? part.points[0] : 0);
    for (std::size_t f = 0; owner == Owner::primitive && f < geometry.primitives.size(); ++f)
      if (const Primitive& primitive = geometry.primitives[f]; file.empty() && primitive.count > 0)
        if (std::binary_search(part.points.begin(), part.points.end(), geometry.corners[primitive.first]))
          file = files->text(f);
    break;  // the nearest owner decides, also that there is none
  }
  if (file.empty()) return;
  part.field =
      std::filesystem::absolute(expandFrameToken(file, static_cast<int>(std::lround(frame)))).string();
  part.moves = false;  // another file at each frame is another collider
  part.settings.erase("voxel");
}

void addGround(const Parms& parms, Assembly& assembly) {
  if (!parms.on("useground")) return;
  assembly.scene["colliders"].push_back(
      {{"name", kGroundName},
       {"shape", "plane"},
       {"transform", {{"translate", {0, exact(static_cast<float>(parms.number("groundpos"))), 0}}}},
       {"friction", exact(static_cast<float>(parms.number("groundfriction")))}});
}

}  // namespace

std::vector<Part> takeColliders(const NodeGeometry& colliders, double frame, Assembly& assembly) {
  const NodeAttribute* names = colliders.find(Owner::point, kCollider);
  std::vector<Part> parts = splitByName(colliders, names, kPlainCollider);
  for (Part& part : parts) {
    part.kind = "collider";
    part.moves = true;  // of plain geometry nobody has said that it stands still
    if (part.name != kPlainCollider && !readSettings(colliders, kCollider, part, assembly)) return {};
    if (const auto moves = part.settings.find("moves"); moves != part.settings.end()) {
      part.moves = moves->get<bool>();
      part.settings.erase(moves);
    }
    takeField(colliders, frame, part);
  }
  std::vector<std::vector<int>> hooks;
  for (Part& part : parts) hooks.push_back(takePackedPoints(colliders, part));
  takeFaces(colliders, parts, assembly);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (const int p : parts[k].points) parts[k].mesh.points.push_back(colliders.points[p]);
    if (!hooks[k].empty()) addPacked(colliders, hooks[k], parts[k]);
  }
  return parts;
}

Assembly assemble(const WorldInput& input) {
  Assembly assembly;
  CookResult checked;
  assembly.scene = Json::object();
  addSettings(*input.parms, "world", assembly.scene, checked);
  Json solver = Json::object();
  addSettings(*input.parms, "solver", solver, checked);
  if (!solver.empty()) assembly.scene["solver"] = solver;
  addGround(*input.parms, assembly);
  assembly.errors = checked.errors;
  if (!assembly.ok()) return assembly;
  if (!input.geometry || input.geometry->points.empty()) {
    assembly.fail("the geometry has no points");
    return assembly;
  }
  takeBodies(*input.geometry, input.source, assembly);
  if (assembly.ok() && input.colliders)
    assembly.colliders = takeColliders(*input.colliders, input.frame, assembly);
  if (assembly.ok() && input.constraints) addConstraints(*input.constraints, *input.geometry, assembly);
  return assembly;
}

}  // namespace repose::nodes
