// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/hash.h"
#include "base/vectors.h"
#include "model/point_scale.h"

namespace repose {

namespace {

// A point attribute may take all stiffness from a row, whose compliance must stay finite.
constexpr float kLeastStiffness = 1e-12f;

template <class Row>
void padTo16(std::vector<Row>& rows, const Row& padding) {
  while (rows.size() % 16 != 0) rows.push_back(padding);
}

}  // namespace

void ModelBuilder::beginBody(const std::string& name) {
  ModelBody body;
  body.name = name;
  body.points = {built_.model.numPoints(), 0};
  built_.model.bodies.push_back(body);
  places_.emplace_back();
}

void ModelBuilder::addPoints(const std::vector<Vec3f>& positions, const std::vector<float>& masses,
                             Vec3f velocity, const std::vector<int>& order) {
  assert(places_.back().empty() && order.size() == positions.size());
  Model& model = built_.model;
  State& state = built_.state;
  model.bodies.back().points = {model.numPoints(), static_cast<int>(positions.size())};
  places_.back().resize(positions.size());
  pinned_.assign(positions.size(), false);
  for (const int source : order) {
    places_.back()[source] = model.numPoints();
    const Vec3f p = positions[source];
    const float w = masses[source] > 0 ? 1.0f / masses[source] : 0.0f;
    model.source.push_back(source);
    model.inv_mass.push_back(w);
    state.x.push_back({p.x, p.y, p.z, w});
    state.v.push_back({velocity.x, velocity.y, velocity.z, 0});
  }
  const Vec4f last = state.x.back();
  padTo16(model.source, -1);
  padTo16(model.inv_mass, 0.0f);
  padTo16(state.x, {last.x, last.y, last.z, 0});
  padTo16(state.v, {});
}

void ModelBuilder::addVelocities(const Geometry& geometry) {
  const PointVelocity more(geometry);
  for (std::size_t k = 0; k < geometry.points.size(); ++k) {
    Vec4f& v = built_.state.v[point(static_cast<int>(k))];
    const Vec3f own = more.at(k);
    v.x += own.x, v.y += own.y, v.z += own.z;
  }
}

void ModelBuilder::pin(int source, int body, int pin) {
  if (pinned_[source]) return;
  pinned_[source] = true;
  const int p = point(source);
  built_.model.pins.push_back({p, body, pin, source});
  built_.model.inv_mass[p] = 0;
  built_.state.x[p].w = 0;
  built_.state.v[p] = {};
}

void ModelBuilder::slide(int source, int body, int pin, Vec3f line) {
  if (pinned_[source]) return;
  pinned_[source] = true;
  built_.model.slides.push_back({{point(source), body, pin, source}, line});
}

void ModelBuilder::addDistance(RowKind kind, int a, int b, float rest, float stiffness) {
  distance_[static_cast<int>(kind)].push_back(
      {point(a), point(b), rest, std::max(stiffness, kLeastStiffness)});
}

void ModelBuilder::addTether(int point, int pin, float rest, int next) {
  addDistance(RowKind::tether, point, pin, rest, 1);
  built_.model.bodies.back().tether_next.push_back(next);
}

void ModelBuilder::addStitch(int body_a, int a, int body_b, int b, float rest, float stiffness) {
  stitches_.push_back({places_[body_a][a], places_[body_b][b], rest, stiffness});
}

void ModelBuilder::addHinge(BendModel bend, const int corner[4], const float weight[4], float rest_angle,
                            float stiffness) {
  built_.model.bodies.back().bend = bend;
  Hinge h{{}, {}, rest_angle, std::max(stiffness, kLeastStiffness)};
  for (int s = 0; s < 4; ++s) {
    h.corner[s] = point(corner[s]);
    h.weight[s] = weight[s];
  }
  hinges_.push_back(h);
}

void ModelBuilder::addMembrane(const int corner[3], const float warp[3], const float weft[3], float stretch,
                               float shear) {
  Membrane m{{}, {}, {}, stretch, shear};
  for (int s = 0; s < 3; ++s) m.corner[s] = point(corner[s]), m.warp[s] = warp[s], m.weft[s] = weft[s];
  all_membrane_.push_back(m);
}

void ModelBuilder::addTet(const int corner[4], const float y[9], float volume, float stiffness, Vec3f fibre) {
  Tet t{{}, {}, volume, std::max(stiffness, kLeastStiffness), fibre};
  for (int s = 0; s < 4; ++s) t.corner[s] = point(corner[s]);
  std::copy_n(y, 9, t.y);
  all_tets_.push_back(t);
}

void ModelBuilder::addTriangle(const int corner[3], float mass, float normal_scale, float tangent_scale) {
  all_triangles_.push_back(
      {{point(corner[0]), point(corner[1]), point(corner[2])}, mass, normal_scale, tangent_scale});
}

Range ModelBuilder::append(std::vector<Distance>& batch, int padding_point) {
  DistanceRows& rows = built_.model.distance;
  const Range range{rows.size(), static_cast<int>(batch.size())};
  padTo16(batch, {padding_point, padding_point, 0, 1});
  for (const Distance& d : batch) {
    rows.a.push_back(d.a);
    rows.b.push_back(d.b);
    rows.rest.push_back(d.rest);
    rows.stiffness.push_back(d.stiffness);
  }
  batch.clear();
  return range;
}

void ModelBuilder::endBody() {
  ModelBody& body = built_.model.bodies.back();
  const int here = body.points.first;
  for (int kind = 0; kind < kRowKinds; ++kind) body.rows[kind] = append(distance_[kind], here);

  std::vector<Hinge>& hinges = all_hinges_[body.bend == BendModel::dihedral];
  body.hinges = {static_cast<int>(hinges.size()), static_cast<int>(hinges_.size())};
  padTo16(hinges_, Hinge{{here, here, here, here}, {}, 0, 1});
  hinges.insert(hinges.end(), hinges_.begin(), hinges_.end());
  hinges_.clear();

  const ModelBody* before = built_.model.bodies.size() > 1 ? &body - 1 : nullptr;
  const auto close = [before](Range ModelBody::*range, auto& all, const auto& padding) {
    const int first = before ? (before->*range).first + (before->*range).padded() : 0;
    const Range mine{first, static_cast<int>(all.size()) - first};
    padTo16(all, padding);
    return mine;
  };
  body.triangles = close(&ModelBody::triangles, all_triangles_, Triangle{{here, here, here}, 1, 1, 1});
  body.membrane = close(&ModelBody::membrane, all_membrane_, Membrane{{here, here, here}, {}, {}, 0, 0});
  body.tets = close(&ModelBody::tets, all_tets_,
                    Tet{{here, here, here, here}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0, 1, {0, 1, 0}});
}

void ModelBuilder::writeHinges() {
  for (int which = 0; which < 2; ++which) {
    HingeRows& rows = which == 0 ? built_.model.quadratic : built_.model.dihedral;
    for (int s = 0; s < 4; ++s)
      for (const Hinge& h : all_hinges_[which]) {
        rows.corner.push_back(h.corner[s]);
        rows.weight.push_back(h.weight[s]);
      }
    for (const Hinge& h : all_hinges_[which]) {
      rows.stiffness.push_back(h.stiffness);
      if (which == 1) rows.rest_angle.push_back(h.rest_angle);
    }
  }
}

void ModelBuilder::writeElements() {
  MembraneTriangles& membrane = built_.model.membrane;
  for (int s = 0; s < 3; ++s)
    for (const Membrane& m : all_membrane_) {
      membrane.corner.push_back(m.corner[s]);
      membrane.warp.push_back(m.warp[s]);
      membrane.weft.push_back(m.weft[s]);
    }
  for (const Membrane& m : all_membrane_) {
    membrane.stretch.push_back(m.stretch);
    membrane.shear.push_back(m.shear);
  }

  TetElements& tets = built_.model.tets;
  for (int s = 0; s < 4; ++s)
    for (const Tet& t : all_tets_) tets.corner.push_back(t.corner[s]);
  for (int k = 0; k < 9; ++k)
    for (const Tet& t : all_tets_) tets.y.push_back(t.y[k]);
  for (const Tet& t : all_tets_) {
    tets.volume.push_back(t.volume);
    tets.stiffness.push_back(t.stiffness);
    tets.fibre.push_back(t.fibre);
  }
}

void ModelBuilder::writeAir() {
  Model& model = built_.model;
  AirTriangles& air = model.air;
  for (int s = 0; s < 3; ++s)
    for (const Triangle& t : all_triangles_) air.corner.push_back(t.corner[s]);
  for (const Triangle& t : all_triangles_) {
    air.inv_mass.push_back(t.mass > 0 ? 1.0f / t.mass : 0.0f);
    air.normal_scale.push_back(t.normal_scale);
    air.tangent_scale.push_back(t.tangent_scale);
  }
  air.scaled = std::any_of(all_triangles_.begin(), all_triangles_.end(),
                           [](const Triangle& t) { return t.normal_scale != 1 || t.tangent_scale != 1; });
  if (!air.scaled) air.normal_scale.assign(16, 1.0f), air.tangent_scale.assign(16, 1.0f);
  // padding triangles are in nobody's fan; free slots name the force behind the last triangle, which stays
  // zero
  std::vector<int> count(model.source.size(), 0);
  const auto eachCorner = [&](auto&& visit) {
    for (const ModelBody& body : model.bodies)
      for (int t = body.triangles.first; t < body.triangles.first + body.triangles.count; ++t)
        for (int s = 0; s < 3; ++s) visit(air.corner[s * air.size() + t], t);
  };
  eachCorner([&](int p, int) { ++count[p]; });
  air.fan = SlicedLists(count);
  air.fan_triangle.assign(air.fan.slots(), air.size());
  std::fill(count.begin(), count.end(), 0);
  eachCorner([&](int p, int t) { air.fan_triangle[air.fan.slot(p, count[p]++)] = t; });
}

Built ModelBuilder::finish() {
  Model& model = built_.model;
  model.stitches = append(stitches_, 0);
  writeHinges();
  writeElements();
  writeAir();
  MembraneTriangles& membrane = model.membrane;
  TetElements& tets = model.tets;
  AirTriangles& air = model.air;
  const auto trim = [](auto&... arrays) { (arrays.shrink_to_fit(), ...); };
  trim(model.source, model.inv_mass, model.distance.a, model.distance.b, model.distance.rest,
       model.distance.stiffness, membrane.corner, membrane.warp, membrane.weft, membrane.stretch,
       membrane.shear, air.corner, air.inv_mass, air.normal_scale, air.tangent_scale, built_.state.x,
       built_.state.v);
  trim(tets.corner, tets.y, tets.volume, tets.stiffness, tets.fibre);
  for (HingeRows* h : {&model.quadratic, &model.dihedral})
    trim(h->corner, h->weight, h->rest_angle, h->stiffness);
  return std::move(built_);
}

Built buildPoints(const Scene& scene) {
  ModelBuilder builder;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const bool cloth = body.kind == BodyKind::cloth;
    if (!cloth && body.kind != BodyKind::soft) {  // grains and rigid bodies are not points of the model
      builder.beginBody(body.name);
      builder.endBody();
      continue;
    }
    (cloth ? buildCloth : buildSoft)(body, static_cast<int>(b), builder);
  }
  for (const Stitch& stitch : scene.stitches)
    for (const auto& [a, b] : stitch.pairs)
      builder.addStitch(stitch.a, a, stitch.b, b, stitch.restlength, stitch.stiffness);
  return builder.finish();
}

