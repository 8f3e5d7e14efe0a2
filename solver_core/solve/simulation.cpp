// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/backend_opencl.h"
#include "model/build.h"
#include "model/state_bytes.h"
#include "solve/animated_poses.h"
#include "solve/attachments.h"
#include "solve/choose_method.h"
#include "solve/contact/read_contacts.h"
#include "solve/emission.h"
#include "solve/host_pins.h"
#include "solve/multilevel/cloth_rows.h"
#include "solve/plastic.h"
#include "solve/point_fields.h"
#include "solve/read_grains.h"
#include "solve/read_soft.h"
#include "solve/residual.h"
#include "solve/soft_fields.h"
#include "solve/step.h"
#include "solve/tearing.h"
#include "solve/varying_rest.h"
#include "solve/workspace.h"

namespace repose {

namespace {

// The least stiffness and the most damping that keys reach: what is rigid under these stays rigid.
ClothParams softestCloth(const Body& body) {
  ClothParams softest = body.cloth.base;
  for (const auto& track : body.cloth.tracks)
    for (const auto& key : track.keys.keys) {
      const ClothParams at_key = body.cloth.at(key.frame);
      softest.stretchstiffness = std::min(softest.stretchstiffness, at_key.stretchstiffness);
      softest.shearstiffness = std::min(softest.shearstiffness, at_key.shearstiffness);
      softest.bendstiffness = std::min(softest.bendstiffness, at_key.bendstiffness);
      softest.stretchdamping = std::max(softest.stretchdamping, at_key.stretchdamping);
      softest.benddamping = std::max(softest.benddamping, at_key.benddamping);
    }
  return softest;
}

Scene withMethod(Scene scene) {
  scene.solver.base.method = chosenMethod(scene);
  return scene;
}

class SceneSimulation final : public Simulation {
 public:
  SceneSimulation(const Scene& scene, Built built, std::vector<std::unique_ptr<Obstacle>> obstacles,
                  std::unique_ptr<Backend> backend)
      : scene_(withMethod(scene)),
        model_(std::move(built.model)),
        state_(std::move(built.state)),
        backend_(std::move(backend)),
        params_(paramsAt(scene.first_frame)),
        rest_(scene_, model_, state_),
        tearing_(scene_),
        emission_(scene_),
        animated_(scene_, model_.rigid),
        work_(model_, softestParams()) {
    auto contacts = std::make_unique<Contacts>(scene_, model_, std::move(obstacles));
    if (contacts->any()) work_.contacts = std::move(contacts);
    state_.grains = makeGrains(scene_);
    beginShapes(scene_, model_, state_);
    params_.pin_targets.resize(model_.pins.size());
    params_.line_anchors.resize(model_.slides.size());
    motion_.resize(scene_.bodies.size());
    if (params_.solver.method == SolverMethod::multilevel) {
      state_.x_low.resize(state_.x.size());
      if (params_.solver.secondorder) state_.v_last = state_.v_mean = state_.v;
    }
  }

  // What may fail of the beginning: files are read.
  Status begin() {
    if (work_.contacts && work_.contacts->rigid && !work_.contacts->rigid->made())
      return work_.contacts->rigid->made();
    if (!model_.rigid.holds.empty() && params_.solver.method != SolverMethod::multilevel) {
      const PointHold& hold = model_.rigid.holds[0];
      return badInput(
          fmt::format("joint '{}' holds a point of '{}', which only the method multilevel can: set "
                      "solver.method to \"multilevel\", or use \"pins\"",
                      scene_.joints[hold.joint].name, scene_.bodies[hold.body].name));
    }
    if (params_.solver.method == SolverMethod::multilevel)
      if (Status apart = solvableApart(model_); !apart) return apart;
    const Status rested = rest_.update(scene_.first_frame, params_.cloth, state_);
    if (work_.projective && params_.solver.globalstep == GlobalStep::red_black &&
        work_.projective->oddRing() >= 0)
      return tooFewColours();
    if (work_.projective && params_.h > 0) work_.prepare(model_, state_, params_);
    return rested ? attachments_.bind(scene_, model_) : rested;
  }

  Status advance(int parts, StepReport& report) override {
    try {
      return advanceShare(parts, report);
    } catch (const DeviceLost& lost) {
      return ioError(lost.message);
    }
  }

