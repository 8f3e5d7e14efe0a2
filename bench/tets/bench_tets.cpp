// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Speed and memory of tetrahedra on multipliers, and what a beam's deflection costs; docs/performance_soft.md
// shows what it prints. Every figure is taken in turns with what it is compared to.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "bench/report.h"
#include "bench/tets/beam.h"
#include "bench/tets/reference_tets.h"
#include "solve/choose_method.h"
#include "tetra/box_cells.h"

namespace repose {

namespace {

// On one thread the processor's time, which other programs leave alone; on two the time on the wall.
template <class Frame>
void burst(int frames, bool wall, Times& times, const Frame& frame) {
  std::vector<double> ms;
  for (int f = 0; f < frames; ++f) {
    const Clock::time_point begin = Clock::now();
    const double cpu = cpuMilliseconds();
    frame();
    ms.push_back(wall ? milliseconds(begin) : cpuMilliseconds() - cpu);
  }
  times.addBurst(ms);
}

const char* nameOf(SoftMaterial m) {
  return m == SoftMaterial::neohookean ? "neohookean" : m == SoftMaterial::corotated ? "corotated" : "stvk";
}

void benchSpeed(bool thorough, Report& report) {
  Table table({"tetrahedra, material", "ms, 1 thread", "2 threads", "speed-up", "reference, 1 thread",
               "2 threads", "ratio, 1 thread", "2 threads", "ns a tetrahedron", "bytes a tetrahedron",
               "sag m", "reference"});
  const auto add = [&](const BeamShape& shape, SoftMaterial material) {
    Beam beam(makeBeam(shape), material, 1, kSubsteps);
    std::unique_ptr<ReferenceBeam> reference[2] = {makeReferenceBeam(shape, 1), makeReferenceBeam(shape, 2)};
    Times ours[2], theirs[2];
    const int rounds = thorough ? 10 : 5, frames = 4;
    for (int round = 0; round < rounds; ++round) {
      sayProgress(fmt::format("S4, {} tetrahedra, {}, round {}", shape.tets(), nameOf(material), round + 1));
      for (int t = 0; t < 2; ++t) {
        {
          // lives only for its burst: as long as it does it limits the threads of all others
          const std::unique_ptr<Backend> backend = makeTbbBackend(t + 1);
          burst(frames, t == 1, ours[t], [&] { beam.frame(*backend); });
        }
        if (reference[t]) burst(frames, t == 1, theirs[t], [&] { reference[t]->frame(kSubsteps); });
      }
    }
    // what has run in one of two threads has run half as many frames as ours
    const auto shown = [](const Times& t) {
      return t.medians.empty() ? std::string("-") : fmt::format("{:.2f} ({:.2f})", t.middle(), t.least());
    };
    const auto ratio = [&](int t) {
      return reference[t] ? fmt::format("{:.2f}", ours[t].least() / theirs[t].least()) : std::string("-");
    };
    const double bytes = static_cast<double>(beam.bytes()) / shape.tets();
    const double ns = ours[0].least() * 1e6 / (static_cast<double>(shape.tets()) * kSubsteps);
    // at the same time of the fall
    Beam again(makeBeam(shape), material, 1, kSubsteps);
    const std::unique_ptr<Backend> backend = makeTbbBackend(2);
    const int fall = rounds * frames;
    for (int f = 0; f < fall; ++f) again.frame(*backend);
    table.add({fmt::format("{}, {}", shape.tets(), nameOf(material)), shown(ours[0]), shown(ours[1]),
               fmt::format("{:.2f}", ours[0].least() / ours[1].least()), shown(theirs[0]), shown(theirs[1]),
               ratio(0), ratio(1), fmt::format("{:.1f}", ns), fmt::format("{:.0f}", bytes),
               fmt::format("{:.3f}", again.sag()),
               reference[0] ? fmt::format("{:.3f}", reference[0]->sag()) : "-"});
    nlohmann::json& out = report.figures["speed"].emplace_back();
    out = {{"tets", shape.tets()},
           {"material", nameOf(material)},
           {"ours_ms", {ours[0].least(), ours[1].least()}},
           {"bytes_a_tet", bytes},
           {"sag_m", again.sag()}};
    if (reference[0]) out["reference_ms"] = {theirs[0].least(), theirs[1].least()};
  };
  add({30, 8}, SoftMaterial::neohookean);
  add({44, 15}, SoftMaterial::neohookean);
  add({44, 15}, SoftMaterial::stvk);
  add({44, 15}, SoftMaterial::corotated);
  report.say(
      "S4 of `peers.md`: 20 substeps of one iteration a frame of 1/60 s, gauss_seidel_coloured. Median "
      "(least) "
      "milliseconds a frame, of the processor on one thread, on the wall on two; ratios and speed-up are of "
      "the "
      "least. Reference: `bench/tets/reference_visit.cpp`, AVX2, neo-Hookean.\n");
  report.say(table.markdown());
}

// Implicit steps, of which two make a frame: their time does not depend on stiffness.
void benchMultilevel(bool thorough, Report& report) {
  Table table({"tetrahedra, strain", "E Pa", "ms, 1 thread", "2 threads", "speed-up", "cycles a substep",
               "bytes a tetrahedron"});
  const BeamShape shape{44, 15};
  constexpr int kSteps = 2;
  for (const SoftSmoothing smoothing : {SoftSmoothing::none, SoftSmoothing::edges})
    for (const float youngs : {1e6f, 1e9f}) {
      const char* strain = smoothing == SoftSmoothing::edges ? "smoothed" : "plain";
      Beam beam(makeBeam(shape), SoftMaterial::neohookean, 1, kSteps, SolverMethod::multilevel, smoothing,
                youngs);
      Times times[2];
      int frames = 0;
      for (int round = 0; round < (thorough ? 10 : 4); ++round) {
        sayProgress(fmt::format("multilevel, {} strain, E {:.0e}, round {}", strain, youngs, round + 1));
        for (int t = 0; t < 2; ++t) {
          const std::unique_ptr<Backend> backend = makeTbbBackend(t + 1);
          burst(2, t == 1, times[t], [&] { beam.frame(*backend); });
          frames += 2;
        }
      }
      const double bytes = static_cast<double>(beam.bytes()) / shape.tets();
      const double cycles = static_cast<double>(beam.iterations) / (frames * kSteps);
      const auto shown = [](const Times& t) { return fmt::format("{:.0f} ({:.0f})", t.middle(), t.least()); };
      table.add({fmt::format("{}, {}", shape.tets(), strain), fmt::format("{:.0e}", youngs), shown(times[0]),
                 shown(times[1]), fmt::format("{:.2f}", times[0].least() / times[1].least()),
                 fmt::format("{:.1f}", cycles), fmt::format("{:.0f}", bytes)});
      report.figures["multilevel"].push_back({{"tets", shape.tets()},
                                              {"strain", strain},
                                              {"youngsmodulus", youngs},
                                              {"ms", {times[0].least(), times[1].least()}},
                                              {"cycles", cycles},
                                              {"bytes_a_tet", bytes}});
    }
  report.say(
      "\nThe same beam by `multilevel`, 2 substeps a frame of 1/60 s. Median (least) milliseconds a frame, "
      "of the processor on one thread, on the wall on two.\n");
  report.say(table.markdown());
}

// 1 x .2 x .2 m from x = 0 on, so many cells of six across.
TetMesh smallBeam(int across) {
  TetMesh mesh = cutBox({1, 0.2f, 0.2f}, {5 * across, across, across}, CellCut::kuhn);
  for (Vec3f& p : mesh.geometry.points) p.x += 0.5f;
  return mesh;
}

// Mean deflection of its free end after 150 frames in thick air, which takes a part of gravity that is given
// back.
double tipAtRest(Beam& beam, float gravity, Backend& backend) {
  constexpr float kThick = 6;  // [1/s]
  beam.params.world.gravity = {0, -gravity * (1 + kThick * beam.params.h), 0};
  beam.params.soft[0].veldamping = kThick, beam.params.cloth[0].veldamping = kThick;
  const auto endHeight = [&] {
    double sum = 0;
    for (const int p : beam.tip) sum += beam.built.state.x[p].y;
    return sum / static_cast<double>(beam.tip.size());
  };
  const double start = endHeight();
  for (int f = 0; f < 150; ++f) beam.frame(backend);
  return start - endHeight();
}

void benchBeam(Report& report) {
  constexpr double kNewton = 0.1883;  // reference.md (g)
  Table table({"substeps x iterations", "neohookean", "corotated", "stvk"});
  struct Way {
    int substeps, iterations;
    float tolerance;
  };
  const std::unique_ptr<Backend> backend = makeTbbBackend(1);
  for (const Way way : {Way{1, 50, 0},
                        {1, 200, 0},
                        {5, 4, 0},
                        {20, 1, 0},
                        {50, 1, 0},
                        {200, 1, 0},
                        {1, 4000, 1e-3f},
                        {20, 400, 1e-3f},
                        {50, 400, 1e-3f},
                        {200, 400, 1e-3f}}) {
    std::vector<std::string> row = {way.tolerance > 0
                                        ? fmt::format("{} x until {:g}", way.substeps, way.tolerance)
                                        : fmt::format("{} x {}", way.substeps, way.iterations)};
    for (const SoftMaterial material :
         {SoftMaterial::neohookean, SoftMaterial::corotated, SoftMaterial::stvk}) {
      sayProgress(fmt::format("beam, {}, {}", row[0], nameOf(material)));
      Beam beam(smallBeam(2), material, way.iterations, way.substeps);
      beam.params.solver.tolerance = way.tolerance;
      const double tip = tipAtRest(beam, 9.8f, *backend);
      row.push_back(fmt::format("{:.3f}", tip / kNewton) +
                    (way.tolerance > 0
                         ? fmt::format(" ({:.0f} a substep)",
                                       static_cast<double>(beam.iterations) / (150.0 * way.substeps))
                         : ""));
      report.figures["beam"].push_back({{"substeps", way.substeps},
                                        {"iterations", way.iterations},
                                        {"tolerance", way.tolerance},
                                        {"material", nameOf(material)},
                                        {"ratio", tip / kNewton}});
    }
    table.add(row);
  }
  report.say(
      "\nCantilever of `reference.md` (g), E = 1e6 Pa, 240 tetrahedra, at rest: tip over that of Newton's "
      "method on "
      "the same mesh (St Venant-Kirchhoff).\n");
  report.say(table.markdown());
}

// How stiff a body a count of iterations holds: tip over that of implicit steps on the same mesh, for values
// of E h^2 / (density edge^2 iterations), by which solve/choose_method.cpp chooses. Gravity goes with E, so
// that all bend alike.
void benchLimit(Report& report) {
  constexpr float kDensity = 1000;
  const std::unique_ptr<Backend> backend = makeTbbBackend(1);
  const double stiff[] = {0.03, 0.1, 0.3, 1};
  std::vector<std::string> head = {"cells across, substeps x iterations"};
  for (const double s : stiff) head.push_back(fmt::format("{:g}", s));
  Table table(head);
  for (const int across : {2, 4})
    for (const auto& [substeps, iterations] :
         {std::pair{1, 20}, std::pair{4, 5}, std::pair{4, 20}, std::pair{20, 1}}) {
      std::vector<std::string> row = {fmt::format("{}, {} x {}", across, substeps, iterations)};
      sayProgress("limit, " + row[0]);
      for (const double s : stiff) {
        const TetMesh mesh = smallBeam(across);
        const double edge = meanEdge(mesh), h = 1.0 / 60 / substeps;
        const auto youngs = static_cast<float>(s * kDensity * edge * edge * iterations / (h * h));
        const float gravity = 9.8f * youngs / 4e6f;
        Beam loop(mesh, SoftMaterial::neohookean, iterations, substeps, SolverMethod::gauss_seidel_coloured,
                  SoftSmoothing::none, youngs);
        Beam implicit(mesh, SoftMaterial::neohookean, 1, 1, SolverMethod::multilevel, SoftSmoothing::none,
                      youngs);
        const double ratio = tipAtRest(loop, gravity, *backend) / tipAtRest(implicit, gravity, *backend);
        row.push_back(fmt::format("{:.2f}", ratio));
        report.figures["limit"].push_back({{"across", across},
                                           {"substeps", substeps},
                                           {"iterations", iterations},
                                           {"stiffness", s},
                                           {"ratio", ratio}});
      }
      table.add(row);
    }
  report.say(
      "\nTip of the same beam over that of implicit steps, for values of youngsmodulus h^2 / (density edge^2 "
      "iterations); neo-Hookean.\n");
  report.say(table.markdown());
}

// One line for peers.py: cpu milliseconds a frame and the largest sag.
void printPeer(int frames, int substeps, int passes) {
  Beam beam(makeBeam({30, 8}), SoftMaterial::neohookean, passes, substeps);
  const std::unique_ptr<Backend> backend = makeTbbBackend(1);
  std::vector<double> ms;
  double sag = 0;
  for (int f = 0; f < frames; ++f) {
    const double begin = cpuMilliseconds();
    beam.frame(*backend);
    ms.push_back(cpuMilliseconds() - begin);
    sag = std::max(sag, beam.sag());
  }
  fmt::print("{}\n", nlohmann::json{{"cpu_ms", ms}, {"sag_m", sag}}.dump());
}

}  // namespace

}  // namespace repose

