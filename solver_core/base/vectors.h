// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What vectors hold, and vectors that hold little more than they need: those that grow with the contacts are
// as long in the next step, so that doubling would only waste memory. The largest lie in huge pages.
#pragma once
#include <cstddef>
#include <vector>

#include "base/pages.h"

namespace repose {

template <class... Vectors>
std::size_t bytesOf(const Vectors&... v) {
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
