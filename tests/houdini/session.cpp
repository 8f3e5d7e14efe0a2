// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/houdini/session.h"

#include <cstring>

namespace repose::houdini {

namespace {

void setValues(const nodes::NodeAttribute& a, GA_AttributeOwner owner, GU_Detail& detail) {
  GA_Attribute* to = a.isText()    ? detail.addStringTuple(owner, a.name, a.width)
                     : a.isWhole() ? detail.addIntTuple(owner, a.name, a.width)
                                   : detail.addFloatTuple(owner, a.name, a.width);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a.isText())
      to->texts().at(k) = a.text(k);
    else
      to->numbers().at(k) = a.number(k);
}

}  // namespace

GU_Detail toHost(const nodes::NodeGeometry& geometry) {
  GU_Detail detail;
  detail.appendPointBlock(static_cast<GA_Size>(geometry.points.size()));
  for (std::size_t k = 0; k < geometry.points.size(); ++k) {
    const Vec3f p = geometry.points[k];
    detail.setPos3(detail.pointOffset(static_cast<GA_Index>(k)), {p.x, p.y, p.z});
  }
  for (const nodes::Primitive& primitive : geometry.primitives) {
    auto poly = std::make_shared<GEO_PrimPoly>();
    poly->closed = primitive.kind == nodes::PrimitiveKind::polygon;
    if (primitive.kind == nodes::PrimitiveKind::other) poly->type = GA_PRIMSPHERE;
    for (int i = primitive.count - 1; i >= 0; --i)
      poly->points.push_back(detail.pointOffset(geometry.corners[primitive.first + i]));
    detail.addPrimitive(poly);
  }
  for (const nodes::NodeAttribute& a : geometry.attributes)
    setValues(a,
              a.owner == nodes::Owner::point    ? GA_ATTRIB_POINT
              : a.owner == nodes::Owner::detail ? GA_ATTRIB_DETAIL
                                                : GA_ATTRIB_PRIMITIVE,
              detail);
  for (const PointGroup& group : geometry.groups)
    for (const std::int32_t p : group.points)
      detail.newPointGroup(group.name.c_str())->addOffset(detail.pointOffset(p));
  detail.getP()->bumpDataId();
  detail.bumpDataIdsForAddOrRemove(true, true, true);
  return detail;
}

std::string hashOf(const GU_Detail& detail) {
  const GA_Attribute* hash = detail.findAttribute(GA_ATTRIB_DETAIL, nodes::kHash);
  return hash ? hash->texts().at(0) : "";
}

std::string bitsOf(const GU_Detail& detail) {
  std::string bits;
  for (const char* name : {"P", "v"}) {
    const GA_Attribute* a = detail.findAttribute(GA_ATTRIB_POINT, name);
    if (a)
      bits.append(reinterpret_cast<const char*>(a->numbers().data()), a->numbers().size() * sizeof(double));
  }
  return bits;
}

GU_Detail mergedDetails(const GU_Detail& a, const GU_Detail& b) {
  GU_Detail both = a;
  const GA_Size first = a.getNumPoints();
  both.appendPointBlock(b.getNumPoints());
  for (const auto& primitive : b.primitives()) {
    auto moved = std::make_shared<GEO_PrimPoly>(static_cast<const GEO_PrimPoly&>(*primitive));
    for (GA_Offset& p : moved->points) p = both.pointOffset(first + b.pointIndex(p));
    both.addPrimitive(moved);
  }
  for (const GA_AttributeOwner owner : {GA_ATTRIB_POINT, GA_ATTRIB_DETAIL})
    for (GA_AttributeDict::iterator it = b.getAttributeDict(owner).begin(); !it.atEnd(); ++it) {
      const GA_Attribute& from = *it.attrib();
      GA_Attribute* to = both.find(owner, from.getName().c_str());
      if (to && owner == GA_ATTRIB_DETAIL) continue;
      if (!to)
        to = from.getStorageClass() == GA_STORECLASS_STRING
                 ? both.addStringTuple(owner, from.getName(), from.getTupleSize())
             : from.getStorageClass() == GA_STORECLASS_INT
                 ? both.addIntTuple(owner, from.getName(), from.getTupleSize())
                 : both.addFloatTuple(owner, from.getName(), from.getTupleSize());
      const std::size_t at =
          owner == GA_ATTRIB_DETAIL ? 0 : static_cast<std::size_t>(first * from.getTupleSize());
      std::copy(from.numbers().begin(), from.numbers().end(),
                to->numbers().begin() + static_cast<std::ptrdiff_t>(at));
      for (std::size_t k = 0; k < from.texts().size(); ++k) to->texts().at(at + k) = from.texts()[k];
      to->bumpDataId();
    }
  both.getP()->bumpDataId();
  both.bumpDataIdsForAddOrRemove(true, true, true);
  return both;
}

GU_Detail onlyPoints(const GU_Detail& detail, const std::vector<GA_Index>& points) {
  GU_Detail kept = detail;
  kept.primitives().clear();
  kept.appendPointBlock(static_cast<GA_Size>(points.size()) - detail.getNumPoints());
  for (GA_AttributeDict::iterator it = detail.getAttributeDict(GA_ATTRIB_POINT).begin(); !it.atEnd(); ++it) {
    const GA_Attribute& from = *it.attrib();
    GA_Attribute& to = *kept.find(GA_ATTRIB_POINT, from.getName().c_str());
    const auto width = static_cast<std::size_t>(from.getTupleSize());
    for (std::size_t k = 0; k < points.size(); ++k)
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t at = static_cast<std::size_t>(points[k]) * width + c;
        to.numbers().at(k * width + c) = from.numbers()[at];
        if (!from.texts().empty()) to.texts().at(k * width + c) = from.texts()[at];
      }
    to.bumpDataId();
  }
  kept.bumpDataIdsForAddOrRemove(true, true, true);
  return kept;
}

void expectAbove(const GU_Detail& detail, float height) {
  for (GA_Index p = 0; p < detail.getNumPoints(); ++p)
    EXPECT_GT(detail.getPos3(detail.pointOffset(p)).y(), height) << "point " << p;
}

}  // namespace repose::houdini
