// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/validate_grains.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/sphere_grid.h"
#include "params/text.h"
#include "scene/fill.h"
#include "scene/region.h"
#include "scene/tally.h"

namespace repose {

namespace {

constexpr double kGreatestMassRatio = 1e6;
constexpr double kTouching = 1e-3;  // overlaps below this share of the smaller radius are rounding
constexpr float kGreatestRate = 1e7f;
constexpr float kWorldRadii = 1e6f;  // GrainState::kWorldRadii
constexpr int kProbes = 16;          // along each side of an emitter, to find what it is in

class GrainChecker {
 public:
  GrainChecker(const Scene& scene, std::vector<Finding>& findings) : scene_(scene), findings_(findings) {}

  void check() {
    std::size_t count = 0;
    for (int b = 0; b < bodies(); ++b) {
      if (body(b).kind != BodyKind::grain) continue;
      checkSizes(b);
      checkEmitters(b);
      count += body(b).geometry.points.size();
    }
    checkSinks();
    if (count > kMostGrains)
      report(Finding::About::scene, 0, true,
             fmt::format("the scene has {} grains, but at most {} are possible", count, kMostGrains));
    else if (good_ && count > 0)
      checkMasses(), checkRoom(count);
  }

 private:
  int bodies() const { return static_cast<int>(scene_.bodies.size()); }
  const Body& body(int b) const { return scene_.bodies[b]; }
  void report(Finding::About about, int index, bool error, std::string sentence) {
    findings_.push_back({about, index, error, std::move(sentence)});
    good_ = good_ && !error;
  }
  void error(int b, std::string_view sentence) {
    report(Finding::About::body, b, true, fmt::format("body \"{}\" {}", body(b).name, sentence));
  }
  void warn(int b, std::string_view sentence) {
    report(Finding::About::body, b, false, fmt::format("body \"{}\" {}", body(b).name, sentence));
  }

  void checkSizes(int b) {
    const Body& grains = body(b);
    const GrainParams& grain = grains.grain.base;
    if (!RadiusLaw(grain).good()) {
      const bool uniform = grain.radiusdistribution == RadiusDistribution::uniform;
      return error(
          b, fmt::format(
                 "has radius {:.6g} and radiusvariance {:.6g}, which gives grains without size: the variance "
                 "of a {} distribution must be below {}",
                 grain.radius, grain.radiusvariance, uniform ? "uniform" : "normal", uniform ? "1" : "1/3"));
    }
    const std::size_t points = grains.geometry.points.size();
    if (points == 0 && grains.emitters.empty()) return error(b, "has no points");
    if (grains.radii.size() != points)
      return error(b, fmt::format("has {} radii for {} points", grains.radii.size(), points));
    Tally wrong;
    for (std::size_t p = 0; p < points; ++p)
      if (!(grains.radii[p] > 0 && std::isfinite(grains.radii[p])))
        wrong.add(fmt::format("has a radius of {} at point {}, but it must be above 0", grains.radii[p], p));
    if (!wrong.empty()) error(b, wrong.sentence());
    Tally far;
    for (std::size_t p = 0; p < points; ++p) {
      const Vec3f x = grains.geometry.points[p];
      good_ = good_ && isFinite(x);  // reported with all bodies
      const float end = kWorldRadii * grains.radii[p];
      if (end > 0 && isFinite(x) && std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > end)
        far.add(fmt::format(
            "has point {} at {}, {}, {}, but a grain of radius {} must be within {:.6g} m of the origin", p,
            x.x, x.y, x.z, grains.radii[p], end));
    }
    if (!far.empty()) error(b, far.sentence());
    if (!isFinite(grains.velocity)) error(b, "has a velocity that is not finite");
  }

  void checkEmitters(int b) {
    for (std::size_t k = 0; k < body(b).emitters.size(); ++k) {
      const Emitter& emitter = body(b).emitters[k];
      if (!(emitter.rate >= 0 && emitter.rate <= kGreatestRate))
        error(b, fmt::format("has an emitter {} of rate {}, but it must be from 0 to {}", k, emitter.rate,
                             kGreatestRate));
      if (!isFinite(emitter.velocity) || !(emitter.spread >= 0 && std::isfinite(emitter.spread)))
        error(b, fmt::format("has an emitter {} whose velocity or spread is not finite", k));
      if (!(emitter.first_frame <= emitter.last_frame))
        error(b, fmt::format("has an emitter {} whose first frame is after its last", k));
      if (checkVolume(emitter.volume, Finding::About::body, b,
                      fmt::format("body \"{}\" has an emitter {}", body(b).name, k)))
        checkFree(b, static_cast<int>(k));
    }
  }

