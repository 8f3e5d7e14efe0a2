// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <GA/GA_AIFTuple.h>
#include <GA/GA_Handle.h>
#include <GA/GA_Range.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_PrimPacked.h>
#include <UT/UT_Matrix3.h>

#include <cstring>

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
bool writeNumbers(const NodeAttribute& a, GA_Attribute* attribute, const std::vector<Value>& values) {
  if (!Handle(attribute).isValid() || attribute->getTupleSize() != a.width) return false;
  attribute->getAIFTuple()->setRange(attribute, GA_Range(attribute->getIndexMap()), values.data());
  attribute->bumpDataId();
  return true;
}

bool writeTexts(GU_Detail& detail, const NodeAttribute& a, GA_Attribute* attribute,
                const std::vector<std::string>& texts) {
  GA_RWHandleS handle(attribute);
  if (!handle.isValid() || attribute->getTupleSize() != a.width) return false;
  eachValue(detail, a.owner, a.width,
            [&](std::size_t k, GA_Offset offset, int) { handle.set(offset, texts[k].c_str()); });
  attribute->bumpDataId();
  return true;
}

bool writeArray(const std::string& bytes, GA_Attribute* attribute) {
  GA_RWHandleIA handle(attribute);
  if (!handle.isValid()) return false;
  UT_Int32Array numbers;
  numbers.setSize(static_cast<exint>(bytes.size() / sizeof(int32)));
  std::memcpy(numbers.array(), bytes.data(), bytes.size());
  handle.set(GA_Offset(0), numbers);
  attribute->bumpDataId();
  return true;
}

bool writeAttribute(const NodeAttribute& a, GA_AttributeOwner owner, GU_Detail& detail) {
  GA_Attribute* found = detail.findAttribute(owner, a.name.c_str());
  if (const auto* floats = std::get_if<std::vector<float>>(&*a.values))
    return writeNumbers<GA_RWHandleF>(a, found ? found : detail.addFloatTuple(owner, a.name.c_str(), a.width),
                                      *floats);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&*a.values))
    return writeTexts(detail, a, found ? found : detail.addStringTuple(owner, a.name.c_str(), a.width),
                      *texts);
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&*a.values))
    return writeNumbers<GA_RWHandleID>(a, found ? found : detail.addIntTuple(owner, a.name.c_str(), a.width),
                                       *wholes);
  if (const auto* bytes = std::get_if<std::string>(&*a.values))
    return writeArray(*bytes, found ? found : detail.addIntArray(owner, a.name.c_str()));
  const auto* numbers = std::get_if<std::vector<std::int32_t>>(&*a.values);
  return numbers && writeNumbers<GA_RWHandleID>(
                        a, found ? found : detail.addIntTuple(owner, a.name.c_str(), a.width), *numbers);
}

}  // namespace

bool writeDetail(const NodeGeometry& geometry, GU_Detail& detail, std::string& problem) {
  if (geometry.topologyWritten()) rebuild(geometry, detail);
  if (geometry.pointsWritten()) {
    GA_Attribute* places = detail.getP();
    if (!geometry.points.empty())
      places->getAIFTuple()->setRange(places, GA_Range(places->getIndexMap()), &geometry.points[0].x);
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
