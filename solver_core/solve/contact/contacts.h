// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The contacts of a step: who can touch whom until its end, and with which impulses they begin.
#pragma once
#include <memory>
#include <vector>

#include "collide/grain_grid.h"
#include "collide/obstacle.h"
#include "collide/triangle_surface.h"
#include "solve/contact/cloth_self.h"
#include "solve/contact/contact_gather.h"
#include "solve/contact/surfaces.h"
#include "solve/read_grains.h"
#include "solve/rigid/rigid_contacts.h"
#include "solve/step.h"

namespace repose {

// All that contacts push, as the loop sees it: grains, points of the model, rigid bodies, then nobody.
struct Movers {
  std::vector<Vec4f> x;     // position; of grains the radius [m]
  std::vector<Vec4f> v;     // velocity [m/s] and inverse mass, 0 of pins and of grains asleep
  std::vector<Vec4f> spin;  // angular velocity times radius [m/s], and 1/radius; empty when nothing rotates
  std::vector<Vec4f> touch, ground;  // where each touches; only of contact_rub.cpp
  RigidMovers rigid;
  int grains = 0, first_point = 0, points = 0, first_rigid = 0;

  int nobody() const { return first_rigid + rigid.padded; }
  int size() const { return static_cast<int>(v.size()); }
};

// What can be seen of the contacts at the end of a step.
struct ContactSummary {
  int contacts = 0;             // that touch
  float max_penetration = 0;    // [m]
  double mean_penetration = 0;  // [m], of those that touch
  int asleep = 0;
};

// Parts of a step of h seconds in which contacts are solved: the published schemes have one. least_radius: of
// the grains, least_inner: half the least extent of the rigid bodies [m], 0 without any; on_cloth: mass of
// the heaviest rigid body on a cloth over that of the cloth.
int contactSubsteps(const SolverParams& solver, float h, float least_radius, float least_inner = 0,
                    float on_cloth = 0);

class Contacts {
 public:
  // obstacles: of each collider of the scene.
  Contacts(const Scene& scene, const Model& model, std::vector<std::unique_ptr<Obstacle>> obstacles);

  // Takes points and surfaces of cloth from the model: at the start, and when some has torn.
  void takeCloth(const Scene& scene, const Model& model);

  // Anything that can touch anything.
  bool any() const {
    return has_grains_ || !obstacles_.empty() || levers() || self_.any() || !rigid_model_.holds.empty();
  }
  bool anyBonds() const { return !rigid_model_.bonds.empty(); }
  // Patches have levers beside them, and are solved one colour after another.
  bool levers() const { return rigid || anyBonds(); }
  // Moves the obstacles; from and to are frames.
  Status moveObstacles(double from, double to, float seconds);

  // Wakes all when gravity, friction, cohesion or the like are not what they were in the last step.
  void wakeOnChange(State& state, const StepParams& params);
  // Nothing will move in the next step.
  bool allAsleep(const State& state) const;
  // Puts the grains in space order, finds the contacts and gives them the impulses of the last step.
  void find(const Model& model, State& state, const StepParams& params, Backend& backend);
  // After the step: cloth that would have passed through cloth is held back.
  void guardCloth(State& state, Backend& backend);
  // The movers' positions, velocities and impulses go back to the state; grains fall asleep or wake.
  void store(State& state, const StepParams& params, Backend& backend);

  // Greatest mass of a rigid body that touches cloth, over that of the lightest cloth it touches.
  float heaviestOnCloth() const { return heaviest_on_cloth_; }
  int substeps(const StepParams& params) const {
    return contactSubsteps(params.solver, params.h, least_radius_, rigid ? rigid->leastInner() : 0.0f,
                           heaviest_on_cloth_);
  }
  // Of a row of two grains.
  float frictionOf(int row) const { return alike.alike ? alike.friction : pairs.rows.value(row, kFriction); }
  bool anyRough() const { return any_rough_; }  // heaps whose masses differ much
  ContactSummary summary(const State& state) const;
  // Of each grain in the order of the state: sum of the pushes [N], and how many.
  void grainForces(float h, GrainFields& fields) const;
  std::size_t bytes() const;

