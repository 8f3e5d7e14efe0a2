// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contacts.h"

#include <algorithm>
#include <cmath>

#include "solve/contact/contact_parts.h"
#include "solve/emission.h"

namespace repose {

namespace {

template <class Args, class T>
void launchOrder(const std::vector<T>& values, const std::vector<int>& order, std::vector<T>& to,
                 Backend& backend) {
  Args args;
  args.order = order.data();
  args.from = reinterpret_cast<decltype(args.from)>(values.data());
  args.to = reinterpret_cast<decltype(args.to)>(to.data());
  backend.launch(static_cast<int>(order.size()), args);
}

template <class T>
void permute(std::vector<T>& values, const std::vector<int>& order, std::vector<T>& scratch,
             Backend& backend) {
  scratch.resize(values.size());
  if constexpr (sizeof(T) == sizeof(Vec4f))
    launchOrder<order_points_args>(values, order, scratch, backend);
  else if constexpr (sizeof(T) == sizeof(int))
    launchOrder<order_words_args>(values, order, scratch, backend);
  else
    launchOrder<order_shorts_args>(values, order, scratch, backend);
  values.swap(scratch);
}

}  // namespace

int contactSubsteps(const SolverParams& solver, float h, float least_radius, float least_inner,
                    float on_cloth) {
  if (solver.contactscheme != ContactScheme::soft) return 1;
  if (solver.contactsubsteps > 0) return solver.contactsubsteps;
  // As long as it takes a grain to fall by a share of its size: then small grains overlap as little under
  // their load as large ones. Parts much shorter than this with so few passes leave friction unsolved: piles
  // get flatter (contact_study.md 2, where grains of 0.1 m have 300 a second). A stack of rigid bodies stands
  // on contacts as stiff as those of two of them: with longer parts one of twenty would buckle.
  // A heavy body sinks into a cloth by what its impulses, which begin with the masses of single points, are
  // late: 720 parts a second keep a ball of a hundred times the mass of the cloth out to .06 of its radius,
  // and with less one of a thousand times goes through.
  constexpr float kRate = 300, kRigidRate = 480, kClothRate = 72, kRadius = 0.1f, kHalfUp = 0.51f;
  float rate = least_radius > 0 ? kRate * std::sqrt(kRadius / least_radius) : kRate;
  if (least_inner > 0) rate = std::max(rate, kRigidRate * std::sqrt(std::max(kRadius / least_inner, 1.0f)));
  if (solver.method == SolverMethod::multilevel) rate = std::max(rate, kClothRate * std::sqrt(on_cloth));
  return std::max(1, static_cast<int>(h * rate + kHalfUp));
}

std::vector<float> gridLevels(const Scene& scene) {
  std::vector<float> levels;
  for (const GrainLevel& range : grainLevels(scene))
    for (float radius = range.greatest; radius > 0; radius /= 2) {
      levels.push_back(radius);
      if (radius <= 2 * range.least) break;
    }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

Contacts::Contacts(const Scene& scene, const Model& model, std::vector<std::unique_ptr<Obstacle>> obstacles)
    : obstacles_(std::move(obstacles)), rigid_model_(model.rigid), grid_(gridLevels(scene)) {
  if (model.rigid.size() > 0) rigid = std::make_unique<RigidContacts>(scene, model);
  for (const Body& body : scene.bodies) {
    kinds_.push_back(body.kind);
    has_grains_ = has_grains_ || body.kind == BodyKind::grain;
    spins_ = spins_ || (body.kind == BodyKind::grain && body.grain.base.rotation);
    const GrainParams& grain = body.grain.base;
    extra_ = extra_ || grain.cohesion > 0 || grain.restitution > 0 ||
             (grain.rotation && grain.rollingfriction > 0) || !body.grain.tracks.empty() ||
             body.cloth.base.restitution > 0;
  }
  for (const Collider& collider : scene.colliders) {
    const ColliderParams& p = collider.params.base;
    extra_ = extra_ || p.cohesion > 0 || p.restitution > 0 || (spins_ && p.rollingfriction > 0) ||
             !collider.params.tracks.empty();
  }
  for (const Collider& collider : scene.colliders)
    all_still_ = all_still_ && collider.translate.empty() && collider.rotate.empty() && !collider.motion;
  for (const GrainLevel& range : grainLevels(scene))
    if (range.least > 0)
      least_radius_ = least_radius_ > 0 ? std::min(least_radius_, range.least) : range.least;
  takeCloth(scene, model);
  for (std::size_t k = 0; k < rigid_model_.bonds.size(); ++k) {
    const GrainBond& bond = rigid_model_.bonds[k];
    grain_bonds_.emplace_back(
        (static_cast<std::uint64_t>(bond.body) << 32) | static_cast<std::uint32_t>(bond.grain),
        static_cast<int>(k));
  }
  std::sort(grain_bonds_.begin(), grain_bonds_.end());
}

Status Contacts::moveObstacles(double from, double to, float seconds) {
  for (const auto& obstacle : obstacles_)
    if (Status moved = obstacle->move(from, to, seconds); !moved) return moved;
  return {};
}

void Contacts::orderGrains(GrainState& grains, Backend& backend) {
  if (!grid_.sort(grains.x, backend, order_)) return;
  permute(grains.x, order_, scratch4_, backend);
  permute(grains.v, order_, scratch4_, backend);
  if (!grains.spin.empty()) permute(grains.spin, order_, scratch4_, backend);
  permute(grains.id, order_, scratch_u32_, backend);
  permute(grains.body, order_, scratch_u16_, backend);
  permute(grains.born, order_, scratch_f_, backend);
  permute(grains.calm, order_, scratch_f_, backend);
  permute(grains.last, order_, scratch_i32_, backend);
}

// A light grain squeezed between heavy ones passes on too little a pass: heavy ones would sink through it.
// One that carries more than kMostLoad times its weight counts as heavy as if it carried just that, as DEM
// scales masses of slow grains. A grain that is free keeps its own mass, and so does every grain of an
// ordinary heap, however deep: masses in the heap must differ by as much.
void Contacts::scaleMasses(const State& state, const StepParams& params) {
  constexpr float kMostLoad = 100;
  const GrainState& grains = state.grains;
  const ContactMemory& memory = state.contacts;
  const float weight = length(params.world.gravity) * memory.part * kMostLoad;
  float least = 1e30f, greatest = 0;
  any_rough_ = false;
  for (int i = 0; i < movers.grains; ++i) {
    const float w = grains.v[i].w;
    if (w > 0) least = std::min(least, w), greatest = std::max(greatest, w);
  }
  if (greatest <= kMostLoad * least || weight == 0 || memory.first.empty()) return;
  load_.assign(memory.first.size() - 1, 0);
  heap_.resize(load_.size());
  for (std::size_t i = 0; i < load_.size(); ++i) heap_[i] = static_cast<int>(i);
  const auto heapOf = [&](int i) {
    while (heap_[i] != i) i = heap_[i] = heap_[heap_[i]];
    return i;
  };
  for (std::size_t i = 0; i < load_.size(); ++i)
    for (int c = memory.first[i]; c < memory.first[i + 1]; ++c) {
      load_[i] += memory.impulse[c].w;
      load_[memory.partner[c]] += memory.impulse[c].w;
      const int a = heapOf(static_cast<int>(i)), b = heapOf(memory.partner[c]);
      heap_[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t k = 0; k < memory.mover.size(); ++k)
    if (const std::uint64_t place = memory.mover[k] & ~kPatchMark; place < load_.size())
      load_[place] += memory.surface_impulse[k].w;
  heaviest_.assign(load_.size(), 1e30f), lightest_.assign(load_.size(), 0.0f);
  const auto known = [&](int i) {
    return grains.v[i].w > 0 && grains.last[i] >= 0 && grains.last[i] < static_cast<int>(load_.size());
  };
  for (int i = 0; i < movers.grains; ++i) {
    if (!known(i)) continue;
    const int heap = heapOf(grains.last[i]);
    heaviest_[heap] = std::min(heaviest_[heap], grains.v[i].w);
    lightest_[heap] = std::max(lightest_[heap], grains.v[i].w);
  }
  rough_.assign(movers.size(), 0);
  for (int i = 0; i < movers.grains; ++i) {
    if (!known(i)) continue;
    const int last = grains.last[i], heap = heapOf(last);
    if (lightest_[heap] <= kMostLoad * heaviest_[heap]) continue;
    rough_[i] = any_rough_ = rowOrder(params.solver) != RowOrder::together;
    float& w = movers.v[i].w;
    if (w * load_[last] > weight) w = weight / load_[last];
  }
}

void Contacts::takeMovers(const Model& model, const State& state, const StepParams& params,
                          Backend& backend) {
  const GrainState& grains = state.grains;
  const int count = static_cast<int>(grains.size());
  movers.grains = count;
  movers.first_point = (count + 15) / 16 * 16;
  movers.points = model.numPoints();
  movers.first_rigid = movers.first_point + movers.points;
  movers.rigid.bodies = rigid_model_.size();
  movers.rigid.padded = rigid ? (rigid_model_.size() + rigid->joints.anchors() + 15) / 16 * 16 : 0;
  const int all = movers.nobody() + 16;
  resizeSnugly(movers.x, all), resizeSnugly(movers.v, all);
  backend.forChunks(contactChunks(count), [&](int chunk) {
    const int end = std::min(count, (chunk + 1) * kContactChunk);
    for (int i = chunk * kContactChunk; i < end; ++i) {
      Vec4f v = grains.v[i];
      const float keep = 1 / (1 + params.h * params.grain[grains.body[i]].veldamping);
      v.x *= keep, v.y *= keep, v.z *= keep;
      if (grains.calm[i] >= GrainState::kAsleep) v = {};
      movers.x[i] = grains.x[i];
      movers.v[i] = v;
    }
  });
  scaleMasses(state, params);
  for (int i = count; i < movers.first_point; ++i) movers.x[i] = {}, movers.v[i] = {};
  for (int p = 0; p < movers.points; ++p) {
    const Vec4f x = state.x[p], v = state.v[p];
    movers.x[movers.first_point + p] = x;
    movers.v[movers.first_point + p] = {v.x, v.y, v.z, x.w};
  }
  for (int i = movers.first_rigid; i < all; ++i) movers.x[i] = {}, movers.v[i] = {};
  if (levers()) takeRigid(state, params);
  if (!spins_) return;
  movers.spin.assign(all, {});
  for (int i = 0; i < count; ++i)
    if (params.grain[grains.body[i]].rotation) {
      movers.spin[i] = grains.spin.empty() ? Vec4f{} : grains.spin[i];
      movers.spin[i].w = 1 / grains.x[i].w;
      if (grains.calm[i] >= GrainState::kAsleep) movers.spin[i] = {0, 0, 0, movers.spin[i].w};
    }
}

void Contacts::find(const Model& model, State& state, const StepParams& params, Backend& backend) {
  if (has_grains_) {
    wakeBereft(state);
    orderGrains(state.grains, backend);
  }
  takeMovers(model, state, params, backend);
  surfaces_.mix(kinds_, params);
  if (rigid)
    while (!rigid->find(state, params, obstacles_, surfaces_, movers.rigid,
                        movers.v.data() + movers.first_rigid, backend))
      takeRigid(state, params);
  if (has_grains_) {
    findPairs(state, params, backend);
  }
  findBonds(state, params);
  findTouches(state, params, backend);
  findPatches(state, params, backend);
  bearThroughCloth();
  if (rigid) findRigidTouches(state, params, backend);
  if (!bond_found_.empty()) {
    patch_found_.insert(patch_found_.end(), bond_found_.begin(), bond_found_.end());
    orderByMover(patch_found_);
  }
  findSelf(params, backend);
  weighBodiesOnCloth();
  if (has_grains_) fillPairs(state, params, backend);
  fillFound(solos, 1, found_, state, params, backend);
  fillFound(patches, 4, patch_found_, state, params, backend);
  if (rigid)
    rigid->joints.arrange(state, params, movers.rigid, movers.v.data() + movers.first_rigid, backend);
  if (rowOrder(params.solver) == RowOrder::together)
    gather.arrange({&pairs, levers() ? &no_patches_ : &patches, &solos}, movers.size(), movers.nobody(),
                   params.solver.omega == 0, spins_, extra_);
}

}  // namespace repose
