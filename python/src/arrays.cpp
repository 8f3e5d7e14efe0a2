// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "errors.h"

namespace repose_python {

namespace {

// Gives the buffer back whatever happens.
struct Buffer {
  Py_buffer view{};
  ~Buffer() {
    if (view.obj) PyBuffer_Release(&view);
  }
};

std::string shapeText(const Py_buffer& view) {
  std::string text = "(";
  for (int d = 0; d < view.ndim; ++d) text += fmt::format("{}{}", d ? ", " : "", view.shape[d]);
  return text + (view.ndim == 1 ? ",)" : ")");
}

template <class T>
double valueAt(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

using Value = double (*)(const char*);

// How to read an item of a buffer's format; null for what is no plain number of this machine.
Value readerOf(const char* format, Py_ssize_t bytes, bool& whole) {
  if (!format) return nullptr;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (std::strlen(format) != 1) return nullptr;
  whole = std::strchr("bBhHiIlLqQ?", *format) != nullptr;
  const bool negative = std::strchr("bhilq", *format) != nullptr;
  if (*format == 'f' && bytes == 4) return valueAt<float>;
  if (*format == 'd' && bytes == 8) return valueAt<double>;
  if (!whole) return nullptr;
  switch (bytes) {
    case 1:
      return negative ? valueAt<std::int8_t> : valueAt<std::uint8_t>;
    case 2:
      return negative ? valueAt<std::int16_t> : valueAt<std::uint16_t>;
    case 4:
      return negative ? valueAt<std::int32_t> : valueAt<std::uint32_t>;
    case 8:
      return negative ? valueAt<std::int64_t> : valueAt<std::uint64_t>;
  }
  return nullptr;
}

std::string expected(std::size_t width) {
  if (width == 0) return "an array of one or two dimensions";
  return width == 1 ? "an array of one dimension" : fmt::format("an array of shape (n, {})", width);
}

}  // namespace

Numbers readNumbers(nb::handle array, const std::string& name, std::size_t width) {
  Buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer.view, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();
    raiseBadInput(
        fmt::format("{} must be {}, but is a {} without a buffer of numbers; numpy.asarray makes one", name,
                    expected(width), Py_TYPE(array.ptr())->tp_name));
  }
  const Py_buffer& view = buffer.view;
  Numbers numbers;
  const Value value = readerOf(view.format, view.itemsize, numbers.whole);
  if (!value)
    raiseBadInput(
        fmt::format("{} must hold float32, float64 or integers in the byte order of this machine, but "
                    "holds items of format \"{}\"",
                    name, view.format ? view.format : ""));
  const bool flat = view.ndim == 1 && width <= 1, table = view.ndim == 2;
  if (!flat && !(table && (width == 0 || view.shape[1] == static_cast<Py_ssize_t>(width))))
    raiseBadInput(fmt::format("{} must be {}, but has the shape {}", name, expected(width), shapeText(view)));
  numbers.rows = static_cast<std::size_t>(view.shape[0]);
  numbers.width = flat ? 1 : static_cast<std::size_t>(view.shape[1]);
  numbers.values.reserve(numbers.rows * numbers.width);
  const auto* start = static_cast<const char*>(view.buf);
  for (std::size_t r = 0; r < numbers.rows; ++r)
    for (std::size_t k = 0; k < numbers.width; ++k)
      numbers.values.push_back(value(start + static_cast<Py_ssize_t>(r) * view.strides[0] +
                                     (flat ? 0 : static_cast<Py_ssize_t>(k) * view.strides[1])));
  return numbers;
}

std::vector<repose::Vec3f> readVectors(nb::handle array, const std::string& name) {
  const Numbers numbers = readNumbers(array, name, 3);
  std::vector<repose::Vec3f> vectors(numbers.rows);
  for (std::size_t r = 0; r < numbers.rows; ++r)
    for (int k = 0; k < 3; ++k) vectors[r][k] = static_cast<float>(numbers.values[3 * r + k]);
  return vectors;
}

std::vector<std::int32_t> readIndices(nb::handle array, const std::string& name, std::size_t width) {
  const Numbers numbers = readNumbers(array, name, width);
  if (!numbers.whole && numbers.rows > 0)
    raiseBadInput(fmt::format("{} must hold integers, but holds floats", name));
  std::vector<std::int32_t> indices;
  for (const double value : numbers.values) {
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
      raiseBadInput(fmt::format("{} holds {}, which does not fit into 32 bits", name, value));
    indices.push_back(static_cast<std::int32_t>(value));
  }
  return indices;
}

}  // namespace repose_python
