// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A DOP network on the stand-in: objects with geometry, and the solver that steps them.
#pragma once
#include "standin/sim.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

inline const std::map<std::string, std::string> kNoGround;

class Network {
 public:
  explicit Network(const std::map<std::string, std::string>& parms = {{"useground", "1"}}) {
    initializeSIM(nullptr);
    IMPLEMENT_DATAFACTORY(SIM_GeometryCopy);
    IMPLEMENT_DATAFACTORY(SIM_ForceGravity);
    IMPLEMENT_DATAFACTORY(SIM_ForceUniform);
    solver_ = standin::makeData("SIM_ReposeSolver");
    const SIM_DopDescription& dop = *SIM_DataFactory::all().at("SIM_ReposeSolver").dop;
    dynamic_cast<SIM_OptionsUser&>(*solver_).standinSet(dop.templates, parms);
  }

  SIM_Object& add(const GU_Detail& geometry) {
    objects.push_back(std::make_unique<SIM_Object>(static_cast<int>(objects.size()) + 1));
    setGeometry(*objects.back(), geometry);
    return *objects.back();
  }
  static void setGeometry(SIM_Object& object, const GU_Detail& geometry) {
    object.named[SIM_GEOMETRY_DATANAME] = standin::makeData("SIM_GeometryCopy");
    dynamic_cast<SIM_Geometry&>(*object.named[SIM_GEOMETRY_DATANAME]).detail = geometry;
  }
  SIM_Solver::SIM_Result step(double frames = 1) {
    SIM_ObjectArray all, fresh;
    for (const auto& object : objects) all.append(object.get());
    return dynamic_cast<SIM_Solver&>(*solver_).standinSolve(engine_, all, fresh, frames / kFps);
  }
  // Frame 1 is as the objects come.
  void playTo(int frame) {
    for (int f = 2; f <= frame; ++f)
      ASSERT_EQ(step(), SIM_Solver::SIM_SOLVER_SUCCESS) << nodes::lines(solver_->errors);
  }
  const GU_Detail& shown(std::size_t k) const {
    return dynamic_cast<SIM_Geometry&>(*objects[k]->named[SIM_GEOMETRY_DATANAME]).detail;
  }
  std::string bits() const {
    std::string all;
    for (std::size_t k = 0; k < objects.size(); ++k) all += bitsOf(shown(k));
    return all;
  }
  using Frame = std::vector<std::unique_ptr<SIM_Object>>;
  Frame keep() const {
    Frame copies;
    for (const auto& object : objects) copies.push_back(standin::copyObject(*object));
    return copies;
  }
  void goBackTo(const Frame& frame) {
    objects.clear();
    for (const auto& object : frame) objects.push_back(standin::copyObject(*object));
  }
  const std::vector<std::string>& errors() const { return solver_->errors; }
  const SIM_Data& solver() const { return *solver_; }

  Frame objects;

 private:
  std::shared_ptr<SIM_Data> solver_;
  SIM_Engine engine_;
};

}  // namespace repose::houdini
