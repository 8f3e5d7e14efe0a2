// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "params/text.h"
#include "scene/output_fields.h"
#include "scene/tally.h"
#include "scene/validate_grains.h"

namespace repose {

namespace {

// Area of a face over its longest edge squared, below which it is a line; floats of a transformed line reach
// 1e-7.
constexpr double kLeastAreaRatio = 1e-6;
// Beyond these, squares and inverses leave the range of floats.
constexpr float kFarthest = 1e9f;          // from the origin [m], as scene files allow
constexpr double kShortestFace = 1e-9;     // its longest edge [m]
constexpr double kGreatestFactor = 1e9;    // of a point attribute
constexpr double kLeastMassFactor = 1e-9;  // of density, as a massless point would not move

class BodyChecker {
 public:
  BodyChecker(const Body& body, const Geometry& geometry, int index, std::vector<Finding>& findings)
      : body_(body), geometry_(geometry), index_(index), findings_(findings) {}

  void check() {
    if (body_.kind == BodyKind::rigid) return;  // validate_rigid.cpp
    if (body_.kind == BodyKind::soft) return checkSoft();
    if (body_.kind == BodyKind::grain) {
      if (checkPoints()) checkPointAttributes(kGroupOf<GrainParams>);
      return;
    }
    if (geometry_.points.empty()) return error("has no points");
    if (geometry_.face_counts.empty()) return error("has no faces");
    if (!checkPoints() || !checkTopology()) return;
    checkFaces(geometry_.points, "has");
    if (!body_.rest_points.empty()) checkFaces(body_.rest_points, "has at rest");
    checkEdges();
    checkUnusedPoints();
    checkPointAttributes(kGroupOf<ClothParams>);
    checkPins();
    checkFeatures();
  }

 private:
  // The surface that is drawn may have faces without area: it only goes with the tetrahedra.
  void checkSoft() {
    BodyChecker simulated(body_, body_.tets.geometry, index_, findings_);
    if (!checkPoints() || !checkTopology() || !simulated.checkPoints() || !simulated.checkTopology()) return;
    validateTets(body_, index_, findings_);
    simulated.checkPointAttributes(kGroupOf<SoftParams>);
    simulated.checkPins();
  }
  void report(bool is_error, std::string_view sentence) {
    findings_.push_back(
        {Finding::About::body, index_, is_error, fmt::format("body \"{}\" {}", body_.name, sentence)});
  }
  void error(std::string_view sentence) { report(true, sentence); }
  bool error(const Tally& tally) {
    if (!tally.empty()) error(tally.sentence());
    return tally.empty();
  }

  bool checkPoints() {
    Tally wild, far;
    for (std::size_t p = 0; p < geometry_.points.size(); ++p) {
      const Vec3f x = geometry_.points[p];
      if (!isFinite(x))
        wild.add(fmt::format("has a position at point {} that is not finite", p));
      else if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > kFarthest)
        far.add(fmt::format("has point {} at {}, {}, {}, but it must be within {} m of the origin", p, x.x,
                            x.y, x.z, kFarthest));
    }
    const bool finite = error(wild);
    return error(far) && finite;
  }

  // Calls visit(face, first corner, corner count).
  template <class Visit>
  void forFaces(Visit visit) const {
    std::size_t first = 0;
    for (std::size_t f = 0; f < geometry_.face_counts.size(); ++f) {
      const auto count = static_cast<std::size_t>(geometry_.face_counts[f]);
      visit(f, geometry_.face_indices.data() + first, count);
      first += count;
    }
  }

  bool checkTopology() {
    std::size_t corners = 0;
    for (const std::int32_t count : geometry_.face_counts) {
      if (count < 3) return error("has a face with fewer than 3 points"), false;
      corners += static_cast<std::size_t>(count);
    }
    if (corners != geometry_.face_indices.size())
      return error(fmt::format("has {} corners, but its faces need {}", geometry_.face_indices.size(),
                               corners)),
             false;
    Tally outside, twice;
    forFaces([&](std::size_t f, const std::int32_t* points, std::size_t count) {
      for (std::size_t a = 0; a < count; ++a) {
        if (points[a] < 0 || static_cast<std::size_t>(points[a]) >= geometry_.points.size())
          outside.add(fmt::format("has a face {} that uses point {}, but only {} points", f, points[a],
                                  geometry_.points.size()));
        if (std::find(points, points + a, points[a]) != points + a)
          twice.add(fmt::format("has a face {} that uses point {} twice", f, points[a]));
      }
    });
    const bool inside = error(outside);
    return error(twice) && inside;
  }

