// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Numbers from Python into the core: anything with a buffer (numpy arrays, memoryviews), of any strides. What
// does not fit is refused by name with what would.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"

namespace repose_python {

namespace nb = nanobind;

// rows x width numbers; width 0 takes any, and a one-dimensional array has width 1.
struct Numbers {
  std::size_t rows = 0, width = 1;
  bool whole = false;          // integers
  std::vector<double> values;  // row after row
};

Numbers readNumbers(nb::handle array, const std::string& name, std::size_t width);
std::vector<repose::Vec3f> readVectors(nb::handle array, const std::string& name);
// Integers within the range of 32 bits, of one dimension or row after row.
std::vector<std::int32_t> readIndices(nb::handle array, const std::string& name, std::size_t width = 1);

// A numpy array over memory that `owner` keeps alive as long as anybody holds the array.
template <class T, class Owner>
nb::object viewOf(T* data, std::size_t rows, std::size_t width, std::shared_ptr<Owner> owner, bool writable) {
  auto* kept = new std::shared_ptr<Owner>(std::move(owner));
  const nb::capsule capsule(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<Owner>*>(p); });
  const std::size_t shape[2] = {rows, width};
  const std::size_t dimensions = width > 1 ? 2 : 1;
  if (writable)
    return nb::cast(nb::ndarray<nb::numpy, T>(data, dimensions, shape, capsule), nb::rv_policy::reference);
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, dimensions, shape, capsule),
                  nb::rv_policy::reference);
}

// A numpy array with the numbers of a vector, which it takes over.
template <class T, class Item>
// NOLINTNEXTLINE(bugprone-sizeof-expression): of plain numbers it is 1
nb::object arrayOf(std::vector<Item> items, std::size_t width = sizeof(Item) / sizeof(T)) {
  auto kept = std::make_shared<std::vector<Item>>(std::move(items));
  T* data = reinterpret_cast<T*>(kept->data());
  return viewOf(data, kept->size() * sizeof(Item) / sizeof(T) / width, width, kept, true);
}

}  // namespace repose_python
