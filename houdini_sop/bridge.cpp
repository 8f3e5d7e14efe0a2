// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/bridge.h"

#include <GA/GA_AttributeDict.h>
#include <GA/GA_Handle.h>
#include <GA/GA_PrimitiveTypes.h>
#include <GEO/GEO_Face.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>
#include <UT/UT_Interrupt.h>

#include <utility>

namespace repose::houdini {

namespace {

using nodes::NodeAttribute;
using nodes::NodeGeometry;
using nodes::Owner;
using nodes::PrimitiveKind;

class HostControl : public nodes::CookControl {
 public:
  bool interrupted(double share) override { return boss_.wasInterrupted(static_cast<int>(100 * share)); }

 private:
  UT_AutoInterrupt boss_{"Repose"};
};

constexpr std::pair<Owner, GA_AttributeOwner> kOwners[] = {{Owner::point, GA_ATTRIB_POINT},
                                                           {Owner::primitive, GA_ATTRIB_PRIMITIVE},
                                                           {Owner::detail, GA_ATTRIB_DETAIL}};

GA_Size countOf(const GU_Detail& detail, Owner owner) {
  if (owner == Owner::detail) return 1;
  return owner == Owner::point ? detail.getNumPoints() : detail.getNumPrimitives();
}

GA_Offset offsetOf(const GU_Detail& detail, Owner owner, GA_Index index) {
  if (owner == Owner::detail) return GA_Offset(0);
  return owner == Owner::point ? detail.pointOffset(index) : detail.primitiveOffset(index);
}

// Calls visit(place in the array, offset, component) for all values of an attribute.
template <class Visit>
void eachValue(const GU_Detail& detail, Owner owner, int width, const Visit& visit) {
  const GA_Size count = countOf(detail, owner);
  for (GA_Index k = 0; k < count; ++k)
    for (int c = 0; c < width; ++c)
      visit(static_cast<std::size_t>(k * width + c), offsetOf(detail, owner, k), c);
}

template <class Value, class Handle>
std::vector<Value> readValues(const GU_Detail& detail, Owner owner, int width, const Handle& handle) {
  std::vector<Value> values(static_cast<std::size_t>(countOf(detail, owner) * width));
  eachValue(detail, owner, width, [&](std::size_t k, GA_Offset offset, int c) {
    if constexpr (std::is_same_v<Value, std::string>) {
      const char* text = handle.get(offset, c);
      values[k] = text ? text : "";
    } else {
      values[k] = handle.get(offset, c);
    }
  });
  return values;
}

void readAttribute(const GU_Detail& detail, Owner owner, const GA_Attribute& attribute,
                   NodeGeometry& geometry) {
  NodeAttribute read;
  read.name = attribute.getName().c_str(), read.owner = owner, read.width = attribute.getTupleSize();
  if (const GA_ROHandleF real(&attribute); real.isValid()) {
    read.values = readValues<float>(detail, owner, read.width, real);
  } else if (const GA_ROHandleID whole(&attribute); whole.isValid()) {
    read.values = readValues<std::int64_t>(detail, owner, read.width, whole);
  } else if (const GA_ROHandleS text(&attribute); text.isValid()) {
    read.values = readValues<std::string>(detail, owner, read.width, text);
  } else if (const GA_ROHandleIA array(&attribute); array.isValid() && owner == Owner::detail) {
    UT_Int32Array numbers;
    array.get(GA_Offset(0), numbers);
    read.values = std::vector<std::int32_t>(numbers.array(), numbers.array() + numbers.size());
    read.array = true;
  } else {
    return;  // a kind that no node of ours reads
  }
  geometry.attributes.push_back(std::move(read));
}

void readPrimitives(const GU_Detail& detail, NodeGeometry& geometry) {
  for (GA_Index k = 0; k < detail.getNumPrimitives(); ++k) {
    const GEO_Primitive* primitive = detail.getGEOPrimitiveByIndex(k);
    const int type = primitive->getTypeId().get(), count = static_cast<int>(primitive->getVertexCount());
    nodes::Primitive read{PrimitiveKind::other, static_cast<int>(geometry.corners.size()), count};
    if (type == GA_PRIMTETRAHEDRON) read.kind = PrimitiveKind::tetrahedron;
    if (type == GA_PRIMPOLY)
      read.kind =
          static_cast<const GEO_Face*>(primitive)->isClosed() ? PrimitiveKind::polygon : PrimitiveKind::curve;
    const bool turn = read.kind == PrimitiveKind::polygon;
    for (int i = 0; i < count; ++i)
      geometry.corners.push_back(
          static_cast<int>(detail.pointIndex(primitive->getPointOffset(turn ? count - 1 - i : i))));
    geometry.primitives.push_back(read);
  }
}

void rebuild(const NodeGeometry& geometry, GU_Detail& detail) {
  detail.clearAndDestroy();
  const auto count = static_cast<GA_Size>(geometry.points.size());
  const GA_Offset first = count > 0 ? detail.appendPointBlock(count) : GA_Offset(0);
  GEO_PolyCounts sizes;
  for (const nodes::Primitive& primitive : geometry.primitives) sizes.append(primitive.count, 1);
  // nodes of ours only make curves, whose corners have no sense of turning
  if (!geometry.primitives.empty())
    GEO_PrimPoly::buildBlock(&detail, first, count, sizes, geometry.corners.data(), false);
  detail.bumpDataIdsForAddOrRemove(true, true, true);
}

template <class Handle, class Value>
bool writeValues(GU_Detail& detail, const NodeAttribute& a, GA_Attribute* attribute,
                 const std::vector<Value>& values) {
  Handle handle(attribute);
  if (!handle.isValid() || attribute->getTupleSize() != a.width) return false;
  eachValue(detail, a.owner, a.width, [&](std::size_t k, GA_Offset offset, int c) {
    if constexpr (std::is_same_v<Value, std::string>)
      handle.set(offset, values[k].c_str()), (void)c;
    else
      handle.set(offset, c, values[k]);
  });
  attribute->bumpDataId();
  return true;
}

bool writeArray(const std::vector<std::int32_t>& values, GA_Attribute* attribute) {
  GA_RWHandleIA handle(attribute);
  if (!handle.isValid()) return false;
  UT_Int32Array numbers;
  numbers.setSize(static_cast<exint>(values.size()));
  std::copy(values.begin(), values.end(), numbers.array());
  handle.set(GA_Offset(0), numbers);
  attribute->bumpDataId();
  return true;
}

bool writeAttribute(const NodeAttribute& a, GA_AttributeOwner owner, GU_Detail& detail) {
  GA_Attribute* found = detail.findAttribute(owner, a.name.c_str());
  if (const auto* floats = std::get_if<std::vector<float>>(&a.values))
    return writeValues<GA_RWHandleF>(
        detail, a, found ? found : detail.addFloatTuple(owner, a.name.c_str(), a.width), *floats);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&a.values))
    return writeValues<GA_RWHandleS>(
        detail, a, found ? found : detail.addStringTuple(owner, a.name.c_str(), a.width), *texts);
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&a.values))
    return writeValues<GA_RWHandleID>(
        detail, a, found ? found : detail.addIntTuple(owner, a.name.c_str(), a.width), *wholes);
  const auto* numbers = std::get_if<std::vector<std::int32_t>>(&a.values);
  if (numbers && a.array)
    return writeArray(*numbers, found ? found : detail.addIntArray(owner, a.name.c_str()));
  return numbers &&
         writeValues<GA_RWHandleID>(
             detail, a, found ? found : detail.addIntTuple(owner, a.name.c_str(), a.width), *numbers);
}

}  // namespace

