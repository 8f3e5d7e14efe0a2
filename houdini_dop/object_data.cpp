// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/object_data.h"

#include <GU/GU_Detail.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>

#include <set>

#include "houdini_sop/bridge.h"

namespace repose::houdini {

nodes::Placement placementOf(const SIM_Geometry& geometry) {
  UT_DMatrix4 transform;
  geometry.getTransform(transform);
  nodes::Placement at;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) at.rows[i][j] = transform(i, j);
  return at;
}

void addColliders(const SIM_ObjectArray& objects, nodes::ObjectWorld& world) {
  std::set<int> known;
  for (exint k = 0; k < objects.size(); ++k) known.insert(objects(k)->getObjectId());
  for (exint k = 0; k < objects.size(); ++k) {
    SIM_ObjectArray affectors;
    objects(k)->getAffectors(affectors, "SIM_RelationshipCollide");
    for (exint a = 0; a < affectors.size(); ++a)
      if (known.insert(affectors(a)->getObjectId()).second)
        if (const SIM_Geometry* geometry =
                SIM_DATA_GETCONST(*affectors(a), SIM_GEOMETRY_DATANAME, SIM_Geometry))
          world.addCollider(readDetail(*SIM_GeometryAutoReadLock(geometry).getGdp()), placementOf(*geometry));
  }
}

exint takeGravity(const SIM_Object& object, nodes::Parms& parms) {
  SIM_ConstDataArray forces, gravities;
  object.filterConstSubData(forces, nullptr, SIM_DataFilterByType("SIM_Force"), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  object.filterConstSubData(gravities, nullptr, SIM_DataFilterByType("SIM_ForceGravity"), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  const exint others = forces.size() - gravities.size();
  if (gravities.size() == 0 || !parms.on("usegravity")) return others;
  double sum[3] = {0, 0, 0};
  for (exint k = 0; k < gravities.size(); ++k) {
    const UT_Vector3 gravity = SIM_DATA_CASTCONST(gravities(k), SIM_ForceGravity)->getGravity();
    sum[0] += gravity.x(), sum[1] += gravity.y(), sum[2] += gravity.z();
  }
  parms.setNumbers("gravity", sum[0], sum[1], sum[2]);
  return others;
}

}  // namespace repose::houdini