  void stopOn(const std::atomic<bool>* stop) override { stop_ = stop; }

  Status advanceShare(int parts, StepReport& report) {
    const int share = params_.world.substeps / parts;
    report = {};
    hits_.clear();
    backend_->expect([this] { return memoryBytes(); });
    for (auto left = share - state_.substep % share; left > 0; --left) {
      if (stop_ && stop_->load()) return {Code::stopped, ""};
      if (before_substep_)
        if (Status called = before_substep_(state_.seconds); !called) return called;
      Status moved = advanceSubstep(report);
      if (!moved) return moved;
    }
    return measure(report);
  }

  Status measure(StepReport& report) override {
    StageTimer timer(report.seconds, Stage::measure);
    const MotionSummary points = measureMotion(model_, state_, work_, *backend_);
    const MotionSummary grains = measureGrains(state_.grains);
    const MotionSummary rigid = measureRigid(model_.rigid, state_.rigid);
    if (!points.finite || !grains.finite || !rigid.finite) return brokenStatus();
    report.residual = largestStretch(model_, state_, params_.cloth, work_, *backend_);
    const SoftSummary soft = measureSoft(model_, state_);
    report.least_volume = soft.least_volume, report.inverted = soft.inverted;
    report.max_speed = std::max({points.max_speed, grains.max_speed, rigid.max_speed});
    report.kinetic_energy = points.kinetic_energy + grains.kinetic_energy + rigid.kinetic_energy;
    report.energy = report.kinetic_energy + heightEnergy(model_, state_, params_.world.gravity);
    report.grains = static_cast<std::int64_t>(state_.grains.size());
    if (work_.contacts) {
      const ContactSummary touching = work_.contacts->summary(state_);
      report.asleep = touching.asleep;
      report.contacts = touching.contacts;
      report.max_penetration = touching.max_penetration;
      report.mean_penetration = static_cast<float>(touching.mean_penetration);
    }
    report.hash = stateHash();
    return {};
  }

  double frame() const override { return frameAt(state_.substep); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    for (const auto& cloth : work_.multilevel)
      for (int b = cloth->at().span.first; b <= cloth->at().span.last; ++b) {
        if (scene_.bodies[b].kind != BodyKind::cloth) continue;
        const float asked = params_.cloth[b].stretchstiffness;
        const float enough = cloth->enoughStiffness(params_.world);
        if (asked > enough)
          all.push_back(
              fmt::format("body '{}': stretchstiffness {:.3g} N/m is solved as {:.3g}, and stiffer towards "
                          "its pins: enough to "
                          "stretch by less than 1 % where it hangs",
                          scene_.bodies[b].name, asked, enough));
      }
    for (std::size_t b = 0; work_.projective && b < scene_.bodies.size(); ++b)
      noteProjective(static_cast<int>(b), all);
    return all;
  }

  int bodyCount() const override { return static_cast<int>(scene_.bodies.size()); }

  void readBody(int body, BodyView& view) const override {
    view.name = scene_.bodies[body].name;
    view.geometry = &scene_.bodies[body].geometry;
    // the cache counts seconds of the shot, the solver those of the simulation
    const float pace = params_.world.timescale;
    if (scene_.bodies[body].kind == BodyKind::grain) return readGrains(state_.grains, body, pace, view);
    if (scene_.bodies[body].kind == BodyKind::soft)
      return readSoft(model_, state_, body, scene_.bodies[body], pace, view);
    readPoints(body, view.positions, view.velocities);
  }

  void readRigid(int body, RigidView& view) const override {
    const Body& shown = scene_.bodies[body];
    view.body = shown.kind == BodyKind::rigid ? &shown : nullptr;
    view.poses.clear();
    view.velocities.clear();
    view.spins.clear();
    if (!view.body) return;
    const RigidState& rigid = state_.rigid;
    const float pace = params_.world.timescale;
    for (int i = model_.rigid.first[body]; i < model_.rigid.first[body + 1]; ++i) {
      const Vec4f q = rigid.q[i];
      const Pose pose = model_.rigid.artistPose(i, xyz(rigid.x[i]), {q.x, q.y, q.z, q.w});
      const Vec3f spin = xyz(rigid.spin[i]);
      view.poses.push_back(pose);
      view.velocities.push_back((xyz(rigid.v[i]) + cross(spin, pose.origin - xyz(rigid.x[i]))) * pace);
      view.spins.push_back(spin * pace);
    }
  }

