// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// S1 of peers.md: N x N points, stretch, shear and second-neighbour rows, 15 iterations of 16 ms.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

#include "bench/cloth/parts.h"
#include "bench/cloth/reference_kernels.h"
#include "bench/sheet.h"

namespace repose {

namespace {

constexpr int kIterations = 15;

template <class Advance>
void burst(int frames, Times& times, const Advance& advance) {
  advance();  // wakes the threads, and the caches from what ran before
  std::vector<double> ms;
  for (int f = 0; f < frames; ++f) {
    const Clock::time_point begin = Clock::now();
    advance();
    ms.push_back(milliseconds(begin));
  }
  times.addBurst(ms);
}

// Something that runs bursts of frames; nothing when it cannot run here.
struct Contender {
  std::function<void(int frames, Times&)> burst;
  Times times;
  explicit operator bool() const { return burst != nullptr; }
};

// A backend lives only for its burst: as long as it does it limits the threads of all others.
Contender ours(std::shared_ptr<Sheet> sheet, int threads) {
  return {[sheet, threads](int frames, Times& times) {
            sheet->backend = makeTbbBackend(threads);
            burst(frames, times, [&] { sheet->advance(); });
            sheet->backend.reset();
          },
          {}};
}

Contender ownReference(ReferenceKernel kernel, int n, int threads) {
  std::shared_ptr<ReferenceCloth> cloth = makeReferenceCloth(kernel, n, threads);
  if (!cloth) return {};
  return {[cloth](int frames, Times& times) { burst(frames, times, [&] { cloth->frame(kIterations); }); },
          {}};
}

// The program says "... wall med 1.234 min 1.198 | ..." once it has run.
Contender givenReference(const std::string& program, const char* kernel, int n, int threads) {
  const std::string command = fmt::format("'{}' {} {} {} {} 10", program, kernel, n, threads, kIterations);
  return {[command](int, Times& times) {
            std::FILE* pipe = popen(command.c_str(), "r");
            char text[1024] = "";
            if (pipe && !std::fgets(text, sizeof(text), pipe)) text[0] = 0;
            const char* at = std::strstr(text, "wall med ");
            double middle = 0, least = 0;
            const bool read = at && std::sscanf(at, "wall med %lf min %lf", &middle, &least) == 2;
            if (!pipe || pclose(pipe) != 0 || !read) {
              fmt::print(stderr, "no times from: {}\n", command);
              std::exit(4);
            }
            times.medians.push_back(middle);
            times.leasts.push_back(least);
          },
          {}};
}

struct Method {
  const char* name;
  SolverMethod method;
  const char* reference_name;
  ReferenceKernel reference;
};
constexpr Method kMethods[] = {
    {"accelerated_jacobi", SolverMethod::accelerated_jacobi, "j1a", ReferenceKernel::j1a},
    {"gauss_seidel_coloured", SolverMethod::gauss_seidel_coloured, "gs4", ReferenceKernel::gs4},
};

}  // namespace

void benchIterations(const ClothBench& bench, Report& report) {
  Table table({"sheet, method", "ms, 1 thread", "2 threads", "speed-up", "reference, 1 thread", "2 threads",
               "ratio, 1 thread", "2 threads", "ns a row and iteration", "bytes a vertex"});
  const std::vector<int> sizes = bench.sizes.empty() ? std::vector<int>{50, 100, 316} : bench.sizes;
  for (const int n : sizes)
    for (const Method& method : kMethods) {
      const auto sheet = std::make_shared<Sheet>(Sheet::Shape::s1(n), method.method, kIterations, 0.0f, 1);
      sheet->backend.reset();
      const auto reference = [&](int threads) {
        return bench.reference.empty() ? ownReference(method.reference, n, threads)
                                       : givenReference(bench.reference, method.reference_name, n, threads);
      };
      // one sheet for both thread counts: they give the same bits
      Contender all[] = {ours(sheet, 1), reference(1), ours(sheet, 2), reference(2)};
      const int rounds = bench.thorough ? 12 : 5, frames = n > 200 ? 12 : n > 75 ? 40 : 100;
      for (int round = 0; round < rounds; ++round) {
        if (round % 4 == 0) sayProgress(fmt::format("S1 {0}x{0}, {1}, round {2}", n, method.name, round + 1));
        for (Contender& one : all)
          if (one) one.burst(frames, one.times);
      }
      const auto shown = [&](int k) {
        return all[k] ? fmt::format("{:.2f} ({:.2f})", all[k].times.middle(), all[k].times.least()) : "-";
      };
      const auto ratio = [&](int k) {
        return all[k + 1] ? fmt::format("{:.2f}", all[k].times.least() / all[k + 1].times.least()) : "-";
      };
      const double least[2] = {all[0].times.least(), all[2].times.least()};
      const int rows = sheet->model.distance.size();
      const double bytes = static_cast<double>(sheet->bytes()) / (n * n);
      table.add({fmt::format("{0}x{0}, {1}", n, method.name), shown(0), shown(2),
                 fmt::format("{:.2f}", least[0] / least[1]), shown(1), shown(3), ratio(0), ratio(2),
                 fmt::format("{:.2f}", least[0] * 1e6 / (double{1} * rows * kIterations)),
                 fmt::format("{:.0f}", bytes)});
      nlohmann::json& out = report.figures["iterations"].emplace_back();
      out = {{"points_across", n}, {"method", method.name}, {"rows", rows}, {"bytes_a_vertex", bytes}};
      const char* names[] = {"ours_1", "reference_1", "ours_2", "reference_2"};
      for (int k = 0; k < 4; ++k)
        if (all[k])
          out[names[k]] = {{"median_ms", all[k].times.middle()}, {"least_ms", all[k].times.least()}};
    }
  report.say(
      fmt::format("S1 of `peers.md`, {} iterations a frame of 16 ms: median (least) milliseconds a frame. "
                  "Reference kernels: {}. "
                  "Ratios and speed-up are those of the least times.\n",
                  kIterations,
                  bench.reference.empty() ? "`bench/cloth/reference_kernels.cpp`, AVX2"
                                          : "`cloth_ref_aos.cpp`, AVX-512"));
  report.say(table.markdown());
}

void runSheetAlone(const std::vector<std::string>& words, int n) {
  const Method* method = std::find_if(std::begin(kMethods), std::end(kMethods),
                                      [&](const Method& m) { return m.name == words[3]; });
  if (method == std::end(kMethods)) {
    fmt::print(stderr, "no method {} here\n", words[3]);
    std::exit(2);
  }
  const int settle = std::stoi(words[1]), frames = std::stoi(words[2]), substeps = std::stoi(words[5]);
  Sheet sheet(Sheet::Shape::s1(n), method->method, std::stoi(words[4]), 0.0f);
  sheet.params.h /= static_cast<float>(substeps);
  std::ofstream end(words[0], std::ios::binary);
  std::vector<double> cpu;
  std::vector<Vec3f> points(static_cast<std::size_t>(n) * n);
  for (int f = 0; f < settle + frames; ++f) {
    const double begin = cpuMilliseconds();
    for (int s = 0; s < substeps; ++s) sheet.advance();
    if (f < settle) continue;
    cpu.push_back(cpuMilliseconds() - begin);
    for (int p = 0; p < sheet.model.numPoints(); ++p)
      if (const int source = sheet.model.source[p]; source >= 0) points[source] = xyz(sheet.state.x[p]);
    end.write(reinterpret_cast<const char*>(points.data()),
              static_cast<std::streamsize>(points.size() * sizeof(Vec3f)));
  }
  fmt::print("{}\n", nlohmann::json{{"version", ""}, {"cpu_ms", cpu}}.dump());
}

}  // namespace repose
