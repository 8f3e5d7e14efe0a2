// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry of the stand-in. Offsets have holes, so that they never are indices; what is written has to be
// bumped. Data ids are of the whole session: the same id, the same data, also in copies. Who changes
// something from outside, as the tests do in place of other nodes, gives it a new id by that.
#pragma once
#include <map>
#include <stdexcept>

#include "standin/base.h"

using GA_Size = exint;
using GA_Index = exint;
using GA_Offset = exint;
using GA_DataId = int64;
constexpr GA_DataId GA_INVALID_DATAID = -1;

enum GA_AttributeOwner {
  GA_ATTRIB_VERTEX,
  GA_ATTRIB_POINT,
  GA_ATTRIB_PRIMITIVE,
  GA_ATTRIB_DETAIL,
  GA_ATTRIB_OWNER_N
};
constexpr GA_AttributeOwner GA_ATTRIB_GLOBAL = GA_ATTRIB_DETAIL;
enum GA_AttributeScope { GA_SCOPE_INVALID, GA_SCOPE_PUBLIC, GA_SCOPE_PRIVATE };
enum GA_StorageClass {
  GA_STORECLASS_INVALID,
  GA_STORECLASS_INT,
  GA_STORECLASS_REAL,
  GA_STORECLASS_STRING,
  GA_STORECLASS_OTHER
};
enum GA_PrimitiveTypes { GA_PRIMNONE = 0, GA_PRIMPOLY = 1, GA_PRIMTETRAHEDRON = 21, GA_PRIMSPHERE = 2 };
constexpr int GEO_PRIMPOLY = GA_PRIMPOLY, GEO_PRIMTETRAHEDRON = GA_PRIMTETRAHEDRON;

namespace standin {
inline GA_DataId newDataId() {
  static GA_DataId last = 0;
  return ++last;
}
// Three holes at the front, and one behind every second element.
inline GA_Offset offsetOf(GA_Index index) { return 3 + index + index / 2; }
inline GA_Index indexOf(GA_Offset offset) {
  const exint k = offset - 3;
  if (k < 0 || k % 3 == 2) throw std::out_of_range("an offset that is no element");
  return k / 3 * 2 + k % 3;
}
}  // namespace standin

namespace standin {
// What copies of a geometry share until one of them writes, as a host does with its attributes.
template <class T>
class Shared {
 public:
  const T& read() const { return *value_; }
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }
  void replace(const T& value) { value_ = std::make_shared<T>(value); }

 private:
  std::shared_ptr<T> value_ = std::make_shared<T>();
};
}  // namespace standin

class GA_IndexMap {
 public:
  explicit GA_IndexMap(GA_Size count) : count_(count) {}
  GA_Size indexSize() const { return count_; }

 private:
  GA_Size count_;
};

class GA_Range {
 public:
  explicit GA_Range(const GA_IndexMap& map) : count_(map.indexSize()) {}
  GA_Size getEntries() const { return count_; }

 private:
  GA_Size count_;
};

class GA_Attribute;

// All values of a range at once, in the order of indices.
class GA_AIFTuple {
 public:
  template <class T>
  bool getRange(const GA_Attribute* attribute, const GA_Range& range, T* values) const;
  template <class T>
  bool setRange(GA_Attribute* attribute, const GA_Range& range, const T* values) const;
};

class GA_Attribute {
 public:
  GA_Attribute(std::string name, GA_AttributeOwner owner, GA_StorageClass kind, int width, bool array)
      : name_(std::move(name)), owner_(owner), kind_(kind), width_(width), array_(array) {}
  UT_StringHolder getName() const { return name_; }
  GA_AttributeOwner getOwner() const { return owner_; }
  GA_StorageClass getStorageClass() const { return array_ ? GA_STORECLASS_OTHER : kind_; }
  int getTupleSize() const { return width_; }
  GA_IndexMap getIndexMap() const { return GA_IndexMap(elements); }
  const GA_AIFTuple* getAIFTuple() const {
    static const GA_AIFTuple tuple;
    return array_ || kind_ == GA_STORECLASS_STRING ? nullptr : &tuple;
  }
  GA_DataId getDataId() const { return data_id; }
  void bumpDataId() { data_id = standin::newDataId(), dirty = false; }

