// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/contact/contacts.h"

#include <algorithm>
#include <cmath>

#include "solve/emission.h"

namespace repose {

namespace {

constexpr int kChunk = 1024;  // contacts or movers a task handles

// Share of the radius by which a grain gives way to a collider at most; cloth has no such bound.
constexpr float kGiveShare = 0.08f;
// Share of the radius by which what coheres may part before it lets go; less than the margin of the search.
constexpr float kHoldShare = 0.05f;

int chunksOf(int count) { return (count + kChunk - 1) / kChunk; }

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

// A mover by a name that lasts: a grain by its place after the last step, a point by its number.
// A grain on cloth has another name than the same grain at a collider, so that the names ascend.
constexpr std::uint64_t kPatchMark = std::uint64_t{1} << 40, kPointMark = std::uint64_t{1} << 41;

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
  movers.x.resize(all), movers.v.resize(all);
  backend.forChunks(chunksOf(count), [&](int chunk) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) {
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

void Contacts::findPairs(const State& state, const StepParams& params, Backend& backend) {
  const GrainState& grains = state.grains;
  extent_.resize(grains.size());
  near_extent_args args;
  args.x = grains.x.data(), args.v = movers.v.data(), args.extent = extent_.data();
  args.h = params.h, args.fall = params.h * params.fall(), args.margin = params.solver.contactmargin;
  backend.launch(movers.grains, args);
  grid_.findPairs(grains.x, extent_, backend, near_);
}

// Lists the pairs that are solved, and says how many.
int Contacts::listActive(Backend& backend) {
  const int chunks = nearChunks();
  active_first_.resize(chunks + 1);
  near_count_args counts;
  counts.v = movers.v.data(), counts.awake = active_first_.data() + 1, counts.count = movers.grains;
  counts.first_of = near_.first.data(), counts.partner = near_.partner.data();
  backend.launch(chunks, counts);
  active_first_[0] = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) active_first_[chunk + 1] += active_first_[chunk];
  const int count = active_first_[chunks];
  active_.resize(count), active_movers_.resize(2 * static_cast<std::size_t>(count));
  near_list_args list;
  list.v = movers.v.data(), list.awake_first = active_first_.data(), list.count = movers.grains;
  list.first_of = near_.first.data(), list.partner = near_.partner.data();
  list.active = active_.data(), list.active_movers = active_movers_.data();
  backend.launch(chunks, list);
  return count;
}

// Colours come one after another: one thread gives them while the others look up the impulses of the last
// step.
void Contacts::colourPairs(const State& state, int count, RowOrder order, Backend& backend) {
  const ContactMemory& memory = state.contacts;
  near_recall_args args;
  args.first_of = near_.first.data(), args.partner = near_.partner.data(), args.count = movers.grains;
  args.last = state.grains.last.data();
  args.memory_first = memory.first.data(), args.memory_partner = memory.partner.data();
  args.known = memory.first.empty() ? 0 : static_cast<int>(memory.first.size()) - 1;
  args.impulse = memory.impulse.data(), args.roll = memory.roll.data();
  args.had_rolls = !memory.roll.empty(), args.has_rolls = spins_ && extra_;
  args.carried = carried_.data(), args.carried_roll = carried_roll_.data();
  backend.launchBeside(nearChunks(), args,
                       [&] { pairs.giveColours(count, active_movers_, movers.size(), order); });
}

AlikePairs Contacts::alikePairs(const GrainState& grains) const {
  const Surface* common = surfaces_.commonOf(BodyKind::grain, kinds_);
  if (!common || grains.x.empty()) return {};
  const float radius = grains.x.front().w;
  const bool even = std::all_of(grains.x.begin(), grains.x.end(), [&](Vec4f x) { return x.w == radius; });
  return even ? AlikePairs{true, common->friction, common->slide, radius + radius} : AlikePairs{};
}

void Contacts::fillPairs(const State& state, const StepParams& params, Backend& backend) {
  static_assert(sizeof(Surface) == RE_SURFACE_FLOATS * sizeof(float));
  const GrainState& grains = state.grains;
  const int found = near_.first[movers.grains];
  carried_.resize(found);
  if (spins_ && extra_) carried_roll_.resize(found);
  const int count = listActive(backend);
  colourPairs(state, count, rowOrder(params.solver), backend);
  if (any_rough_) pairs.splitRough(active_movers_, rough_);
  alike = alikePairs(grains);
  pairs.rows.setFields(alike.alike ? kAlikeFields : kPairFields);
  pairs.giveRowsInTiles(active_movers_, extra_, backend);
  pairs.pad(movers.nobody());
  near_fill_args args;
  args.alike = alike.alike;
  args.x = grains.x.data(), args.v = movers.v.data();
  args.body = reinterpret_cast<const short*>(grains.body.data());
  args.active = active_.data(), args.active_movers = active_movers_.data(), args.row_of = pairs.row_of.data();
  args.carried = carried_.data(), args.carried_roll = carried_roll_.data();
  args.surface = &surfaces_.all().data()->friction, args.sides = surfaces_.sides();
  args.index = pairs.rows.indices(), args.value = pairs.rows.values(), args.extra = pairs.extra.values();
  args.has_extra = extra_, args.has_rolls = spins_ && extra_;
  args.h = params.h / static_cast<float>(substeps(params));
  args.slow = Surfaces::slowApproach(params), args.hold_share = kHoldShare;
  backend.launch(count, args);
}

Contacts::Neighbours Contacts::neighboursAt(int first, const StepParams& params, bool sleepers) const {
  Neighbours near;
  const float h = params.h, gravity = params.fall();
  for (int k = 0; k < 16; ++k) {
    const int i = first + k, point = i - movers.first_point;
    near.reach[k] = 0;
    if (movers.v[i].w == 0 && (i >= movers.grains || !sleepers)) continue;
    near.radius[k] = point < 0 ? movers.x[i].w : params.cloth[body_of_point_[point]].thickness;
    const float way = h * (length(xyz(movers.v[i])) + h * gravity);
    near.reach[k] = near.radius[k] * (1 + params.solver.contactmargin) + way;
    near.farthest = std::max(near.farthest, near.reach[k]);
    near.box.add(xyz(movers.x[i]));
  }
  return near;
}

// Grains and cloth points at colliders, sixteen neighbours at a time.
void Contacts::findTouches(const State& state, const StepParams& params, Backend& backend) {
  found_.clear(), patch_found_.clear();
  if (obstacles_.empty()) return;
  const int count = movers.first_point + movers.points, chunks = chunksOf(count);
  if (static_cast<int>(chunk_found_.size()) < chunks) chunk_found_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    std::vector<Found>& list = chunk_found_[chunk];
    list.clear();
    const int chunk_end = std::min(count, (chunk + 1) * kChunk);
    for (int first = chunk * kChunk; first < chunk_end; first += 16) {
      const Neighbours near = neighboursAt(first, params, !all_still_);
      if (near.box.empty()) continue;
      for (std::size_t o = 0; o < obstacles_.size(); ++o) {
        if (!obstacles_[o]->mayTouch(near.box, near.farthest)) continue;
        for (int k = 0; k < 16; ++k) {
          if (near.reach[k] == 0) continue;
          const int i = first + k, point = i - movers.first_point;
          const std::uint32_t other = kBondedCollider | static_cast<std::uint32_t>(o);
          if (point < 0 ? bonded(i, other) : heldBy(point, other)) continue;
          Touch touches[kMostTouches];
          const int touched =
              obstacles_[o]->touch(xyz(movers.x[i]), xyz(movers.v[i]) * params.h, near.reach[k], touches);
          for (int t = 0; t < touched; ++t) {
            Found found{{i, i, i, i},
                        {1, 0, 0, 0},
                        point < 0 ? state.grains.body[i] : body_of_point_[point],
                        static_cast<int>(kinds_.size() + o),
                        0,
                        touches[t]};
            found.surface =
                (static_cast<std::uint64_t>(o) << 32) | static_cast<std::uint32_t>(touches[t].feature);
            found.touch.gap -= near.radius[k];
            list.push_back(found);
          }
        }
      }
    }
  });
  for (int chunk = 0; chunk < chunks; ++chunk)
    for (const Found& found : chunk_found_[chunk])
      (found.mover[0] < movers.grains ? found_ : patch_found_).push_back(found);
  orderByMover(found_);
}

