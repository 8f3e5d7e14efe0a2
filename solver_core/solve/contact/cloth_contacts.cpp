// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains on cloth: a grain touches a triangle on the side where it is, or where it was when it touched last.
// And cloth on cloth, which cloth_self.cpp finds.
#include <algorithm>

#include "solve/contact/contacts.h"

namespace repose {

namespace {

constexpr int kChunk = 256;  // grains a task handles

// Names a face and a side of it among the contacts of a grain.
std::uint64_t sideOf(std::size_t cloth, int triangle, bool back) {
  return (static_cast<std::uint64_t>(cloth) << 33) | (static_cast<std::uint64_t>(triangle) << 1) | back;
}

}  // namespace

void Contacts::takeCloth(const Scene& scene, const Model& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ModelBody& body = model.bodies[b];
    if (body.triangles.count == 0) continue;
    ClothSurface cloth;
    cloth.body = static_cast<int>(b), cloth.points = body.points;
    TriangleList triangles;
    for (int t = body.triangles.first; t < body.triangles.first + body.triangles.count; ++t) {
      std::array<int, 3> corner;
      for (int k = 0; k < 3; ++k) corner[k] = model.air.corner[k * model.air.size() + t] - body.points.first;
      if (corner[0] != corner[1]) triangles.push_back(corner);  // else it is torn
    }
    if (triangles.empty()) continue;
    for (int p = 0; p < body.points.count; ++p)
      cloth.places.push_back(scene.bodies[b].simulated().points[model.source[body.points.first + p]]);
    cloth.shifts.resize(cloth.places.size());
    cloth.triangles = std::make_unique<TriangleSurface>(std::move(triangles), cloth.places,
                                                        TriangleSurface::Kind::open, false);
    cloth_.push_back(std::move(cloth));
  }
}

void Contacts::retakeCloth(const Scene& scene, const Model& model) {
  self_ = ClothSelf(scene, model);
  cloth_.clear();
  if (has_grains_ || rigid) takeCloth(scene, model);
}

// Whether the grain touched the surface from the other side in the last step: `back` is where it is now.
bool Contacts::wasOnOtherSide(const ContactMemory& memory, const Found& found, const GrainState& grains,
                              bool back) const {
  const std::uint64_t name = lastingName(found, grains);
  auto at = std::lower_bound(memory.mover.begin(), memory.mover.end(), name);
  for (; at != memory.mover.end() && *at == name; ++at) {
    const auto k = at - memory.mover.begin();
    if (memory.surface[k] >> 33 == found.surface >> 33 && memory.surface_impulse[k].w > 0)
      return (memory.surface[k] & 1) != back;
  }
  return false;
}

void Contacts::findPatches(const State& state, const StepParams& params, Backend& backend) {
  const float h = params.h, gravity = length(params.world.gravity);
  for (std::size_t c = 0; c < cloth_.size(); ++c) {
    ClothSurface& cloth = cloth_[c];
    float fastest = 0;
    for (int p = 0; p < cloth.points.count; ++p) {
      const int mover = movers.first_point + cloth.points.first + p;
      cloth.places[p] = xyz(movers.x[mover]);
      cloth.shifts[p] = xyz(movers.v[mover]) * h;
      fastest = std::max(fastest, length(cloth.shifts[p]));
    }
    cloth.triangles->place(cloth.places, &cloth.shifts);
    const Bounds box = cloth.triangles->bounds();
    const float thickness = params.cloth[cloth.body].thickness;
    const int chunks = (movers.grains + kChunk - 1) / kChunk;
    if (static_cast<int>(chunk_found_.size()) < chunks) chunk_found_.resize(chunks);
    backend.forChunks(chunks, [&](int chunk) {
      std::vector<Found>& list = chunk_found_[chunk];
      list.clear();
      const int end = std::min(movers.grains, (chunk + 1) * kChunk);
      for (int i = chunk * kChunk; i < end; ++i) {
        const Vec3f at = xyz(movers.x[i]), motion = xyz(movers.v[i]) * h;
        const float radius = movers.x[i].w + thickness;
        const float reach =
            radius + movers.x[i].w * params.solver.contactmargin + length(motion) + fastest + h * h * gravity;
        bool outside = false;
        for (int k = 0; k < 3; ++k)
          outside = outside || at[k] < box.lo[k] - reach || at[k] > box.hi[k] + reach;
        if (outside) continue;
        TriangleTouch touches[kMostTouches];
        const int count = cloth.triangles->touch(at, motion, reach, touches);
        for (int t = 0; t < count; ++t) {
          const TriangleTouch& touch = touches[t];
          const std::array<int, 3>& corner = cloth.triangles->triangles()[touch.triangle];
          Found found{{i, 0, 0, 0}, {1, 0, 0, 0}, state.grains.body[i], cloth.body, 0, {}};
          for (int k = 0; k < 3; ++k) {
            found.mover[k + 1] = movers.first_point + cloth.points.first + corner[k];
            found.weight[k + 1] = -touch.weights[k];
          }
          const Vec3f face = cross(cloth.places[corner[1]] - cloth.places[corner[0]],
                                   cloth.places[corner[2]] - cloth.places[corner[0]]);
          bool back = dot(face, touch.normal) < 0;
          found.touch = {touch.normal, touch.gap, {}, touch.feature};
          found.surface = sideOf(c, touch.triangle, back);
          // a grain that has been pressed half through comes out where it went in
          if (touch.gap < movers.x[i].w && wasOnOtherSide(state.contacts, found, state.grains, back)) {
            found.touch.normal = -touch.normal, found.touch.gap = -touch.gap;
            found.surface = sideOf(c, touch.triangle, !back);
          }
          found.touch.gap -= radius;
          list.push_back(found);
        }
      }
    });
    for (int chunk = 0; chunk < chunks; ++chunk)
      patch_found_.insert(patch_found_.end(), chunk_found_[chunk].begin(), chunk_found_[chunk].end());
  }
  orderByMover(patch_found_);
}

void Contacts::findSelf(const StepParams& params, Backend& backend) {
  if (!self_.any()) return;
  const int first = movers.first_point;
  for (const ClothSelf::Touch& touch :
       self_.find(movers.x.data() + first, movers.v.data() + first, params, backend)) {
    Found found{{}, {}, touch.body, touch.other, touch.surface, {touch.normal, touch.gap, {}, 0}};
    for (int k = 0; k < 4; ++k) found.mover[k] = first + touch.point[k], found.weight[k] = touch.weight[k];
    patch_found_.push_back(found);
  }
  orderByMover(patch_found_);
}

void Contacts::guardCloth(State& state, Backend& backend) {
  if (self_.any()) self_.guard(state, backend);
}

}  // namespace repose