  // ---- of the stand-in alone ----
  std::size_t slot(GA_Offset offset, int component) const {
    const GA_Index index = owner_ == GA_ATTRIB_DETAIL ? offset : standin::indexOf(offset);
    if (component < 0 || component >= width_) throw std::out_of_range("component of " + name_);
    if (index < 0 || index >= elements) throw std::out_of_range("element of " + name_);
    return static_cast<std::size_t>(index * width_ + component);
  }
  void resize(GA_Size count) {
    elements = owner_ == GA_ATTRIB_DETAIL ? 1 : count;
    numbers().resize(static_cast<std::size_t>(elements * width_));
    texts().resize(kind_ == GA_STORECLASS_STRING ? static_cast<std::size_t>(elements * width_) : 0);
  }
  bool isArray() const { return array_; }
  const std::vector<double>& numbers() const { return numbers_.read(); }
  std::vector<double>& numbers() { return changed(numbers_.edit()); }
  const std::vector<std::string>& texts() const { return texts_.read(); }
  std::vector<std::string>& texts() { return changed(texts_.edit()); }
  const UT_Int32Array& arrayValues() const { return array_values_.read(); }
  UT_Int32Array& arrayValues() { return changed(array_values_.edit()); }
  void replaceArray(const UT_Int32Array& values) { array_values_.replace(values), dirty = true; }
  GA_Size elements = 0;
  GA_DataId data_id = standin::newDataId();
  bool dirty = false;

 private:
  template <class T>
  T& changed(T& values) {
    data_id = standin::newDataId();
    return values;
  }
  std::string name_;
  GA_AttributeOwner owner_;
  GA_StorageClass kind_;
  int width_;
  bool array_;
  standin::Shared<std::vector<double>> numbers_;
  standin::Shared<std::vector<std::string>> texts_;
  standin::Shared<UT_Int32Array> array_values_;
};

template <class T>
bool GA_AIFTuple::getRange(const GA_Attribute* attribute, const GA_Range& range, T* values) const {
  const std::vector<double>& from = attribute->numbers();
  if (range.getEntries() * attribute->getTupleSize() != static_cast<GA_Size>(from.size()))
    throw std::out_of_range("range of another attribute");
  for (std::size_t k = 0; k < from.size(); ++k) values[k] = static_cast<T>(from[k]);
  return true;
}
template <class T>
bool GA_AIFTuple::setRange(GA_Attribute* attribute, const GA_Range& range, const T* values) const {
  std::vector<double>& to = attribute->numbers();
  if (range.getEntries() * attribute->getTupleSize() != static_cast<GA_Size>(to.size()))
    throw std::out_of_range("range of another attribute");
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<double>(values[k]);
  attribute->dirty = true;
  return true;
}

class GA_AttributeDict {
 public:
  using Map = std::map<std::string, std::shared_ptr<GA_Attribute>>;
  class iterator {
   public:
    explicit iterator(const Map& map) : at_(map.begin()), end_(map.end()) {}
    bool atEnd() const { return at_ == end_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    GA_Attribute* attrib() const { return at_->second.get(); }

   private:
    Map::const_iterator at_, end_;
  };
  iterator begin(GA_AttributeScope = GA_SCOPE_PUBLIC) const { return iterator(map); }
  Map map;
};

class GA_PointGroup {
 public:
  bool contains(GA_Offset offset) const { return members.count(offset) && members.at(offset); }
  void addOffset(GA_Offset offset) { members[offset] = true; }
  std::map<GA_Offset, bool> members;
};

class GA_PrimitiveTypeId {
 public:
  explicit GA_PrimitiveTypeId(int id) : id_(id) {}
  int get() const { return id_; }

 private:
  int id_;
};

class GEO_Primitive {
 public:
  GA_PrimitiveTypeId getTypeId() const { return GA_PrimitiveTypeId(type); }
  GA_Size getVertexCount() const { return static_cast<GA_Size>(points.size()); }
  GA_Offset getPointOffset(GA_Size k) const { return points.at(static_cast<std::size_t>(k)); }
  virtual ~GEO_Primitive() = default;
  // For a copy of the geometry: itself, for the points of a primitive are never changed.
  virtual std::shared_ptr<GEO_Primitive> standinCopy(const std::shared_ptr<GEO_Primitive>& self) const {
    return self;
  }
  virtual void standinPutInto(class GA_Detail&) {}
  int type = GA_PRIMPOLY;
  std::vector<GA_Offset> points;
  bool closed = true;
};

class GEO_Face : public GEO_Primitive {
 public:
  bool isClosed() const { return closed; }
};

class GA_PrimitiveList {
 public:
  GA_DataId getDataId() const { return data_id; }
  void bumpDataId() { data_id = standin::newDataId(), dirty = false; }
  GA_DataId data_id = standin::newDataId();
  bool dirty = false;
};

class GA_Topology {
 public:
  GA_DataId getDataId() const { return data_id; }
  GA_DataId data_id = standin::newDataId();
};

class GA_Detail {
 public:
  GA_Detail() { addAttribute(GA_ATTRIB_POINT, "P", GA_STORECLASS_REAL, 3); }
  GA_Detail(const GA_Detail& other) { copyFrom(other); }
  GA_Detail& operator=(const GA_Detail& other) {
    if (this != &other) copyFrom(other);
    return *this;
  }

