// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A scene in motion: builds model and state, advances them, and shows the bodies in their source order.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/profile.h"
#include "base/status.h"
#include "scene/output_fields.h"
#include "scene/scene.h"
#include "solve/body_view.h"
#include "solve/host_edit.h"
#include "solve/host_forces.h"
#include "solve/host_grains.h"
#include "solve/host_views.h"

namespace repose {

// What happened since the last report; one object a frame in --log-json.
struct StepReport {
  int iterations = 0;         // summed over the substeps
  float residual = 0;         // largest length/rest - 1 of a stretch edge at the end
  bool converged = true;      // false: some substep used all its iterations and missed the tolerance
  float strain_error = 0;     // by which a tetrahedron's stress is wrong, where a tolerance is given
  float least_volume = 1;     // of a tetrahedron, over that at rest
  std::int64_t inverted = 0;  // tetrahedra that are inside out
  float max_speed = 0;        // [m/s]
  double kinetic_energy = 0;  // [J]
  double energy = 0;          // [J], with that of height
  std::int64_t grains = 0, asleep = 0, contacts = 0;
  std::int64_t lost = 0;                            // grains that have left the world and were taken out
  float max_penetration = 0, mean_penetration = 0;  // [m], over the contacts
  std::uint64_t hash = 0;                           // of the state
  StageSeconds seconds{};                           // by stage
};

class Simulation {
 public:
  // threads 0: all that the machine allows. Fails with bad_input on a scene without anything to move.
  static Result<std::unique_ptr<Simulation>> create(const Scene& scene, int threads);
  static Result<std::unique_ptr<Simulation>> create(const Scene& scene, std::unique_ptr<Backend> backend);
  virtual ~Simulation() = default;

  // Advances by a share of a frame, 1/parts; parts must divide the substeps of the scene. Fails with
  // Code::unstable (frame, body and point named) when a value stops being finite.
  virtual Status advance(int parts, StepReport& report) = 0;
  // Once true, advance() ends between two substeps with Code::stopped; the next one does what is left of the
  // share. Null, as at first: never.
  virtual void stopOn(const std::atomic<bool>* stop) = 0;
  // The state as it is: speed, energy, stretch and hash, without advancing; fails like advance().
  virtual Status measure(StepReport& report) = 0;
  virtual double frame() const = 0;  // of the current state; the scene's first frame at the start

  // What a user should know of how the scene is solved, a sentence each.
  virtual std::vector<std::string> notes() const = 0;

  virtual int bodyCount() const = 0;
  virtual void readBody(int body, BodyView& view) const = 0;  // reuses the view's memory
  // Of a rigid body the pieces; empties the view of any other.
  virtual void readRigid(int body, RigidView& view) const = 0;
  virtual void readPieces(int body, std::vector<PieceMass>& pieces) const = 0;  // in the order of that view
  // Those of the last advance(), in the order of their time.
  virtual void readHits(std::vector<Hit>& hits) const = 0;
  // All that pushed in the last substep; what sleeps is in none.
  virtual void readContacts(std::vector<ContactView>& contacts) const = 0;
  // A field of each point of a body that has it, in the order of the view that readBody() has just filled.
  virtual void readField(OutputField field, int body, const BodyView& view,
                         std::vector<float>& values) const = 0;
  // Stretch and tension [N/m] of each point (solve/point_fields.h); of soft bodies see solve/soft_fields.h.
  virtual void readStrain(int body, std::vector<float>& strain) const = 0;
  virtual void readStress(int body, std::vector<float>& stress) const = 0;
  // Of cloth and soft bodies the points that are simulated, in the order of Body::simulated().
  virtual void readPoints(int body, std::vector<Vec3f>& positions, std::vector<Vec3f>& velocities) const = 0;
  // Of the same points [kg]; 0: it is pinned.
  virtual void readMasses(int body, std::vector<float>& masses) const = 0;

  // ---- what a host may do between two calls of advance(), or in its own call before each substep ----

  // Called with the seconds simulated so far; its failure ends advance() with the same status, and the next
  // advance() begins with the same substep.
  virtual void onSubstep(std::function<Status(double seconds)> call) = 0;
  // On bad_input, which names body and point, nothing has changed. A piece or a point that keys or pins move
  // cannot be written.
  virtual Status writeBody(int body, const PointEdit& edit) = 0;
  virtual Status writeRigid(int body, const RigidEdit& edit) = 0;
  // Forces and targets last until they are set anew. They are not part of save(): a host that goes on from a
  // checkpoint sets them again.
  virtual Status setForces(int body, const BodyForces& forces) = 0;
  // Forces on the points of a BodyView as forces on those of Body::simulated(): of a soft body they go to the
  // corners of the tetrahedra that carry the points.
  virtual std::vector<Vec3f> onSimulated(int body, const std::vector<Vec3f>& shown) const = 0;
  // Where pinned points of Body::simulated() are to be at the end of each substep [m], whatever the scene
  // says; no points at all: all pins of the body go by the scene again.
  virtual Status setPinTargets(int body, const std::vector<std::int32_t>& points,
                               const std::vector<Vec3f>& places) = 0;

  virtual std::uint64_t stateHash() const = 0;
  // All that varies, and the way back: a simulation of the same scene goes on with the same bits.
  virtual void save(ByteWriter& bytes) const = 0;
  virtual void load(ByteReader& bytes) = 0;  // refuses what is not of this scene
  // The same of a scene that had other grains: one entry a body of this scene, of which those of grains come
  // last.
  virtual void loadChanged(ByteReader& bytes, const std::vector<BodyGrains>& bodies) = 0;
  virtual std::size_t memoryBytes() const = 0;  // model, state and workspace
};

}  // namespace repose
