// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S3 of peers.md: boxes of 0.4 m dropped into a container, by every method. Times are those of a step of 1/60
// s once they have settled; of one thread by the clock of the processor.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "bench/report.h"
#include "bench/rigid/box_scene.h"

namespace repose {

namespace {

constexpr int kFrames = 60;
constexpr int kAcross = 7;

struct Setting {
  const char* name;
  ContactMethod method;
  ContactScheme scheme;
  int substeps, iterations, threads;
};

void run(const Setting& setting, int n, int settle, Table& table, Report& report) {
  auto world = makeBoxes(n, kAcross, setting.threads);
  SolverParams& solver = world->params.solver;
  solver.contactmethod = setting.method, solver.contactscheme = setting.scheme;
  solver.contactsubsteps = setting.substeps;
  solver.contactiterations = solver.contactrelax = setting.iterations;
  std::size_t kept = 0;  // most points of manifolds at once, also of those that do not touch yet
  std::vector<double> frames, mean_of_frame;
  sayProgress(fmt::format("{} on {} threads, {} frames", setting.name, setting.threads, settle + kFrames));
  for (int f = 0; f < settle + kFrames; ++f) {
    const double cpu = cpuMilliseconds();
    const Clock::time_point begin = Clock::now();
    world->step();
    if (f >= settle) frames.push_back(setting.threads == 1 ? cpuMilliseconds() - cpu : milliseconds(begin));
    mean_of_frame.push_back(world->work->contacts->summary(world->state).mean_penetration);
    std::size_t points = 0;
    for (const RigidContacts::Touching* t : world->work->contacts->rigid->touching()) points += t->count;
    kept = std::max(kept, points);
  }
  Times times;
  times.addBurst(frames);
  const ContactSummary sum = world->work->contacts->summary(world->state);
  double speed = 0;
  for (int i = 0; i < n; ++i) speed += length(world->velocity(i)) / n;
  const RigidContacts& rigid = *world->work->contacts->rigid;
  const std::size_t a_contact = rigid.contactBytes() / std::max<std::size_t>(kept, 1);
  const std::size_t a_body = (world->work->contacts->bytes() - rigid.contactBytes()) / n;
  table.add(
      {setting.name, fmt::format("{} x ({} + {})", setting.substeps, setting.iterations, setting.iterations),
       std::to_string(setting.threads), fmt::format("{:.2f} ({:.2f})", times.middle(), times.least()),
       fmt::format("{:.2f}", 1e3 * sum.mean_penetration), fmt::format("{:.1f}", 1e3 * sum.max_penetration),
       std::to_string(sum.contacts), std::to_string(kept), fmt::format("{:.4f}", speed),
       std::to_string(a_body), std::to_string(a_contact)});
  report.figures["runs"].push_back(
      {{"name", setting.name},
       {"passes", fmt::format("{} x ({} + {})", setting.substeps, setting.iterations, setting.iterations)},
       {"threads", setting.threads},
       {"ms", times.middle()},
       {"least_ms", times.least()},
       {"mean_m", sum.mean_penetration},
       {"max_m", sum.max_penetration},
       {"contacts", sum.contacts},
       {"contacts_kept", kept},
       {"bytes_a_body", a_body},
       {"bytes_a_contact", a_contact},
       {"mean_penetration_of_frame", mean_of_frame}});
}

// What sleepers cost: the same boxes, awake all the time, with and without so many sleepers around them, in
// turns.
void runSleepers(int n, int settle, int sleepers, Report& report) {
  sayProgress(fmt::format("{} sleepers", sleepers));
  std::unique_ptr<RigidWorld> worlds[2];
  for (int with = 0; with < 2; ++with) {
    worlds[with] = makeBoxes(n, kAcross, 1);
    RigidWorld& world = *worlds[with];
    world.params.solver.sleep = true, world.params.solver.sleepspeed = 0;  // nothing falls asleep
    world.params.solver.contactsubsteps = 4;
    world.params.solver.contactiterations = world.params.solver.contactrelax = 1;
    if (!with) continue;
    const int box = world.addBox({0.4f, 0.4f, 0.4f});
    world.scene.bodies[box].rigid.base.startasleep = true;
    world.setFriction(0.4f);
    for (int k = 0; k < sleepers; ++k) {
      const int column = k % 100, row = k / 100 % 100, layer = k / 10000;
      world.place(box, {static_cast<float>(column) * 0.41f + 10, 0.2f + static_cast<float>(layer) * 0.4f,
                        static_cast<float>(row) * 0.41f - 20});
    }
  }
  std::vector<double> frames[2];
  for (int f = 0; f < settle + kFrames; ++f)
    for (int with = 0; with < 2; ++with) {
      const double cpu = cpuMilliseconds();
      worlds[with]->step();
      if (f >= settle) frames[with].push_back(cpuMilliseconds() - cpu);
    }
  Times times[2];
  for (int with = 0; with < 2; ++with) times[with].addBurst(frames[with]);
  const auto bytes = [&](int with) { return worlds[with]->work->contacts->bytes(); };
  report.say(fmt::format(
      "\n{} sleepers more: {:.2f} ({:.2f}) ms instead of {:.2f} ({:.2f}), {:+.1f} % ({:+.1f} %); {} bytes "
      "each.\n",
      sleepers, times[1].middle(), times[1].least(), times[0].middle(), times[0].least(),
      100 * (times[1].middle() / times[0].middle() - 1), 100 * (times[1].least() / times[0].least() - 1),
      (bytes(1) - bytes(0)) / static_cast<std::size_t>(sleepers)));
}

// The boxes before they fall and half the width of the container: what the peers begin with.
void writeStart(const std::string& path, int n) {
  std::vector<float> start;
  makeBoxes(n, kAcross, 1, &start);
  start.push_back(halfWidth(kAcross));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(start.data()),
             static_cast<std::streamsize>(start.size() * sizeof(float)));
}

// As the programs of the peers do (bullet_bodies.cpp): start and end file, frames to settle and to measure.
void runAlone(const std::vector<std::string>& words, int substeps) {
  const int n = static_cast<int>(std::filesystem::file_size(words[0]) / (7 * sizeof(float)));
  auto world = makeBoxes(n, kAcross, 1);
  SolverParams& solver = world->params.solver;
  solver.contactsubsteps = substeps;
  solver.contactiterations = solver.contactrelax = 1;
  const int settle = std::stoi(words[2]), frames = std::stoi(words[3]);
  std::vector<double> cpu;
  for (int f = 0; f < settle + frames; ++f) {
    const double begin = cpuMilliseconds();
    world->step();
    if (f >= settle) cpu.push_back(cpuMilliseconds() - begin);
  }
  std::ofstream end(words[1], std::ios::binary);
  for (int i = 0; i < n; ++i) {
    const Pose pose = world->pose(i);
    const Vec3f at = pose.origin;
    const Quat turn = quatOf(pose);
    const float x[7] = {at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w};
    end.write(reinterpret_cast<const char*>(x), sizeof(x));
  }
  fmt::print("{}\n", nlohmann::json{{"version", ""}, {"cpu_ms", cpu}}.dump());
}

}  // namespace