// Stable, by counting.
void Contacts::orderByMover(std::vector<Found>& found) {
  const auto before = [](const Found& a, const Found& b) { return a.mover[0] < b.mover[0]; };
  if (std::is_sorted(found.begin(), found.end(), before)) return;
  mover_first_.assign(movers.size() + 1, 0);
  for (const Found& f : found) ++mover_first_[f.mover[0] + 1];
  for (std::size_t m = 1; m < mover_first_.size(); ++m) mover_first_[m] += mover_first_[m - 1];
  found_next_.resize(found.size());
  for (const Found& f : found) found_next_[mover_first_[f.mover[0]]++] = f;
  found.swap(found_next_);
}

void Contacts::fillLever(ContactRows& lever, int row, const Found& found, const StepParams& params,
                         float h) const {
  float rate = 0, yield = 0;
  if (found.bond >= 0) {
    const JointParams& rules = params.joint[rigid_model_.bonds[found.bond].joint];
    soften(rules.compliance, rules.damping, h, rate, yield);
  }
  lever.mover(row, 0) = std::max(found.rigid, 0);
  lever.setVector(row, kLeverX, found.arm);
  lever.value(row, kLeverSign) = found.sign;
  lever.value(row, kBondHold) = found.hold, lever.value(row, kBondRate) = rate;
  lever.value(row, kBondYield) = yield;
}

