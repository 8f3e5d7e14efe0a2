// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// How a function says that it failed: one sentence for a person and one code for a program.
// No exception leaves solver_core; a caller's own mistake is an assert.
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace repose {

// The exit codes of the command line (docs/farm contract); every failure carries one.
enum class Code : int {
  ok = 0,
  unexpected = 1,   // a defect of ours
  bad_input = 2,    // wrong use or wrong scene; nothing was written
  unstable = 3,     // the simulation blew up; the last good frame is kept
  io = 4,           // disk full, file cannot be written or read
  memory = 5,       // out of memory
  stopped = 75,     // stopped early on request, what was written is good
  superseded = 76,  // another writer took over
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}
  bool ok() const { return code_ == Code::ok; }
  explicit operator bool() const { return ok(); }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  Code code_ = Code::ok;
  std::string message_;
};

inline Status badInput(std::string message) { return {Code::bad_input, std::move(message)}; }
inline Status ioError(std::string message) { return {Code::io, std::move(message)}; }

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace repose