  GA_Size getNumPoints() const { return points_; }
  GA_Size getNumPrimitives() const { return static_cast<GA_Size>(primitives().size()); }
  GA_Offset pointOffset(GA_Index index) const { return standin::offsetOf(index); }
  GA_Index pointIndex(GA_Offset offset) const { return standin::indexOf(offset); }
  GA_Offset primitiveOffset(GA_Index index) const { return standin::offsetOf(index); }
  UT_Vector3 getPos3(GA_Offset offset) const {
    const GA_Attribute& p = *find(GA_ATTRIB_POINT, "P");
    const auto at = [&](int k) { return static_cast<float>(p.numbers()[p.slot(offset, k)]); };
    return {at(0), at(1), at(2)};
  }
  void setPos3(GA_Offset offset, const UT_Vector3& v) {
    GA_Attribute& p = *find(GA_ATTRIB_POINT, "P");
    for (int k = 0; k < 3; ++k) p.numbers()[p.slot(offset, k)] = v(k);
    p.dirty = true;
  }
  GA_Attribute* getP() { return find(GA_ATTRIB_POINT, "P"); }
  GA_Offset appendPointBlock(GA_Size count) {
    const GA_Offset first = standin::offsetOf(points_);
    points_ += count;
    for (auto& [name, a] : attributes_[GA_ATTRIB_POINT].map) a->resize(points_);
    topology.data_id = standin::newDataId(), topology_dirty = true;
    return first;
  }
  void clearAndDestroy() {
    primitives().clear(), groups.clear(), points_ = 0;
    for (GA_AttributeDict& dict : attributes_) dict.map.clear();
    addAttribute(GA_ATTRIB_POINT, "P", GA_STORECLASS_REAL, 3);
    topology_dirty = true;
  }
  GA_PrimitiveList& getPrimitiveList() { return primitive_list; }
  const GA_PrimitiveList& getPrimitiveList() const { return primitive_list; }
  const GA_Topology& getTopology() const { return topology; }
  void bumpDataIdsForAddOrRemove(bool, bool, bool) {
    topology_dirty = false, topology.data_id = standin::newDataId();
  }

  const GA_AttributeDict& getAttributeDict(GA_AttributeOwner owner) const { return attributes_[owner]; }
  const GA_Attribute* findAttribute(GA_AttributeOwner owner, const char* name) const {
    return const_cast<GA_Detail*>(this)->find(owner, name);
  }
  GA_Attribute* findAttribute(GA_AttributeOwner owner, const char* name) { return find(owner, name); }
  GA_Attribute* addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int width) {
    return addAttribute(owner, name.c_str(), GA_STORECLASS_REAL, width);
  }
  GA_Attribute* addIntTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int width) {
    return addAttribute(owner, name.c_str(), GA_STORECLASS_INT, width);
  }
  GA_Attribute* addStringTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int width) {
    return addAttribute(owner, name.c_str(), GA_STORECLASS_STRING, width);
  }
  GA_Attribute* addIntArray(GA_AttributeOwner owner, const UT_StringHolder& name) {
    return addAttribute(owner, name.c_str(), GA_STORECLASS_INT, 1, true);
  }
  bool destroyAttribute(GA_AttributeOwner owner, const char* name) {
    return attributes_[owner].map.erase(name) > 0;
  }
  GA_PointGroup* findPointGroup(const char* name) const {
    const auto at = groups.find(name);
    return at == groups.end() ? nullptr : const_cast<GA_PointGroup*>(&at->second);
  }
  GA_PointGroup* newPointGroup(const char* name) { return &groups[name]; }

  // ---- of the stand-in alone ----
  GA_Attribute* find(GA_AttributeOwner owner, const std::string& name) const {
    const auto at = attributes_[owner].map.find(name);
    return at == attributes_[owner].map.end() ? nullptr : at->second.get();
  }
  // Names of what was written without a word to those who look on.
  std::string unbumped() const {
    std::string names = topology_dirty ? "topology " : "";
    if (primitive_list.dirty) names += "primitives ";
    for (const GA_AttributeDict& dict : attributes_)
      for (const auto& [name, a] : dict.map)
        if (a->dirty) names += name + " ";
    return names;
  }
  void addPrimitive(std::shared_ptr<GEO_Primitive> primitive) {
    primitive->standinPutInto(*this);
    needs_copies_ = needs_copies_ || primitive->standinCopy(primitive) != primitive;
    primitives().push_back(std::move(primitive));
    for (auto& [name, a] : attributes_[GA_ATTRIB_PRIMITIVE].map) a->resize(getNumPrimitives());
    topology_dirty = true;
  }
  using Primitives = std::vector<std::shared_ptr<GEO_Primitive>>;
  const Primitives& primitives() const { return primitives_.read(); }
  Primitives& primitives() {
    topology.data_id = standin::newDataId();
    return primitives_.edit();
  }
  GA_PrimitiveList primitive_list;
  std::map<std::string, GA_PointGroup> groups;
  GA_Topology topology;
  bool topology_dirty = false;

 protected:
  GA_Attribute* addAttribute(GA_AttributeOwner owner, const std::string& name, GA_StorageClass kind,
                             int width, bool array = false) {
    auto& slot = attributes_[owner].map[name];
    if (slot && slot->getStorageClass() == kind && slot->getTupleSize() == width && !array) return slot.get();
    slot = std::make_shared<GA_Attribute>(name, owner, kind, width, array);
    slot->resize(owner == GA_ATTRIB_PRIMITIVE ? getNumPrimitives() : points_);
    return slot.get();
  }
  void copyFrom(const GA_Detail& other) {
    points_ = other.points_, groups = other.groups;
    primitives_ = other.primitives_, needs_copies_ = other.needs_copies_;
    if (needs_copies_)
      for (std::shared_ptr<GEO_Primitive>& p : primitives()) {
        p = p->standinCopy(p);
        p->standinPutInto(*this);
      }
    for (int o = 0; o < GA_ATTRIB_OWNER_N; ++o) {
      attributes_[o].map.clear();
      for (const auto& [name, a] : other.attributes_[o].map)
        attributes_[o].map[name] = std::make_shared<GA_Attribute>(*a);
    }
    topology_dirty = other.topology_dirty, topology = other.topology;
    primitive_list.data_id = other.primitive_list.data_id;
  }
  GA_Size points_ = 0;
  standin::Shared<Primitives> primitives_;
  bool needs_copies_ = false;  // packed primitives know where they are
  GA_AttributeDict attributes_[GA_ATTRIB_OWNER_N];
};

