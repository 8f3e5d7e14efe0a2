// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/hash.h"
#include "houdini_nodes/attributes.h"
#include "houdini_nodes/guide.h"
#include "houdini_nodes/host_motion.h"
#include "houdini_nodes/moving.h"
#include "houdini_nodes/packed_parts.h"
#include "houdini_nodes/point_roll.h"
#include "houdini_nodes/push_world.h"
#include "houdini_nodes/read_world.h"
#include "houdini_nodes/scene_hash.h"
#include "scene/host_mesh.h"
#include "solve/simulation.h"

namespace repose::nodes {

namespace {

constexpr double kSameFrame = 1e-3;
constexpr int kNoEnd = 100000;                         // frames that a host may play
constexpr std::uint64_t kMagic = 0x33657461747352ull;  // "Rstate3"

constexpr std::size_t kWord = 8;  // a state is filled up to these bytes, each of which is how many were added

// Of whole words; any flipped bit changes it, for an odd factor has an inverse. Stands behind the state.
std::uint64_t checkOf(std::string_view words) {
  std::uint64_t sum = words.size(), word = 0;
  for (std::size_t at = 0; at + kWord <= words.size(); at += kWord) {
    std::memcpy(&word, words.data() + at, kWord);
    sum += word * (2 * at + 1);
  }
  return sum;
}

// What the state holds before the bytes of the simulation.
struct StateHead {
  std::uint64_t magic = kMagic;
  double frame = 0;
  std::uint64_t hash = 0;        // Simulation::stateHash()
  std::int64_t first_frame = 0;  // of the scene that the simulation is of
  PointRoll points;
  std::vector<std::uint64_t> moving;  // points of each moving mesh
  std::vector<Vec3f> starts, places;  // of their points at the start, and at the frame of the state
};

template <class Bytes, class Head>
void pass(Bytes& bytes, Head& head) {
  bytes(head.magic)(head.frame)(head.hash)(head.first_frame);
  PointRoll::pass(bytes, head.points);
  bytes(head.moving)(head.starts)(head.places);
}

// A simulation that is kept from cook to cook, and which scene and state it is at.
struct WarmSimulation : NodeMemory {
  std::unique_ptr<Simulation> simulation;
  std::vector<std::shared_ptr<HostMotion>> motions;  // of what moves, bodies first
  std::vector<Vec3f> starts;                         // of their points, all in a row
  std::uint64_t scene = 0;
  StateHead head;
  std::size_t state_size = 0;
};

class Stepper {
 public:
  Stepper(const WorldStep& step, CookResult& result) : step_(step), result_(result) {}

  void run(std::string_view before, std::string& state) {
    const bool begins = before.empty() && !step_.left.state;
    if (!begins && !(step_.left.state ? takeHead() : readHead(before))) return;
    assembly_ = assemble(step_.input);
    if (!take(assembly_.errors) || !matchPoints(begins)) return;
    start_ = begins ? static_cast<int>(std::lround(step_.input.parms->number("startframe")))
                    : static_cast<int>(head_.first_frame);
    if (begins) result_.warnings = assembly_.warnings;
    if (begins && !step_.input.source) warnOfStill();
    const std::vector<Part*> moving = movingParts();
    now_ = placesOfMoving(step_.input, assembly_, result_);
    if (!result_.ok()) return;
    std::unique_ptr<WarmSimulation> warm = ready(begins, moving);
    if (!warm) return;
    if (begins) beginAttributes();
    if (advances(*warm->simulation, begins)) {
      if (!goOn(*warm, moving)) return;
    } else if (!result_.ok()) {
      return;
    }
    readWorld(*warm->simulation, assembly_, result_.geometry);
    writeContacts(*warm->simulation, step_.contacts, result_.geometry);
    keep(std::move(warm), state);
  }

 private:
  bool take(const std::vector<std::string>& errors) {
    for (const std::string& error : errors) result_.fail(error);
    return errors.empty();
  }

  bool takeHead() {
    const auto* warm = dynamic_cast<const WarmSimulation*>(step_.memory->get());
    if (!warm) return damaged();
    head_ = warm->head;
    return true;
  }

