// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/object_data.h"

#include <GU/GU_Detail.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Force.h>
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

namespace {

SIM_ConstDataArray dataOf(const SIM_Object& object, const char* type) {
  SIM_ConstDataArray found;
  object.filterConstSubData(found, nullptr, SIM_DataFilterByType(type), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  return found;
}

Vec3f plain(const UT_Vector3& v) { return {v.x(), v.y(), v.z()}; }
UT_Vector3 host(Vec3f v) { return UT_Vector3(v.x, v.y, v.z); }

}  // namespace

void takeGravity(const SIM_Object& object, nodes::Parms& parms) {
  const SIM_ConstDataArray gravities = dataOf(object, "SIM_ForceGravity");
  if (gravities.size() == 0 || !parms.on("usegravity")) return;
  double sum[3] = {0, 0, 0};
  for (exint k = 0; k < gravities.size(); ++k) {
    const UT_Vector3 gravity = SIM_DATA_CASTCONST(gravities(k), SIM_ForceGravity)->getGravity();
    sum[0] += gravity.x(), sum[1] += gravity.y(), sum[2] += gravity.z();
  }
  parms.setNumbers("gravity", sum[0], sum[1], sum[2]);
}

std::vector<nodes::HostForce> forcesOf(const SIM_Object& object) {
  const SIM_ConstDataArray all = dataOf(object, "SIM_Force");
  std::vector<nodes::HostForce> forces;
  for (exint k = 0; k < all.size(); ++k) {
    const SIM_Force* force = SIM_DATA_CASTCONST(all(k), SIM_Force);
    if (!force || SIM_DATA_CASTCONST(all(k), SIM_ForceGravity)) continue;
    forces.push_back([force, &object](Vec3f place, Vec3f velocity, Vec3f spin, double mass) {
      UT_Vector3 push(0, 0, 0), torque(0, 0, 0);
      force->getForce(object, host(place), host(velocity), host(spin), mass, push, torque);
      return nodes::HostLoad{plain(push), plain(torque)};
    });
  }
  return forces;
}

}  // namespace repose::houdini