int benchRigid(int n, int settle, int sleepers, const std::string& out) {
  Report report("rigid");
  report.figures["runs"] = nlohmann::json::array();
  report.say(fmt::format(
      "\n{} boxes of 0.4 m in a container, settled for {} frames of 1/60 s; ms a step, in brackets "
      "the least.\n",
      n, settle));
  Table table({"solver", "passes", "threads", "ms", "mean overlap mm", "largest mm", "contacts",
               "kept at most", "mean speed m/s", "bytes a body", "bytes a contact kept"});
  const auto coloured = ContactMethod::gauss_seidel_coloured;
  run({"coloured", coloured, ContactScheme::soft, 4, 1, 1}, n, settle, table, report);
  run({"coloured", coloured, ContactScheme::soft, 3, 1, 1}, n, settle, table, report);
  run({"coloured", coloured, ContactScheme::soft, 8, 1, 1}, n, settle, table, report);
  run({"coloured", coloured, ContactScheme::soft, 4, 1, 2}, n, settle, table, report);
  run({"one by one", ContactMethod::gauss_seidel, ContactScheme::soft, 4, 1, 1}, n, settle, table, report);
  const auto jacobi = ContactMethod::accelerated_jacobi;
  run({"accelerated Jacobi", jacobi, ContactScheme::soft, 4, 2, 2}, n, settle, table, report);
  run({"accelerated Jacobi", jacobi, ContactScheme::soft, 8, 2, 2}, n, settle, table, report);
  run({"accelerated Jacobi", jacobi, ContactScheme::soft, 12, 2, 2}, n, settle, table, report);
  run({"vts", coloured, ContactScheme::vts, 1, 15, 1}, n, settle, table, report);
  run({"sp", coloured, ContactScheme::sp, 1, 15, 1}, n, settle, table, report);
  run({"pbd", coloured, ContactScheme::pbd, 1, 15, 1}, n, settle, table, report);
  report.say(table.markdown());
  if (sleepers > 0) runSleepers(n, settle, sleepers, report);
  report.write(out);
  return 0;
}

}  // namespace repose

int main(int argc, char** argv) {
  CLI::App app("2,000 boxes in a container, by every method");
  int boxes = 2000, settle = 400, sleepers = 10000, substeps = 4;
  std::string out, start;
  std::vector<std::string> alone;
  app.add_option("boxes", boxes, "how many")->check(CLI::Range(1, 1000000));
  app.add_option("--settle", settle, "frames before the times are taken");
  app.add_option("--sleepers", sleepers, "sleeping boxes to add at the end");
  app.add_option("--out", out, "folder of the results");
  app.add_option("--start", start, "only writes this file: the boxes that peers begin with");
  app.add_option("--alone", alone, "only runs as a peer does: START END SETTLE FRAMES")->expected(4);
  app.add_option("--substeps", substeps, "contact substeps of --alone")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  if (!start.empty()) return repose::writeStart(start, boxes), 0;
  if (!alone.empty()) return repose::runAlone(alone, substeps), 0;
  return repose::benchRigid(boxes, settle, sleepers, out);
}