  Movers movers;
  ContactBatch pairs{2, kPairFields};     // two grains
  AlikePairs alike;                       // what the rows of pairs do not keep
  ContactBatch solos{1, kSoloFields};     // a grain and a collider
  ContactBatch patches{4, kPatchFields};  // a grain and a cloth triangle, or a cloth point and a collider
  std::unique_ptr<RigidContacts> rigid;   // null without rigid bodies
  ContactGather gather;                   // of the methods that solve rows together

 private:
  // A contact of one mover, or of a mover and a triangle, before it has a row.
  struct Found {
    int mover[4];
    float weight[4];
    int body, other;        // sides
    std::uint64_t surface;  // tells the contacts of a mover apart
    Touch touch;            // gap without the radius
    int rigid = -1;         // one of the movers, as a rigid body; -1: none
    Vec3f arm = {};         // from its centre [m]
    float sign = 0;         // of its weight
    int bond = -1;          // of the model; -1: a contact
    float hold = 0;         // of a bond, as in ContactLever
  };

  // Sixteen movers: how far each reaches, 0 for what cannot be pushed, and the box around them.
  struct Neighbours {
    float radius[16], reach[16], farthest = 0;
    Bounds box;
  };
  Neighbours neighboursAt(int first, const StepParams& params, bool sleepers) const;
  // Adds what grains and cloth points touch: `visit(neighbours, first mover, list)` knows of what.
  template <class Visit>
  void findNear(const StepParams& params, bool sleepers, Backend& backend, const Visit& visit);

  void takeSurfaces(const Scene& scene, const Model& model);
  void orderGrains(GrainState& grains, Backend& backend);
  void takeMovers(const Model& model, const State& state, const StepParams& params, Backend& backend);
  void scaleMasses(const State& state, const StepParams& params);
  void takeRigid(const State& state, const StepParams& params);
  void findPairs(const State& state, const StepParams& params, Backend& backend);
  void findTouches(const State& state, const StepParams& params, Backend& backend);
  void touchRigid(const State& state, int mover, int body, float radius, float reach,
                  std::vector<Found>& list) const;
  void findRigidTouches(const State& state, const StepParams& params, Backend& backend);
  void findRigidOnCloth(const StepParams& params);
  void findBonds(const State& state, const StepParams& params);
  void findBondedGrains(const GrainState& grains);
  // Whether a bond holds a mover to a rigid body, or to kBondedCollider and a collider, and they do not
  // touch.
  bool bonded(int mover, std::uint32_t other) const;
  void findHolds(const State& state, const StepParams& params);
  // The same of a point, and of all points of a body whose joints to the other let them pass.
  bool heldBy(int point, std::uint32_t other) const;
  void weighBodiesOnCloth();
  void keepBond(const Found& found, Vec3f impulse, const StepParams& params, State& state) const;
  void findPatches(const State& state, const StepParams& params, Backend& backend);
  void bearThroughCloth();
  void orderByMover(std::vector<Found>& found);
  void findSelf(const StepParams& params, Backend& backend);
  bool wasOnOtherSide(const ContactMemory& memory, const Found& found, const GrainState& grains,
                      bool back) const;
  int listActive(Backend& backend);
  int nearChunks() const { return (movers.grains + RE_NEAR_CHUNK - 1) / RE_NEAR_CHUNK; }
  void colourPairs(const State& state, int count, RowOrder order, Backend& backend);
  AlikePairs alikePairs(const GrainState& grains) const;
  void fillPairs(const State& state, const StepParams& params, Backend& backend);
  void fillLever(ContactRows& lever, int row, const Found& found, const StepParams& params, float h) const;
  void fillFound(ContactBatch& batch, int movers, const std::vector<Found>& found, const State& state,
                 const StepParams& params, Backend& backend);
  std::uint64_t lastingName(const Found& found, const GrainState& grains) const;
  int recallSurface(const ContactMemory& memory, const Found& found, const GrainState& grains) const;
  void wakeBereft(State& state);
  void fallAsleep(State& state, const StepParams& params);
  void wakeAround(State& state);
  void storeMemory(State& state, const StepParams& params, Backend& backend);
  void storeRigid(State& state, const StepParams& params);

