// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Handles of attributes, each for one kind of values: of another kind they are not valid.
#pragma once
#include "standin/geometry.h"

template <class T>
struct GA_StandinKind;
template <>
struct GA_StandinKind<fpreal32> {
  static constexpr GA_StorageClass kind = GA_STORECLASS_REAL;
};
template <>
struct GA_StandinKind<int64> {
  static constexpr GA_StorageClass kind = GA_STORECLASS_INT;
};

template <class T>
class GA_ROHandleT {
 public:
  explicit GA_ROHandleT(const GA_Attribute* a)
      : a_(a && !a->isArray() && a->getStorageClass() == GA_StandinKind<T>::kind ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  T get(GA_Offset offset, int component = 0) const {
    return static_cast<T>(a_->numbers()[a_->slot(offset, component)]);
  }

 private:
  const GA_Attribute* a_;
};
template <class T>
class GA_RWHandleT {
 public:
  explicit GA_RWHandleT(GA_Attribute* a)
      : a_(a && !a->isArray() && a->getStorageClass() == GA_StandinKind<T>::kind ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  void set(GA_Offset offset, int component, T value) {
    a_->numbers()[a_->slot(offset, component)] = static_cast<double>(value);
    a_->dirty = true;
  }

 private:
  GA_Attribute* a_;
};
using GA_ROHandleF = GA_ROHandleT<fpreal32>;
using GA_RWHandleF = GA_RWHandleT<fpreal32>;
using GA_ROHandleID = GA_ROHandleT<int64>;
using GA_RWHandleID = GA_RWHandleT<int64>;

class GA_ROHandleS {
 public:
  explicit GA_ROHandleS(const GA_Attribute* a)
      : a_(a && a->getStorageClass() == GA_STORECLASS_STRING ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  // null where the string is empty, as a host may do
  const char* get(GA_Offset offset, int component = 0) const {
    const std::string& text = a_->texts()[a_->slot(offset, component)];
    return text.empty() ? nullptr : text.c_str();
  }

 private:
  const GA_Attribute* a_;
};
class GA_RWHandleS {
 public:
  explicit GA_RWHandleS(GA_Attribute* a)
      : a_(a && a->getStorageClass() == GA_STORECLASS_STRING ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  void set(GA_Offset offset, const char* text) {
    a_->texts()[a_->slot(offset, 0)] = text ? text : "";
    a_->dirty = true;
  }

 private:
  GA_Attribute* a_;
};
class GA_ROHandleIA {
 public:
  explicit GA_ROHandleIA(const GA_Attribute* a) : a_(a && a->isArray() ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  void get(GA_Offset offset, UT_Int32Array& values) const {
    if (offset != 0) throw std::out_of_range("detail offset");
    values = a_->arrayValues();
  }

 private:
  const GA_Attribute* a_;
};
class GA_RWHandleIA {
 public:
  explicit GA_RWHandleIA(GA_Attribute* a) : a_(a && a->isArray() ? a : nullptr) {}
  bool isValid() const { return a_ != nullptr; }
  void set(GA_Offset offset, const UT_Int32Array& values) {
    if (offset != 0) throw std::out_of_range("detail offset");
    a_->replaceArray(values);
  }

 private:
  GA_Attribute* a_;
};