  // How much of an emitter lies in colliders that stand still and whose inside is known here.
  void checkFree(int b, int k) {
    const PlacedVolume volume(body(b).emitters[k].volume);
    const Bounds bounds = volume.bounds();
    const Vec3f size = bounds.hi - bounds.lo;
    std::vector<Vec3f> places;
    for (int i = 0; i < kProbes * kProbes * kProbes; ++i) {
      const auto at = [](int n) { return (static_cast<float>(n % kProbes) + 0.5f) / kProbes; };
      const Vec3f p =
          bounds.lo + Vec3f{size.x * at(i), size.y * at(i / kProbes), size.z * at(i / kProbes / kProbes)};
      if (volume.depth(p) >= 0) places.push_back(volume.placement().toWorld(p));
    }
    for (std::size_t c = 0; c < scene_.colliders.size(); ++c) {
      const Collider& collider = scene_.colliders[c];
      const auto solid = isWrong(c) ? nullptr : solidOf(collider);
      if (!solid) continue;
      const auto inside = std::count_if(places.begin(), places.end(), solid);
      if (inside > 0)
        warn(b,
             fmt::format(
                 "has an emitter {} of which {:.3g} % is inside the collider \"{}\"; grains that begin "
                 "there are pushed out, or stay in it",
                 k, 100.0 * static_cast<double>(inside) / static_cast<double>(places.size()), collider.name));
    }
  }

  bool isWrong(std::size_t collider) const {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
      return finding.error && finding.about == Finding::About::collider &&
             finding.index == static_cast<int>(collider);
    });
  }

  // Tells whether a place is where a collider allows none; empty where that is not known before the run.
  static std::function<bool(Vec3f)> solidOf(const Collider& collider) {
    if (!collider.translate.empty() || !collider.rotate.empty() || collider.motion) return {};
    if (collider.shape == Collider::Shape::plane)
      return [&collider](Vec3f p) { return dot(p - collider.point, collider.normal) < 0; };
    if (collider.shape == Collider::Shape::volume)
      return [&collider, volume = PlacedVolume(collider.volume)](Vec3f p) {
        return volume.contains(p) != collider.inside;
      };
    if (collider.shape != Collider::Shape::mesh) return {};
    Result<std::unique_ptr<Region>> region = makeMeshRegion(collider.geometry);
    if (!region) return {};
    return [&collider, mesh = std::shared_ptr<Region>(std::move(*region))](Vec3f p) {
      return mesh->holds(p, 0) != collider.inside;
    };
  }

  void checkSinks() {
    for (std::size_t k = 0; k < scene_.sinks.size(); ++k) {
      const Sink& sink = scene_.sinks[k];
      const auto wrong = [&](std::string_view sentence) {
        report(Finding::About::scene, 0, true, fmt::format("sink {} {}", k, sentence));
      };
      if (sink.kind == Sink::Kind::plane &&
          (!isFinite(sink.point) || !isFinite(sink.normal) || sink.normal == Vec3f{}))
        wrong("has a plane that is not finite, or a normal without length");
      if (sink.kind == Sink::Kind::age && !(sink.age >= 0))
        wrong(fmt::format("has an age of {} s", sink.age));
      if (sink.kind == Sink::Kind::volume)
        checkVolume(sink.volume, Finding::About::scene, 0, fmt::format("sink {} has a volume", k));
      if (std::none_of(scene_.bodies.begin(), scene_.bodies.end(), [&](const Body& grains) {
            return grains.kind == BodyKind::grain && (sink.body.empty() || sink.body == grains.name);
          }))
        report(Finding::About::scene, 0, false,
               fmt::format("sink {} does nothing: the scene has no grains {}", k,
                           sink.body.empty() ? "" : fmt::format("of the name \"{}\"", sink.body)));
    }
  }

