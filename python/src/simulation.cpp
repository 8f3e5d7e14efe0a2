// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "simulation.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/bytes.h"
#include "errors.h"
#include "run/threads.h"
#include "scene/output_fields.h"

namespace repose_python {

using repose::Status;

namespace {

// One piece after another, as BodyArrays::surface has their points.
repose::Geometry facesOfPieces(const repose::Body& body) {
  repose::Geometry all;
  std::int32_t first = 0;
  for (const repose::RigidPiece& piece : body.pieces) {
    const repose::Geometry& shape = body.shapes[static_cast<std::size_t>(piece.shape)].geometry;
    all.face_counts.insert(all.face_counts.end(), shape.face_counts.begin(), shape.face_counts.end());
    for (const std::int32_t corner : shape.face_indices) all.face_indices.push_back(first + corner);
    first += static_cast<std::int32_t>(shape.points.size());
  }
  return all;
}

}  // namespace

PySimulation::Use::Use(PySimulation& owner, bool stepping) : owner_(owner) {
  bool idle = false;
  if (owner.busy_.compare_exchange_strong(idle, true)) {
    owner.user_ = std::this_thread::get_id();
    return;
  }
  nested_ = owner.calling_ && owner.user_ == std::this_thread::get_id();
  if (!nested_) raiseBusy("another thread uses this simulation; a simulation is for one thread at a time");
  if (stepping) raiseBusy("the call before a substep cannot step its own simulation");
}

PySimulation::Use::~Use() {
  if (!nested_) owner_.busy_ = false;
}

PySimulation::PySimulation(const LoadedScene& scene, int threads) : scene_(scene.scene) {
  repose::Result<std::unique_ptr<repose::Simulation>> made = Status(repose::Code::unexpected, "");
  {
    const nb::gil_scoped_release others_may_run;
    made = repose::Simulation::create(*scene_, repose::chooseThreads(threads));
  }
  check(made.status());
  simulation_ = std::move(*made);
  for (std::size_t b = 0; b < scene_->bodies.size(); ++b) mirrors_.emplace_back(*scene_, static_cast<int>(b));
  simulation_->onSubstep([this](double seconds) { return beforeSubstep(seconds); });
}

// With the lock of the interpreter: Ctrl-C ends the step here, and so does what the call raises.
Status PySimulation::beforeSubstep(double seconds) {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) {
    raised_.emplace();
    return {repose::Code::stopped, "interrupted"};
  }
  const nb::object call = call_;  // which may set another one
  if (!call.is_valid() || call.is_none()) return {};
  readAgain();
  try {
    calling_ = true;
    call(self_, seconds);
    calling_ = false;
  } catch (nb::python_error& error) {
    calling_ = false;
    raised_.emplace(error);
    return {repose::Code::stopped, "the call before a substep failed"};
  }
  return writeBack();
}

Status PySimulation::writeBack() {
  for (BodyMirror& mirror : mirrors_)
    if (Status written = mirror.write(*simulation_); !written) return written;
  return {};
}

void PySimulation::readAgain() {
  for (BodyMirror& mirror : mirrors_)
    if (mirror.used()) mirror.read(*simulation_);
}

void PySimulation::finish(const Status& status) {
  if (raised_) {
    nb::python_error raised = std::move(*raised_);
    raised_.reset();
    throw raised;
  }
  check(status);
}

repose::StepReport PySimulation::step(int parts) {
  const Use use(*this, true);
  const int substeps = scene_->world.base.substeps;
  if (parts < 1 || substeps % parts != 0)
    raiseBadInput(fmt::format("parts is {}, but must divide the {} substeps of a frame", parts, substeps));
  repose::StepReport report;
  Status moved;
  {
    const nb::gil_scoped_release others_may_run;
    moved = writeBack();
    if (moved) {
      moved = simulation_->advance(parts, report);
      readAgain();
    }
  }
  finish(moved);
  return report;
}

repose::StepReport PySimulation::measure() {
  const Use use(*this);
  repose::StepReport report;
  check(simulation_->measure(report));
  return report;
}

double PySimulation::frame() {
  const Use use(*this);
  return simulation_->frame();
}

std::uint64_t PySimulation::hash() {
  const Use use(*this);
  check(writeBack());
  return simulation_->stateHash();
}

std::size_t PySimulation::memory() {
  const Use use(*this);
  return simulation_->memoryBytes();
}

std::vector<std::string> PySimulation::notes() {
  const Use use(*this);
  return simulation_->notes();
}

nb::bytes PySimulation::save() {
  const Use use(*this);
  check(writeBack());
  std::string bytes;
  repose::ByteWriter writer(bytes);
  simulation_->save(writer);
  return nb::bytes(bytes.data(), bytes.size());
}

void PySimulation::load(const nb::bytes& bytes) {
  const Use use(*this);
  std::string before;
  repose::ByteWriter writer(before);
  simulation_->save(writer);
  repose::ByteReader reader(std::string_view(bytes.c_str(), bytes.size()));
  simulation_->load(reader);
  if (!reader.done()) {
    repose::ByteReader back{std::string_view(before)};
    simulation_->load(back);
    raiseBadInput("these bytes were not saved by a simulation of this scene");
  }
  readAgain();
}

