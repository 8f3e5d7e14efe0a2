// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/read_detail.h"

#include <GA/GA_AIFTuple.h>
#include <GA/GA_Handle.h>
#include <GA/GA_PrimitiveTypes.h>
#include <GA/GA_Range.h>
#include <GEO/GEO_Face.h>
#include <GU/GU_PrimPacked.h>
#include <UT/UT_Matrix4.h>

#include <map>

#include "houdini_sop/bridge.h"
#include "houdini_sop/elements.h"

namespace repose::houdini {

namespace {

template <class Value>
std::vector<Value> readNumbers(const GA_Attribute& attribute) {
  const GA_Range all(attribute.getIndexMap());
  std::vector<Value> values(static_cast<std::size_t>(all.getEntries() * attribute.getTupleSize()));
  attribute.getAIFTuple()->getRange(&attribute, all, values.data());
  return values;
}

std::vector<std::string> readTexts(const GU_Detail& detail, Owner owner, int width,
                                   const GA_ROHandleS& handle) {
  std::vector<std::string> values(static_cast<std::size_t>(countOf(detail, owner) * width));
  eachValue(detail, owner, width, [&](std::size_t k, GA_Offset offset, int c) {
    if (const char* text = handle.get(offset, c)) values[k] = text;
  });
  return values;
}

}  // namespace

std::vector<Vec3f> readPlaces(const GU_Detail& detail) {
  std::vector<Vec3f> places(static_cast<std::size_t>(detail.getNumPoints()));
  const GA_Attribute& p = *detail.findAttribute(GA_ATTRIB_POINT, "P");
  if (!places.empty()) p.getAIFTuple()->getRange(&p, GA_Range(p.getIndexMap()), &places[0].x);
  return places;
}

bool readAttribute(const GU_Detail& detail, const GA_Attribute& attribute, NodeAttribute& read) {
  if (const GA_ROHandleF real(&attribute); real.isValid()) {
    read.values = readNumbers<float>(attribute);
  } else if (const GA_ROHandleID whole(&attribute); whole.isValid()) {
    read.values = readNumbers<int64>(attribute);
  } else if (const GA_ROHandleS text(&attribute); text.isValid()) {
    read.values = readTexts(detail, read.owner, read.width, text);
  } else if (const GA_ROHandleIA array(&attribute); array.isValid() && read.owner == Owner::detail) {
    UT_Int32Array numbers;
    array.get(GA_Offset(0), numbers);
    read.values = std::string(reinterpret_cast<const char*>(numbers.array()),
                              static_cast<std::size_t>(numbers.size()) * sizeof(int32));
  } else {
    return false;
  }
  return true;
}

namespace {

// What a packed primitive holds; those that share it share what is read.
void readPacked(const GU_PrimPacked& primitive, int number,
                std::map<const GU_Detail*, std::shared_ptr<NodeGeometry>>& known, NodeGeometry& geometry) {
  nodes::Packed packed;
  const auto handle = primitive.getPackedDetail();
  std::shared_ptr<NodeGeometry>& inside = known[handle.gdp()];
  if (!inside)
    inside = std::make_shared<NodeGeometry>(handle.gdp() ? readDetail(*handle.gdp()) : NodeGeometry());
  packed.primitive = number, packed.inside = inside;
  UT_Matrix4D transform;
  primitive.getFullTransform4(transform);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) packed.transform.rows[i][j] = transform(i, j);
  geometry.packed.push_back(std::move(packed));
}

}  // namespace

void readPrimitives(const GU_Detail& detail, NodeGeometry& geometry) {
  std::map<const GU_Detail*, std::shared_ptr<NodeGeometry>> known;
  std::vector<nodes::Primitive> primitives;
  std::vector<int> corners;
  primitives.reserve(static_cast<std::size_t>(detail.getNumPrimitives()));
  corners.reserve(4 * primitives.capacity());  // most sheets are of quads
  for (GA_Index k = 0; k < detail.getNumPrimitives(); ++k) {
    const GEO_Primitive* primitive = detail.getGEOPrimitiveByIndex(k);
    const int type = primitive->getTypeId().get(), count = static_cast<int>(primitive->getVertexCount());
    nodes::Primitive read{PrimitiveKind::other, static_cast<int>(corners.size()), count};
    if (type == GA_PRIMTETRAHEDRON) read.kind = PrimitiveKind::tetrahedron;
    if (type == GA_PRIMPOLY)
      read.kind =
          static_cast<const GEO_Face*>(primitive)->isClosed() ? PrimitiveKind::polygon : PrimitiveKind::curve;
    if (GU_PrimPacked::isPackedPrimitive(*primitive)) {
      read.kind = PrimitiveKind::packed;
      readPacked(static_cast<const GU_PrimPacked&>(*primitive), static_cast<int>(k), known, geometry);
    }
    const bool turn = read.kind == PrimitiveKind::polygon;
    for (int i = 0; i < count; ++i)
      corners.push_back(
          static_cast<int>(detail.pointIndex(primitive->getPointOffset(turn ? count - 1 - i : i))));
    primitives.push_back(read);
  }
  geometry.primitives = std::move(primitives), geometry.corners = std::move(corners);
}

void readGroups(const GU_Detail& detail, const std::vector<std::string>& groups, NodeGeometry& geometry) {
  for (const std::string& name : groups)
    if (const GA_PointGroup* group = detail.findPointGroup(name.c_str())) {
      geometry.groups.push_back({name, {}});
      for (std::size_t k = 0; k < geometry.points.size(); ++k)
        if (group->contains(detail.pointOffset(static_cast<GA_Index>(k))))
          geometry.groups.back().points.push_back(static_cast<std::int32_t>(k));
    }
}

}  // namespace repose::houdini
