// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/object_world.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "base/hash.h"
#include "houdini_nodes/attributes.h"
#include "houdini_nodes/guide.h"
#include "houdini_nodes/world.h"

namespace repose::nodes {

namespace {

constexpr double kSameStep = 1e-3;

// Values of a, then of b; what one of them lacks is 0 or empty. Numbers of another storage are taken as those
// of a.
Values appended(const NodeAttribute* a, std::size_t a_count, const NodeAttribute* b, std::size_t b_count) {
  Values values = *(a ? a : b)->values;
  const auto width = static_cast<std::size_t>((a ? a : b)->width);
  std::visit(
      [&](auto& list) {
        using List = std::decay_t<decltype(list)>;
        if (!a) list.assign(a_count * width, {});
        const std::size_t first = list.size();
        list.resize(first + b_count * width);
        for (std::size_t k = 0; b && b->width == static_cast<int>(width) && k < b_count * width; ++k)
          if constexpr (std::is_same_v<typename List::value_type, std::string>)
            list[first + k] = b->isText() ? b->text(k) : "";
          else
            list[first + k] = static_cast<typename List::value_type>(b->number(k));
      },
      values);
  return values;
}

std::size_t countOf(const NodeGeometry& geometry, Owner owner) {
  return owner == Owner::point ? geometry.points.size() : geometry.primitives.size();
}

// The values of some elements in a row.
Values slice(const NodeAttribute& a, std::size_t first, std::size_t count) {
  Values values = *a.values;
  const auto width = static_cast<std::size_t>(a.width);
  std::visit(
      [&](auto& list) {
        using List = std::decay_t<decltype(list)>;
        const auto from = list.begin() + static_cast<std::ptrdiff_t>(first * width);
        list = List(from, from + static_cast<std::ptrdiff_t>(count * width));
      },
      values);
  return values;
}

// Of what a host could have changed since: where the object is, P and v.
std::string hashShown(const NodeGeometry& geometry, const Placement& at) {
  Hasher hash;
  hash.add(at.rows, sizeof at.rows);
  hash.add(geometry.points.data(), geometry.points.size() * sizeof(Vec3f));
  if (const PointVectors v(geometry, "v"); v)
    for (std::size_t p = 0; p < geometry.points.size(); ++p) {
      const Vec3f velocity = v.at(p);
      hash.add(&velocity, sizeof velocity);
    }
  return hexHash(hash.value());
}

}  // namespace

NodeGeometry joined(const NodeGeometry& a, const NodeGeometry& b) {
  NodeGeometry both;
  both.points = a.points;
  both.points.insert(both.points.end(), b.points.begin(), b.points.end());
  const auto points = static_cast<int>(a.points.size()), corners = static_cast<int>(a.corners.size());
  both.primitives = a.primitives, both.corners = a.corners;
  for (Primitive primitive : b.primitives) primitive.first += corners, both.primitives.push_back(primitive);
  for (const int corner : b.corners) both.corners.push_back(corner + points);
  both.packed = a.packed;
  for (Packed packed : b.packed) {
    packed.primitive += static_cast<int>(a.primitives.size());
    both.packed.push_back(std::move(packed));
  }
  for (const NodeGeometry* from : {&a, &b}) {
    both.as_shown.insert(both.as_shown.end(), from->as_shown.begin(), from->as_shown.end());
    both.as_shown.resize((from == &a ? a : both).points.size(), 0);
  }
  for (const NodeGeometry* from : {&a, &b})
    for (const NodeAttribute& attribute : from->attributes) {
      if (attribute.owner == Owner::vertex || both.find(attribute.owner, attribute.name)) continue;
      NodeAttribute joint = attribute;
      if (attribute.owner != Owner::detail)
        joint.values = appended(a.find(attribute.owner, attribute.name), countOf(a, attribute.owner),
                                b.find(attribute.owner, attribute.name), countOf(b, attribute.owner));
      both.attributes.push_back(std::move(joint));
    }
  return both;
}

void ObjectWorld::addObject(NodeGeometry geometry, const Placement& at, std::vector<HostForce> forces) {
  for (HostForce& force : forces) pushes_.push_back({points_, geometry.points.size(), std::move(force)});
  points_ += geometry.points.size();
  if (!at.isIdentity()) {
    const NodeAttribute* shown = geometry.find(Owner::detail, kShown);
    const bool untouched = shown && shown->isText() && shown->text(0) == hashShown(geometry, at);
    geometry.as_shown.assign(geometry.points.size(), untouched);
    place(at, geometry);
  }
  objects_.push_back(std::move(geometry));
  placements_.push_back(at);
}

void ObjectWorld::addCollider(NodeGeometry geometry, const Placement& at) {
  if (!at.isIdentity()) {
    place(at, geometry);
    for (const Owner owner : {Owner::point, Owner::primitive, Owner::detail})
      if (geometry.find(owner, "vdbfile"))
        notes_.emplace_back(
            "a VDB file (attribute vdbfile) stands where it was written: the transform of the "
            "collider does not move it");
  }
  spreadField(geometry);
  colliders_.push_back(std::move(geometry));
}

CookResult ObjectWorld::step(const Parms& parms, double seconds, CookControl& control, std::string& state,
                             std::unique_ptr<NodeMemory>& memory) {
  CookResult result;
  NodeGeometry whole, colliders;
  for (const Placement& at : placements_)
    if (!at.inverse()) return result.fail("the transform of the object is flat: it has no way back");
  for (const NodeGeometry& object : objects_) {
    if (Status good = checkGeometry(object, "Geometry"); !good) return result.fail(good.message());
    whole = whole.points.empty() ? object : joined(whole, object);
  }
  for (const NodeGeometry& collider : colliders_)
    colliders = colliders.points.empty() ? collider : joined(colliders, collider);
  const double frames = seconds * parms.number("fps");
  const int parts = static_cast<int>(std::lround(1 / frames));
  if (!(frames > 0) || std::abs(frames * parts - 1) > kSameStep)
    return result.fail(fmt::format(
        "the time step is {:.6g} of a frame, but must be a frame or a part of it, 1/2, 1/3 ...", frames));
  WorldStep step;
  const double start = state.empty() ? parms.number("startframe") : frameOf(state);
  step.input = {&whole, nullptr, colliders_.empty() ? nullptr : &colliders,
                &whole, &parms,  start + 1.0 / parts};
  step.parts = parts, step.control = &control, step.memory = &memory;
  step.pushes = pushes_, step.contacts = parms.on("showcontacts");
  result.geometry = whole;
  const bool begins = state.empty();
  std::string after;
  stepWorld(step, state, after, result);
  if (result.ok()) state = std::move(after);
  if (begins) result.warnings.insert(result.warnings.end(), notes_.begin(), notes_.end());
  if (result.ok()) takeApart(result.geometry);
  return result;
}

void ObjectWorld::takeApart(const NodeGeometry& whole) {
  std::size_t first = 0, first_packed = 0;
  for (std::size_t k = 0; k < objects_.size(); ++k) {
    NodeGeometry& object = objects_[k];
    const std::size_t count = object.points.size();
    const auto from = whole.points.begin() + static_cast<std::ptrdiff_t>(first);
    object.writePoints({from, from + static_cast<std::ptrdiff_t>(count)});
    for (const NodeAttribute& a : whole.attributes)
      if (whole.isWritten(a.owner, a.name) && (k == 0 || a.name != kContacts))  // the first draws them
        object.write(a.owner, a.name, a.width, a.owner == Owner::point ? slice(a, first, count) : *a.values);
    for (std::size_t i = 0; i < object.packed.size(); ++i)
      object.writePacked(i, whole.packed[first_packed + i].transform);
    first += count, first_packed += object.packed.size();
    if (placements_[k].isIdentity()) continue;
    place(*placements_[k].inverse(), object);
    if (k == 0) placeContacts(*placements_[k].inverse(), object);
    object.writeDetail(kShown, hashShown(object, placements_[k]));
  }
}

}  // namespace repose::nodes
