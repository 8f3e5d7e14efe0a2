// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Values that copies share until one of them is changed, so that copies of geometry cost nothing.
#pragma once
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace repose::nodes {

template <class T>
class Shared {
 public:
  Shared() = default;
  // As if it were the value.
  template <class U, class = std::enable_if_t<std::is_convertible_v<U&&, T> &&
                                              !std::is_base_of_v<Shared, std::decay_t<U>>>>
  Shared(U&& value) : value_(std::make_shared<T>(std::forward<U>(value))) {}
  const T& operator*() const { return value_ ? *value_ : kEmpty; }
  const T* operator->() const { return &**this; }
  // Its own from now on.
  T& edit() {
    if (!value_ || value_.use_count() > 1) value_ = std::make_shared<T>(**this);
    return *value_;
  }

 private:
  inline static const T kEmpty{};
  std::shared_ptr<T> value_;  // null: empty
};

template <class T>
class SharedList : public Shared<std::vector<T>> {
 public:
  using Shared<std::vector<T>>::Shared;
  std::size_t size() const { return (**this).size(); }
  bool empty() const { return (**this).empty(); }
  const T* data() const { return (**this).data(); }
  const T& operator[](std::size_t k) const { return (**this)[k]; }
  auto begin() const { return (**this).begin(); }
  auto end() const { return (**this).end(); }
  void push_back(T value) { this->edit().push_back(std::move(value)); }
  void clear() { *this = SharedList(); }
};

}  // namespace repose::nodes