Result<Built> buildModel(const Scene& scene) {
  for (const Body& body : scene.bodies)
    if ((body.kind == BodyKind::cloth || body.kind == BodyKind::soft) && body.simulated().points.empty())
      return badInput(fmt::format("body '{}' has no points", body.name));
  if (scene.bodies.empty()) return badInput(fmt::format("{}: the scene has no bodies", scene.path));
  Built built = buildPoints(scene);
  const auto pointOf = [&](int body, int source) {
    const Range points = built.model.bodies[body].points;
    const auto first = built.model.source.begin() + points.first;
    return static_cast<int>(std::find(first, first + points.count, source) - built.model.source.begin());
  };
  if (Status rigid = buildRigid(scene, pointOf, built.model.rigid, built.state.rigid); !rigid) return rigid;
  return built;
}

std::size_t Model::bytes() const {
  std::size_t sum = bytesOf(source) + bytesOf(inv_mass) + bytesOf(pins) + bytesOf(slides);
  sum += bytesOf(distance.a) + bytesOf(distance.b) + bytesOf(distance.rest) + bytesOf(distance.stiffness);
  for (const HingeRows* h : {&quadratic, &dihedral})
    sum += bytesOf(h->corner) + bytesOf(h->weight) + bytesOf(h->rest_angle) + bytesOf(h->stiffness);
  sum += bytesOf(membrane.corner) + bytesOf(membrane.warp) + bytesOf(membrane.weft) +
         bytesOf(membrane.stretch) + bytesOf(membrane.shear);
  sum += bytesOf(tets.corner) + bytesOf(tets.y) + bytesOf(tets.volume) + bytesOf(tets.stiffness) +
         bytesOf(tets.fibre);
  return sum + bytesOf(air.corner) + bytesOf(air.inv_mass) + bytesOf(air.normal_scale) +
         bytesOf(air.tangent_scale) + air.fan.bytes() + bytesOf(air.fan_triangle);
}

