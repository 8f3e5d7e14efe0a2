// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/profile.h"
#include "errors.h"
#include "parts.h"
#include "simulation.h"

namespace repose_python {

namespace {

using repose::BodyKind;
using repose::StepReport;

// A body of a simulation, which it keeps alive.
struct BodyHandle {
  nb::object owner;
  PySimulation* simulation;
  int body;

  const repose::Body& source() const { return simulation->mirror(body).source(); }
  const std::shared_ptr<BodyArrays>& arrays() const { return simulation->arrays(body); }
};

// What the garbage collector of Python has to know: a call before each substep often holds its simulation.
int visitSimulation(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PySimulation>(self)->call().ptr());
  return 0;
}
int clearSimulation(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<PySimulation>(self)->onSubstep({});
  return 0;
}
PyType_Slot simulation_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visitSimulation)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clearSimulation)},
                                  {0, nullptr}};

int visitBody(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<BodyHandle>(self)->owner.ptr());
  return 0;
}
PyType_Slot body_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visitBody)}, {0, nullptr}};

const char* kindName(BodyKind kind) {
  return kind == BodyKind::cloth   ? "cloth"
         : kind == BodyKind::grain ? "grain"
         : kind == BodyKind::soft  ? "soft"
                                   : "rigid";
}

nb::object vectorsOf(const BodyHandle& body, std::vector<repose::Vec3f> BodyArrays::*which,
                     bool writable = true) {
  const std::shared_ptr<BodyArrays>& arrays = body.arrays();
  std::vector<repose::Vec3f>& all = (*arrays).*which;
  return viewOf(reinterpret_cast<float*>(all.data()), all.size(), 3, arrays, writable);
}

template <class T>
nb::object numbersOf(const BodyHandle& body, std::vector<T> BodyArrays::*which, std::size_t width,
                     bool writable) {
  const std::shared_ptr<BodyArrays>& arrays = body.arrays();
  std::vector<T>& all = (*arrays).*which;
  return viewOf(all.data(), all.size() / width, width, arrays, writable);
}

constexpr const char* kFloats = "numpy.typing.NDArray[numpy.float32]";

void bindReport(nb::module_& module) {
  nb::class_<StepReport>(module, "Statistics", "What happened in a step, and how the state is after it.")
      .def_ro("iterations", &StepReport::iterations, "Of the solver, over all substeps.")
      .def_ro("residual", &StepReport::residual, "Largest stretch of an edge: length over rest, less 1.")
      .def_ro("converged", &StepReport::converged, "False: some substep missed the tolerance.")
      .def_ro("least_volume", &StepReport::least_volume, "Of a tetrahedron, over that at rest.")
      .def_ro("inverted", &StepReport::inverted, "Tetrahedra that are inside out.")
      .def_ro("max_speed", &StepReport::max_speed, "[m/s]")
      .def_ro("kinetic_energy", &StepReport::kinetic_energy, "[J]")
      .def_ro("energy", &StepReport::energy, "[J], with that of height.")
      .def_ro("grains", &StepReport::grains)
      .def_ro("asleep", &StepReport::asleep, "Grains and rigid bodies.")
      .def_ro("contacts", &StepReport::contacts)
      .def_ro("lost", &StepReport::lost, "Grains that have left the world.")
      .def_ro("max_penetration", &StepReport::max_penetration, "[m]")
      .def_ro("mean_penetration", &StepReport::mean_penetration, "[m]")
      .def_ro("hash", &StepReport::hash, "Of the state: that of the command line's log.")
      .def_prop_ro(
          "seconds",
          [](const StepReport& report) {
            nb::dict stages;
            for (std::size_t k = 0; k < report.seconds.size(); ++k)
              stages[repose::kStageNames[k]] = report.seconds[k];
            return stages;
          },
          nb::sig("def seconds(self) -> dict[str, float]"), "Wall time by stage.");
}

