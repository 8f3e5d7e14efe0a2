// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/sizes/sized_scenes.h"

#include <algorithm>
#include <cmath>

#include "bench/grains/grain_scenes.h"
#include "bench/rigid/box_scene.h"
#include "bench/sheet.h"
#include "bench/tets/beam.h"

namespace repose {

namespace {

class ClothScene final : public SizedScene {
 public:
  explicit ClothScene(int n)
      : sheet_(Sheet::Shape::s1(n), SolverMethod::accelerated_jacobi, kIterations, 0.0f) {}
  void frame(StageSeconds& seconds) override {
    step(sheet_.model, sheet_.state, sheet_.params, *sheet_.work, *backend, seconds);
  }
  // A row is in the lists of both ends with point, rest length and diagonal; a point is read and written
  // once, its momentum too. Neighbours are in the caches.
  Work work() const override {
    const std::vector<float>& rest = sheet_.model.distance.rest;  // 0 in the padding
    const auto rows =
        static_cast<double>(std::count_if(rest.begin(), rest.end(), [](float r) { return r > 0; }));
    const int points = sheet_.model.numPoints();
    return {points, rows, kIterations, 2 * 12 * rows + 64.0 * points};
  }

 private:
  static constexpr int kIterations = 15;
  Sheet sheet_;
};

// Passes of a contact step: the one that begins, those with bias and those without, in every substep.
double contactPasses(const Contacts& contacts, const StepParams& params) {
  return contacts.substeps(params) * (1.0 + params.solver.contactiterations + params.solver.contactrelax);
}

class GrainsScene final : public SizedScene {
 public:
  explicit GrainsScene(int n) : world_(makeGrainScene(GrainScene::packing, n)) {}
  void frame(StageSeconds& seconds) override {
    world_->backend.swap(backend);
    {
      StageTimer timer(seconds, Stage::collide);
      world_->find();
    }
    {
      StageTimer timer(seconds, Stage::iterate);
      world_->solve();
      world_->store();
    }
    world_->backend.swap(backend);
  }
  // Two movers and eight numbers a row (all pairs are alike), of which four are written; a velocity is read
  // and written once.
  Work work() const override {
    const Contacts& contacts = *world_->contacts;
    const double rows = contacts.pairs.count() + contacts.solos.count();
    const int grains = static_cast<int>(world_->state.grains.size());
    return {grains, rows, contactPasses(contacts, world_->params), 56 * rows + 32.0 * grains};
  }
  int settlingFrames() const override { return 60; }

 private:
  std::unique_ptr<GrainWorld> world_;
};

class BoxesScene final : public SizedScene {
 public:
  // as many layers as boxes in a row
  explicit BoxesScene(int n) : size_(n), world_(makeBoxes(n, static_cast<int>(std::ceil(std::cbrt(n))), 1)) {}
  void frame(StageSeconds& seconds) override {
    world_->backend.swap(backend);
    world_->step(seconds);
    world_->backend.swap(backend);
  }
  // A manifold has two bodies and six numbers, a point of it thirteen, of which four are written; velocity
  // and spin of a body are read and written, its inertia is read.
  Work work() const override {
    const Contacts& contacts = *world_->work->contacts;
    double points = 0;
    for (const RigidContacts::Touching* t : contacts.rigid->touching()) points += t->count;
    const double manifolds = static_cast<double>(contacts.rigid->touching().size());
    // and one that lets them bounce
    return {size_, points, 1 + contactPasses(contacts, world_->params),
            68 * points + 32 * manifolds + 96.0 * size_};
  }
  int settlingFrames() const override { return 150; }

 private:
  int size_;
  std::unique_ptr<RigidWorld> world_;
};

class TetsScene final : public SizedScene {
 public:
  explicit TetsScene(int n)
      : shape_(shapeOf(n)), beam_(makeBeam(shape_), SoftMaterial::neohookean, 1, kSubsteps) {}
  void frame(StageSeconds& seconds) override { beam_.frame(*backend, seconds); }
  // Four corners and eighteen numbers a tetrahedron; a point is read and written once.
  Work work() const override {
    const double tets = shape_.tets();
    return {shape_.tets(), tets, kSubsteps, 88 * tets + 32.0 * beam_.built.model.numPoints()};
  }

 private:
  // About three times as long as wide, as the beam of 49,500 is.
  static BeamShape shapeOf(int n) {
    const int across = std::max(1, static_cast<int>(std::lround(std::cbrt(n / 14.7))));
    return {std::max(1, static_cast<int>(std::lround(n / (5.0 * across * across)))), across};
  }
  BeamShape shape_;
  Beam beam_;
};

template <class Scene>
std::unique_ptr<SizedScene> make(int size) {
  return std::make_unique<Scene>(size);
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"cloth",
       "points across",
       "springs",
       "S1 of peers.md: a hanging sheet, accelerated_jacobi, 15 iterations",
       {50, 100, 316, 1000},
       make<ClothScene>},
      {"grains",
       "grains",
       "contacts",
       "grains at rest in a box, at most 31 layers, after 60 frames of 16 ms",
       {3000, 30000, 100000, 1000000},
       make<GrainsScene>},
      {"boxes",
       "boxes",
       "contact points",
       "boxes of 0.4 m in a container, after 150 frames of 1/60 s",
       {200, 2000, 20000},
       make<BoxesScene>},
      {"tets",
       "tetrahedra",
       "tetrahedra",
       "S4 of peers.md: a beam, neo-Hookean, 20 substeps of one iteration",
       {5000, 50000, 500000},
       make<TetsScene>},
  };
  return all;
}

}  // namespace repose