class GEO_Detail : public GA_Detail {
 public:
  const GEO_Primitive* getGEOPrimitiveByIndex(GA_Index index) const {
    return primitives().at(static_cast<std::size_t>(index)).get();
  }
  GEO_Primitive* getGEOPrimitiveByIndex(GA_Index index) {
    return primitives().at(static_cast<std::size_t>(index)).get();
  }
};
class GU_Detail : public GEO_Detail {
 public:
  void replaceWith(const GU_Detail& other) { copyFrom(other); }
};

class GEO_PolyCounts {
 public:
  void append(GA_Size size, GA_Size count = 1) {
    counts.insert(counts.end(), static_cast<std::size_t>(count), size);
  }
  std::vector<GA_Size> counts;
};

class GEO_PrimPoly : public GEO_Face {
 public:
  static GA_Offset buildBlock(GA_Detail* detail, const GA_Offset startpt, GA_Size npoints,
                              const GEO_PolyCounts& counts, const int* pointnumbers,
                              const bool closed = true) {
    const GA_Index first = standin::indexOf(startpt);
    const GA_Size before = detail->getNumPrimitives();
    std::size_t k = 0;
    for (const GA_Size count : counts.counts) {
      auto poly = std::make_shared<GEO_PrimPoly>();
      poly->closed = closed;
      for (GA_Size i = 0; i < count; ++i, ++k) {
        if (pointnumbers[k] < 0 || pointnumbers[k] >= npoints) throw std::out_of_range("point of a polygon");
        poly->points.push_back(standin::offsetOf(first + pointnumbers[k]));
      }
      detail->addPrimitive(poly);
    }
    return standin::offsetOf(before);
  }
};

class GU_DetailHandle {
 public:
  void allocateAndSet(GU_Detail* detail) { detail_.reset(detail); }
  GU_Detail* gdpNC() const { return detail_.get(); }
  const GU_Detail* gdp() const { return detail_.get(); }
  bool isNull() const { return !detail_; }

 private:
  std::shared_ptr<GU_Detail> detail_;
};

class GU_DetailHandleAutoReadLock {
 public:
  explicit GU_DetailHandleAutoReadLock(const GU_DetailHandle& handle) : handle_(handle) {}
  const GU_Detail* getGdp() const { return handle_.gdp(); }

 private:
  GU_DetailHandle handle_;
};

class GU_DetailHandleAutoWriteLock {
 public:
  explicit GU_DetailHandleAutoWriteLock(const GU_DetailHandle& handle) : handle_(handle) {}
  GU_Detail* getGdp() const { return handle_.gdpNC(); }

 private:
  GU_DetailHandle handle_;
};
