// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/emission.h"

#include <algorithm>
#include <cmath>

#include "model/point_scale.h"
#include "scene/fill.h"

namespace repose {

namespace {

constexpr int kPlaces = 64;         // tried for a grain before it has to wait
constexpr int kMisses = 1000;       // of the volume itself, for each of them
constexpr double kPatience = 1;     // how long a grain is owed at most [s]
constexpr double kRounding = 1e-6;  // of a count that should be whole
constexpr float kTouching = 1e-5f;  // share of the radius by which a newborn may overlap, as rounding does

float inverseMass(double density, double radius) {
  return static_cast<float>(1 / (density * (4.0 / 3 * 3.14159265358979323846) * radius * radius * radius));
}

bool anyRotates(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) {
    return body.kind == BodyKind::grain && body.grain.base.rotation;
  });
}

Vec3f inBall(Random& random) {
  for (;;) {
    Vec3f p;
    for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(random.between(-1, 1));
    if (dot(p, p) <= 1) return p;
  }
}

}  // namespace

void appendGrain(Vec4f x, Vec4f v, int body, std::uint32_t id, float born, float calm, bool rotates,
                 GrainState& grains) {
  grains.x.push_back(x);
  grains.v.push_back(v);
  if (rotates) grains.spin.push_back({});
  grains.id.push_back(id);
  grains.body.push_back(static_cast<std::uint16_t>(body));
  grains.born.push_back(born);
  grains.calm.push_back(calm);
  grains.last.push_back(-1);
}

int removeLost(GrainState& grains) {
  const auto lost = [&](const Vec4f& x) { return worldsAway(x) > 1 && worldsAway(x) <= 2; };
  if (std::none_of(grains.x.begin(), grains.x.end(), lost)) return 0;
  return removeIf(grains, [&](std::size_t k) { return lost(grains.x[k]); });
}

GrainState makeGrains(const Scene& scene) {
  GrainState grains;
  const bool rotates = anyRotates(scene);
  grains.births.assign(scene.bodies.size(), 0);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.kind != BodyKind::grain) continue;
    grains.emitted.resize(grains.emitted.size() + body.emitters.size(), 0);
    const GrainParams& params = body.grain.base;
    const Attribute* factor = body.geometry.find(AttributeOwner::point, "density");
    const PointVelocity own(body.geometry);
    const float calm = params.startasleep ? GrainState::kAsleep : 0.0f;
    for (std::size_t p = 0; p < body.radii.size(); ++p) {
      const Vec3f x = body.geometry.points[p];
      double density = params.density;
      if (factor)
        density *=
            factor->type == AttributeType::f32 ? static_cast<double>(factor->floats[p]) : factor->ints[p];
      const Vec3f v = body.velocity + own.at(p);
      appendGrain({x.x, x.y, x.z, body.radii[p]}, {v.x, v.y, v.z, inverseMass(density, body.radii[p])},
                  static_cast<int>(b), grains.births[b]++, 0, calm, rotates, grains);
    }
  }
  return grains;
}

std::vector<GrainLevel> grainLevels(const Scene& scene) {
  std::vector<GrainLevel> levels;
  for (const Body& body : scene.bodies) {
    GrainLevel level;
    const auto add = [&](float radius) {
      level.least = level.least > 0 ? std::min(level.least, radius) : radius;
      level.greatest = std::max(level.greatest, radius);
    };
    if (body.kind == BodyKind::grain) {
      for (const float radius : body.radii) add(radius);
      const RadiusLaw law(body.grain.base);
      if (!body.emitters.empty()) add(law.least()), add(law.greatest());
    }
    levels.push_back(level);
  }
  return levels;
}

Emission::Emission(const Scene& scene)
    : first_frame_(scene.first_frame), fps_(scene.world.base.fps), world_(scene.world) {
  const bool rotates = anyRotates(scene);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.kind != BodyKind::grain) continue;
    for (const Emitter& emitter : body.emitters) {
      const PlacedVolume volume(emitter.volume);
      sources_.push_back({static_cast<int>(b), body.grain.base.density, rotates, emitter, volume,
                          RadiusLaw(body.grain.base), length(volume.bounds().hi)});
    }
  }
  for (const Sink& sink : scene.sinks) {
    int only = -1;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (scene.bodies[b].name == sink.body) only = static_cast<int>(b);
    if (only < 0 && !sink.body.empty()) continue;
    sinks_.push_back({sink, PlacedVolume(sink.volume), only});
  }
}

