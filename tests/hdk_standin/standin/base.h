// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A stand-in for the slice of Houdini's library that the glue uses: own code behind the same names and
// include paths, hostile where a host may be. Base types, strings, arrays, streams and interrupts.
#pragma once
#include <cstdint>
#include <cstring>
#include <istream>
#include <memory>
#include <string>
#include <vector>

using exint = std::int64_t;
using int64 = std::int64_t;
using int32 = std::int32_t;
using fpreal = double;
using fpreal32 = float;
using fpreal64 = double;

// A string that a host hands out: may be null.
class UT_StringHolder {
 public:
  UT_StringHolder() = default;
  UT_StringHolder(const char* text) : text_(text ? text : "") {}
  UT_StringHolder(const std::string& text) : text_(text) {}
  const char* c_str() const { return text_.c_str(); }
  const char* buffer() const { return text_.c_str(); }
  bool operator==(const UT_StringHolder& other) const { return text_ == other.text_; }

 private:
  std::string text_;
};
using UT_StringRef = UT_StringHolder;

namespace UT {
namespace Literal {
inline UT_StringHolder operator""_sh(const char* text, std::size_t) { return text; }
}  // namespace Literal
}  // namespace UT

template <class T>
class UT_Array {
 public:
  exint size() const { return static_cast<exint>(values_.size()); }
  void setSize(exint n) { values_.resize(static_cast<std::size_t>(n)); }
  void append(const T& value) { values_.push_back(value); }
  T& operator()(exint k) { return values_.at(static_cast<std::size_t>(k)); }
  const T& operator()(exint k) const { return values_.at(static_cast<std::size_t>(k)); }
  T& operator[](exint k) { return values_.at(static_cast<std::size_t>(k)); }
  const T& operator[](exint k) const { return values_.at(static_cast<std::size_t>(k)); }
  T* array() { return values_.data(); }
  const T* array() const { return values_.data(); }

 private:
  std::vector<T> values_;
};
using UT_Int32Array = UT_Array<int32>;

template <class T>
class UT_Vector3T {
 public:
  UT_Vector3T() = default;
  UT_Vector3T(T x, T y, T z) : v_{x, y, z} {}
  T x() const { return v_[0]; }
  T y() const { return v_[1]; }
  T z() const { return v_[2]; }
  T operator()(int k) const { return v_[k]; }
  T& operator()(int k) { return v_[k]; }

 private:
  T v_[3] = {0, 0, 0};
};
using UT_Vector3 = UT_Vector3T<fpreal32>;
using UT_Vector3F = UT_Vector3;
using UT_Vector3D = UT_Vector3T<fpreal64>;

// Square, for row vectors; without a value it begins as nonsense.
template <class T, int kSize>
class UT_StandinMatrix {
 public:
  UT_StandinMatrix() {
    for (auto& row : m_)
      for (T& value : row) value = T(-7e7);
  }
  explicit UT_StandinMatrix(fpreal64 diagonal) {
    for (int i = 0; i < kSize; ++i)
      for (int j = 0; j < kSize; ++j) m_[i][j] = i == j ? T(diagonal) : T(0);
  }
  T operator()(int row, int column) const { return m_[row][column]; }
  T& operator()(int row, int column) { return m_[row][column]; }

 private:
  T m_[kSize][kSize];
};
using UT_Matrix3D = UT_StandinMatrix<fpreal64, 3>;
using UT_Matrix4D = UT_StandinMatrix<fpreal64, 4>;
using UT_DMatrix4 = UT_Matrix4D;

enum UT_ErrorSeverity {
  UT_ERROR_NONE,
  UT_ERROR_MESSAGE,
  UT_ERROR_PROMPT,
  UT_ERROR_WARNING,
  UT_ERROR_ABORT,
  UT_ERROR_FATAL
};
using OP_ERROR = UT_ErrorSeverity;
class UT_SourceLocation;

namespace standin {
// After so many polls somebody presses Esc; below 0: nobody does.
inline int& pollsUntilInterrupt() {
  static int polls = -1;
  return polls;
}
}  // namespace standin

class UT_AutoInterrupt {
 public:
  explicit UT_AutoInterrupt(const char*) {}
  bool wasInterrupted(int = -1) {
    int& left = standin::pollsUntilInterrupt();
    if (left < 0) return false;
    return left-- == 0 ? (left = 0, true) : false;
  }
};

class UT_Interrupt {
 public:
  int opInterrupt(int = -1) { return 0; }
};

// Reads like a file that may end anywhere.
class UT_IStream {
 public:
  explicit UT_IStream(std::istream& stream) : stream_(stream) {}
  exint bread(char* data, exint count) {
    stream_.read(data, count);
    return stream_.gcount();
  }
  exint bread(int64* data, exint count = 1) {
    stream_.read(reinterpret_cast<char*>(data), count * 8);
    return stream_.gcount() / 8;
  }

 private:
  std::istream& stream_;
};

class DEP_MicroNode;
