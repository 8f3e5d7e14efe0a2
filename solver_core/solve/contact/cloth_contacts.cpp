// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains on cloth: a grain touches a triangle on the side where it is, or where it was when it touched last.
// And cloth on cloth, which cloth_self.cpp finds.
#include <algorithm>

#include "solve/contact/contacts.h"

namespace repose {

namespace {

constexpr int kChunk = 256;            // grains a task handles
constexpr float kLittleShare = 0.05f;  // of a grain's weight that a point bears
constexpr float kUnder = 0.7f;         // cosine between the normals of what lies on each other

// Names a face and a side of it among the contacts of a grain.
std::uint64_t sideOf(std::size_t cloth, int triangle, bool back) {
  return (static_cast<std::uint64_t>(cloth) << 33) | (static_cast<std::uint64_t>(triangle) << 1) | back;
}

}  // namespace

void Contacts::takeCloth(const Scene& scene, const Model& model) {
  self_ = ClothSelf(scene, model);
  cloth_.clear();
  if (has_grains_ || rigid) takeSurfaces(scene, model);
  body_of_point_.assign(model.numPoints(), 0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int p = 0; p < model.bodies[b].points.padded(); ++p)
      body_of_point_[model.bodies[b].points.first + p] = static_cast<int>(b);
  body_mass_.assign(model.bodies.size(), 0.0f);
  for (int p = 0; p < model.numPoints(); ++p)
    if (model.inv_mass[p] > 0) body_mass_[body_of_point_[p]] += 1 / model.inv_mass[p];
}

void Contacts::takeSurfaces(const Scene& scene, const Model& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ModelBody& body = model.bodies[b];
    if (body.triangles.count == 0) continue;
    ClothSurface cloth;
    cloth.body = static_cast<int>(b), cloth.points = body.points;
    TriangleList triangles;
    for (int t = body.triangles.first; t < body.triangles.first + body.triangles.count; ++t) {
      std::array<int, 3> corner;
      for (int k = 0; k < 3; ++k) corner[k] = model.air.corner[k * model.air.size() + t] - body.points.first;
      triangles.push_back(corner);
    }
    for (int p = 0; p < body.points.count; ++p)
      cloth.places.push_back(scene.bodies[b].simulated().points[model.source[body.points.first + p]]);
    cloth.shifts.resize(cloth.places.size());
    cloth.triangles = std::make_unique<TriangleSurface>(std::move(triangles), cloth.places,
                                                        TriangleSurface::Kind::open, false);
    cloth_.push_back(std::move(cloth));
  }
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
  const float h = params.h, gravity = params.fall();
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

// A grain on cloth that lies on a collider is borne by the collider, at the thickness of the cloth: rows
// through points a hundred times lighter than the grain would need as many passes, and whatever is left of
// two great impulses in one point throws it away. It rubs on the cloth and goes along with it.
void Contacts::bearThroughCloth() {
  if (patch_found_.empty() || movers.grains == 0) return;
  under_point_.assign(movers.points, -1);
  const auto pointOf = [&](int mover) { return mover - movers.first_point; };
  for (std::size_t k = 0; k < patch_found_.size(); ++k)
    if (const int p = pointOf(patch_found_[k].mover[0]); p >= 0 && p < movers.points) {
      int& under = under_point_[p];
      if (under < 0 || patch_found_[k].touch.gap < patch_found_[under].touch.gap) under = static_cast<int>(k);
    }
  const std::size_t direct = found_.size();  // those are in the order of their grains
  for (const Found& on : patch_found_) {
    if (on.mover[0] >= movers.grains) continue;
    const Found* floor = nullptr;  // under the point that bears most
    Vec3f along;
    float gap = on.touch.gap, most = 0;
    bool borne = true;
    for (int k = 1; k < 4 && borne; ++k) {
      const float share = -on.weight[k];
      along += xyz(movers.v[on.mover[k]]) * share;
      if (!(share > kLittleShare)) continue;
      const int under = under_point_[pointOf(on.mover[k])];
      borne = under >= 0 && (!floor || patch_found_[under].other == floor->other) &&
              dot(patch_found_[under].touch.normal, on.touch.normal) > kUnder;
      if (!borne) break;
      gap += share * patch_found_[under].touch.gap;
      if (share > most) most = share, floor = &patch_found_[under];
    }
    if (!borne || !floor) continue;
    const int grain = on.mover[0];
    Found through{
        {grain, grain, grain, grain}, {1, 0, 0, 0}, on.body, on.other, floor->surface, floor->touch};
    const Vec3f n = floor->touch.normal;
    through.touch.gap = gap;
    through.touch.velocity = along + n * dot(n, floor->touch.velocity - along);
    // in place of the grain's own row at that collider, or beside those that it has elsewhere
    const auto end = found_.begin() + static_cast<std::ptrdiff_t>(direct);
    auto own =
        std::lower_bound(found_.begin(), end, grain, [](const Found& f, int g) { return f.mover[0] < g; });
    while (own != end && own->mover[0] == grain &&
           (own->surface != floor->surface || dot(own->touch.normal, n) < kUnder))
      ++own;
    if (own != end && own->mover[0] == grain) {
      if (gap < own->touch.gap) *own = through;
    } else if (found_.size() > direct && found_.back().mover[0] == grain &&
               found_.back().surface == through.surface) {
      if (gap < found_.back().touch.gap) found_.back() = through;
    } else {
      found_.push_back(through);
    }
  }
  orderByMover(found_);
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
