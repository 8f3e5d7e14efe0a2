// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The DOP: all objects that affect each other come at once, and are one world.
#pragma once
#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_Solver.h>

namespace repose::houdini {

class SIM_ReposeSolver : public SIM_Solver, public SIM_OptionsUser {
 protected:
  explicit SIM_ReposeSolver(const SIM_DataFactory* factory) : SIM_Solver(factory), SIM_OptionsUser(this) {}
  SIM_Result solveObjectsSubclass(SIM_Engine& engine, SIM_ObjectArray& objects, SIM_ObjectArray& newobjects,
                                  SIM_ObjectArray& feedbacktoobjects, const SIM_Time& timestep) override;
  SIM_Guide* createGuideObjectSubclass() const override;
  void buildGuideGeometrySubclass(const SIM_RootData& root, const SIM_Options& options,
                                  const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                                  const SIM_Time& t) const override;

 private:
  static const SIM_DopDescription* getDescription();

  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(SIM_ReposeSolver, SIM_Solver, "Repose Solver", getDescription());
};

}  // namespace repose::houdini