void Contacts::fillFound(ContactBatch& batch, int count, const std::vector<Found>& found, const State& state,
                         const StepParams& params, Backend& backend) {
  const ContactMemory& memory = state.contacts;
  const int n = static_cast<int>(found.size());
  active_movers_.clear();
  for (const Found& f : found) active_movers_.insert(active_movers_.end(), f.mover, f.mover + count);
  // levers are not gathered: rows that have them are always solved one colour after another
  const bool levers = this->levers() && count > 1;
  batch.giveColours(n, active_movers_, movers.size(), levers ? RowOrder::coloured : rowOrder(params.solver));
  if (any_rough_) batch.splitRough(active_movers_, rough_);
  batch.giveRows(extra_, backend);
  batch.lever.resize(levers ? batch.rows.size() : 0);
  batch.pad(movers.nobody());
  const float h = params.h / static_cast<float>(substeps(params));
  for (int k = 0; k < n; ++k) {
    const Found& f = found[k];
    const int row = batch.row_of[k];
    const Surface& surface = surfaces_.between(f.body, f.other);
    ContactRows& rows = batch.rows;
    Vec3f slip = -f.touch.velocity;
    for (int m = 0; m < count; ++m) {
      rows.mover(row, m) = f.mover[m], rows.value(row, kWeight + m) = f.weight[m];
      slip += xyz(movers.v[f.mover[m]]) * f.weight[m];
    }
    if (levers) {
      fillLever(batch.lever, row, f, params, h);
      if (f.rigid >= 0) slip += cross(xyz(movers.rigid.spin[f.rigid]), f.arm) * f.sign;
    }
    rows.setVector(row, kNormalX, f.touch.normal);
    rows.value(row, kGap) = f.touch.gap;
    rows.setVector(row, kSurfaceX, f.touch.velocity);
    rows.value(row, kFriction) = surface.friction, rows.value(row, kSlide) = surface.slide;
    const bool grain_alone = count == 1 && f.mover[0] < movers.grains;
    rows.value(row, kGive) = grain_alone ? kGiveShare * movers.x[f.mover[0]].w : 1e30f;
    const int old = f.bond < 0 ? recallSurface(memory, f, state.grains) : -1;
    Vec4f p = old < 0 ? Vec4f{} : memory.surface_impulse[old];
    if (f.bond >= 0) {  // about the normal of this step
      const Vec3f whole = xyz(state.rigid.bonds[f.bond]), normal = f.touch.normal;
      const float along = dot(whole, normal);
      const Vec3f across = f.hold > 1 ? whole - normal * along : Vec3f{};
      p = {across.x, across.y, across.z, along};
    }
    rows.setVector(row, kDragX, xyz(p));
    rows.value(row, kPush) = p.w;
    if (!extra_) continue;
    if (f.bond >= 0) {
      batch.extra.clear(row);
      continue;
    }
    const float radius = f.mover[0] < movers.grains ? movers.x[f.mover[0]].w : 0;
    batch.extra.value(row, kPull) = surface.cohesion * 3.14159265f * radius * radius * h;
    batch.extra.value(row, kHold) = surface.cohesion > 0 ? kHoldShare * radius : 0.0f;
    batch.extra.value(row, kRollReach) = surface.roll * radius;
    batch.extra.setVector(row, kRollX,
                          old < 0 || memory.surface_roll.empty() ? Vec3f{} : xyz(memory.surface_roll[old]));
    batch.extra.value(row, kBounce) = Surfaces::bounceSpeed(surface, dot(slip, f.touch.normal), params);
    batch.extra.value(row, kPeak) = 0;
  }
}

