// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Contacts of rigid bodies with each other and with colliders: who can touch whom until the end of the step,
// and with which impulses they begin.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/sphere_grid.h"
#include "collide/concave.h"
#include "collide/grain_grid.h"
#include "collide/hull_rows.h"
#include "collide/manifold.h"
#include "model/model.h"
#include "solve/body_view.h"
#include "solve/contact/contact_batch.h"
#include "solve/contact/surfaces.h"
#include "solve/rigid/joints.h"
#include "solve/rigid/rigid_movers.h"

namespace repose {

using Obstacles = std::vector<std::unique_ptr<Obstacle>>;

class RigidContacts {
 public:
  RigidContacts(const Scene& scene, const Model& model);
  // What failed when the fields of concave bodies were made.
  const Status& made() const { return made_; }
  // The field of a form that is concave, else null.
  const Concave* concave(int form) const { return concave_[form].get(); }

  // Finds the contacts of bodies where they stand in `movers`; v: velocity and inverse mass of each body.
  // Returns false, and has found nothing, when something has come to sleepers so fast that they wake first.
  bool find(State& state, const StepParams& params, const Obstacles& obstacles, const Surfaces& surfaces,
            const RigidMovers& movers, const Vec4f* v, Backend& backend);
  // Impulses go back to the state, and those of sleepers stay; what came together anew is a hit.
  void store(State& state);
  // Bodies that hang together and have all been slow for a while fall asleep, and wake together. held: bodies
  // that something else keeps awake.
  void fallAsleep(State& state, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                  const std::vector<char>& held);
  // Those that fell asleep together with a body, and the body.
  static void wake(State& state, int body);
  // Of the steps since the last clear; their frames are left to the caller.
  std::vector<Hit> hits;

  struct Rows {
    ContactBatch batch;
    std::vector<int> points;  // greatest number of points in each block of 16 manifolds
    explicit Rows(int bodies) : batch(bodies, kHullFields) {}
  };
  Rows hulls{2}, grounds{1};
  Joints joints;

  // One manifold.
  struct Touching {
    std::uint64_t pair;  // the two sides
    int a, b;            // bodies; b: -1 where a row has one body
    int other;           // the second body, also where a row has one; -1: a collider
    float approach;      // speed at which they come nearer [m/s]
    Vec3f normal;        // from the second side to the first
    Vec3f velocity;      // of a collider's surface [m/s]
    struct Place {
      Vec3f at;               // in the middle between both surfaces [m]
      float gap;              // [m]
      std::uint32_t feature;  // as of ManifoldPoint
    } place[kMostPoints];
    std::uint16_t parts[2];  // of the two sides of the pair
    std::uint8_t count;      // of places
    bool flipped;            // a is the second of the pair

    void take(const Manifold& manifold);
    int collider() const { return static_cast<int>(pair & 0x7fffffff); }
    // Tells the k-th place from all others of the pair, the same from step to step.
    std::uint64_t name(int k) const {
      return static_cast<std::uint64_t>(parts[0]) << 48 | static_cast<std::uint64_t>(parts[1]) << 32 |
             place[k].feature;
    }
  };
  const std::vector<Touching*>& touching() const { return touching_; }
  // Of the second side where it touches at its k-th place [m/s].
  static Vec3f otherVelocity(const Touching& t, int k, const RigidMovers& movers, const Vec4f* v);
  // The row of the k-th, and whether it is one of grounds.
  int rowOf(std::size_t k) const { return row_of_[k]; }

  // For methods that solve rows together.
  struct Gather {
    std::vector<float> crowd;  // manifolds on each body
    std::vector<int> start, row;
    std::vector<float> last;  // of hulls, then of grounds
    std::vector<Vec4f> pushed, twisted;
    int stride = 0, first_ground = 0, length = 0;
  };
  Gather gather;

  float leastInner() const { return least_inner_; }
  std::size_t bytes() const;
  std::size_t contactBytes() const;  // of them what grows with the contacts

 private:
  void findPairs(const StepParams& params, const RigidMovers& movers, const Vec4f* v, Backend& backend);
  void sortSleepers(const RigidMovers& movers, const Vec4f* v);
  int touchParts(int a, int b, float reach, int p, int q, PairHint& hint, Manifold* out) const;
  void touchBodies(int a, const StepParams& params, const RigidMovers& movers, const Vec4f* v,
                   std::vector<Touching>& list, std::vector<int>& stirred);
  void touchObstacles(int a, const StepParams& params, const Obstacles& obstacles, const RigidMovers& movers,
                      const Vec4f* v, std::vector<Touching>& list, std::vector<int>& stirred) const;
  void fill(Rows& rows, const std::vector<int>& which, const State& state, const StepParams& params,
            const Surfaces& surfaces, const RigidMovers& movers, const Vec4f* v, Backend& backend);
  static void fillPlace(ContactRows& r, int row, Touching& t, int k, const Surface& surface,
                        const StepParams& params, const RigidMovers& movers, const Vec4f* v);
  void arrangeGather(const RigidMovers& movers, bool crowded);
  // Islands while it is found out who may sleep; the lowest body of each is its name.
  int islandOf(int body);
  void joinIslands(int a, int b);
  float speedOf(int body, const RigidMovers& movers, const Vec4f* v) const;  // of its fastest point
  void joinTouching(State& state, const SolverParams& solver, const RigidMovers& movers, const Vec4f* v);
  void joinJointed(State& state, const RigidMovers& movers, const Vec4f* v);

  bool wakeHit(State& state, const StepParams& params, const RigidMovers& movers, const Vec4f* v) const;

  const RigidModel& model_;
  Status made_;
  std::vector<std::unique_ptr<Concave>> concave_;  // of each form; null where it has parts
  float least_inner_ = 0;
  std::vector<std::uint64_t> jointed_;  // pairs that a joint keeps from touching, ascending
  GrainGrid grid_;
  std::vector<int> awake_, sleepers_, last_sleepers_;  // what moves or may be pushed, and the rest
  SphereGrid still_;                                   // of the sleepers; made anew when others sleep
  Bounds still_box_;
  struct Place {
    Vec4f x, q;
  };
  std::vector<Place> last_still_;  // where the sleepers were when they were sorted
  std::vector<std::array<int, 2>> pairs_;
  std::vector<int> order_, partner_first_, partner_;
  std::vector<float> reach_;  // of each body in the step, beyond its radius [m]
  std::vector<Vec4f> spheres_, sorted_;
  std::vector<Pose> poses_;
  std::vector<int> next_;
  std::vector<float> extent_;
  GrainGrid::Pairs near_;
  std::vector<PairHint> hints_, last_hints_;
  std::vector<std::uint64_t> hint_pair_, last_hint_pair_;
  std::vector<std::vector<Touching>> chunk_touching_;
  std::vector<Touching*> touching_;  // of all chunks
  std::vector<int> which_[2], row_of_, movers_of_rows_;
  std::vector<unsigned char> rank_of_rows_;
  std::vector<int> stirred_;  // sleepers that something animated has come to
  std::vector<std::vector<int>> chunk_stirred_;
  std::vector<int> root_;
  std::vector<float> least_calm_;
  ContactMemory next_memory_;
};

}  // namespace repose