  const std::vector<std::unique_ptr<Obstacle>> obstacles_;
  bool all_still_ = true;  // no obstacle ever moves
  std::vector<BodyKind> kinds_;
  std::vector<int> body_of_point_;
  bool has_grains_ = false;
  float least_radius_ = 0;
  bool spins_ = false, extra_ = false;  // some grain rotates; some coheres, rolls against friction or bounces
  Surfaces surfaces_;
  const RigidModel& rigid_model_;
  GrainGrid grid_;
  // The faces of each cloth that grains can meet.
  struct ClothSurface {
    int body;
    Range points;  // of the model
    std::unique_ptr<TriangleSurface> triangles;
    std::vector<Vec3f> places, shifts;
  };
  std::vector<ClothSurface> cloth_;
  ClothSelf self_;

  std::vector<int> order_;
  std::vector<float> extent_;
  std::vector<float> load_;  // of each grain of the last step: sum of the pushes [N s]
  // Grains of the last step that are near each other are a heap: a way to its first one, and of that one the
  // least and greatest inverse mass of the heap [1/kg].
  std::vector<int> heap_;
  std::vector<float> heaviest_, lightest_;
  std::vector<unsigned char> rough_;  // of each mover: the masses of its heap differ much
  bool any_rough_ = false;
  GrainGrid::Pairs near_;
  std::vector<int> active_;        // contacts of near_ that are solved, in list order
  std::vector<int> active_first_;  // of each chunk of grains
  std::vector<int> active_movers_;
  std::vector<Vec4f> carried_, carried_roll_;  // of each contact of near_: impulse of the last step
  std::vector<std::vector<Found>> chunk_found_;
  enum : unsigned char { kTouched = 1, kHeld = 2, kStirred = 4 };
  std::vector<unsigned char> held_, next_held_;  // of each grain: something pushes it, and keeps it awake
  std::vector<Found> found_, patch_found_, found_next_;
  std::vector<int> mover_first_, place_of_last_;
  std::vector<int> under_point_;  // of each point what lies nearest under it, among patch_found_
  static constexpr std::uint32_t kBondedCollider = 0x80000000u;
  std::vector<Found> bond_found_;
  std::vector<std::uint64_t> bonded_;  // pairs, ascending
  std::vector<std::uint64_t> apart_;   // bodies of the scene and what they do not touch, ascending
  std::vector<int> bond_grain_;        // of each bond
  std::vector<std::pair<std::uint64_t, int>>
      grain_bonds_;  // body and number of a grain, and its bond, ascending
  std::vector<char> rigid_held_;
  std::vector<float> body_mass_;  // of each body of the scene that has points [kg]
  float heaviest_on_cloth_ = 0;
  const ContactBatch no_patches_{4, kPatchFields};  // where patches are not solved together
  // scratch of permutations
  std::vector<Vec4f> scratch4_;
  std::vector<std::uint32_t> scratch_u32_;
  std::vector<std::int32_t> scratch_i32_;
  std::vector<std::uint16_t> scratch_u16_;
  std::vector<float> scratch_f_;
};

// How rows are visited: all at once by the Jacobi methods.
inline RowOrder rowOrder(const SolverParams& solver) {
  if (solver.contactmethod == ContactMethod::gauss_seidel_coloured) return RowOrder::coloured;
  return solver.contactmethod == ContactMethod::gauss_seidel ? RowOrder::alone : RowOrder::together;
}

// Radii that divide the scene's grains into levels of the grid: for each body its largest grain, then halves.
std::vector<float> gridLevels(const Scene& scene);

}  // namespace repose
