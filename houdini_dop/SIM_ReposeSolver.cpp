// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_dop/SIM_ReposeSolver.h"

#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_GuidePerObject.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>

#include "houdini_dop/SIM_ReposeState.h"
#include "houdini_dop/object_data.h"
#include "houdini_dop/option_parms.h"
#include "houdini_nodes/guide.h"
#include "houdini_sop/bridge.h"

namespace repose::houdini {

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
    world.addObject(readDetail(*SIM_GeometryAutoReadLock(shown.back()).getGdp()), placementOf(*shown.back()),
                    forcesOf(*objects(k)));
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

SIM_Guide* SIM_ReposeSolver::createGuideObjectSubclass() const { return new SIM_GuidePerObject(this); }

void SIM_ReposeSolver::buildGuideGeometrySubclass(const SIM_RootData& root, const SIM_Options&,
                                                  const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                                                  const SIM_Time&) const {
  const SIM_Geometry* geometry = SIM_DATA_GETCONST(root, SIM_GEOMETRY_DATANAME, SIM_Geometry);
  const nodes::Parms parms = optionParms(getOptions(), *nodes::findNode("repose_solver"));
  if (gdh.isNull() || !geometry || !nodes::showsGuide(parms)) return;
  if (xform) geometry->getTransform(*xform);  // the guide is drawn where the object is
  std::string problem;
  writeDetail(nodes::guideOf(readDetail(*SIM_GeometryAutoReadLock(geometry).getGdp()), parms),
              *GU_DetailHandleAutoWriteLock(gdh).getGdp(), problem);
}

const SIM_DopDescription* SIM_ReposeSolver::getDescription() {
  const nodes::NodeRow& row = *nodes::findNode("repose_solver");
  static SIM_DopDescription description(true, row.type.c_str(), row.label.c_str(), "Solver", classname(),
                                        templatesOf(row));
  return &description;
}

}  // namespace repose::houdini