Emission::Changes Emission::step(double frame, double seconds, GrainState& grains) {
  Changes changes;
  if (!sinks_.empty()) changes.gone = remove(seconds, grains);
  for (std::size_t k = 0; k < sources_.size(); ++k)
    changes.born += emit(sources_[k], grains.emitted[k], frame, seconds, grains);
  return changes;
}

// Simulated time between two frames by the keys of the time scale, whatever the substeps are.
double Emission::secondsUntil(double first, double frame) const {
  const Keyed<WorldParams>::Track* scale = nullptr;
  for (const auto& track : world_.tracks)
    if (track.offset == offsetof(WorldParams, timescale)) scale = &track;
  const auto at = [&](double f) { return scale ? scale->keys.at(f).x : world_.base.timescale; };
  double sum = 0, from = first;
  const auto lineTo = [&](double to) {
    sum += (to - from) * (static_cast<double>(at(from)) + at(to)) / 2;
    from = to;
  };
  if (scale)
    for (const Key<Vec3f>& key : scale->keys.keys)
      if (key.frame > first && key.frame < frame) lineTo(key.frame);
  lineTo(frame);
  return sum / fps_;
}

bool Emission::drains(const Drain& drain, std::size_t grain, double seconds, const GrainState& grains) const {
  if (drain.body >= 0 && grains.body[grain] != drain.body) return false;
  switch (drain.sink.kind) {
    case Sink::Kind::volume:
      return drain.volume.contains(xyz(grains.x[grain]));
    case Sink::Kind::plane:
      return dot(xyz(grains.x[grain]) - drain.sink.point, drain.sink.normal) < 0;
    case Sink::Kind::age:
      return seconds - grains.born[grain] > drain.sink.age;
  }
  return false;
}

int Emission::remove(double seconds, GrainState& grains) const {
  return removeIf(grains, [&](std::size_t k) {
    return std::any_of(sinks_.begin(), sinks_.end(),
                       [&](const Drain& drain) { return drains(drain, k, seconds, grains); });
  });
}

// Live grains that a newborn of the emitter could overlap.
void Emission::collectNeighbours(const Source& source, std::size_t births, const GrainState& grains) {
  found_.clear();
  const Vec3f centre = source.volume.placement().toWorld({});
  for (const Vec4f& x : grains.x) {
    const float reach = source.reach + source.law.greatest() + x.w;
    const Vec3f away = xyz(x) - centre;
    if (dot(away, away) < reach * reach) found_.push_back(x);
  }
  neighbours_.clear(found_.size() + births);
  for (const Vec4f& x : found_) neighbours_.add(x);
}

int Emission::emit(const Source& source, std::uint32_t& emitted, double frame, double seconds,
                   GrainState& grains) {
  const Emitter& emitter = source.emitter;
  const double first = std::max(first_frame_, emitter.first_frame),
               last = std::min(frame, emitter.last_frame);
  if (last <= first) return 0;
  const double due = std::floor(emitter.rate * secondsUntil(first, last) + kRounding);
  // what is owed for too long is lost, also after the emitter has ended
  const double lost = std::floor(emitter.rate * (secondsUntil(first, frame) - kPatience));
  if (lost > emitted) emitted = static_cast<std::uint32_t>(std::min(lost, due));
  if (due <= emitted) return 0;
  collectNeighbours(source, static_cast<std::size_t>(due) - emitted, grains);

  const Bounds bounds = source.volume.bounds();
  int born = 0;
  while (emitted < due && grains.size() < kMostGrains) {
    Random random(emitter.seed, emitted);  // the same grain whenever it comes
    const float radius = source.law.draw(random);
    const Vec3f velocity = emitter.velocity + inBall(random) * (length(emitter.velocity) * emitter.spread);
    bool placed = false;
    for (int place = 0, misses = 0; place < kPlaces && misses < kMisses && !placed;) {
      Vec3f p;
      for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(random.between(bounds.lo[k], bounds.hi[k]));
      if (source.volume.depth(p) < 0) {
        ++misses;
        continue;
      }
      ++place;
      const Vec3f x = source.volume.placement().toWorld(p);
      placed = neighbours_.isFree(x, radius * (1 - kTouching));
      if (!placed) continue;
      neighbours_.add({x.x, x.y, x.z, radius});
      appendGrain({x.x, x.y, x.z, radius},
                  {velocity.x, velocity.y, velocity.z, inverseMass(source.density, radius)}, source.body,
                  grains.births[source.body]++, static_cast<float>(seconds), 0, source.rotates, grains);
    }
    if (!placed) break;
    ++emitted, ++born;
  }
  return born;
}

}  // namespace repose