  bool checkVolume(const Volume& volume, Finding::About about, int index, const std::string& what) {
    const Vec3f half = halfExtent(volume);
    const Vec3f scale = Placement(volume.place).scale;
    bool good = isFinite(half) && isFinite(scale) && isFinite(transformPoint(volume.place, {}));
    for (int k = 0; k < 3; ++k) good = good && half[k] > 0 && scale[k] > 0;
    if (!good) report(about, index, true, what + " without a size, or at a place that is not finite");
    return good;
  }

  void checkMasses() {
    struct Extreme {
      double mass;
      int body = -1;
      std::size_t point = 0;
    } least{1e300}, greatest{0};
    for (int b = 0; b < bodies(); ++b) {
      if (body(b).kind != BodyKind::grain) continue;
      const Attribute* density = body(b).geometry.find(AttributeOwner::point, "density");
      const bool scaled = density && density->floats.size() == body(b).radii.size();
      for (std::size_t p = 0; p < body(b).radii.size(); ++p) {
        const double r = body(b).radii[p];
        const double mass = body(b).grain.base.density * (scaled ? density->floats[p] : 1.0) * r * r * r;
        if (mass < least.mass) least = {mass, b, p};
        if (mass > greatest.mass) greatest = {mass, b, p};
      }
    }
    if (greatest.mass > kGreatestMassRatio * least.mass)
      warn(greatest.body,
           fmt::format("has a point {} that is {:.3g} times as heavy as point {} of \"{}\"; piles of such "
                       "grains settle slowly",
                       greatest.point, greatest.mass / least.mass, least.point, body(least.body).name));
  }

  // Grains that overlap at the start, each pair with the later one.
  void checkRoom(std::size_t count) {
    SphereGrid grid;
    grid.clear(count);
    std::vector<int> body_of, first_of;
    for (int b = 0, first = 0; b < bodies(); ++b) {
      if (body(b).kind != BodyKind::grain) continue;
      body_of.push_back(b), first_of.push_back(first);
      first += static_cast<int>(body(b).radii.size());
    }
    const auto nameOf = [&](int grain) {
      std::size_t k = first_of.size() - 1;
      while (first_of[k] > grain) --k;
      return fmt::format("point {} of \"{}\"", grain - first_of[k], body(body_of[k]).name);
    };
    int grain = 0;
    for (const int b : body_of) {
      Tally same;
      std::size_t pairs = 0;
      double deepest = 0;
      std::string where;
      for (std::size_t p = 0; p < body(b).radii.size(); ++p, ++grain) {
        const Vec3f x = body(b).geometry.points[p];
        const float r = body(b).radii[p];
        grid.overlaps(x, r, [&](int other, double distance) {
          const float s = radiusOf(other, body_of, first_of);
          const double depth = (static_cast<double>(r) + s - distance) / std::min(r, s);
          if (distance == 0)
            same.add(fmt::format("has point {} at the same place as {}; the solver pushes them apart", p,
                                 nameOf(other)));
          else if (depth > kTouching) {
            ++pairs;
            if (depth > deepest) deepest = depth, where = fmt::format("point {} and {}", p, nameOf(other));
          }
          return true;
        });
        grid.add({x.x, x.y, x.z, r});
      }
      if (!same.empty()) warn(b, same.sentence());
      if (pairs > 0)
        warn(b,
             fmt::format(
                 "has {} pairs of grains that overlap at the start, the deepest by {:.3g} % of the smaller "
                 "radius ({}); the solver pushes them apart",
                 pairs, 100 * deepest, where));
    }
  }

  float radiusOf(int grain, const std::vector<int>& body_of, const std::vector<int>& first_of) const {
    std::size_t k = first_of.size() - 1;
    while (first_of[k] > grain) --k;
    return body(body_of[k]).radii[grain - first_of[k]];
  }

  const Scene& scene_;
  std::vector<Finding>& findings_;
  bool good_ = true;  // no error so far
};

}  // namespace

void checkGrains(const Scene& scene, std::vector<Finding>& findings) {
  GrainChecker(scene, findings).check();
}

}  // namespace repose
