// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains that come and go: those of the first state, those of emitters, and those that end in sinks. All that
// decides is in GrainState and in the frame, so that neither substeps nor a stop in between change a bit.
#pragma once
#include <cstdint>
#include <vector>

#include "base/sphere_grid.h"
#include "model/state.h"
#include "scene/radius_law.h"
#include "scene/scene.h"
#include "scene/volume.h"

namespace repose {

// The grains of all bodies at the first frame, in the order of bodies and their points.
GrainState makeGrains(const Scene& scene);

// Radii that the grains of a body can ever have; both 0 for other bodies and where none can be.
struct GrainLevel {
  float least = 0, greatest = 0;  // [m]
};
std::vector<GrainLevel> grainLevels(const Scene& scene);  // of each body

// A grain that comes last in the state.
void appendGrain(Vec4f x, Vec4f v, int body, std::uint32_t id, float born, float calm, bool rotates,
                 GrainState& grains);

// Takes out the grains for which gone(place) holds; returns how many.
template <class Gone>
int removeIf(GrainState& grains, const Gone& gone) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < grains.size(); ++k) {
    if (gone(k)) continue;
    if (kept != k) {
      grains.x[kept] = grains.x[k];
      grains.v[kept] = grains.v[k];
      if (!grains.spin.empty()) grains.spin[kept] = grains.spin[k];
      grains.id[kept] = grains.id[k];
      grains.body[kept] = grains.body[k];
      grains.born[kept] = grains.born[k];
      grains.calm[kept] = grains.calm[k];
      grains.last[kept] = grains.last[k];
    }
    ++kept;
  }
  const int removed = static_cast<int>(grains.size() - kept);
  const auto shorten = [kept](auto& array) {
    if (array.size() > kept) array.resize(kept);
  };
  shorten(grains.x), shorten(grains.v), shorten(grains.spin), shorten(grains.id), shorten(grains.body);
  shorten(grains.born), shorten(grains.calm), shorten(grains.last);
  return removed;
}

// Takes out the grains that have left the world, which keeps the order of the others; returns how many.
// What one step has thrown beyond twice the world stays, for the run is broken (solve/residual.h).
int removeLost(GrainState& grains);

class Emission {
 public:
  explicit Emission(const Scene& scene);

  bool idle() const { return sources_.empty() && sinks_.empty(); }

  struct Changes {
    int born = 0, gone = 0;
  };
  // To be called between two steps, with the state's frame and seconds: takes out what is in a sink, which
  // keeps the order of the others, and appends what emitters owe up to this frame. A grain that finds no room
  // comes later, one that is owed for more than a second never.
  Changes step(double frame, double seconds, GrainState& grains);

 private:
  struct Source {
    int body;
    float density;
    bool rotates;
    Emitter emitter;
    PlacedVolume volume;
    RadiusLaw law;
    float reach;  // of the volume's bounding ball
  };
  struct Drain {
    Sink sink;
    PlacedVolume volume;
    int body;  // -1: all
  };

  double secondsUntil(double first, double frame) const;
  bool drains(const Drain& drain, std::size_t grain, double seconds, const GrainState& grains) const;
  int remove(double seconds, GrainState& grains) const;
  int emit(const Source& source, std::uint32_t& emitted, double frame, double seconds, GrainState& grains);
  void collectNeighbours(const Source& source, std::size_t births, const GrainState& grains);

  std::vector<Source> sources_;
  std::vector<Drain> sinks_;
  double first_frame_, fps_;
  Keyed<WorldParams> world_;
  SphereGrid neighbours_;     // of the emitter at work
  std::vector<Vec4f> found_;  // the same, as they are found
};

}  // namespace repose
