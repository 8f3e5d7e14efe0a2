// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/bytes.h"
#include "base/hash.h"

namespace repose {
namespace {

// Members one by one: the bytes between them say nothing.
class SceneBytes {
 public:
  std::string hash() const {
    Hasher hasher;
    hasher.add(text_.data(), text_.size());
    return hexHash(hasher.value());
  }
  template <class... T>
  void add(const T&... values) {
    (write_(values), ...);
  }
  void add(const Geometry& g) {
    add(g.points, g.face_counts, g.face_indices);
    for (const Attribute& a : g.attributes) {
      add(a.name, a.owner, a.type, a.width, a.floats, a.ints, a.indices);
      for (const std::string& s : a.strings) add(s);
    }
    for (const PointGroup& group : g.groups) add(group.name, group.points);
  }
  void add(const Keys<Vec3f>& keys) {
    for (const auto& key : keys.keys) add(key.frame, key.value);
  }
  void add(const Volume& v) { add(v.shape, v.size, v.radius, v.height, v.tuberadius, v.place); }
  void add(const Pin& pin) {
    add(pin.points, pin.animated);
    if (pin.slides()) add(pin.line);
    add(pin.translate);
    if (pin.to) add(pin.to->geometry);
  }
  void add(const Cut& cut) { add(cut.points, cut.first_frame, cut.last_frame); }
  void add(const Emitter& e) {
    add(e.volume);
    add(e.rate, e.velocity, e.spread, e.first_frame, e.last_frame, e.seed);
  }
  void add(const Sink& s) {
    add(s.volume);
    add(s.kind, s.point, s.normal, s.age, s.body);
  }
  void add(const JointEnd& end) { add(end.body, end.piece); }

 private:
  std::string text_;
  ByteWriter write_{text_};
};

class FingerprintMaker {
 public:
  explicit FingerprintMaker(const Scene& scene) {
    all_.emplace_back("frames: first", std::to_string(scene.first_frame));
    addParams("world", scene.world);
    addParams("solver", scene.solver);
    for (const Body& body : scene.bodies) addBody(body);
    for (const Joint& joint : scene.joints) addJoint(joint);
    for (const Collider& collider : scene.colliders) addCollider(collider);
    SceneBytes stitches, sinks;
    for (const Stitch& s : scene.stitches) {
      stitches.add(s.a, s.b, s.restlength, s.stiffness, s.closes, s.close_first, s.close_last);
      for (const auto& pair : s.pairs) stitches.add(pair[0], pair[1]);
    }
    for (const Sink& sink : scene.sinks) sinks.add(sink);
    all_.emplace_back("stitches", stitches.hash());
    all_.emplace_back("sinks", sinks.hash());
  }
  Fingerprint take() { return std::move(all_); }

 private:
  template <class Params>
  void addParams(const std::string& owner, const Keyed<Params>& params) {
    for (const ParamRow& row : kParamRows) {
      if (row.group != kGroupOf<Params>) continue;
      std::string value = formatParam(row, loadParam(row, &params.base));
      for (const auto& track : params.tracks)
        if (track.offset == row.offset)
          for (const auto& key : track.keys.keys)
            value += fmt::format(" {}:{},{},{}", key.frame, key.value.x, key.value.y, key.value.z);
      all_.emplace_back(fmt::format("{}.{}", owner, row.name), value);
    }
  }

  void addBody(const Body& body) {
    switch (body.kind) {
      case BodyKind::cloth:
        addParams(body.name, body.cloth);
        break;
      case BodyKind::grain:
        addParams(body.name, body.grain);
        break;
      case BodyKind::rigid:
        addParams(body.name, body.rigid);
        break;
      case BodyKind::soft:
        addParams(body.name, body.soft);
        break;
    }
    SceneBytes shape, pins, pieces;
    shape.add(body.kind, body.velocity, body.radii, body.rest_points);
    shape.add(body.geometry);
    shape.add(body.tets.geometry);
    for (const auto& tet : body.tets.tets) shape.add(tet);
    for (const Emitter& emitter : body.emitters) shape.add(emitter);
    for (const Pin& pin : body.pins) pins.add(pin);
    for (const Cut& cut : body.cuts) pins.add(cut);
    for (const RigidShape& s : body.shapes) {
      pieces.add(s.geometry);
      pieces.add(s.voxel);
    }
    for (const RigidPiece& p : body.pieces) pieces.add(p.name, p.shape, p.place, p.velocity, p.spin);
    pieces.add(body.translate);
    pieces.add(body.rotate);
    all_.emplace_back(body.name + ": shape", shape.hash());
    all_.emplace_back(body.name + ": pins", pins.hash());
    all_.emplace_back(body.name + ": pieces", pieces.hash());
  }

  void addJoint(const Joint& joint) {
    addParams(joint.name, joint.params);
    SceneBytes ends;
    ends.add(joint.kind, joint.frame, joint.other);
    ends.add(joint.a);
    ends.add(joint.b);
    all_.emplace_back(joint.name + ": ends", ends.hash());
  }

  void addCollider(const Collider& c) {
    addParams(c.name, c.params);
    SceneBytes shape;
    shape.add(c.shape, c.inside, c.place, c.point, c.normal, c.columns, c.voxel, c.path);
    shape.add(c.volume);
    shape.add(c.geometry);
    shape.add(c.translate);
    shape.add(c.rotate);
    std::error_code none;
    if (!c.path.empty()) shape.add(static_cast<std::uint64_t>(std::filesystem::file_size(c.path, none)));
    all_.emplace_back(c.name + ": shape", shape.hash());
  }

  Fingerprint all_;
};

}  // namespace

Fingerprint fingerprint(const Scene& scene) { return FingerprintMaker(scene).take(); }

std::vector<std::string> differences(const Fingerprint& was, const Fingerprint& is) {
  const auto looksHashed = [](const std::string& name) { return name.find(':') != std::string::npos; };
  std::map<std::string, std::string> old(was.begin(), was.end());
  std::vector<std::string> all;
  for (const auto& [name, value] : is) {
    const auto found = old.find(name);
    if (found == old.end()) {
      all.push_back(fmt::format("{} is new", name));
      continue;
    }
    if (found->second != value)
      all.push_back(looksHashed(name) ? fmt::format("{} changed", name)
                                      : fmt::format("{} was {} and is {}", name, found->second, value));
    old.erase(found);
  }
  for (const auto& [name, value] : was)
    if (old.count(name) > 0) all.push_back(fmt::format("{} is gone", name));
  return all;
}

}  // namespace repose