  bool readHead(std::string_view state) {
    if (state.size() < 3 * kWord || state.size() % kWord != 0) return damaged();
    std::uint64_t size = 0;
    std::memcpy(&size, state.data(), sizeof size);
    std::memcpy(&check_, state.data() + state.size() - kWord, kWord);
    state.remove_suffix(kWord);
    words_ = state;
    const auto filled = static_cast<std::size_t>(static_cast<unsigned char>(state.back()));
    if (filled < 1 || filled > kWord) return damaged();
    state.remove_suffix(filled);
    const std::string_view behind = state.substr(sizeof size);
    ByteReader bytes(behind.substr(0, size));
    pass(bytes, head_);
    simulation_ = behind.substr(std::min<std::uint64_t>(size, behind.size()));
    std::uint64_t places = 0;
    for (const std::uint64_t count : head_.moving) places += count;
    if (bytes.done() && head_.magic == kMagic && head_.points.good() && places == head_.places.size() &&
        head_.starts.size() == head_.places.size())
      return true;
    return damaged();
  }
  bool damaged() {
    result_.fail(fmt::format("the state (detail attribute {}) is damaged: reset the simulation", kState));
    return false;
  }

  // What has become of the grains since the state; at the beginning all are there that are not dead.
  bool matchPoints(bool begins) {
    if (begins) head_.points = rollOf(assembly_, result_.geometry), head_.points.dead.clear();
    changes_ = pointChanges(head_.points, assembly_, result_);
    return result_.ok();
  }

  std::vector<Part*> movingParts() {
    std::vector<Part*> moving;
    for (std::vector<Part>* parts : {&assembly_.bodies, &assembly_.colliders})
      for (Part& part : *parts)
        if (part.moves) moving.push_back(&part);
    return moving;
  }

  // The simulation at the state: the one in memory, or built anew and loaded. Null after a report.
  std::unique_ptr<WarmSimulation> ready(bool begins, const std::vector<Part*>& moving) {
    const std::string text = assembly_.text(start_, start_ + kNoEnd, [](const Part& part) {
      return Json{{"host", part.name}};
    });
    const std::uint64_t scene = hashScene(text, assembly_);
    std::string again;  // the state of the simulation in memory
    if (step_.memory) {
      std::unique_ptr<NodeMemory> kept = std::move(*step_.memory);
      auto* warm = dynamic_cast<WarmSimulation*>(kept.get());
      if (warm && !begins && changes_.empty() && warm->scene == scene && warm->head.hash == head_.hash) {
        static_cast<void>(kept.release());  // warm is the same
        untouched_ = step_.left.points;
        return std::unique_ptr<WarmSimulation>(warm);
      }
      if (warm && step_.left.state) {
        ByteWriter all(again);
        warm->simulation->save(all);
        simulation_ = again;
      }
    }
    if (!begins && !step_.left.state && checkOf(words_) != check_) return damaged(), nullptr;
    auto warm = std::make_unique<WarmSimulation>();
    warm->scene = scene;
    HostMeshes meshes;
    if (!hangMotions(begins, moving, *warm, meshes)) return nullptr;
    SceneLoad load = loadSceneText(text, "the nodes", meshes);
    if (begins) result_.warnings.insert(result_.warnings.end(), load.warnings.begin(), load.warnings.end());
    if (!take(load.errors)) return nullptr;
    Result<std::unique_ptr<Simulation>> made = Simulation::create(load.scene, 0);
    if (!made) return take({made.status().message()}), nullptr;
    warm->simulation = std::move(*made);
    if (begins)
      for (const std::string& note : warm->simulation->notes()) result_.warnings.push_back(note);
    if (begins && changes_.empty()) return warm;
    std::string first;
    if (begins) {
      ByteWriter all(first);
      warm->simulation->save(all);
      simulation_ = first;
    }
    ByteReader bytes(simulation_);
    if (changes_.empty())
      warm->simulation->load(bytes);
    else
      warm->simulation->loadChanged(bytes, changes_);
    if (bytes.done()) return warm;
    result_.fail(fmt::format(
        "the state (detail attribute {}) is not of these bodies and constraints: reset the simulation",
        kState));
    return nullptr;
  }

