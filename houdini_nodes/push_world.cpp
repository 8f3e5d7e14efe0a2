// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/push_world.h"

#include <map>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

namespace {

class Pusher {
 public:
  Pusher(const NodeGeometry& geometry, const Assembly& assembly, Simulation& simulation)
      : geometry_(geometry), assembly_(assembly), simulation_(simulation) {}

  Status push() {
    Status done;
    for (std::size_t b = 0; b < assembly_.bodies.size() && done.ok(); ++b) {
      const Part& part = assembly_.bodies[b];
      const int body = static_cast<int>(b);
      if (part.kind == "cloth" || part.kind == "grain") {
        simulation_.readBody(body, view_);
        done = edit(body, part);
        if (done.ok()) done = pushPoints(body, part);
      }
      if (part.kind == "rigid") done = pushPieces(body, part);
    }
    return done;
  }

 private:
  // The point of the geometry that is at a place of the view.
  int pointAt(const Part& part, std::size_t k) const {
    return part.points[part.kind == "grain" ? view_.ids[k] : k];
  }

  Status edit(int body, const Part& part) {
    std::vector<Vec3f> places(view_.positions.size()), velocities(view_.positions.size());
    bool moved = false, pushed = false;
    const Attribute *held = part.mesh.find(AttributeOwner::point, "repose_held"),
                    *follows = part.mesh.find(AttributeOwner::point, "repose_follows");
    for (std::size_t k = 0; k < view_.positions.size(); ++k) {
      const auto p = static_cast<std::size_t>(pointAt(part, k));
      const bool pinned = (held && held->floats[k] > 0) || (follows && follows->floats[k] > 0);
      const bool keeps = pinned || (!geometry_.as_shown.empty() && geometry_.as_shown[p]);
      places[k] = keeps ? view_.positions[k] : geometry_.points[p];
      velocities[k] = keeps || !v_ ? view_.velocities[k] : v_.at(p);
      moved = moved || places[k] != view_.positions[k];
      pushed = pushed || velocities[k] != view_.velocities[k];
    }
    PointEdit edit;
    edit.count = places.size();
    if (moved) edit.positions = places.data();
    if (pushed) edit.velocities = velocities.data();
    return moved || pushed ? simulation_.writeBody(body, edit) : Status();
  }

  // Of POPs: a force of its own, and the drag of air that goes at targetv.
  Vec3f forceAt(std::size_t p) const {
    Vec3f force = force_ ? force_.at(p) : Vec3f{};
    if (air_ && target_)
      force += (target_.at(p) - (v_ ? v_.at(p) : Vec3f{})) * static_cast<float>(air_.at(p));
    return force;
  }
  bool anyForce() const { return force_ || (air_ && target_); }

  Status pushPoints(int body, const Part& part) {
    if (!anyForce()) return {};
    BodyForces given;
    for (std::size_t k = 0; k < view_.positions.size(); ++k)
      given.forces.push_back(forceAt(static_cast<std::size_t>(pointAt(part, k))));
    return simulation_.setForces(body, given);
  }

  // A piece takes what its points are pushed with.
  Status pushPieces(int body, const Part& part) {
    if (!anyForce()) return {};
    RigidView rigid;
    simulation_.readRigid(body, rigid);
    std::map<std::string, std::size_t> known;
    for (std::size_t k = 0; k < rigid.body->pieces.size(); ++k) known[rigid.body->pieces[k].name] = k;
    BodyForces given;
    given.forces.resize(rigid.poses.size());
    for (std::size_t k = 0; k < part.points.size(); ++k) {
      if (part.repeats(k)) continue;
      const auto found = known.find(part.pieces[part.piece_of[k]]);
      const std::size_t piece = part.pieces.size() == 1 ? 0
                                : found == known.end()  ? given.forces.size()
                                                        : found->second;
      if (piece < given.forces.size())
        given.forces[piece] += forceAt(static_cast<std::size_t>(part.points[k]));
    }
    return simulation_.setForces(body, given);
  }

  const NodeGeometry& geometry_;
  const Assembly& assembly_;
  Simulation& simulation_;
  const PointVectors v_{geometry_, "v"}, force_{geometry_, "force"}, target_{geometry_, "targetv"};
  const PointNumbers air_{geometry_, "airresist"};
  BodyView view_;
};

}  // namespace

Status pushWorld(const NodeGeometry& geometry, const Assembly& assembly, Simulation& simulation) {
  return Pusher(geometry, assembly, simulation).push();
}

}  // namespace repose::nodes