  void readPieces(int body, std::vector<PieceMass>& pieces) const override {
    pieces.clear();
    for (int i = model_.rigid.first[body]; i < model_.rigid.first[body + 1]; ++i) {
      const Vec4f q = state_.rigid.q[i];
      const RigidBody& piece = model_.rigid.bodies[i];
      pieces.push_back({poseOf(xyz(state_.rigid.x[i]), {q.x, q.y, q.z, q.w}), piece.moments, piece.mass});
    }
  }

  void readHits(std::vector<Hit>& hits) const override { hits = hits_; }
  void readContacts(std::vector<ContactView>& contacts) const override {
    contacts.clear();
    if (work_.contacts)
      repose::readContacts(*work_.contacts, params_.h / static_cast<float>(work_.contacts->substeps(params_)),
                           contacts);
  }

  void readField(OutputField field, int body, const BodyView& view,
                 std::vector<float>& values) const override {
    if (scene_.bodies[body].kind == BodyKind::grain) {
      GrainFields fields;
      if (field == OutputField::contactforce || field == OutputField::ncontacts)
        work_.contacts->grainForces(params_.h / static_cast<float>(work_.contacts->substeps(params_)),
                                    fields);
      return readGrainField(state_.grains, fields, field, view, values);
    }
    if (scene_.bodies[body].kind == BodyKind::soft && field != OutputField::speed)
      return softField(field, model_, state_, body, scene_.bodies[body], params_.soft[body], values);
    if (field == OutputField::strain) return readStrain(body, values);
    if (field == OutputField::stress) return readStress(body, values);
    values.resize(view.velocities.size());
    std::transform(view.velocities.begin(), view.velocities.end(), values.begin(), length);
  }
  void readStrain(int body, std::vector<float>& strain) const override {
    if (scene_.bodies[body].kind == BodyKind::soft) return readField(OutputField::strain, body, {}, strain);
    pointStrain(model_, state_, body, params_.cloth[body], strain);
  }
  void readStress(int body, std::vector<float>& stress) const override {
    if (scene_.bodies[body].kind == BodyKind::soft) return readField(OutputField::stress, body, {}, stress);
    pointStress(model_, state_, body, scene_.bodies[body].geometry, params_.cloth[body], stress);
  }

  void readPoints(int body, std::vector<Vec3f>& positions, std::vector<Vec3f>& velocities) const override {
    repose::readPoints(model_, state_, body, params_.world.timescale, positions, velocities);
  }
  void readMasses(int body, std::vector<float>& masses) const override {
    const Range points = model_.bodies[body].points;
    masses.assign(points.count, 0.0f);
    for (int p = points.first; p < points.first + points.count; ++p)
      if (model_.inv_mass[p] > 0) masses[model_.source[p]] = 1 / model_.inv_mass[p];
  }

  void onSubstep(std::function<Status(double seconds)> call) override { before_substep_ = std::move(call); }
  Status writeBody(int body, const PointEdit& edit) override {
    const Body& source = scene_.bodies[body];
    const float pace = params_.world.timescale;
    if (source.kind == BodyKind::grain) return editGrains(source, body, edit, pace, state_);
    return editPoints(model_, source, body, edit, pace, state_);
  }
  Status writeRigid(int body, const RigidEdit& edit) override {
    return editRigid(model_, scene_.bodies[body], body, edit, params_.world.timescale, state_);
  }
  Status setForces(int body, const BodyForces& forces) override {
    params_.forces = &forces_;
    return forces_.set(scene_, model_, body, forces, state_);
  }
  std::vector<Vec3f> onSimulated(int body, const std::vector<Vec3f>& shown) const override {
    const Body& source = scene_.bodies[body];
    if (source.kind != BodyKind::soft) return shown;
    std::vector<Vec3f> forces(source.tets.geometry.points.size());
    for (std::size_t k = 0; k < std::min(shown.size(), source.embedding.size()); ++k)
      for (int s = 0; s < 4; ++s)
        forces[source.tets.tets[source.embedding[k].tet][s]] += shown[k] * source.embedding[k].weight[s];
    return forces;
  }
  Status setPinTargets(int body, const std::vector<std::int32_t>& points,
                       const std::vector<Vec3f>& places) override {
    return pin_targets_.set(scene_.bodies[body], body, model_.pins, points, places);
  }