  // Meshes for the scene; those that move begin where they were at the frame of the state.
  bool hangMotions(bool begins, const std::vector<Part*>& moving, WarmSimulation& warm, HostMeshes& meshes) {
    std::size_t first = 0;
    if (!begins && head_.moving.size() != moving.size()) return missingCollider(nullptr, 0, 0), false;
    for (std::size_t m = 0; m < moving.size(); ++m) {
      warm.motions.push_back(std::make_shared<HostMotion>());
      std::vector<Vec3f> places = now_[m];
      if (!begins) {
        if (head_.moving[m] != moving[m]->mesh.points.size())
          return missingCollider(moving[m], moving[m]->mesh.points.size(), head_.moving[m]), false;
        const auto from = static_cast<std::ptrdiff_t>(first),
                   to = from + static_cast<std::ptrdiff_t>(head_.moving[m]);
        places.assign(head_.places.begin() + from, head_.places.begin() + to);
        // also a collider is built as it was at the start
        moving[m]->mesh.points.assign(head_.starts.begin() + from, head_.starts.begin() + to);
        first += head_.moving[m];
      }
      warm.starts.insert(warm.starts.end(), moving[m]->mesh.points.begin(), moving[m]->mesh.points.end());
      warm.motions.back()->begin(0, std::move(places));
    }
    for (const auto* parts : {&assembly_.bodies, &assembly_.colliders})
      for (const Part& part : *parts) {
        HostMesh& mesh = meshes[part.name];
        mesh.geometry = part.mesh;
        for (std::size_t m = 0; m < moving.size(); ++m)
          if (moving[m] == &part) mesh.motion = warm.motions[m];
      }
    return true;
  }

  void missingCollider(const Part* part, std::size_t is, std::uint64_t was) {
    result_.fail(
        part ? fmt::format("the collider \"{}\" has {} points at frame {:.6g}, but {} at the frame before; a "
                           "collider that moves must keep its points",
                           part->name, is, step_.input.frame, was)
             : fmt::format("colliders that were there at the frame before are missing at frame {:.6g}",
                           step_.input.frame));
  }

  void warnOfStill() {
    for (const Part& body : assembly_.bodies)
      if (body.kind == "rigid" && body.moves)
        result_.warnings.push_back(
            fmt::format("body \"{}\": pieces with animated = 1 stay where they are, for the animated source "
                        "is not wired",
                        body.name));
  }

  // What later cooks need of the beginning.
  void beginAttributes() {
    NodeGeometry& geometry = result_.geometry;
    geometry.write(Owner::point, kRest, 3, flat(geometry.points));
    writeFrames(geometry);
    std::vector<std::int32_t> pins(geometry.points.size(), 0), ids;
    std::vector<float> starts;
    for (const Part& part : assembly_.bodies) {
      const Attribute *held = part.mesh.find(AttributeOwner::point, "repose_held"),
                      *follows = part.mesh.find(AttributeOwner::point, "repose_follows");
      for (std::size_t k = 0; k < part.points.size(); ++k)
        pins[part.points[k]] = held && held->floats[k] > 0 ? 1 : follows && follows->floats[k] > 0 ? 2 : 0;
      if (part.kind == "rigid") starts.resize(6 * geometry.points.size(), 0);
    }
    geometry.write(Owner::point, kPin, 1, std::move(pins));
    if (!starts.empty()) {
      const PointVectors v(geometry, "v"), w(geometry, "w");
      for (std::size_t p = 0; p < geometry.points.size(); ++p)
        for (int k = 0; k < 3; ++k) {
          if (v) starts[6 * p + static_cast<std::size_t>(k)] = v.at(p)[k];
          if (w) starts[6 * p + 3 + static_cast<std::size_t>(k)] = w.at(p)[k];
        }
      geometry.write(Owner::point, kStart, 6, std::move(starts));
    }
    if (!geometry.find(Owner::point, "id")) {
      for (std::size_t p = 0; p < geometry.points.size(); ++p) ids.push_back(static_cast<std::int32_t>(p));
      geometry.write(Owner::point, "id", 1, std::move(ids));
    }
  }

  // Whether there is a step to do; false with an error when the frame does not follow.
  bool advances(const Simulation& simulation, bool begins) {
    const double at = simulation.frame(), frame = step_.input.frame;
    if (std::abs(frame - at) < kSameFrame) return false;
    if (std::abs(frame - at - 1.0 / step_.parts) < kSameFrame) return true;
    if (begins)
      result_.fail(fmt::format(
          "the geometry has no state (detail attribute {}), which only the start frame {} may lack, "
          "and this is frame {:.6g}",
          kState, start_, frame));
    else
      result_.fail(fmt::format(
          "the geometry is of frame {:.6g}, and this is frame {:.6g}: the solver takes 1/{} of a frame "
          "at a time; put it into a Solver SOP, or reset the simulation",
          at, frame, step_.parts));
    return false;
  }

