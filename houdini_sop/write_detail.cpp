// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <GA/GA_Handle.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_PrimPacked.h>
#include <UT/UT_Matrix3.h>

#include "houdini_sop/bridge.h"
#include "houdini_sop/elements.h"

namespace repose::houdini {

namespace {

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

// Axes of packed primitives; their origins are P of their points.
void writePacked(const NodeGeometry& geometry, GU_Detail& detail) {
  for (const nodes::Packed& packed : geometry.packed) {
    UT_Matrix3D axes;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) axes(i, j) = packed.transform.rows[i][j];
    static_cast<GU_PrimPacked*>(detail.getGEOPrimitiveByIndex(packed.primitive))->setLocalTransform(axes);
  }
  detail.getPrimitiveList().bumpDataId();
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

bool writeDetail(const NodeGeometry& geometry, GU_Detail& detail, std::string& problem) {
  if (geometry.topologyWritten()) rebuild(geometry, detail);
  if (geometry.pointsWritten()) {
    for (std::size_t k = 0; k < geometry.points.size(); ++k) {
      const Vec3f p = geometry.points[k];
      detail.setPos3(detail.pointOffset(static_cast<GA_Index>(k)), UT_Vector3(p.x, p.y, p.z));
    }
    detail.getP()->bumpDataId();
  }
  if (geometry.packedWritten()) writePacked(geometry, detail);
  for (const NodeAttribute& a : geometry.attributes)
    for (const auto& [owner, host] : kOwners)
      if (a.owner == owner && geometry.isWritten(owner, a.name) && !writeAttribute(a, host, detail)) {
        problem = "the attribute " + a.name + " is of a kind that cannot be written";
        return false;
      }
  return true;
}

}  // namespace repose::houdini