  std::uint64_t stateHash() const override { return repose::stateHash(state_); }
  void save(ByteWriter& bytes) const override { saveState(state_, bytes); }
  void load(ByteReader& bytes) override {
    State loaded;
    loadState(bytes, loaded);
    take(bytes, std::move(loaded));
  }
  void loadChanged(ByteReader& bytes, const std::vector<BodyGrains>& bodies) override {
    State loaded;
    loadState(bytes, loaded);
    if (!bytes.good() ||
        !changeGrains(bodies, makeGrains(scene_), loaded.seconds, params_.world.timescale, loaded.grains))
      return bytes.refuse();
    loaded.rest_scale.resize(state_.rest_scale.size(), 1.0f);
    take(bytes, std::move(loaded));
  }

  std::size_t memoryBytes() const override {
    return model_.bytes() + bytesOf(state_) + work_.bytes() + (work_.contacts ? work_.contacts->bytes() : 0);
  }

 private:
  // Refuses a state that is not of this scene.
  void take(ByteReader& bytes, State loaded) {
    if (tearing_.any()) {
      if (!bytes.good() || !tearing_.restore(loaded.torn, scene_)) return bytes.refuse();
      rebuild();
    }
    if (sizesOf(loaded) != sizesOf(state_)) return bytes.refuse();
    state_ = std::move(loaded);
  }

  Status tooFewColours() const {
    const int point = work_.projective->oddRing();
    std::size_t b = 0;
    while (point >= model_.bodies[b].points.first + model_.bodies[b].points.padded()) ++b;
    return badInput(fmt::format(
        "solver.globalstep \"red_black\" cannot colour '{}': point {} is on a ring of an odd number of "
        "neighbours (triangles, shear, bending and tetrahedra make such rings); {} colours are enough: set "
        "it "
        "to \"gauss_seidel_coloured\"",
        scene_.bodies[b].name, model_.source[point], work_.projective->colours()));
  }

  void noteProjective(int body, std::vector<std::string>& all) const {
    const float share = work_.projective->elements().solvedShare(body);
    if (share < 1)
      all.push_back(fmt::format(
          "body '{}': stiffness is limited to what the method projective resolves in a substep; the "
          "stiffest element has {:.2g} of what was asked for",
          scene_.bodies[body].name, share));
    if (scene_.bodies[body].kind == BodyKind::soft && params_.soft[body].poissonratio > 0)
      all.push_back(
          fmt::format("body '{}': the method projective keeps Young's modulus and takes poissonratio as 0",
                      scene_.bodies[body].name));
  }

  double frameAt(std::int64_t substep) const {
    return scene_.first_frame + static_cast<double>(substep) / params_.world.substeps;
  }

  StepParams paramsAt(double frame) const {
    StepParams p;
    p.world = scene_.world.at(frame);
    p.solver = scene_.solver.at(frame);
    for (const Body& body : scene_.bodies) {
      p.soft.push_back(body.soft.at(frame));
      p.cloth.push_back(body.kind == BodyKind::soft ? skinOf(p.soft.back()) : body.cloth.at(frame));
      p.grain.push_back(body.grain.at(frame));
      p.rigid.push_back(body.rigid.at(frame));
    }
    for (const Joint& joint : scene_.joints) p.joint.push_back(joint.params.at(frame));
    for (const Collider& collider : scene_.colliders) p.collider.push_back(collider.params.at(frame));
    p.h = p.world.timescale / (p.world.fps * static_cast<float>(p.world.substeps));
    return p;
  }

  StepParams softestParams() const {
    StepParams p = paramsAt(scene_.first_frame);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      if (scene_.bodies[b].kind == BodyKind::cloth) p.cloth[b] = softestCloth(scene_.bodies[b]);
    // a keyed time scale makes shorter steps, which are softer
    for (const auto& track : scene_.world.tracks)
      for (const auto& key : track.keys.keys)
        if (const float h = paramsAt(key.frame).h; h > 0) p.h = p.h > 0 ? std::min(p.h, h) : h;
    return p;
  }

