// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/push_world.h"

#include <cmath>
#include <map>
#include <numeric>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

namespace {

// A linear field pushes and turns six places as it does the piece, for they have its mass, its centre and its
// moments of inertia.
HostLoad loadOn(const PieceMass& piece, Vec3f velocity, Vec3f spin, const HostForce& force) {
  HostLoad sum;
  for (int k = 0; k < 3; ++k) {
    const float others = piece.moments[(k + 1) % 3] + piece.moments[(k + 2) % 3];
    const float spread = std::max(0.5f * (others - piece.moments[k]) / piece.mass, 0.0f);
    for (const float side : {-1.0f, 1.0f}) {
      const Vec3f arm = piece.axes.axis[k] * (side * std::sqrt(3 * spread));
      const HostLoad load = force(piece.axes.origin + arm, velocity + cross(spin, arm), spin, piece.mass);
      sum.force += load.force * (1 / 6.0f);
      sum.torque += (load.torque + cross(arm, load.force)) * (1 / 6.0f);
    }
  }
  return sum;
}

class Pusher {
 public:
  Pusher(const NodeGeometry& geometry, const Assembly& assembly, bool touched, Simulation& simulation,
         const std::vector<HostPush>& pushes)
      : geometry_(geometry),
        assembly_(assembly),
        simulation_(simulation),
        pushes_(pushes),
        touched_(touched) {}

  Status push() {
    Status done;
    for (std::size_t b = 0; b < assembly_.bodies.size() && done.ok(); ++b) {
      const Part& part = assembly_.bodies[b];
      const int body = static_cast<int>(b);
      if (part.kind == "cloth" || part.kind == "grain") {
        if (touched_ || anyForce()) simulation_.readBody(body, view_);
        if (touched_) done = edit(body, part);
        if (done.ok()) done = pushPoints(body, part);
      }
      if (part.kind == "soft") done = pushSoft(body, part);
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

  // Those of the host on the object that a part is of.
  std::vector<const HostForce*> pushesOn(const Part& part) const {
    std::vector<const HostForce*> forces;
    const auto first = static_cast<std::size_t>(part.points[0]);
    for (const HostPush& push : pushes_)
      if (first >= push.first && first < push.first + push.count) forces.push_back(&push.force);
    return forces;
  }

  Status pushPoints(int body, const Part& part) {
    BodyForces given;
    for (std::size_t k = 0; anyForce() && k < view_.positions.size(); ++k)
      given.forces.push_back(forceAt(static_cast<std::size_t>(pointAt(part, k))));
    return simulation_.setForces(body, given);
  }

  Status pushSoft(int body, const Part& part) {
    BodyForces given;
    std::vector<Vec3f> shown;
    for (std::size_t k = 0; anyForce() && k < part.points.size(); ++k)
      shown.push_back(forceAt(static_cast<std::size_t>(part.points[k])));
    if (anyForce()) given.forces = simulation_.onSimulated(body, shown);
    const std::vector<const HostForce*> pushes = pushesOn(part);
    if (pushes.empty()) return simulation_.setForces(body, given);
    std::vector<Vec3f> places, velocities;
    std::vector<float> masses;
    simulation_.readPoints(body, places, velocities);
    simulation_.readMasses(body, masses);
    const double whole = std::accumulate(masses.begin(), masses.end(), 0.0);
    given.forces.resize(places.size());
    for (const HostForce* push : pushes)
      for (std::size_t k = 0; k < places.size(); ++k)
        if (masses[k] > 0)
          given.forces[k] +=
              (*push)(places[k], velocities[k], {}, whole).force * static_cast<float>(masses[k] / whole);
    return simulation_.setForces(body, given);
  }

  // A piece takes what its points are pushed with, where they are. A packed one is pushed at its centre.
  Status pushPieces(int body, const Part& part) {
    BodyForces given;
    const std::vector<const HostForce*> pushes = pushesOn(part);
    if (!anyForce() && !torque_ && pushes.empty()) return simulation_.setForces(body, given);
    RigidView rigid;
    std::vector<PieceMass> masses;
    simulation_.readRigid(body, rigid);
    simulation_.readPieces(body, masses);
    given.forces.resize(rigid.poses.size()), given.torques.resize(rigid.poses.size());
    for (const HostForce* push : pushes)
      for (std::size_t k = 0; k < rigid.poses.size(); ++k) {
        const Vec3f lever = masses[k].axes.origin - rigid.poses[k].origin, spin = rigid.spins[k];
        const HostLoad load = loadOn(masses[k], rigid.velocities[k] + cross(spin, lever), spin, *push);
        given.forces[k] += load.force, given.torques[k] += load.torque;
      }
    if (anyForce() || torque_) addPoints(part, *rigid.body, masses, given);
    return simulation_.setForces(body, given);
  }

  void addPoints(const Part& part, const Body& body, const std::vector<PieceMass>& masses,
                 BodyForces& given) const {
    std::map<std::string, std::size_t> known;
    for (std::size_t k = 0; k < body.pieces.size(); ++k) known[body.pieces[k].name] = k;
    for (std::size_t k = 0; k < part.points.size(); ++k) {
      if (part.repeats(k)) continue;
      const auto found = known.find(part.pieces[part.piece_of[k]]);
      const std::size_t piece = part.pieces.size() == 1 ? 0
                                : found == known.end()  ? given.forces.size()
                                                        : found->second;
      if (piece >= given.forces.size()) continue;
      const auto p = static_cast<std::size_t>(part.points[k]);
      const Vec3f force = forceAt(p), centre = masses[piece].axes.origin;
      given.forces[piece] += force;
      if (!part.isPacked(k)) given.torques[piece] += cross(geometry_.points[p] - centre, force);
      if (torque_) given.torques[piece] += torque_.at(p);
    }
  }

  const NodeGeometry& geometry_;
  const Assembly& assembly_;
  Simulation& simulation_;
  const std::vector<HostPush>& pushes_;
  const PointVectors v_{geometry_, "v"}, force_{geometry_, "force"}, torque_{geometry_, "torque"},
      target_{geometry_, "targetv"};
  const PointNumbers air_{geometry_, "airresist"};
  BodyView view_;
  const bool touched_;  // somebody may have moved points since they were shown
};

}  // namespace

Status pushWorld(const NodeGeometry& geometry, const Assembly& assembly, bool touched, Simulation& simulation,
                 const std::vector<HostPush>& pushes) {
  return Pusher(geometry, assembly, touched, simulation, pushes).push();
}

}  // namespace repose::nodes
