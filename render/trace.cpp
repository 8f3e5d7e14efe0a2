// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "render/trace.h"

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "render/ray_scene.h"
#include "render/sampler.h"
#include "render/threads.h"

namespace repose {
namespace {

constexpr Color kSunlight = {2.75f, 2.52f, 2.20f};  // on a surface that faces the sun
constexpr Color kZenith = {0.52f, 0.62f, 0.80f};    // light of the sky
constexpr Color kHorizon = {0.58f, 0.58f, 0.60f};
constexpr Color kBelow = {0.20f, 0.19f, 0.18f};     // where there is no floor
constexpr Color kRimLight = {0.80f, 0.76f, 0.70f};  // a wide panel behind the subject, away from the sun
constexpr Color kFloorColor = {0.235f, 0.23f, 0.225f};
constexpr Color kFloorLine = {0.18f, 0.178f, 0.175f};
constexpr Color kBackdropLow = {0.58f, 0.59f, 0.60f};  // seen by the camera; where the floor ends
constexpr Color kBackdropHigh = {0.20f, 0.24f, 0.30f};
constexpr Color kBounce = {0.42f, 0.42f, 0.44f};  // light of the second bounce and all after it
constexpr float kExposure = 0.46f;
constexpr float kSheen = 0.05f;       // reflectance straight on of the soft highlight
constexpr float kGloss = 24;          // its exponent
constexpr float kCornerShade = 0.2f;  // share of light lost in the corners of the picture
constexpr float kGrain = 0.014f;      // standard error of a pixel's root of lightness that asks for more rays

// The kinds of random choice along a path.
enum Purpose : std::uint32_t { kInPixel, kSunDisc, kSkyDome, kSunDiscOfBounce };

Vec3f defaultSun(const Camera& camera) {
  const Vec3f back = camera.eye - camera.target;
  const float turn = std::atan2(back.x, back.z) - radians(62), lift = radians(46);
  return {std::sin(turn) * std::cos(lift), std::sin(lift), std::cos(turn) * std::cos(lift)};
}

// Filmic curve: dark tones keep their contrast, bright ones roll off to white.
Color toneMapped(Color light) {
  const auto curve = [](float x) {
    x = std::max(x, 0.0f) * kExposure;
    return clamp01(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
  };
  return {curve(light.x), curve(light.y), curve(light.z)};
}

// The samples of one pixel and how much they differ.
struct PixelSum {
  Color sum;
  float count = 0, roots = 0, squares = 0;  // of the lightness: its root is nearly even to the eye

  void add(Color color) {
    const float lightness = dot(color, {0.2126f, 0.7152f, 0.0722f});
    sum += color, count += 1, squares += lightness, roots += std::sqrt(lightness);
  }
  bool isGrainy() const {
    const float mean = roots / count;
    return squares / count - mean * mean > kGrain * kGrain * count;
  }
  Color color() const { return sum * (1 / count); }
};

class Tracer {
 public:
  Tracer(const RayScene& scene, const Camera& camera, const TraceSettings& settings)
      : scene_(scene),
        floor_(settings.floor),
        view_(camera, settings.width, settings.height),
        to_sun_(normalized(length(settings.to_sun) > 0 ? settings.to_sun : defaultSun(camera))),
        half_width_(static_cast<float>(settings.width) / 2),
        half_height_(static_cast<float>(settings.height) / 2),
        sun_radius_(std::tan(radians(settings.sun_size))) {
    floor_.shown = floor_.shown && camera.eye.y > floor_.height;
    to_rim_ = normalized({-to_sun_.x, 0.9f * to_sun_.y, -to_sun_.z});
    tangentFrame(to_sun_, sun_right_, sun_up_);
    while (1 << log2_samples_ < settings.samples) ++log2_samples_;
  }

  int mostSamples() const { return 1 << log2_samples_; }
  int firstSamples() const { return std::max(mostSamples() / 4, 1); }

  // Adds the samples from `begin` to before `end` of a pixel.
  void addSamples(int x, int y, int begin, int end, PixelSum& pixel) const {
    const PixelSampler sampler(x, y, log2_samples_);
    for (int sample = begin; sample < end; ++sample) {
      const SamplePoint at = sampler.point(sample, kInPixel);
      const Ray ray = view_.rayThrough(static_cast<float>(x) + at.u, static_cast<float>(y) + at.v);
      // Tone mapping each sample keeps edges against bright light smooth.
      pixel.add(toneMapped(seen(ray, sampler, sample) * cornerShade(x, y)));
    }
  }

 private:
  struct Meeting {
    Surface surface;
    bool is_floor = false;
  };

  bool meet(const Ray& ray, RayScene::Eye eye, Meeting& meeting) const {
    float farthest = std::numeric_limits<float>::infinity();
    if (floor_.shown && ray.direction.y < 0 && ray.origin.y > floor_.height) {
      farthest = (floor_.height - ray.origin.y) / ray.direction.y;
    }
    meeting.is_floor = !scene_.nearest(ray, farthest, meeting.surface, eye);
    if (!meeting.is_floor) return true;
    if (!std::isfinite(farthest)) return false;
    Vec3f at = ray.origin + ray.direction * farthest;
    at.y = floor_.height;
    meeting.surface = {at, {0, 1, 0}, kFloorColor};
    return true;
  }

  // Light that the camera gets along a ray.
  Color seen(const Ray& ray, const PixelSampler& sampler, int sample) const {
    Meeting met;
    if (!meet(ray, RayScene::Eye::camera, met)) return backdrop(ray.direction);
    float fog = 0;
    if (met.is_floor) {
      fog = floorFog(met.surface.position);
      if (fog >= 1) return backdrop(ray.direction);
      met.surface.albedo = floorPattern(met.surface.position, ray);
    }
    const Vec3f to_light = sunPoint(sampler.point(sample, kSunDisc));
    const Color sun = sunlight(met.surface, to_light);
    Color light = modulate(met.surface.albedo, sun + skylight(met.surface, sampler, sample));
    if (!met.is_floor) light += highlight(met.surface, ray.direction, to_light, sun);
    return blend(light, backdrop(ray.direction), fog);
  }

  float cornerShade(int x, int y) const {
    const float dx = static_cast<float>(x) / half_width_ - 1, dy = static_cast<float>(y) / half_height_ - 1;
    const float square = (dx * dx + dy * dy) / 2;
    return 1 - kCornerShade * square * square;
  }

  Vec3f sunPoint(SamplePoint at) const {
    const float radius = sun_radius_ * std::sqrt(at.u), angle = 2 * kPi * at.v;
    return normalized(to_sun_ + sun_right_ * (radius * std::cos(angle)) +
                      sun_up_ * (radius * std::sin(angle)));
  }

  Color sunlight(const Surface& surface, Vec3f to_light) const {
    const float facing = dot(surface.normal, to_light);
    if (facing <= 0 || scene_.blocked({surface.position, to_light})) return {};
    return kSunlight * facing;
  }

  // Light from one direction of the dome over a surface, chosen by the cosine: open sky, or what stands
  // there.
  Color skylight(const Surface& surface, const PixelSampler& sampler, int sample) const {
    const SamplePoint at = sampler.point(sample, kSkyDome);
    Vec3f t, b;
    tangentFrame(surface.normal, t, b);
    const float radius = std::sqrt(at.u), angle = 2 * kPi * at.v;
    const Vec3f up = surface.normal * std::sqrt(1 - at.u);
    const Vec3f direction = t * (radius * std::cos(angle)) + b * (radius * std::sin(angle)) + up;
    Meeting met;
    if (!meet({surface.position, direction}, RayScene::Eye::light, met)) return skyColor(direction);
    const Color sun = sunlight(met.surface, sunPoint(sampler.point(sample, kSunDiscOfBounce)));
    return modulate(met.surface.albedo, sun + kBounce);
  }

  // A broad soft highlight, stronger at grazing angles as on cloth.
  Color highlight(const Surface& surface, Vec3f along, Vec3f to_light, Color sun) const {
    const Vec3f half = normalized(to_light - along);
    const float grazing = std::pow(clamp01(1 + dot(along, half)), 5.0f);
    const float lobe = std::pow(std::max(0.0f, dot(surface.normal, half)), kGloss) * (kGloss + 8) / 8;
    const float rim = std::pow(clamp01(1 + dot(along, surface.normal)), 4.0f);
    const Vec3f mirrored = along - surface.normal * (2 * dot(along, surface.normal));
    return sun * ((kSheen + (1 - kSheen) * grazing) * lobe * 0.5f) + skyColor(mirrored) * (0.12f * rim);
  }

  Color skyColor(Vec3f direction) const {
    const float height = direction.y;
    const Color dome = height > 0 ? blend(kHorizon, kZenith, std::sqrt(height))
                                  : blend(kHorizon, kBelow, clamp01(-3 * height));
    const float rim = std::max(0.0f, dot(direction, to_rim_));
    return dome + kRimLight * (rim * rim * rim);
  }

  Color backdrop(Vec3f direction) const {
    return blend(kBackdropLow, kBackdropHigh, smoothStep(-0.05f, 0.55f, direction.y));
  }

  float floorFog(Vec3f at) const {
    const float dx = at.x - floor_.center.x, dz = at.z - floor_.center.z;
    return smoothStep(0.8f, 5.0f, std::sqrt(dx * dx + dz * dz) / floor_.reach);
  }

  // Faint lines; where they would be thinner than a pixel they melt into their average.
  Color floorPattern(Vec3f at, const Ray& ray) const {
    if (floor_.spacing <= 0) return kFloorColor;
    const Vec3f from_eye = at - ray.origin;
    const float footprint = length(from_eye) * view_.pixelAngle() / std::max(0.05f, -ray.direction.y);
    const float half_line = std::max(0.008f * floor_.spacing, 0.5f * footprint);
    const float faintness = std::min(1.0f, 0.008f * floor_.spacing / half_line * 1.6f);
    const auto on_line = [&](float c) {
      const float cell = c / floor_.spacing;
      return std::abs(cell - std::round(cell)) * floor_.spacing < half_line;
    };
    return on_line(at.x) || on_line(at.z) ? blend(kFloorColor, kFloorLine, faintness) : kFloorColor;
  }

  const RayScene& scene_;
  Floor floor_;
  View view_;
  Vec3f to_sun_, sun_right_, sun_up_, to_rim_;
  float half_width_, half_height_;
  float sun_radius_;
  int log2_samples_ = 0;
};

template <class Work>
void forEachPixel(int width, int height, const Work& work) {
  constexpr int kTile = 16;
  tbb::parallel_for(tbb::blocked_range2d<int>(0, height, kTile, 0, width, kTile), [&](const auto& tile) {
    for (int y = tile.rows().begin(); y < tile.rows().end(); ++y)
      for (int x = tile.cols().begin(); x < tile.cols().end(); ++x) work(x, y);
  });
}

// A quarter of the rays everywhere, the rest only where they or their neighbours' disagree: at edges and in
// soft shadows. Neighbours count because rays that all missed a small light agree, and would leave a dark
// speck.
Image makePicture(const Tracer& tracer, int width, int height) {
  std::vector<PixelSum> pixels(static_cast<std::size_t>(width) * height);
  const auto pixel = [&](int x, int y) -> PixelSum& {
    return pixels[static_cast<std::size_t>(y) * width + x];
  };
  forEachPixel(width, height,
               [&](int x, int y) { tracer.addSamples(x, y, 0, tracer.firstSamples(), pixel(x, y)); });
  const auto near_grain = [&](int x, int y) {
    for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, height - 1); ++ny)
      for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, width - 1); ++nx)
        if (pixel(nx, ny).isGrainy()) return true;
    return false;
  };
  Image image(width, height);
  forEachPixel(width, height, [&](int x, int y) {
    PixelSum all = pixel(x, y);
    if (near_grain(x, y)) tracer.addSamples(x, y, tracer.firstSamples(), tracer.mostSamples(), all);
    image.at(x, y) = all.color();
  });
  return image;
}

}  // namespace

Floor floorBelow(const Bounds& bounds) {
  Floor floor;
  if (bounds.empty()) return {true, 0, 0.2f, {}, 2};
  const Vec3f size = bounds.hi - bounds.lo;
  floor.height = bounds.lo.y;
  floor.center = (bounds.lo + bounds.hi) * 0.5f;
  floor.reach = std::max(length(size), 1e-3f);
  const float tenth = std::max({size.x, size.y, size.z, 1e-3f}) / 10;
  const float decade = std::pow(10.0f, std::floor(std::log10(tenth)));
  const float step = tenth / decade;
  floor.spacing = decade * (step < 1.5f ? 1 : step < 3.5f ? 2 : step < 7.5f ? 5 : 10);
  return floor;
}

Result<Image> trace(RenderScene scene, const Camera& camera, const TraceSettings& settings) {
  return onThreads(settings.threads, [&]() -> Result<Image> {
    auto ray_scene = RayScene::create(std::move(scene), settings.range);
    if (!ray_scene) return ray_scene.status();
    const Tracer tracer(**ray_scene, camera, settings);
    return makePicture(tracer, settings.width, settings.height);
  });
}

}  // namespace repose