  // One time step to the next substep; a time scale of 0 lets time stand still.
  Status advanceSubstep(StepReport& report) {
    const double end = frameAt(state_.substep + 1);
    params_.world = scene_.world.at(end);
    params_.solver = scene_.solver.at(end);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      params_.soft[b] = scene_.bodies[b].soft.at(end);
      params_.cloth[b] =
          scene_.bodies[b].kind == BodyKind::soft ? skinOf(params_.soft[b]) : scene_.bodies[b].cloth.at(end);
      params_.grain[b] = scene_.bodies[b].grain.at(end);
      params_.rigid[b] = scene_.bodies[b].rigid.at(end);
    }
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) params_.joint[j] = scene_.joints[j].params.at(end);
    params_.carried_from = carriedPoses(scene_, frameAt(state_.substep));
    params_.carried_to = carriedPoses(scene_, end);
    for (std::size_t c = 0; c < scene_.colliders.size(); ++c)
      params_.collider[c] = scene_.colliders[c].params.at(end);
    params_.h = params_.world.timescale / (params_.world.fps * static_cast<float>(params_.world.substeps));
    Status aimed = aimPins(end);
    if (!aimed) return aimed;
    params_.animated = animated_.posesAt(end, scene_, motion_);
    Status rested = rest_.update(end, params_.cloth, state_);
    if (!rested) return rested;
    if (params_.h <= 0) {
      ++state_.substep;
      tear();
      return {};
    }
    report.lost += removeLost(state_.grains);
    if (!emission_.idle()) emission_.step(frame(), state_.seconds, state_.grains);
    if (work_.contacts)
      if (Status moved = work_.contacts->moveObstacles(frameAt(state_.substep), end, params_.h); !moved)
        return moved;
    const StepResult result = step(model_, state_, params_, work_, *backend_, report.seconds);
    report.iterations += result.iterations;
    report.converged = report.converged && result.converged;
    report.strain_error = std::max(report.strain_error, result.strain_error);
    tear();
    if (work_.contacts && work_.contacts->rigid) {
      for (Hit& hit : work_.contacts->rigid->hits) {
        hit.frame = frame();
        hits_.push_back(hit);
      }
      work_.contacts->rigid->hits.clear();
    }
    return {};
  }

  // What came apart in the last substep goes on from where it was.
  void tear() {
    if (!tearing_.any()) return;
    const Splits splits =
        tearing_.tear(frameAt(state_.substep - 1), frame(), params_, model_, state_, scene_);
    if (splits.empty()) return;
    const PointNumbers before(model_);
    const std::vector<Vec4f> x = std::move(state_.x), v = std::move(state_.v);
    rebuild();
    carrySplits(splits, before, x, v, model_, state_);
  }

  // Rows, masses and lists of meshes that have come apart. Points keep their numbers and colours; the state
  // has room for all of them.
  void rebuild() {
    Built built = buildPoints(scene_);
    const auto renumbered = [&, before = PointNumbers(model_)](const auto& values) {
      return copiedValues(scene_, before, values, built.model);
    };
    const std::vector<int> colours = renumbered(work_.projective->colourOfPoints());
    forces_.renumberPoints(renumbered);
    built.model.rigid = std::move(model_.rigid);
    model_ = std::move(built.model);
    state_.x = std::move(built.state.x), state_.v = std::move(built.state.v);
    if (!state_.rest.empty()) state_.rest.resize(model_.distance.size());
    std::unique_ptr<Contacts> contacts = std::move(work_.contacts);
    work_ = Workspace(model_, softestParams(), colours);
    work_.contacts = std::move(contacts);
    if (work_.contacts) work_.contacts->takeCloth(scene_, model_);
  }