std::unique_ptr<nodes::CookControl> hostControl() { return std::make_unique<HostControl>(); }

NodeGeometry readDetail(const GU_Detail& detail, const std::vector<std::string>& groups) {
  NodeGeometry geometry;
  geometry.points.resize(static_cast<std::size_t>(detail.getNumPoints()));
  for (std::size_t k = 0; k < geometry.points.size(); ++k) {
    const UT_Vector3 p = detail.getPos3(detail.pointOffset(static_cast<GA_Index>(k)));
    geometry.points[k] = {p.x(), p.y(), p.z()};
  }
  readPrimitives(detail, geometry);
  for (const auto& [owner, host] : kOwners)
    for (GA_AttributeDict::iterator it = detail.getAttributeDict(host).begin(GA_SCOPE_PUBLIC); !it.atEnd();
         ++it)
      if (std::string(it.attrib()->getName().c_str()) != "P")
        readAttribute(detail, owner, *it.attrib(), geometry);
  for (const std::string& name : groups)
    if (const GA_PointGroup* group = detail.findPointGroup(name.c_str())) {
      geometry.groups.push_back({name, {}});
      for (std::size_t k = 0; k < geometry.points.size(); ++k)
        if (group->contains(detail.pointOffset(static_cast<GA_Index>(k))))
          geometry.groups.back().points.push_back(static_cast<std::int32_t>(k));
    }
  return geometry;
}

bool writeDetail(const NodeGeometry& geometry, GU_Detail& detail, std::string& problem) {
  if (geometry.topologyWritten()) rebuild(geometry, detail);
  if (geometry.pointsWritten()) {
    for (std::size_t k = 0; k < geometry.points.size(); ++k) {
      const Vec3f p = geometry.points[k];
      detail.setPos3(detail.pointOffset(static_cast<GA_Index>(k)), UT_Vector3(p.x, p.y, p.z));
    }
    detail.getP()->bumpDataId();
  }
  for (const NodeAttribute& a : geometry.attributes)
    for (const auto& [owner, host] : kOwners)
      if (a.owner == owner && geometry.isWritten(owner, a.name) && !writeAttribute(a, host, detail)) {
        problem = "the attribute " + a.name + " is of a kind that cannot be written";
        return false;
      }
  return true;
}

}  // namespace repose::houdini
