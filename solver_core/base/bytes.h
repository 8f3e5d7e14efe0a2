// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Values to bytes and back, told once for both ways:
//
//   template <class Bytes, class T>
//   void pass(Bytes& bytes, T& t) { bytes(t.name)(t.points); }
//
// with a ByteWriter that takes them, or a ByteReader that fills them and never reads behind its end.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace repose {

class ByteWriter {
 public:
  static constexpr bool kReads = false;
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <class T>
  ByteWriter& operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return put(&value, sizeof value);
  }
  ByteWriter& operator()(const std::string& text) { return array(text.data(), text.size(), 1); }
  template <class T>
  ByteWriter& operator()(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return array(values.data(), values.size(), sizeof(T));
  }

 private:
  ByteWriter& put(const void* bytes, std::size_t count) {
    if (count > 0) out_.append(static_cast<const char*>(bytes), count);
    return *this;
  }
  ByteWriter& array(const void* bytes, std::uint64_t count, std::size_t size) {
    return put(&count, sizeof count).put(bytes, count * size);
  }

  std::string& out_;
};

class ByteReader {
 public:
  static constexpr bool kReads = true;
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  explicit ByteReader(std::string&&) = delete;  // the bytes must stay

  template <class T>
  ByteReader& operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return take(&value, sizeof value);
  }
  ByteReader& operator()(std::string& text) { return array(text); }
  template <class T>
  ByteReader& operator()(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return array(values);
  }

  void refuse() { good_ = false; }                      // what was read makes no sense
  bool good() const { return good_; }                   // so far
  bool done() const { return good_ && left_.empty(); }  // all of it, and nothing more

 private:
  ByteReader& take(void* bytes, std::size_t count) {
    good_ = good_ && count <= left_.size();
    if (!good_ || count == 0) return *this;
    std::memcpy(bytes, left_.data(), count);
    left_.remove_prefix(count);
    return *this;
  }
  template <class Array>
  ByteReader& array(Array& values) {
    std::uint64_t count = 0;
    take(&count, sizeof count);
    good_ = good_ && count <= left_.size() / sizeof(values[0]);
    values.resize(good_ ? count : 0);
    return take(values.data(), values.size() * sizeof(values[0]));
  }

  std::string_view left_;
  bool good_ = true;
};

}  // namespace repose
