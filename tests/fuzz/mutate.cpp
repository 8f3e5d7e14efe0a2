// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Calls a fuzz target with changed seeds for some seconds; for compilers without libFuzzer, and with any
// sanitizer. What is being read lies in a file beside it, which stays when the program dies.
//   fuzz_x SEEDS SECONDS [FILE [NUMBER]]     the same number makes the same changes
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "fuzz.h"

namespace {

using Random = std::mt19937_64;

std::vector<std::string> readSeeds(const char* folder) {
  std::vector<std::string> paths, seeds;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// One small change: bits, bytes, numbers that are often wrong, pieces taken out, doubled or taken elsewhere.
void change(std::string& bytes, const std::vector<std::string>& seeds, Random& random) {
  if (bytes.empty()) bytes = "x";
  const std::size_t at = random() % bytes.size(),
                    length = random() % std::min<std::size_t>(bytes.size() - at, 64) + 1;
  static constexpr std::uint64_t kOdd[] = {0,          1,          0x7f,  0xff,      0x7fffffff,
                                           0xffffffff, 1ull << 63, ~0ull, 1ull << 40};
  switch (random() % 7) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
      break;
    case 1:
      bytes[at] = static_cast<char>(random());
      break;
    case 2: {
      const std::uint64_t odd = kOdd[random() % std::size(kOdd)];
      bytes.replace(at, std::min<std::size_t>(8, bytes.size() - at), reinterpret_cast<const char*>(&odd),
                    std::min<std::size_t>(8, bytes.size() - at));
      break;
    }
    case 3:
      bytes.erase(at, length);
      break;
    case 4:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 5: {
      const std::string& other = seeds[random() % seeds.size()];
      if (!other.empty()) bytes.replace(at, length, other.substr(random() % other.size(), length));
      break;
    }
    default:
      if (random() % 8 == 0) bytes.resize(at);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::vector<std::string> seeds = readSeeds(argv[1]);
  if (seeds.empty()) return 2;
  const auto call = [](const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  };
  for (const std::string& seed : seeds) call(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[2]));
  Random random(argc > 4 ? std::strtoull(argv[4], nullptr, 10) : std::random_device{}());
  std::size_t tries = 0;
  for (; std::chrono::steady_clock::now() < end; ++tries) {
    std::string bytes = seeds[random() % seeds.size()];
    for (std::uint64_t changes = random() % 6 + 1; changes > 0; --changes) change(bytes, seeds, random);
    if (argc > 3) std::ofstream(argv[3], std::ios::binary) << bytes;
    call(bytes);
  }
  if (argc > 3) std::filesystem::remove(argv[3]);
  std::printf("%zu inputs\n", tries);
  return 0;
}