nb::list PySimulation::hits() {
  const Use use(*this);
  std::vector<repose::Hit> hits;
  simulation_->readHits(hits);
  const auto name = [&](const repose::HitSide& side) {
    return side.body < 0 ? scene_->colliders[side.index].name : scene_->bodies[side.body].name;
  };
  nb::list list;
  for (const repose::Hit& hit : hits) {
    nb::dict row;
    row["frame"] = hit.frame, row["impulse"] = hit.impulse, row["speed"] = hit.speed;
    row["place"] = nb::make_tuple(hit.place.x, hit.place.y, hit.place.z);
    row["normal"] = nb::make_tuple(hit.normal.x, hit.normal.y, hit.normal.z);
    row["first"] = nb::make_tuple(name(hit.first), hit.first.index);
    row["second"] = nb::make_tuple(name(hit.second), hit.second.index);
    list.append(row);
  }
  return list;
}

int PySimulation::bodyNamed(const std::string& name) const {
  std::string known;
  for (std::size_t b = 0; b < scene_->bodies.size(); ++b) {
    if (scene_->bodies[b].name == name) return static_cast<int>(b);
    known += (b ? ", " : "") + scene_->bodies[b].name;
  }
  raiseBadInput(fmt::format("there is no body '{}'; the bodies are {}", name, known));
}

const std::shared_ptr<BodyArrays>& PySimulation::arrays(int body) {
  const Use use(*this);
  return mirror(body).arrays(*simulation_);
}

repose::Geometry PySimulation::geometry(int body) {
  const Use use(*this);
  const repose::Body& source = scene_->bodies[static_cast<std::size_t>(body)];
  if (source.kind == repose::BodyKind::rigid) return facesOfPieces(source);
  if (source.kind != repose::BodyKind::cloth) return source.geometry;
  repose::BodyView view;
  simulation_->readBody(body, view);
  return *view.geometry;
}

nb::object PySimulation::field(int body, const std::string& name) {
  const Use use(*this);
  const repose::Body& source = scene_->bodies[body];
  for (const repose::OutputFieldRow& row : repose::kOutputFields)
    if (row.name == name && row.of(source.kind) && row.field != repose::OutputField::hits) {
      repose::BodyView view;
      simulation_->readBody(body, view);
      std::vector<float> values;
      simulation_->readField(row.field, body, view, values);
      return arrayOf<float>(std::move(values));
    }
  std::string known;
  for (const repose::OutputFieldRow& row : repose::kOutputFields)
    if (row.of(source.kind) && row.field != repose::OutputField::hits)
      known += (known.empty() ? "" : ", ") + std::string(row.name);
  raiseBadInput(fmt::format("body '{}' has no field \"{}\"; it has {}", source.name, name,
                            known.empty() ? "none" : known));
}

void PySimulation::setForces(int body, nb::handle forces, nb::handle torques) {
  const Use use(*this);
  repose::BodyForces given;
  if (!forces.is_none()) given.forces = readVectors(forces, "forces");
  if (!torques.is_none()) given.torques = readVectors(torques, "torques");
  check(simulation_->setForces(body, given));
}

void PySimulation::setPinTargets(int body, nb::handle points, nb::handle places) {
  const Use use(*this);
  if (points.is_none()) return check(simulation_->setPinTargets(body, {}, {}));
  check(simulation_->setPinTargets(body, readIndices(points, "points"), readVectors(places, "positions")));
}

void PySimulation::openCache(const std::string& path, int frames,
                             const std::vector<std::string>& attributes) {
  const Use use(*this);
  check(repose::checkOutputFields(*scene_, attributes));
  repose::OutputFrames how;
  how.fps = scene_->world.base.fps;
  how.first = static_cast<int>(simulation_->frame());
  how.count = frames;
  how.scene = scene_->path;
  auto made = repose::makeOutput(*scene_, {path, 1, attributes}, how, [](int, const std::string&) {});
  check(made.status());
  cache_ = std::move(*made);
}

void PySimulation::writeCache() {
  const Use use(*this);
  if (!cache_) raiseBadInput("no cache is open");
  Status written;
  {
    const nb::gil_scoped_release others_may_run;
    repose::RunView view;
    view.frame = simulation_->frame();
    const auto bodies = static_cast<std::size_t>(simulation_->bodyCount());
    view.bodies.resize(bodies), view.rigid.resize(bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
      simulation_->readRigid(static_cast<int>(b), view.rigid[b]);
      if (!view.rigid[b].body) simulation_->readBody(static_cast<int>(b), view.bodies[b]);
    }
    simulation_->readHits(view.hits);
    written = cache_->write(*simulation_, view, 0);
    if (written) written = cache_->endFrame(static_cast<int>(view.frame), false);
  }
  check(written);
}

void PySimulation::closeCache() {
  const Use use(*this);
  if (!cache_) return;
  Status closed;
  {
    const nb::gil_scoped_release others_may_run;
    closed = cache_->close();
  }
  cache_.reset();
  check(closed);
}

}  // namespace repose_python
