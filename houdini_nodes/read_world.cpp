// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/read_world.h"

#include <map>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/packed_parts.h"

namespace repose::nodes {

namespace {

struct Shown {
  std::vector<Vec3f> places, velocities;
  std::vector<float> orients, spins, pivots;  // empty without rigid bodies
  std::vector<std::int32_t> dead;             // empty while no grain is gone
  std::vector<Placement> turns;               // of the piece that hangs at each point; empty without packed
};

void readPoints(const BodyView& view, const Part& part, Shown& shown) {
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    shown.places[part.points[k]] = view.positions[k];
    shown.velocities[part.points[k]] = view.velocities[k];
  }
}

// Grains come in the order of their ids, which are the places in the part.
void readGrains(const BodyView& view, const Part& part, Shown& shown) {
  if (view.ids.size() == part.points.size()) return readPoints(view, part, shown);
  shown.dead.resize(shown.places.size(), 0);
  for (const int p : part.points) shown.dead[p] = 1, shown.velocities[p] = {};
  for (std::size_t k = 0; k < view.ids.size(); ++k) {
    const int p = part.points[view.ids[k]];
    shown.places[p] = view.positions[k], shown.velocities[p] = view.velocities[k], shown.dead[p] = 0;
  }
}

Placement placementOf(const Pose& pose) {
  Placement placement;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      placement.rows[i][k] = pose.axis[i][k];
      placement.rows[3][k] = pose.origin[k];
    }
  return placement;
}

// The points of a piece go with it: from where it was at the start to where it is.
void readPieces(const RigidView& view, const Part& part, const PointVectors& rests, Shown& shown) {
  const std::size_t count = shown.places.size();
  if (shown.orients.empty()) {
    shown.orients.resize(4 * count, 0), shown.spins.resize(3 * count, 0), shown.pivots.resize(3 * count, 0);
    for (std::size_t p = 0; p < count; ++p) shown.orients[4 * p + 3] = 1;
  }
  std::map<std::string, std::size_t> known;
  for (std::size_t k = 0; k < view.body->pieces.size(); ++k) known[view.body->pieces[k].name] = k;
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    if (part.repeats(k)) continue;
    const auto found = known.find(part.pieces[part.piece_of[k]]);
    const std::size_t piece = part.pieces.size() == 1 ? 0
                              : found != known.end()  ? found->second
                                                      : view.body->pieces.size();
    if (piece >= view.poses.size()) continue;  // left out of the scene, as the warning has said
    const auto p = static_cast<std::size_t>(part.points[k]);
    const Pose start = view.body->pieces[piece].place, now = view.poses[piece];
    const Vec3f rest = part.isPacked(k) ? rests.at(p) : part.mesh.points[k];
    const Vec3f lever = now.worldVector(start.local(rest)), spin = view.spins[piece];
    if (!shown.turns.empty()) shown.turns[p] = placementOf(now * inverse(start));
    shown.places[p] = lever + now.origin;
    shown.velocities[p] = view.velocities[piece] + cross(spin, lever);
    const Quat turn = quatOf(now * inverse(start));
    const float q[4] = {turn.x, turn.y, turn.z, turn.w};
    for (std::size_t c = 0; c < 4; ++c) shown.orients[4 * p + c] = q[c];
    for (int c = 0; c < 3; ++c) {
      shown.spins[3 * p + static_cast<std::size_t>(c)] = spin[c];
      shown.pivots[3 * p + static_cast<std::size_t>(c)] = start.origin[c];
    }
  }
}

}  // namespace

void readWorld(const Simulation& simulation, const Assembly& assembly, NodeGeometry& geometry) {
  Shown shown{geometry.points, std::vector<Vec3f>(geometry.points.size()), {}, {}, {}, {}, {}};
  if (!geometry.packed.empty()) shown.turns.resize(geometry.points.size());
  const PointVectors rests(geometry, kRest);
  if (const PointVectors v(geometry, "v"); v)
    for (std::size_t p = 0; p < shown.velocities.size(); ++p) shown.velocities[p] = v.at(p);
  BodyView view;
  RigidView rigid;
  for (std::size_t b = 0; b < assembly.bodies.size(); ++b) {
    const Part& part = assembly.bodies[b];
    if (part.kind == "rigid") {
      simulation.readRigid(static_cast<int>(b), rigid);
      readPieces(rigid, part, rests, shown);
      continue;
    }
    simulation.readBody(static_cast<int>(b), view);
    if (part.kind == "grain")
      readGrains(view, part, shown);
    else
      readPoints(view, part, shown);
  }
  for (std::size_t k = 0; k < geometry.packed.size(); ++k)
    if (const int hook = hookOf(geometry, geometry.packed[k]); hook >= 0)
      geometry.writePacked(k, startOf(geometry, geometry.packed[k]).then(shown.turns[hook]));
  geometry.writePoints(std::move(shown.places));
  geometry.write(Owner::point, "v", 3, flat(shown.velocities));
  if (!shown.orients.empty()) {
    geometry.write(Owner::point, "orient", 4, std::move(shown.orients));
    geometry.write(Owner::point, "w", 3, std::move(shown.spins));
    geometry.write(Owner::point, "pivot", 3, std::move(shown.pivots));
  }
  if (!shown.dead.empty()) geometry.write(Owner::point, "dead", 1, std::move(shown.dead));
}

}  // namespace repose::nodes
