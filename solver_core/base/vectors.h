// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What vectors hold, and vectors that hold little more than they need: those that grow with the contacts are
// as long in the next step, so that doubling would only waste memory. The largest lie in huge pages.
#pragma once
#include <cstddef>
#include <vector>

#include "base/pages.h"

namespace repose {

struct ArrayPlace {
  const char* begin;
  std::size_t bytes;
};

// While one lives, bytesOf() writes down where the arrays lie that this thread counts.
class ArrayCensus {
 public:
  explicit ArrayCensus(std::vector<ArrayPlace>& places) { current() = &places; }
  ArrayCensus(const ArrayCensus&) = delete;
  ~ArrayCensus() { current() = nullptr; }
  template <class Vector>
  static void count(const Vector& v) {
    if (!current() || v.capacity() == 0) return;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): some arrays hold pointers
    const std::size_t bytes = v.capacity() * sizeof(typename Vector::value_type);
    current()->push_back({reinterpret_cast<const char*>(v.data()), bytes});
  }

 private:
  static std::vector<ArrayPlace>*& current() {
    static thread_local std::vector<ArrayPlace>* places = nullptr;
    return places;
  }
};

template <class... Vectors>
std::size_t bytesOf(const Vectors&... v) {
  (ArrayCensus::count(v), ...);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): of vectors of pointers the pointers count
  return ((v.capacity() * sizeof(typename Vectors::value_type)) + ... + 0);
}

template <class T>
void reserveSnugly(std::vector<T>& v, std::size_t size) {
  if (size <= v.capacity()) return;
  std::vector<T> larger;
  larger.reserve(size + size / 8);
  wantHugePages(larger.data(), larger.capacity() * sizeof(T));  // before the first page is written to
  larger.assign(v.begin(), v.end());
  v.swap(larger);
}

template <class T>
void resizeSnugly(std::vector<T>& v, std::size_t size) {
  reserveSnugly(v, size);
  v.resize(size);
}

template <class T>
void pushSnugly(std::vector<T>& v, const T& value) {
  if (v.size() == v.capacity()) v.reserve(v.size() + v.size() / 8 + 16);
  v.push_back(value);
}

}  // namespace repose
