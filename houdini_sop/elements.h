// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Owners, counts and offsets of the host's elements, by those of plain arrays.
#pragma once
#include <GU/GU_Detail.h>

#include <utility>

#include "houdini_nodes/node_geometry.h"

namespace repose::houdini {

using nodes::NodeAttribute;
using nodes::NodeGeometry;
using nodes::Owner;
using nodes::PrimitiveKind;

inline constexpr std::pair<Owner, GA_AttributeOwner> kOwners[] = {{Owner::point, GA_ATTRIB_POINT},
                                                                  {Owner::primitive, GA_ATTRIB_PRIMITIVE},
                                                                  {Owner::detail, GA_ATTRIB_DETAIL}};

inline GA_Size countOf(const GU_Detail& detail, Owner owner) {
  if (owner == Owner::detail) return 1;
  return owner == Owner::point ? detail.getNumPoints() : detail.getNumPrimitives();
}

inline GA_Offset offsetOf(const GU_Detail& detail, Owner owner, GA_Index index) {
  if (owner == Owner::detail) return GA_Offset(0);
  return owner == Owner::point ? detail.pointOffset(index) : detail.primitiveOffset(index);
}

// Calls visit(place in the array, offset, component) for all values of an attribute.
template <class Visit>
void eachValue(const GU_Detail& detail, Owner owner, int width, const Visit& visit) {
  const GA_Size count = countOf(detail, owner);
  for (GA_Index k = 0; k < count; ++k) {
    const GA_Offset offset = offsetOf(detail, owner, k);
    for (int c = 0; c < width; ++c) visit(static_cast<std::size_t>(k * width + c), offset, c);
  }
}

}  // namespace repose::houdini