  void checkFaces(const std::vector<Vec3f>& at, const char* has) {
    Tally flat, joined, small;
    forFaces([&](std::size_t f, const std::int32_t* points, std::size_t count) {
      // Newell's formula, in double: half the length of the sum is the area.
      double normal[3] = {0, 0, 0}, longest = 0;
      const Vec3f origin = at[points[0]];
      for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t a = points[k], b = points[(k + 1) % count];
        const Vec3f p = at[a] - origin, q = at[b] - origin, edge = q - p;
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, l = (i + 2) % 3;
          normal[i] += static_cast<double>(p[j]) * q[l] - static_cast<double>(p[l]) * q[j];
        }
        longest = std::max(longest, static_cast<double>(dot(edge, edge)));
        if (at[a] == at[b])
          joined.add(fmt::format("{} a face {} whose points {} and {} are at the same place", has, f, a, b));
      }
      const double area =
          0.5 * std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      if (longest > 0 && longest < kShortestFace * kShortestFace)
        small.add(fmt::format("{} a face {} of only {:.3g} m, but it must be at least {} m long", has, f,
                              std::sqrt(longest), kShortestFace));
      else if (area <= kLeastAreaRatio * longest)
        flat.add(fmt::format("{} a face {} without area", has, f));
    });
    error(joined);
    error(small);
    error(flat);
  }

  void checkEdges() {
    std::vector<std::uint64_t> edges;
    edges.reserve(geometry_.face_indices.size());
    forFaces([&](std::size_t, const std::int32_t* points, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        const auto [low, high] = std::minmax(points[k], points[(k + 1) % count]);
        edges.push_back(static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high));
      }
    });
    std::sort(edges.begin(), edges.end());
    Tally crowded;
    for (std::size_t k = 0; k < edges.size();) {
      std::size_t end = k;
      while (end < edges.size() && edges[end] == edges[k]) ++end;
      if (end - k > 2)
        crowded.add(fmt::format("has {} faces at the edge from point {} to {}", end - k, edges[k] >> 32,
                                edges[k] & 0xffffffffu));
      k = end;
    }
    if (!crowded.empty()) report(false, crowded.sentence());
  }

  void checkUnusedPoints() {
    std::vector<bool> used(geometry_.points.size(), false);
    for (const std::int32_t p : geometry_.face_indices) used[p] = true;
    Tally unused;
    for (std::size_t p = 0; p < used.size(); ++p)
      if (!used[p]) unused.add(fmt::format("has a point {} that no face uses", p));
    if (!unused.empty()) report(false, unused.sentence());
  }

  void checkVelocities() {
    const Attribute* v = geometry_.find(AttributeOwner::point, "v");
    if (!v) return;
    if (v->type != AttributeType::f32 || v->width != 3 || v->floats.size() != 3 * geometry_.points.size())
      return error("has a point attribute \"v\" that is not three numbers a point");
    const auto wild =
        std::find_if_not(v->floats.begin(), v->floats.end(), [](float x) { return std::isfinite(x); });
    if (wild != v->floats.end())
      error(
          fmt::format("has a velocity \"v\" at point {} that is not finite", (wild - v->floats.begin()) / 3));
  }

  // What points weigh by their own say; 0: as the density says.
  void checkMasses() {
    const Attribute* masses = geometry_.find(AttributeOwner::point, "pointmass");
    if (!masses || body_.kind == BodyKind::grain) return;
    if (masses->type != AttributeType::f32 || masses->width != 1 ||
        masses->floats.size() != geometry_.points.size())
      return error("has a point attribute \"pointmass\" that is not one number a point");
    Tally wrong;
    for (std::size_t p = 0; p < masses->floats.size(); ++p)
      if (!(masses->floats[p] >= 0 && std::isfinite(masses->floats[p])))
        wrong.add(fmt::format("has {} for \"pointmass\" at point {}, but it must be 0 or above [kg]",
                              masses->floats[p], p));
    error(wrong);
  }

  // Attributes that multiply a parameter at each point.
  void checkPointAttributes(std::string_view group) {
    checkVelocities();
    checkMasses();
    for (const ParamRow& row : kParamRows) {
      if (row.group != group || !(row.flags & kPerPoint)) continue;
      const Attribute* attribute = geometry_.find(AttributeOwner::point, std::string(row.name));
      if (!attribute) continue;
      const bool floats = attribute->type == AttributeType::f32;
      const std::size_t count = floats ? attribute->floats.size() : attribute->ints.size();
      if (attribute->type == AttributeType::string || attribute->width != 1 ||
          count != geometry_.points.size()) {
        error(fmt::format("has a point attribute \"{}\" that is not one number a point", row.name));
        continue;
      }
      const double least = row.name == "density" || row.name == "restscale" ? kLeastMassFactor : 0;
      Tally wrong;
      for (std::size_t p = 0; p < count; ++p) {
        const double value = floats ? attribute->floats[p] : attribute->ints[p];
        if (!(value >= least && value <= kGreatestFactor))
          wrong.add(fmt::format("has {} for \"{}\" at point {}, but it must be from {} to {}", value,
                                row.name, p, least, kGreatestFactor));
      }
      error(wrong);
    }
  }

  void checkPins() {
    std::vector<bool> pinned(geometry_.points.size(), false);
    Tally outside;
    for (const Pin& pin : body_.pins)
      for (const std::int32_t p : pin.points) {
        if (p >= 0 && static_cast<std::size_t>(p) < pinned.size())
          pinned[p] = pinned[p] || !pin.slides();
        else
          outside.add(fmt::format("has no point {}, which the pin \"{}\" names", p, pin.name));
      }
    error(outside);
    if (std::find(pinned.begin(), pinned.end(), false) == pinned.end())
      report(false, "has pins on all its points, so that none is free to move");
  }

  // Parameters that need another one, or something of the body.
  void checkFeatures() {
    const ClothParams& cloth = body_.cloth.base;
    const bool creases = body_.cloth.ever([](const ClothParams& at) { return at.creaseangle > 0; });
    if (creases && cloth.bendmodel != BendModel::dihedral)
      error("has a creaseangle, which needs bendmodel = dihedral");
    else if (creases && body_.rest_motion)
      error("has a creaseangle and an animated rest, which cannot both say how it folds");
    if (body_.rest_motion && cloth.membrane == Membrane::triangles)
      error("has an animated rest, which membrane = triangles does not follow: use membrane = springs");
    if (cloth.tethers && body_.pins.empty()) report(false, "has tethers, but no pins to hold them");
  }

  const Body& body_;
  const Geometry& geometry_;
  int index_;
  std::vector<Finding>& findings_;
};