std::uint64_t stateHash(const State& state) {
  Hasher hasher;
  hasher.add(state.x.data(), state.x.size() * sizeof(Vec4f));
  if (!state.x_low.empty()) hasher.add(state.x_low.data(), state.x_low.size() * sizeof(Vec4f));
  hasher.add(state.v.data(), state.v.size() * sizeof(Vec4f));
  for (const std::vector<Vec4f>* history : {&state.v_last, &state.v_mean})
    if (!history->empty()) hasher.add(history->data(), history->size() * sizeof(Vec4f));
  if (!state.rest_angle.empty()) hasher.add(state.rest_angle.data(), state.rest_angle.size() * sizeof(float));
  if (!state.tet_y.empty()) hasher.add(state.tet_y.data(), state.tet_y.size() * sizeof(float));
  if (!state.torn.empty()) hasher.add(state.torn.data(), state.torn.size() * sizeof(std::int32_t));
  const GrainState& grains = state.grains;
  if (grains.size() > 0) {
    hasher.add(grains.x.data(), grains.x.size() * sizeof(Vec4f));
    hasher.add(grains.v.data(), grains.v.size() * sizeof(Vec4f));
    hasher.add(grains.spin.data(), grains.spin.size() * sizeof(Vec4f));
    hasher.add(grains.id.data(), grains.id.size() * sizeof(std::uint32_t));
  }
  const RigidState& rigid = state.rigid;
  if (rigid.size() > 0)
    for (const std::vector<Vec4f>* part : {&rigid.x, &rigid.q, &rigid.v, &rigid.spin})
      hasher.add(part->data(), part->size() * sizeof(Vec4f));
  hasher.add(&state.substep, sizeof state.substep);
  return hasher.value();
}

}  // namespace repose