std::uint64_t Contacts::lastingName(const Found& found, const GrainState& grains) const {
  const int mover = found.mover[0];
  if (mover >= movers.first_point) return kPointMark + (mover - movers.first_point);
  if (grains.last[mover] < 0) return ~std::uint64_t{0};
  return (found.weight[1] != 0 ? kPatchMark : 0) + grains.last[mover];
}

int Contacts::recallSurface(const ContactMemory& memory, const Found& found, const GrainState& grains) const {
  const std::uint64_t name = lastingName(found, grains);
  auto at = std::lower_bound(memory.mover.begin(), memory.mover.end(), name);
  for (; at != memory.mover.end() && *at == name; ++at)
    if (const auto k = at - memory.mover.begin(); memory.surface[k] == found.surface)
      return static_cast<int>(k);
  return -1;
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

void Contacts::storeMemory(State& state, const StepParams& params, Backend& backend) {
  ContactMemory& memory = state.contacts;
  const bool rolls = spins_ && extra_;
  const int active = static_cast<int>(active_.size());
  backend.forChunks(chunksOf(active), [&](int chunk) {
    const int end = std::min(active, (chunk + 1) * kChunk);
    for (int k = chunk * kChunk; k < end; ++k) {
      const int row = pairs.row_of[k];
      const Vec3f drag = pairs.rows.vector(row, kDragX);
      carried_[active_[k]] = {drag.x, drag.y, drag.z, pairs.rows.value(row, kPush)};
      if (!rolls) continue;
      const Vec3f roll = pairs.extra.vector(row, kRollX);
      carried_roll_[active_[k]] = {roll.x, roll.y, roll.z, 0};
    }
  });
  if (has_grains_) {
    memory.first.swap(near_.first);
    memory.partner.swap(near_.partner);
    memory.impulse.swap(carried_);
    if (rolls) memory.roll.swap(carried_roll_);
  }
  memory.mover.clear(), memory.surface.clear(), memory.surface_impulse.clear(), memory.surface_roll.clear();
  const auto keep = [&](const ContactBatch& batch, const std::vector<Found>& found) {
    for (std::size_t k = 0; k < found.size(); ++k) {
      const int row = batch.row_of[k];
      const Vec3f drag = batch.rows.vector(row, kDragX);
      if (found[k].bond >= 0) {
        const Vec3f along = batch.rows.vector(row, kNormalX) * batch.rows.value(row, kPush);
        keepBond(found[k], along + drag, params, state);
        continue;
      }
      memory.mover.push_back(lastingName(found[k], state.grains));
      memory.surface.push_back(found[k].surface);
      memory.surface_impulse.push_back({drag.x, drag.y, drag.z, batch.rows.value(row, kPush)});
      if (!rolls) continue;
      const Vec3f roll = batch.extra.vector(row, kRollX);
      memory.surface_roll.push_back({roll.x, roll.y, roll.z, 0});
    }
  };
  keep(solos, found_);
  keep(patches, patch_found_);
}

void Contacts::store(State& state, const StepParams& params, Backend& backend) {
  GrainState& grains = state.grains;
  backend.forChunks(chunksOf(movers.grains), [&](int chunk) {
    const int end = std::min(movers.grains, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) {
      grains.last[i] = i;
      if (grains.calm[i] >= GrainState::kAsleep) continue;
      grains.x[i] = movers.x[i];
      const Vec4f v = movers.v[i];
      grains.v[i] = {v.x, v.y, v.z, grains.v[i].w};
    }
  });
  if (spins_) {
    grains.spin.resize(grains.size());
    for (int i = 0; i < movers.grains; ++i) grains.spin[i] = movers.spin[i];
  }
  storeMemory(state, params, backend);
  fallAsleep(state, params);
  for (const Found& found : bond_found_)  // what hangs on something never sleeps
    if (found.mover[0] < movers.grains) grains.calm[found.mover[0]] = 0;
  if (rigid) storeRigid(state, params);
}

ContactSummary Contacts::summary(const State& state) const {
  ContactSummary sum;
  double total = 0;
  const auto add = [&](float gap) {
    if (gap > 0) return;
    ++sum.contacts;
    total -= gap;
    sum.max_penetration = std::max(sum.max_penetration, -gap);
  };
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int row = pairs.row_of[k], a = pairs.rows.mover(row, 0), b = pairs.rows.mover(row, 1);
    add(length(xyz(movers.x[a]) - xyz(movers.x[b])) - (movers.x[a].w + movers.x[b].w));
  }
  for (const ContactBatch* batch : {&solos, &patches})
    for (const int row : batch->row_of)
      if (batch->lever.size() == 0 || batch->lever.value(row, kBondHold) == 0)
        add(batch->rows.value(row, kGap));
  if (rigid)
    for (std::size_t k = 0; k < rigid->touching().size(); ++k) {
      const RigidContacts::Touching& t = *rigid->touching()[k];
      const ContactRows& rows = (t.b < 0 ? rigid->grounds : rigid->hulls).batch.rows;
      for (int p = 0; p < t.count; ++p) add(rows.value(rigid->rowOf(k), hullField(p, kPointGap)));
    }
  sum.mean_penetration = sum.contacts ? total / sum.contacts : 0;
  for (const float calm : state.grains.calm) sum.asleep += calm >= GrainState::kAsleep;
  return sum;
}

