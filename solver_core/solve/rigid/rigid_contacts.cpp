// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/rigid/rigid_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/vectors.h"
#include "solve/contact/contacts.h"

namespace repose {

namespace {

constexpr int kChunk = 64;  // bodies a task handles
// Bodies touch when they are nearer than this share of the smaller one's half extent.
constexpr float kMarginShare = 0.05f;
// Share of that by which a contact gives way at most under its load.
constexpr float kGiveShare = 0.02f;
constexpr std::uint32_t kColliderMark = 0x80000000u;

std::uint64_t pairOf(std::uint32_t a, std::uint32_t b) { return (static_cast<std::uint64_t>(a) << 32) | b; }

// Radii that divide the bodies into levels of the grid.
std::vector<float> radiusLevels(const RigidModel& model) {
  float least = 1e30f, greatest = 0;
  for (const RigidBody& body : model.bodies) {
    least = std::min(least, model.forms[body.form].radius);
    greatest = std::max(greatest, model.forms[body.form].radius);
  }
  std::vector<float> levels;
  for (float radius = greatest; radius > 0; radius /= 2) {
    levels.push_back(radius);
    if (radius <= 2 * least) break;
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

// The body of the scene that a form is of.
const std::string& formOwner(const Scene& scene, std::size_t form) {
  std::size_t b = 0;
  while (form >= scene.bodies[b].shapes.size()) form -= scene.bodies[b++].shapes.size();
  return scene.bodies[b].name;
}

// Parts of a form that touch apart from each other; a concave one is one part.
int partsOf(const RigidForm& form) { return std::max(1, static_cast<int>(form.parts.size())); }

void flip(Manifold& m) {
  m.normal = -m.normal;
  for (int k = 0; k < m.count; ++k) std::swap(m.point[k].a, m.point[k].b);
}

}  // namespace

RigidContacts::RigidContacts(const Scene& scene, const Model& model)
    : joints(model), model_(model.rigid), grid_(radiusLevels(model.rigid)) {
  for (const RigidBody& body : model_.bodies) {
    const float inner = model_.forms[body.form].inner;
    least_inner_ = least_inner_ > 0 ? std::min(least_inner_, inner) : inner;
  }
  for (std::size_t f = 0; f < model_.forms.size(); ++f) {
    const RigidForm& form = model_.forms[f];
    concave_.emplace_back();
    if (!form.parts.empty()) continue;
    Result<std::unique_ptr<Concave>> made =
        Concave::make(form.points, form.triangles, form.voxel, form.inner);
    if (made)
      concave_.back() = std::move(*made);
    else
      made_ = {made.status().code(),
               fmt::format("body '{}' {}", formOwner(scene, f), made.status().message())};
  }
  for (const RigidJoint& joint : model_.joints)
    if (!scene.joints[joint.joint].params.base.collide && joint.a.rigid >= 0 && joint.b.rigid >= 0)
      jointed_.push_back(
          pairOf(std::min(joint.a.rigid, joint.b.rigid), std::max(joint.a.rigid, joint.b.rigid)));
  std::sort(jointed_.begin(), jointed_.end());
}

// Sleepers, and animated bodies that stand still, do not meet each other: they are sorted when others come to
// them, and else only asked.
void RigidContacts::sortSleepers(const RigidMovers& movers, const Vec4f* v) {
  awake_.clear(), sleepers_.clear();
  for (int i = 0; i < movers.bodies; ++i) {
    const bool still = v[i].w == 0 && xyz(v[i]) == Vec3f{} && xyz(movers.spin[i]) == Vec3f{};
    (still ? sleepers_ : awake_).push_back(i);
  }
  const auto place = [&](int i) { return Place{movers.x[i], movers.q[i]}; };
  const auto stands = [&](int i, const Place& then) {
    const Place now = place(i);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits are meant
    return std::memcmp(&now, &then, sizeof now) == 0;
  };
  if (sleepers_ == last_sleepers_ &&
      std::equal(sleepers_.begin(), sleepers_.end(), last_still_.begin(), stands))
    return;
  last_sleepers_ = sleepers_;
  last_still_.clear();
  for (const int i : sleepers_) last_still_.push_back(place(i));
  still_.clear(sleepers_.size());
  still_box_ = {};
  for (std::size_t k = 0; k < sleepers_.size(); ++k) {
    const RigidForm& form = model_.forms[model_.bodies[sleepers_[k]].form];
    const Vec3f at = xyz(last_still_[k].x);
    const Vec4f sphere{at.x, at.y, at.z, form.radius + kMarginShare * form.inner};
    still_.add(sphere);
    for (const float side : {-sphere.w, sphere.w}) still_box_.add(xyz(sphere) + Vec3f{side, side, side});
    poses_[sleepers_[k]] = movers.pose(sleepers_[k]);
  }
}

// Pairs whose bounding spheres come near each other, each once, in the list of its first body.
void RigidContacts::findPairs(const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                              Backend& backend) {
  const int count = movers.bodies;
  poses_.resize(count), reach_.resize(count);
  sortSleepers(movers, v);
  const int moving = static_cast<int>(awake_.size());
  spheres_.resize(moving), extent_.resize(moving);
  const float h = params.h, fall = h * params.fall();
  for (int k = 0; k < moving; ++k) {
    const int i = awake_[k];
    const RigidForm& form = model_.forms[model_.bodies[i].form];
    const float speed = length(xyz(v[i])) + length(xyz(movers.spin[i])) * form.radius;
    reach_[i] = kMarginShare * form.inner + (speed > 0 ? h * (speed + fall) : 0.0f);
    spheres_[k] = {movers.x[i].x, movers.x[i].y, movers.x[i].z, form.radius};
    poses_[i] = movers.pose(i);
  }
  for (const int i : sleepers_) reach_[i] = kMarginShare * model_.forms[model_.bodies[i].form].inner;
  pairs_.clear();
  if (moving > 0) {
    grid_.sort(spheres_, backend, order_);
    sorted_.resize(moving);
    for (int k = 0; k < moving; ++k)
      sorted_[k] = spheres_[order_[k]], extent_[k] = sorted_[k].w + reach_[awake_[order_[k]]];
    grid_.findPairs(sorted_, extent_, backend, near_);
    for (int k = 0; k < moving; ++k)
      for (int c = near_.first[k]; c < near_.first[k + 1]; ++c)
        pairs_.push_back({awake_[order_[k]], awake_[order_[near_.partner[c]]]});
  }
  for (int k = 0; k < moving && !sleepers_.empty(); ++k) {
    const Vec3f at = xyz(spheres_[k]);
    const float far = spheres_[k].w + reach_[awake_[k]];
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis)
      outside = outside || at[axis] < still_box_.lo[axis] - far || at[axis] > still_box_.hi[axis] + far;
    if (outside) continue;
    still_.overlaps(at, far, [&](int other, double) {
      pairs_.push_back({awake_[k], sleepers_[other]});
      return true;
    });
  }
  // to the lower of the two bodies, its partners ascending
  partner_first_.assign(count + 1, 0);
  for (const auto& [i, j] : pairs_) ++partner_first_[std::min(i, j) + 1];
  for (int i = 0; i < count; ++i) partner_first_[i + 1] += partner_first_[i];
  partner_.resize(partner_first_[count]);
  next_.assign(partner_first_.begin(), partner_first_.end() - 1);
  for (const auto& [i, j] : pairs_) partner_[next_[std::min(i, j)]++] = std::max(i, j);
  for (int i = 0; i < count; ++i)
    if (partner_first_[i + 1] - partner_first_[i] > 1)
      std::sort(partner_.begin() + partner_first_[i], partner_.begin() + partner_first_[i + 1]);
}

// Where part p of a touches part q of b.
int RigidContacts::touchParts(int a, int b, float reach, int p, int q, PairHint& hint, Manifold* out) const {
  const int form_a = model_.bodies[a].form, form_b = model_.bodies[b].form;
  const Concave *field_a = concave(form_a), *field_b = concave(form_b);
  const Pose &pose_a = poses_[a], &pose_b = poses_[b];
  if (field_a && field_b) return collide(*field_a, pose_a, *field_b, pose_b, reach, out);
  if (field_a) return collide(*field_a, pose_a, model_.forms[form_b].parts[q], pose_b, reach, out);
  if (field_b) {
    const int count = collide(*field_b, pose_b, model_.forms[form_a].parts[p], pose_a, reach, out);
    for (int m = 0; m < count; ++m) flip(out[m]);
    return count;
  }
  return collide(model_.forms[form_a].parts[p], pose_a, model_.forms[form_b].parts[q], pose_b, reach, hint,
                 out[0]);
}

void RigidContacts::touchBodies(int a, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                                std::vector<Touching>& list, std::vector<int>& stirred) {
  const RigidForm& form_a = model_.forms[model_.bodies[a].form];
  const Pose& pose_a = poses_[a];
  Manifold manifolds[kMostManifolds];
  // both lists ascend: the hints of the last step are met on the way
  auto old = std::lower_bound(last_hint_pair_.begin(), last_hint_pair_.end(), pairOf(a, 0));
  for (int c = partner_first_[a]; c < partner_first_[a + 1]; ++c) {
    const int b = partner_[c];
    const std::uint64_t pair = pairOf(a, b);
    hint_pair_[c] = pair, hints_[c] = 0;
    if (!jointed_.empty() && std::binary_search(jointed_.begin(), jointed_.end(), pair)) continue;
    const RigidForm& form_b = model_.forms[model_.bodies[b].form];
    const int parts_a = partsOf(form_a), parts_b = partsOf(form_b);
    const bool single = parts_a * parts_b == 1;
    while (old != last_hint_pair_.end() && *old < pair) ++old;
    if (single && old != last_hint_pair_.end() && *old == pair)
      hints_[c] = last_hints_[old - last_hint_pair_.begin()];
    const Pose& pose_b = poses_[b];
    // no nearer in the step than their ways allow
    const float relative = length(xyz(v[a]) - xyz(v[b])) + length(xyz(movers.spin[a])) * form_a.radius +
                           length(xyz(movers.spin[b])) * form_b.radius;
    const float reach = kMarginShare * std::min(form_a.inner, form_b.inner) + params.h * relative;
    const float far = form_a.radius + form_b.radius + reach;
    const Vec3f apart = pose_a.origin - pose_b.origin;
    if (dot(apart, apart) > far * far) continue;
    const auto add = [&](int p, int q, const Manifold& manifold) {
      Touching t;
      t.take(manifold);
      t.a = a, t.b = b;
      t.pair = pair;
      t.parts[0] = static_cast<std::uint16_t>(p), t.parts[1] = static_cast<std::uint16_t>(q);
      if (v[a].w == 0 && v[b].w == 0) {
        for (const int i : {a, b})
          if (!model_.bodies[i].animated) stirred.push_back(i);
        return;
      }
      t.flipped = v[a].w == 0;
      if (t.flipped) {
        t.normal = -t.normal;
        std::swap(t.a, t.b);
      }
      t.other = t.b;
      if (v[t.b].w == 0) t.b = -1;
      pushSnugly(list, t);
    };
    for (int p = 0; p < parts_a; ++p)
      for (int q = 0; q < parts_b; ++q) {
        if (!single) hints_[c] = 0;
        const int count = touchParts(a, b, reach, p, q, hints_[c], manifolds);
        for (int m = 0; m < count; ++m) add(p, q, manifolds[m]);
      }
  }
}

void RigidContacts::touchObstacles(int a, const StepParams& params, const Obstacles& obstacles,
                                   const RigidMovers& movers, const Vec4f* v, std::vector<Touching>& list,
                                   std::vector<int>& stirred) const {
  if (model_.bodies[a].animated) return;
  const bool sleeps = v[a].w == 0;
  const RigidForm& form = model_.forms[model_.bodies[a].form];
  const Concave* field = concave(model_.bodies[a].form);
  const Pose& pose = poses_[a];
  Bounds box;
  box.add(xyz(movers.x[a]));
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    if ((sleeps && !obstacles[o]->moves()) || !obstacles[o]->mayTouch(box, form.radius + reach_[a])) continue;
    for (int p = 0; p < partsOf(form); ++p) {
      Manifold manifolds[kMostManifolds];
      Vec3f velocity[kMostManifolds];
      const Vec3f way = xyz(v[a]) * params.h;
      const int count =
          field ? collide(*field, pose, way, xyz(movers.spin[a]) * params.h, *obstacles[o], reach_[a],
                          manifolds, velocity)
                : collide(form.parts[p], pose, way, *obstacles[o], reach_[a], manifolds, velocity);
      if (sleeps && count > 0) stirred.push_back(a);
      for (int m = 0; m < count && !sleeps; ++m) {
        Touching t;
        t.a = a, t.b = t.other = -1;
        t.flipped = false;
        t.pair = pairOf(a, kColliderMark | static_cast<std::uint32_t>(o));
        t.parts[0] = static_cast<std::uint16_t>(p), t.parts[1] = 0;
        t.take(manifolds[m]);
        t.velocity = velocity[m];
        pushSnugly(list, t);
      }
    }
  }
}

void RigidContacts::Touching::take(const Manifold& manifold) {
  normal = manifold.normal, count = static_cast<std::uint8_t>(manifold.count);
  for (int k = 0; k < count; ++k) {
    const ManifoldPoint& point = manifold.point[k];
    place[k] = {(point.a + point.b) * 0.5f, point.gap, point.feature};
  }
}

Vec3f RigidContacts::otherVelocity(const Touching& t, int k, const RigidMovers& movers, const Vec4f* v) {
  if (t.other < 0) return t.velocity;
  return xyz(v[t.other]) + cross(xyz(movers.spin[t.other]), t.place[k].at - xyz(movers.x[t.other]));
}

// The k-th place of a contact, but for its impulse.
void RigidContacts::fillPlace(ContactRows& r, int row, Touching& t, int k, const Surface& surface,
                              const StepParams& params, const RigidMovers& movers, const Vec4f* v) {
  const Touching::Place& place = t.place[k];
  r.value(row, hullField(k, kPointGap)) = r.value(row, hullField(k, kPointStart)) = place.gap;
  // one place for both, so that the impulses of a contact turn nothing as a whole
  const Vec3f arm_a = place.at - xyz(movers.x[t.a]);
  Vec3f second;
  Vec3f slip = xyz(v[t.a]) + cross(xyz(movers.spin[t.a]), arm_a);
  if (t.b >= 0) {
    second = place.at - xyz(movers.x[t.b]);
    slip = slip - xyz(v[t.b]) - cross(xyz(movers.spin[t.b]), second);
  } else {
    second = otherVelocity(t, k, movers, v);
    slip = slip - second;
  }
  r.setVector(row, hullField(k, kPointArmA), arm_a);
  r.setVector(row, hullField(k, kPointArmB), second);
  const float parting = dot(slip, t.normal);
  t.approach = std::max(t.approach, -parting);
  r.value(row, hullField(k, kPointBounce)) = Surfaces::bounceSpeed(surface, parting, params);
  for (const int field : {kPointAnswer, kPointStop, kPointPeak}) r.value(row, hullField(k, field)) = 0;
}

void RigidContacts::fill(Rows& rows, const std::vector<int>& which, const State& state,
                         const StepParams& params, const Surfaces& surfaces, const RigidMovers& movers,
                         const Vec4f* v, Backend& backend) {
  ContactBatch& batch = rows.batch;
  const int count = static_cast<int>(which.size()), bodies = batch.movers();
  static_assert(kMostPoints <= ContactBatch::kRanks);
  movers_of_rows_.clear(), rank_of_rows_.clear();
  for (const int k : which) {
    // blocks of 16 take as long as the manifold with the most points: those with as many lie together
    rank_of_rows_.push_back(static_cast<unsigned char>(kMostPoints - touching_[k]->count));
    movers_of_rows_.push_back(touching_[k]->a);
    if (bodies == 2) movers_of_rows_.push_back(touching_[k]->b);
  }
  batch.giveColours(count, movers_of_rows_, movers.padded + 16, rowOrder(params.solver));
  batch.giveRows(false, backend, rank_of_rows_);
  batch.pad(movers.padded);
  rows.points.assign((batch.rows.size() + 15) / 16, 0);
  const ContactMemory& memory = state.contacts;
  auto old = memory.rigid_pair.begin();  // contacts and memory ascend alike
  for (int i = 0; i < count; ++i) {
    Touching& t = *touching_[which[i]];
    const int row = batch.row_of[i];
    t.approach = 0;
    row_of_[which[i]] = row;
    rows.points[row / 16] = std::max(rows.points[row / 16], static_cast<int>(t.count));
    ContactRows& r = batch.rows;
    r.mover(row, 0) = t.a;
    if (bodies == 2) r.mover(row, 1) = t.b;
    const int second_side = t.other >= 0 ? model_.bodies[t.other].body : surfaces.collider(t.collider());
    const Surface& surface = surfaces.between(model_.bodies[t.a].body, second_side);
    r.setVector(row, kHullNormal, t.normal);
    r.value(row, kHullFriction) = surface.friction, r.value(row, kHullSlide) = surface.slide;
    float inner = model_.forms[model_.bodies[t.a].form].inner;
    if (t.b >= 0) inner = std::min(inner, model_.forms[model_.bodies[t.b].form].inner);
    r.value(row, kHullGive) = kGiveShare * inner;
    while (old != memory.rigid_pair.end() && *old < t.pair) ++old;
    for (int k = 0; k < kMostPoints; ++k) {
      if (k >= t.count) {
        for (int field = 0; field < kPointFields; ++field) r.value(row, hullField(k, field)) = 0;
        r.value(row, hullField(k, kPointAnswer)) = -1;
        continue;
      }
      fillPlace(r, row, t, k, surface, params, movers, v);
      const std::uint64_t name = t.name(k);
      Vec4f last;
      for (auto at = old; at != memory.rigid_pair.end() && *at == t.pair; ++at) {
        const auto m = at - memory.rigid_pair.begin();
        if (memory.rigid_place[m] != name) continue;
        last = memory.rigid_impulse[m];
        break;
      }
      r.value(row, hullField(k, kPointPush)) = last.w;
      r.setVector(row, hullField(k, kPointDrag), t.flipped ? -xyz(last) : xyz(last));
    }
  }
}

void RigidContacts::arrangeGather(const RigidMovers& movers, bool crowded) {
  const int size = movers.padded + 16;
  Gather& g = gather;
  g.first_ground = hulls.batch.rows.size();
  g.stride = g.first_ground + grounds.batch.rows.size() + 16;
  std::vector<int> length(size, 0);
  const auto eachSide = [&](auto&& visit) {
    for (const int row : hulls.batch.row_of)
      for (int k = 0; k < 2; ++k) visit(hulls.batch.rows.mover(row, k), k * g.stride + row);
    for (const int row : grounds.batch.row_of) visit(grounds.batch.rows.mover(row, 0), g.first_ground + row);
  };
  eachSide([&](int body, int) { ++length[body]; });
  g.crowd.resize(size);
  for (int i = 0; i < size; ++i) g.crowd[i] = crowded ? static_cast<float>(std::max(length[i], 1)) : 1.0f;
  const int slices = size / 16;
  g.start.assign(slices + 1, 0);
  for (int s = 0; s < slices; ++s)
    g.start[s + 1] = g.start[s] + *std::max_element(length.begin() + 16 * s, length.begin() + 16 * (s + 1));
  g.row.assign(static_cast<std::size_t>(g.start[slices]) * 16, g.stride - 1);
  std::fill(length.begin(), length.end(), 0);
  eachSide([&](int body, int slot) { g.row[(g.start[body / 16] + length[body]++) * 16 + body % 16] = slot; });
  g.pushed.assign(2 * static_cast<std::size_t>(g.stride), {});
  g.twisted.assign(2 * static_cast<std::size_t>(g.stride), {});
  g.last.assign(16 * static_cast<std::size_t>(g.stride), 0.0f);
}

bool RigidContacts::find(State& state, const StepParams& params, const Obstacles& obstacles,
                         const Surfaces& surfaces, const RigidMovers& movers, const Vec4f* v,
                         Backend& backend) {
  findPairs(params, movers, v, backend);
  last_hints_.swap(hints_), last_hint_pair_.swap(hint_pair_);
  hints_.resize(partner_.size()), hint_pair_.resize(partner_.size());
  const bool stirring =
      std::any_of(obstacles.begin(), obstacles.end(), [](const auto& o) { return o->moves(); });
  const int chunks = (movers.bodies + kChunk - 1) / kChunk;
  if (static_cast<int>(chunk_touching_.size()) < chunks)
    chunk_touching_.resize(chunks), chunk_stirred_.resize(chunks);
  backend.forChunks(chunks, [&](int chunk) {
    std::vector<Touching>& list = chunk_touching_[chunk];
    std::vector<int>& stirred = chunk_stirred_[chunk];
    list.clear(), stirred.clear();
    const int end = std::min(movers.bodies, (chunk + 1) * kChunk);
    for (int a = chunk * kChunk; a < end; ++a) {
      if (partner_first_[a] < partner_first_[a + 1]) touchBodies(a, params, movers, v, list, stirred);
      if (v[a].w != 0 || stirring) touchObstacles(a, params, obstacles, movers, v, list, stirred);
    }
  });
  touching_.clear(), stirred_.clear();
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (Touching& t : chunk_touching_[chunk]) pushSnugly(touching_, &t);
    stirred_.insert(stirred_.end(), chunk_stirred_[chunk].begin(), chunk_stirred_[chunk].end());
  }
  if (wakeHit(state, params, movers, v)) return false;
  which_[0].clear(), which_[1].clear();
  for (std::size_t k = 0; k < touching_.size(); ++k)
    which_[touching_[k]->b < 0].push_back(static_cast<int>(k));
  resizeSnugly(row_of_, touching_.size());
  fill(hulls, which_[0], state, params, surfaces, movers, v, backend);
  fill(grounds, which_[1], state, params, surfaces, movers, v, backend);
  if (rowOrder(params.solver) == RowOrder::together) arrangeGather(movers, params.solver.omega == 0);
  return true;
}

std::size_t RigidContacts::contactBytes() const {
  std::size_t sum = hulls.batch.bytes() + grounds.batch.bytes() + bytesOf(hulls.points, grounds.points);
  sum += bytesOf(touching_, which_[0], which_[1], row_of_, movers_of_rows_, rank_of_rows_);
  sum += bytesOf(next_memory_.rigid_pair, next_memory_.rigid_place, next_memory_.rigid_impulse);
  sum += bytesOf(gather.crowd, gather.start, gather.row, gather.last, gather.pushed, gather.twisted);
  for (const std::vector<Touching>& list : chunk_touching_) sum += bytesOf(list);
  return sum;
}

std::size_t RigidContacts::bytes() const {
  std::size_t sum = contactBytes() + grid_.bytes() + joints.bars.bytes();
  for (const auto& field : concave_) sum += field ? field->bytes() : 0;
  sum += bytesOf(awake_, sleepers_, last_sleepers_, last_still_, pairs_, order_, near_.first, near_.partner);
  sum += bytesOf(partner_first_, partner_, reach_, spheres_, sorted_, poses_, next_, extent_, stirred_);
  return sum + bytesOf(hints_, last_hints_, hint_pair_, last_hint_pair_, root_, least_calm_);
}

}  // namespace repose
