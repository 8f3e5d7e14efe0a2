// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The parts of bench_cloth.
#pragma once
#include <string>
#include <vector>

#include "bench/report.h"

namespace repose {

struct ClothBench {
  std::vector<int> sizes;  // points across; empty: those of each part
  std::string reference;   // program with the kernels j1a and gs4 for AVX-512; empty: our own for AVX2
  bool thorough = false;
  int cycles = 0;  // of the multilevel solver; 0: by size
};

// S1 of peers.md at 15 iterations: the solvers on multipliers against the reference kernels.
void benchIterations(const ClothBench& bench, Report& report);
// S1 as a peer's program runs it: END SETTLE FRAMES METHOD ITERATIONS SUBSTEPS. END gets the points of every
// measured frame, as floats; prints one line of JSON.
void runSheetAlone(const std::vector<std::string>& words, int n);
// Bytes a vertex of the hanging sheet.
void benchMemory(const ClothBench& bench, Report& report);
// The multilevel solver on the hanging sheet.
void benchHanging(const ClothBench& bench, Report& report);
// Time of a frame of the hanging sheet, and of S1, by kernel.
void benchKernels(const ClothBench& bench, Report& report);

}  // namespace repose