void Contacts::grainForces(float h, GrainFields& fields) const {
  fields.contactforce.assign(movers.grains, 0), fields.ncontacts.assign(movers.grains, 0);
  const auto add = [&](const ContactBatch& batch, int sides) {
    for (const int row : batch.row_of) {
      const float push = batch.rows.value(row, kPush);
      if (push <= 0) continue;
      for (int k = 0; k < sides; ++k) {
        const int mover = batch.rows.mover(row, k);
        if (mover < movers.grains) fields.contactforce[mover] += push / h, ++fields.ncontacts[mover];
      }
    }
  };
  add(pairs, 2);
  add(solos, 1);
  add(patches, 1);
}

std::size_t Contacts::bytes() const {
  std::size_t sum = (rigid ? rigid->bytes() : 0) + grid_.bytes() + pairs.bytes() + solos.bytes() +
                    patches.bytes() + gather.bytes() + self_.bytes();
  sum +=
      (movers.x.capacity() + movers.v.capacity() + movers.spin.capacity() + carried_.capacity() +
       carried_roll_.capacity() + scratch4_.capacity() + movers.touch.capacity() + movers.ground.capacity()) *
      sizeof(Vec4f);
  return sum + (order_.capacity() + extent_.capacity() + near_.first.capacity() + near_.partner.capacity() +
                active_.capacity() + active_movers_.capacity()) *
                   sizeof(int);
}

std::size_t Contacts::memoryBytes(const State& state) {
  const GrainState& g = state.grains;
  const ContactMemory& m = state.contacts;
  return (g.x.capacity() + g.v.capacity() + g.spin.capacity() + m.impulse.capacity() + m.roll.capacity() +
          m.surface_impulse.capacity()) *
             sizeof(Vec4f) +
         (g.id.capacity() + g.born.capacity() + g.calm.capacity() + g.last.capacity() + m.first.capacity() +
          m.partner.capacity()) *
             4 +
         g.body.capacity() * 2;
}

}  // namespace repose