  Status aimPins(double frame) {
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const Body& body = scene_.bodies[b];
      if (!body.motion) continue;
      Status read = body.motion->positionsAt(frame, motion_[b]);
      if (!read) return read;
    }
    Status carried = attachments_.moveTo(frame);
    if (!carried) return carried;
    for (std::size_t k = 0; k < model_.pins.size(); ++k) {
      if (pin_targets_.of(k)) {
        params_.pin_targets[k] = *pin_targets_.of(k);
        continue;
      }
      if (attachments_.holds(k)) {
        params_.pin_targets[k] = attachments_.place(k);
        continue;
      }
      params_.pin_targets[k] = pinnedPlace(model_.pins[k], frame);
    }
    for (std::size_t k = 0; k < model_.slides.size(); ++k)
      params_.line_anchors[k] = pinnedPlace(model_.slides[k].at, frame);
    return {};
  }

  Vec3f pinnedPlace(const ModelPin& pin, double frame) const {
    const Body& body = scene_.bodies[pin.body];
    const Pin& rule = body.pins[pin.pin];
    const Vec3f base = rule.animated ? motion_[pin.body][pin.source] : body.simulated().points[pin.source];
    return base + rule.translate.at(frame);
  }

  // A point is named before the grains that it threw when it broke.
  Status brokenStatus() const {
    const int point = firstBrokenPoint(state_), grain = firstBrokenGrain(state_.grains);
    const int piece = firstBrokenRigid(state_.rigid);
    if (point >= 0 || (grain < 0 && piece < 0)) {
      const int p = std::max(point, 0);  // whose speed is too large for its square
      const ModelBody* owner = &model_.bodies.front();
      for (const ModelBody& body : model_.bodies)
        if (p >= body.points.first) owner = &body;
      return unstable(owner->name, fmt::format("point {}", model_.source[p]), kNotFinite,
                      params_.solver.omega > 0 ? ", or an omega of 0" : ", or less stiffness or wind");
    }
    if (grain >= 0) {
      const Vec3f x = xyz(state_.grains.x[grain]), v = xyz(state_.grains.v[grain]);
      return unstable(scene_.bodies[state_.grains.body[grain]].name,
                      fmt::format("grain {}", state_.grains.id[grain]),
                      isFinite(x) && isFinite(v)
                          ? fmt::format("thrown to {:.3g}, {:.3g}, {:.3g} in one step", x.x, x.y, x.z)
                          : kNotFinite);
    }
    const RigidBody& rigid = model_.rigid.bodies[piece];
    const Body& body = scene_.bodies[rigid.body];
    return unstable(body.name, fmt::format("piece '{}'", body.pieces[rigid.piece].name), kNotFinite);
  }

  Status unstable(const std::string& body, const std::string& part, const std::string& what,
                  const char* or_else = "") const {
    return {Code::unstable, fmt::format("frame {:.8g}: body '{}', {}: {}; use more substeps{}", frame(), body,
                                        part, what, or_else)};
  }
  static constexpr const char* kNotFinite = "the position is not finite any more";

  Scene scene_;
  Model model_;  // that tearing takes rows out of
  State state_;
  std::unique_ptr<Backend> backend_;
  StepParams params_;
  VaryingRest rest_;
  Tearing tearing_;
  Emission emission_;
  AnimatedPieces animated_;
  Attachments attachments_;
  Workspace work_;
  std::vector<Hit> hits_;  // of the last advance()
  HostForces forces_;
  HostPins pin_targets_;
  std::function<Status(double)> before_substep_;
  const std::atomic<bool>* stop_ = nullptr;
  std::vector<std::vector<Vec3f>> motion_;  // animated positions of each body
};

}  // namespace

Result<std::unique_ptr<Simulation>> Simulation::create(const Scene& scene, int threads) {
  return create(scene, makeTbbBackend(threads));
}

Result<std::unique_ptr<Simulation>> Simulation::create(const Scene& scene, std::unique_ptr<Backend> backend) {
  Result<Built> built = buildModel(scene);
  if (!built) return built.status();
  float farthest = 0;  // that a body reaches: radius and margin [m]
  for (const GrainLevel& range : grainLevels(scene)) farthest = std::max(farthest, 2 * range.greatest);
  for (const Body& body : scene.bodies) farthest = std::max(farthest, 2 * body.cloth.base.thickness);
  std::vector<std::unique_ptr<Obstacle>> obstacles;
  for (const Collider& collider : scene.colliders) {
    Result<std::unique_ptr<Obstacle>> obstacle = makeObstacle(collider, farthest);
    if (!obstacle) return obstacle.status();
    obstacles.push_back(std::move(*obstacle));
  }
  auto simulation =
      std::make_unique<SceneSimulation>(scene, std::move(*built), std::move(obstacles), std::move(backend));
  const Status begun = simulation->begin();
  if (!begun) return begun;
  return std::unique_ptr<Simulation>(std::move(simulation));
}

}  // namespace repose