void checkBodies(const Scene& scene, std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Body& body = scene.bodies[k];
    for (std::size_t other = 0; other < k; ++other)
      if (!body.name.empty() && scene.bodies[other].name == body.name)
        findings.push_back({Finding::About::body, static_cast<int>(k), true,
                            fmt::format("the name \"{}\" is already that of body {}", body.name, other)});
    BodyChecker(body, body.geometry, static_cast<int>(k), findings).check();
  }
}

// The grains that a skin is asked for.
Status checkSkin(const Scene& scene, const Output& output) {
  if (!output.skin)
    return output.body.empty() ? Status() : badInput("\"body\" is only for outputs with a \"surface\"");
  if (output.rigid != RigidOutput::xform) return badInput("\"rigid\" is not for outputs with a \"surface\"");
  if (output.samples != 1 || !output.attributes.empty())
    return badInput("a surface has one sample a frame and no attributes");
  std::vector<std::string> grains;
  for (const Body& body : scene.bodies)
    if (body.kind == BodyKind::grain) grains.push_back(body.name);
  if (grains.empty()) return badInput("a surface needs a body of kind grain, and the scene has none");
  if (output.body.empty() || std::find(grains.begin(), grains.end(), output.body) != grains.end()) return {};
  return badInput(fmt::format("body is \"{}\", but the bodies of kind grain are {}{}", output.body,
                              joinText(grains), didYouMean(output.body, grains)));
}

void checkOutputs(const Scene& scene, std::vector<Finding>& findings) {
  const int substeps = scene.world.base.substeps;
  for (std::size_t k = 0; k < scene.outputs.size(); ++k) {
    const Output& output = scene.outputs[k];
    const auto error = [&](std::string sentence) {
      findings.push_back({Finding::About::output, static_cast<int>(k), true, std::move(sentence)});
    };
    if (output.samples < 1 || substeps % output.samples != 0)
      error(fmt::format("substeps is {}, which samples = {} does not divide", substeps, output.samples));
    for (std::size_t other = 0; other < k; ++other)
      if (!output.path.empty() && scene.outputs[other].path == output.path)
        error(fmt::format("the path {} is already that of output {}", output.path, other));
    if (scene.bodies.empty()) continue;
    if (Status good = checkSkin(scene, output); !good) error(good.message());
    if (Status good = checkOutputFields(scene, output.attributes); !good) error(good.message());
    const auto isRigid = [](const Body& body) { return body.kind == BodyKind::rigid; };
    if (output.rigid != RigidOutput::xform && std::none_of(scene.bodies.begin(), scene.bodies.end(), isRigid))
      error("\"rigid\" says how rigid bodies are written, and the scene has none");
  }
}

}  // namespace

std::vector<Finding> validateScene(const Scene& scene) {
  std::vector<Finding> findings;
  if (scene.first_frame > scene.last_frame)
    findings.push_back({Finding::About::scene, 0, true, "the first frame must not be after the last"});
  checkBodies(scene, findings);
  validateColliders(scene, findings);
  checkGrains(scene, findings);
  validateRigid(scene, findings);
  validateSoftSolver(scene, findings);
  validateMethod(scene, findings);
  checkOutputs(scene, findings);
  return findings;
}

}  // namespace repose