int main(int argc, char** argv) {
  using namespace repose;
  std::vector<std::string> parts = {"speed", "multilevel", "beam", "limit"};
  std::string folder;
  bool thorough = false;
  int peer = 0, substeps = kSubsteps, passes = 1;
  CLI::App app("Speed, memory and accuracy of tetrahedra.");
  app.add_option("--part", parts, "only these: speed, multilevel, beam, limit")
      ->check(CLI::IsMember({"speed", "multilevel", "beam", "limit"}))
      ->allow_extra_args(false);
  app.add_option("--out", folder, "folder for tets.md and tets.json");
  app.add_option("--peer", peer, "frames of the small beam, as one line of JSON");
  app.add_option("--substeps", substeps, "of a frame of --peer")->check(CLI::Range(1, 10000));
  app.add_option("--iterations", passes, "of a substep of --peer")->check(CLI::Range(1, 10000));
  app.add_flag("--long", thorough, "more repetitions");
  CLI11_PARSE(app, argc, argv);
  if (peer > 0) return printPeer(peer, substeps, passes), 0;

  Report report("tets");
  const auto wanted = [&](const char* name) {
    return std::find(parts.begin(), parts.end(), name) != parts.end();
  };
  if (wanted("speed")) benchSpeed(thorough, report);
  if (wanted("multilevel")) benchMultilevel(thorough, report);
  if (wanted("beam")) benchBeam(report);
  if (wanted("limit")) benchLimit(report);
  report.write(folder);
}