  // False when nothing of the step may be used.
  bool goOn(WarmSimulation& warm, const std::vector<Part*>& moving) {
    if (moving.size() != warm.motions.size()) return missingCollider(nullptr, 0, 0), false;
    Simulation& simulation = *warm.simulation;
    const int substeps = static_cast<int>(std::lround(step_.input.parms->number("substeps")));
    if (substeps % step_.parts != 0)
      return take({fmt::format("substeps is {}, but must be a multiple of stepsperframe, which is {}",
                               substeps, step_.parts)});
    leaveUntouched(warm);
    for (std::size_t m = 0; m < moving.size(); ++m) {
      if (now_[m].size() != warm.motions[m]->last().size())
        return missingCollider(moving[m], now_[m].size(), warm.motions[m]->last().size()), false;
      warm.motions[m]->begin(simulation.frame(), warm.motions[m]->last());
      warm.motions[m]->goTo(step_.input.frame, now_[m]);
    }
    NodeGeometry pushed;
    const NodeGeometry* given = step_.input.geometry;
    if (!step_.pushes.empty()) pushed = *given, addPushes(step_.pushes, assembly_, pushed), given = &pushed;
    if (const Status done = pushWorld(*given, assembly_, !untouched_, simulation, step_.pushes); !done)
      return take({done.message()});
    return advance(simulation, substeps / step_.parts);
  }

  void leaveUntouched(const WarmSimulation& warm) {
    const NodeGeometry& given = *step_.input.geometry;
    if (step_.input.source != &given) return;
    std::size_t m = 0;
    NodeGeometry shown;
    for (const Part& body : assembly_.bodies) {
      if (!body.moves) continue;
      if (m == 0) shown = result_.geometry, readWorld(*warm.simulation, assembly_, shown);
      const std::vector<Vec3f>& last = warm.motions[m]->last();
      if (now_[m].size() == last.size()) keepUntouched(given, shown, body, last, now_[m]);
      ++m;
    }
  }

  bool advance(Simulation& simulation, int count) {
    int done = 0;
    simulation.onSubstep([&](double) {
      const bool stop = step_.control && step_.control->interrupted(static_cast<double>(done++) / count);
      return stop ? Status(Code::stopped, "") : Status();
    });
    StepReport report;
    const Status moved = simulation.advance(step_.parts, report);
    simulation.onSubstep({});
    hash_ = report.hash;
    result_.interrupted = moved.code() == Code::stopped;
    if (!moved && !result_.interrupted) return take({moved.message()});
    return moved.ok();
  }

  void keep(std::unique_ptr<WarmSimulation> warm, std::string& state) {
    StateHead head;
    head.frame = warm->simulation->frame();
    head.hash = hash_ ? *hash_ : warm->simulation->stateHash();
    head.first_frame = start_;
    head.points = rollOf(assembly_, result_.geometry);
    for (const auto& motion : warm->motions) {
      head.moving.push_back(motion->last().size());
      head.places.insert(head.places.end(), motion->last().begin(), motion->last().end());
    }
    head.starts = warm->starts;
    std::string head_bytes;
    ByteWriter writer(head_bytes);
    pass(writer, head);
    state.clear();
    state.reserve(warm->state_size);
    ByteWriter bytes(state);
    bytes(head_bytes);  // with its size
    warm->simulation->save(bytes);
    const std::size_t filled = kWord - state.size() % kWord;
    state.append(filled, static_cast<char>(filled));
    bytes(checkOf(state));
    warm->state_size = state.size() + state.size() / 16;  // the next one may have some more
    result_.geometry.writeDetail(kHash, hexHash(head.hash));
    warm->head = std::move(head);
    if (step_.memory) *step_.memory = std::move(warm);
  }

  const WorldStep& step_;
  CookResult& result_;
  StateHead head_;
  std::string_view words_, simulation_;  // the state without its check, and of that the simulation
  std::uint64_t check_ = 0;
  std::optional<std::uint64_t> hash_;  // of what the simulation has come to
  bool untouched_ = false;             // P and v are what the simulation has shown
  Assembly assembly_;
  std::vector<BodyGrains> changes_;      // empty: the points are those of the state
  std::vector<std::vector<Vec3f>> now_;  // of each moving part, at the frame of the input
  int start_ = 0;
};

}  // namespace

double frameOf(std::string_view state) {
  ByteReader bytes(state);
  StateHead head;
  std::uint64_t size = 0;
  bytes(size)(head.magic)(head.frame);
  return head.frame;
}

void stepWorld(const WorldStep& step, std::string_view before, std::string& state, CookResult& result) {
  Stepper(step, result).run(before, state);
}

}  // namespace repose::nodes
