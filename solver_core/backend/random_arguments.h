// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Arguments of any kernel, made from its signature: all buffers are large, all indices small, so that
// whatever a kernel reads or writes is there.
#pragma once
#include <cstring>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "backend/kernel_signatures.h"
#include "base/vectors.h"

namespace repose {

constexpr int kStride = 256;  // entries of an array of one corner, field or row
constexpr int kBufferSize = 1 << 16;
constexpr int kIndexEnd = 48;  // of indices, and of the lists behind them

class RandomArguments {
 public:
  RandomArguments(const KernelSignature& signature, unsigned seed) : signature_(signature), random_(seed) {
    const KernelArgument& last = signature.arguments[signature.count - 1];
    args_.resize((last.offset + last.bytes + 15) / 8);
    buffers_.resize(static_cast<std::size_t>(signature.count));
    for (int k = 0; k < signature.count; ++k) {
      const KernelArgument& a = signature.arguments[k];
      if (a.buffer)
        buffers_[k] = randomBuffer(a);
      else if (std::string_view(a.type) == "int")
        place<int>(a, randomInt(a.name));
      else
        place<float>(a, real(0.05f, 0.9f));
    }
    point();
  }
  RandomArguments(const RandomArguments& other)
      : signature_(other.signature_), random_(other.random_), args_(other.args_), buffers_(other.buffers_) {
    point();
  }
  RandomArguments& operator=(const RandomArguments&) = delete;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const std::vector<float>& buffer : buffers_) sum += bytesOf(buffer);
    return sum;
  }
  const void* args() { return args_.data(); }  // kernels write to what they point to
  // The first buffer that differs in a number, NaN being one; "" when none does.
  std::string difference(const RandomArguments& other) const {
    for (int k = 0; k < signature_.count; ++k) {
      const auto &a = buffers_[k], &b = other.buffers_[k];
      for (std::size_t i = 0; i < a.size(); ++i)
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are compared
        if (std::memcmp(&a[i], &b[i], sizeof a[i]) != 0 && !(a[i] != a[i] && b[i] != b[i]))
          return std::string(signature_.arguments[k].name) + "[" + std::to_string(i) + "]";
    }
    return {};
  }

 private:
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  int integer(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  // Kept as floats, whatever they are.
  std::vector<float> randomBuffer(const KernelArgument& a) {
    const std::string_view type = a.type, name = a.name;
    const bool points = type.find("point4") != type.npos;
    const int words = points                               ? 4
                      : type.find("point3") != type.npos   ? 3
                      : type.find("cell_key") != type.npos ? 2
                                                           : 1;
    std::vector<float> buffer(kBufferSize * words);
    if (type == "const cell_key") {
      std::vector<cell_key> keys(buffer.size() / 2);
      cell_key last = name == "level_key" ? 0 : kIndexEnd;  // keys of a level begin at that of the level
      for (cell_key& key : keys) key = last += static_cast<cell_key>(integer(3));
      std::memcpy(buffer.data(), keys.data(), keys.size() * sizeof(cell_key));
    } else if (type == "const int" || type == "const short" || name == "bucket") {
      std::vector<int> numbers(buffer.size());
      for (int& n : numbers) n = integer(name == "points" ? 5 : kIndexEnd);
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (name == "level_box") numbers[k] = numbers[k] % 9 - 1;  // few cells; some levels without a table
        if (name == "todo") numbers[k] = static_cast<int>(k);
        if (name == "slice") numbers[k] = 500 * static_cast<int>(k);
        if (name == "tile_first") numbers[k] = 2 * static_cast<int>(k);
      }
      for (std::size_t k = 0; name == "colours" && k + 2 < numbers.size(); k += 3) {
        numbers[k] = 16 * (numbers[k] % 3);
        numbers[k + 1] = numbers[k] + 1 + numbers[k + 1] % 48;
        numbers[k + 2] = k % 2;
      }
      if (name == "tree_node") plantTree(numbers, 0, kIndexEnd);
      std::memcpy(buffer.data(), numbers.data(), numbers.size() * sizeof(int));
    } else if (type == "const char") {
      auto* flags = reinterpret_cast<char*>(buffer.data());
      for (int k = 0; k < kBufferSize; ++k) flags[k] = static_cast<char>(integer(2));
    } else {
      for (float& f : buffer) f = real(-1, 1);
      for (std::size_t w = 3; points && w < buffer.size(); w += 4)
        buffer[w] = integer(5) == 0 ? 0 : real(0.1f, 3);  // inverse masses
    }
    return buffer;
  }

  // Right children of so many nodes, the left ones following their parents: walks through them end.
  void plantTree(std::vector<int>& nodes, int root, int count) {
    if (count == 0) return;
    const int left = count < 3 ? 0 : 1 + integer(count - 2);
    nodes[static_cast<std::size_t>(root) * RE_TREE_NODE_INTS] = left ? root + 1 + left : -1;
    plantTree(nodes, root + 1, left ? left : count - 1);
    if (left) plantTree(nodes, root + 1 + left, count - 1 - left);
  }

  int randomInt(std::string_view name) {
    static const std::map<std::string_view, std::vector<int>> known = {
        {"first_entry", {0}}, {"first_row", {0}},  {"count", {80, 75}},        {"nodes", {48}},
        {"movers", {1, 4}},   {"bodies", {1, 2}},  {"model", {0, 1, 2, 3, 4}}, {"material", {0, 1, 2, 3}},
        {"width", {4, 1}},    {"mode", {0, 1, 2}}, {"far_end", {0, 96}}};
    if (const auto found = known.find(name); found != known.end())
      return found->second[static_cast<std::size_t>(integer(static_cast<int>(found->second.size())))];
    if (name == "levels") return 3;
    if (name == "known") return kIndexEnd;
    if (name.find("stride") != name.npos || name == "edges") return kStride;
    if (name.substr(0, 4) == "end_") return 90 + integer(6);
    return integer(2);
  }

  template <class T>
  void place(const KernelArgument& a, T value) {
    std::memcpy(reinterpret_cast<char*>(args_.data()) + a.offset, &value, sizeof value);
  }
  void point() {
    for (int k = 0; k < signature_.count; ++k)
      if (signature_.arguments[k].buffer) place<float*>(signature_.arguments[k], buffers_[k].data());
  }

  const KernelSignature& signature_;
  std::mt19937 random_;
  std::vector<double> args_;  // the argument struct, aligned
  std::vector<std::vector<float>> buffers_;
};

}  // namespace repose
