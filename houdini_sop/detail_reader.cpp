// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_sop/detail_reader.h"

#include <GA/GA_AttributeDict.h>

#include <algorithm>

#include "houdini_nodes/attributes.h"
#include "houdini_sop/bridge.h"
#include "houdini_sop/elements.h"
#include "houdini_sop/read_detail.h"

namespace repose::houdini {

namespace {

GA_DataId idOf(const GU_Detail& detail, GA_AttributeOwner owner, const char* name) {
  const GA_Attribute* attribute = detail.findAttribute(owner, name);
  return attribute ? attribute->getDataId() : GA_INVALID_DATAID;
}

// An attribute that is not there has no id.
bool isSame(GA_DataId id, GA_DataId before) { return id == before && id != GA_INVALID_DATAID; }

}  // namespace

bool DetailReader::knowsShape(const GU_Detail& detail) {
  const Shape now{detail.getTopology().getDataId(), detail.getPrimitiveList().getDataId(),
                  detail.getNumPoints(), detail.getNumPrimitives()};
  const Shape before = shape_;
  shape_ = now;
  return isSame(now[0], before[0]) && isSame(now[1], before[1]) && now == before;
}

const NodeAttribute* DetailReader::known(Owner owner, const GA_Attribute& attribute) const {
  for (const Known& k : known_)
    if (isSame(attribute.getDataId(), k.id) && k.read.owner == owner &&
        k.read.name == attribute.getName().c_str())
      return &k.read;
  return nullptr;
}

NodeGeometry DetailReader::read(const GU_Detail& detail, const std::vector<std::string>& groups,
                                nodes::AsLeft* left) {
  const GA_DataId state = idOf(detail, GA_ATTRIB_DETAIL, nodes::kState),
                  places = idOf(detail, GA_ATTRIB_POINT, "P"),
                  velocities = idOf(detail, GA_ATTRIB_POINT, "v");
  if (left) {
    *left = {isSame(state, state_), isSame(places, places_) && isSame(velocities, velocities_)};
  }
  NodeGeometry geometry;
  geometry.points = readPlaces(detail);
  const bool same_shape = knowsShape(detail);
  if (!same_shape) known_.clear();
  if (same_shape && !packed_)
    geometry.primitives = primitives_, geometry.corners = corners_;
  else
    readPrimitives(detail, geometry);
  primitives_ = geometry.primitives, corners_ = geometry.corners, packed_ = !geometry.packed.empty();
  readAttributes(detail, left && left->state, geometry);
  readGroups(detail, groups, geometry);
  return geometry;
}

void DetailReader::readAttributes(const GU_Detail& detail, bool without_state, NodeGeometry& geometry) {
  std::vector<Known> read;
  for (const auto& [owner, host] : kOwners)
    for (GA_AttributeDict::iterator it = detail.getAttributeDict(host).begin(GA_SCOPE_PUBLIC); !it.atEnd();
         ++it) {
      const GA_Attribute& attribute = *it.attrib();
      const std::string name = attribute.getName().c_str();
      if (name == "P" || (without_state && owner == Owner::detail && name == nodes::kState)) continue;
      const NodeAttribute* before = known(owner, attribute);
      NodeAttribute now = before ? *before : NodeAttribute{name, owner, attribute.getTupleSize(), {}};
      if (!before && !readAttribute(detail, attribute, now)) continue;
      read.push_back({attribute.getDataId(), now});
      geometry.attributes.push_back(std::move(now));
    }
  known_ = std::move(read);
}

void DetailReader::wrote(const NodeGeometry& geometry, const GU_Detail& detail) {
  const bool solved = geometry.isWritten(Owner::detail, nodes::kState);
  state_ = solved ? idOf(detail, GA_ATTRIB_DETAIL, nodes::kState) : GA_INVALID_DATAID;
  places_ = solved ? idOf(detail, GA_ATTRIB_POINT, "P") : GA_INVALID_DATAID;
  velocities_ = idOf(detail, GA_ATTRIB_POINT, "v");
  known_.erase(std::remove_if(known_.begin(), known_.end(),
                              [&](const Known& k) { return geometry.isWritten(k.read.owner, k.read.name); }),
               known_.end());
}

NodeGeometry readDetail(const GU_Detail& detail, const std::vector<std::string>& groups) {
  return DetailReader().read(detail, groups);
}

}  // namespace repose::houdini
