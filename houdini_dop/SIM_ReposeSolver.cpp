// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/SIM_ReposeSolver.h"

#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>

#include <set>

#include "houdini_dop/SIM_ReposeState.h"
#include "houdini_dop/option_parms.h"
#include "houdini_nodes/object_world.h"
#include "houdini_sop/bridge.h"

namespace repose::houdini {

namespace {

;

// Colliders of all objects, each once; what is solved itself is none.
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
          world.addCollider(readDetail(*SIM_GeometryAutoReadLock(geometry).getGdp()));
  }
}

void takeGravity(const SIM_Object& object, nodes::Parms& parms) {
  SIM_ConstDataArray forces;
  object.filterConstSubData(forces, nullptr, SIM_DataFilterByType("SIM_ForceGravity"), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  if (forces.size() == 0 || !parms.on("usegravity")) return;
  const UT_Vector3 gravity = SIM_DATA_CASTCONST(forces(0), SIM_ForceGravity)->getGravity();
  parms.setNumbers("gravity", gravity.x(), gravity.y(), gravity.z());
}

}  // namespace

SIM_Solver::SIM_Result SIM_ReposeSolver::solveObjectsSubclass(SIM_Engine&, SIM_ObjectArray& objects,
                                                              SIM_ObjectArray&, SIM_ObjectArray&,
                                                              const SIM_Time& timestep) {
  if (objects.size() == 0) return SIM_SOLVER_SUCCESS;
  nodes::Parms parms = optionParms(getOptions(), *nodes::findNode("repose_solver"));
  takeGravity(*objects(0), parms);
  nodes::ObjectWorld world;
  std::vector<SIM_GeometryCopy*> shown;
  for (exint k = 0; k < objects.size(); ++k) {
    shown.push_back(SIM_DATA_GET(*objects(k), SIM_GEOMETRY_DATANAME, SIM_GeometryCopy));
    if (!shown.back()) {
      addError(objects(k), SIM_MESSAGE, "the object has no data Geometry that can be changed",
               UT_ERROR_ABORT);
      return SIM_SOLVER_FAIL;
    }
    world.addObject(readDetail(*SIM_GeometryAutoReadLock(shown.back()).getGdp()));
  }
  addColliders(objects, world);
  // the first object keeps the state of the world
  SIM_ReposeState* state = SIM_DATA_CREATE(*objects(0), SIM_ReposeState::kDataName, SIM_ReposeState,
                                           SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
  const std::unique_ptr<nodes::CookControl> control = hostControl();
  const nodes::CookResult result = world.step(parms, timestep, *control, state->bytes, state->memory);
  for (const std::string& warning : result.warnings)
    addError(objects(0), SIM_MESSAGE, warning.c_str(), UT_ERROR_WARNING);
  for (const std::string& error : result.errors)
    addError(objects(0), SIM_MESSAGE, error.c_str(), UT_ERROR_ABORT);
  if (!result.ok()) return SIM_SOLVER_FAIL;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    SIM_GeometryAutoWriteLock lock(shown[k], SIM_DATA_ID_PRESERVE);  // the bridge bumps what it writes
    std::string problem;
    if (writeDetail(world.object(k), lock.getGdp(), problem)) continue;
    addError(objects(static_cast<exint>(k)), SIM_MESSAGE, problem.c_str(), UT_ERROR_ABORT);
    return SIM_SOLVER_FAIL;
  }
  return SIM_SOLVER_SUCCESS;
}

const SIM_DopDescription* SIM_ReposeSolver::getDescription() {
  const nodes::NodeRow& row = *nodes::findNode("repose_solver");
  static SIM_DopDescription description(true, row.type.c_str(), row.label.c_str(), "Solver", classname(),
                                        templatesOf(row));
  return &description;
}

}  // namespace repose::houdini