// Its faces and tetrahedra, what is measured on it, and what pushes and holds it.
void bindMesh(nb::class_<BodyHandle>& body) {
  static const std::string field = std::string("def field(self, name: str) -> ") + kFloats;
  body.def_prop_ro(
          "face_counts",
          [](const BodyHandle& b) {
            return arrayOf<std::int32_t>(b.simulation->geometry(b.body).face_counts);
          },
          nb::sig("def face_counts(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(faces,) corners of each face as it is now; a copy.")
      .def_prop_ro(
          "face_indices",
          [](const BodyHandle& b) {
            return arrayOf<std::int32_t>(b.simulation->geometry(b.body).face_indices);
          },
          nb::sig("def face_indices(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(corners,) points of `surface`; a copy.")
      .def_prop_ro(
          "tets", [](const BodyHandle& b) { return arrayOf<std::int32_t>(b.source().tets.tets, 4); },
          nb::sig("def tets(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(n, 4) points of `positions`; a copy.")
      .def(
          "field",
          [](const BodyHandle& b, const std::string& name) { return b.simulation->field(b.body, name); },
          nb::arg("name"), nb::sig(field.c_str()),
          "speed, strain, stress, volume, contactforce, ncontacts or asleep of each point; a copy.")
      .def(
          "set_forces",
          [](const BodyHandle& b, nb::handle forces, nb::handle torques) {
            b.simulation->setForces(b.body, forces, torques);
          },
          nb::arg("forces").none(), nb::arg("torques").none() = nb::none(),
          nb::sig("def set_forces(self, forces: object, torques: object = None) -> None"),
          "(n, 3) [N] on each point, grain or piece, and [N m] on pieces, until set again; None: none.")
      .def(
          "set_pin_targets",
          [](const BodyHandle& b, nb::handle points, nb::handle places) {
            b.simulation->setPinTargets(b.body, points, places);
          },
          nb::arg("points").none(), nb::arg("positions").none() = nb::none(),
          nb::sig("def set_pin_targets(self, points: object, positions: object = None) -> None"),
          "Where pinned points go, (n,) and (n, 3) [m], until set again; None: where the scene says.");
}

void bindBody(nb::module_& module) {
  const std::string floats = kFloats;
  static const std::string positions = "def positions(self) -> " + floats,
                           velocities = "def velocities(self) -> " + floats,
                           orientations = "def orientations(self) -> " + floats,
                           spins = "def spins(self) -> " + floats, surface = "def surface(self) -> " + floats,
                           widths = "def widths(self) -> " + floats;
  nb::class_<BodyHandle> body(
      module, "BodyState", nb::type_slots(body_slots),
      "One body as it is now. Arrays are views on memory of the simulation, in source order: each "
      "step fills them anew, and what is written into them takes effect in the next step. They stay "
      "valid as long as anybody holds them; when the number of grains changes, ask for them again.");
  body.def_prop_ro("name", [](const BodyHandle& b) { return b.source().name; })
      .def_prop_ro("kind", [](const BodyHandle& b) { return std::string(kindName(b.source().kind)); })
      .def_prop_ro(
          "positions", [](const BodyHandle& b) { return vectorsOf(b, &BodyArrays::positions); },
          nb::sig(positions.c_str()),
          "(n, 3) [m]: points of cloth, grains by id, corners of tetrahedra, origins of rigid pieces.")
      .def_prop_ro(
          "velocities", [](const BodyHandle& b) { return vectorsOf(b, &BodyArrays::velocities); },
          nb::sig(velocities.c_str()), "(n, 3) [m/s]")
      .def_prop_ro(
          "orientations",
          [](const BodyHandle& b) { return numbersOf(b, &BodyArrays::orientations, 4, true); },
          nb::sig(orientations.c_str()), "(n, 4) quaternions x y z w of rigid pieces; else empty.")
      .def_prop_ro(
          "spins", [](const BodyHandle& b) { return vectorsOf(b, &BodyArrays::spins); },
          nb::sig(spins.c_str()), "(n, 3) [rad/s] of rigid pieces; else empty.")
      .def_prop_ro(
          "surface",
          [](const BodyHandle& b) {
            const bool carried = b.source().kind == BodyKind::soft || b.source().kind == BodyKind::rigid;
            return vectorsOf(b, carried ? &BodyArrays::surface : &BodyArrays::positions, !carried);
          },
          nb::sig(surface.c_str()),
          "(n, 3) [m]: what is drawn, which for soft and rigid bodies goes with tetrahedra and pieces "
          "(read-only).")
      .def_prop_ro(
          "widths", [](const BodyHandle& b) { return numbersOf(b, &BodyArrays::widths, 1, false); },
          nb::sig(widths.c_str()), "(n,) diameters of grains [m], read-only.")
      .def_prop_ro(
          "ids", [](const BodyHandle& b) { return numbersOf(b, &BodyArrays::ids, 1, false); },
          nb::sig("def ids(self) -> numpy.typing.NDArray[numpy.uint64]"),
          "(n,) of grains, ascending, read-only.");
  bindMesh(body);
}

}  // namespace

void bindSimulation(nb::module_& module) {
  bindReport(module);
  bindBody(module);
  nb::class_<PySimulation>(module, "SimulationCore", nb::type_slots(simulation_slots),
                           "What repose.Simulation is made of.")
      .def(nb::init<const LoadedScene&, int>(), nb::arg("scene"), nb::arg("threads"))
      .def(
          "advance",
          [](nb::handle self, int parts) {
            auto& simulation = nb::cast<PySimulation&>(self);
            simulation.onSelf(self);
            return simulation.step(parts);
          },
          nb::arg("parts"), nb::sig("def advance(self, parts: int) -> Statistics"))
      .def("measure", &PySimulation::measure, "Of the state as it is, without a step.")
      .def("set_call", &PySimulation::onSubstep, nb::arg("call").none(),
           nb::sig("def set_call(self, call: object) -> None"))
      .def_prop_ro("frame", &PySimulation::frame)
      .def_prop_ro("hash", &PySimulation::hash)
      .def_prop_ro("memory", &PySimulation::memory, "[bytes] of model, state and workspace.")
      .def_prop_ro("notes", &PySimulation::notes, "What a user should know of how the scene is solved.")
      .def("save", &PySimulation::save,
           "All that varies, as bytes; forces and pin targets are not part of it.")
      .def("load", &PySimulation::load, nb::arg("state"))
      .def("hits", &PySimulation::hits, nb::sig("def hits(self) -> list[dict[str, object]]"),
           "What came together in the last step: rigid pieces and what they hit.")
      .def_prop_ro("body_names",
                   [](const PySimulation& s) {
                     std::vector<std::string> names;
                     for (const repose::Body& body : s.scene().bodies) names.push_back(body.name);
                     return names;
                   })
      .def(
          "body",
          [](const nb::object& self, const std::string& name) {
            auto& simulation = nb::cast<PySimulation&>(self);
            return BodyHandle{self, &simulation, simulation.bodyNamed(name)};
          },
          nb::arg("name"), nb::sig("def body(self, name: str) -> BodyState"))
      .def("open_cache", &PySimulation::openCache, nb::arg("path"), nb::arg("frames"), nb::arg("attributes"))
      .def("write_cache", &PySimulation::writeCache)
      .def("close_cache", &PySimulation::closeCache);
}

}  // namespace repose_python
