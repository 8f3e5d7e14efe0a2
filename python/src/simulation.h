// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// repose.Simulation: steps without the interpreter's lock, arrays of the bodies, the call before each
// substep.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "body.h"
#include "mesh.h"
#include "run/outputs.h"

namespace repose_python {

class PySimulation {
 public:
  PySimulation(const LoadedScene& scene, int threads);

  repose::StepReport step(int parts);
  repose::StepReport measure();
  void onSubstep(nb::object call) { call_ = std::move(call); }
  nb::handle call() const { return call_; }
  void onSelf(nb::handle self) { self_ = self; }

  double frame();
  std::uint64_t hash();
  std::size_t memory();
  std::vector<std::string> notes();
  nb::bytes save();
  void load(const nb::bytes& bytes);
  nb::list hits();

  int bodyNamed(const std::string& name) const;
  const repose::Scene& scene() const { return *scene_; }
  BodyMirror& mirror(int body) { return mirrors_[static_cast<std::size_t>(body)]; }
  const std::shared_ptr<BodyArrays>& arrays(int body);
  repose::Geometry geometry(int body);  // faces as they are now: cloth tears
  nb::object field(int body, const std::string& name);
  void setForces(int body, nb::handle forces, nb::handle torques);
  void setPinTargets(int body, nb::handle points, nb::handle places);

  // Frames of the simulation into a cache, as the command line writes them.
  void openCache(const std::string& path, int frames, const std::vector<std::string>& attributes);
  void writeCache();
  void closeCache();

 private:
  // While one thread uses the simulation, others are refused; its own call before a substep may go on.
  class Use {
   public:
    Use(PySimulation& owner, bool stepping = false);
    ~Use();

   private:
    PySimulation& owner_;
    bool nested_ = false;
  };
  repose::Status beforeSubstep(double seconds);
  repose::Status writeBack();
  void readAgain();
  void finish(const repose::Status& status);

  std::shared_ptr<const repose::Scene> scene_;
  std::unique_ptr<repose::Simulation> simulation_;
  std::vector<BodyMirror> mirrors_;
  std::unique_ptr<repose::RunOutput> cache_;
  nb::object call_;  // before each substep; not an object: none
  nb::handle self_;  // what it gets; alive while it steps
  std::optional<nb::python_error> raised_;
  std::atomic<bool> busy_{false};
  std::thread::id user_;
  bool calling_ = false;  // the user is in its own call
};

}  // namespace repose_python
