// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// All that a simulation remembers, as data of an object: copied deeply with each cached frame, saved in .sim
// files.
#pragma once
#include <SIM/SIM_Data.h>
#include <SIM/SIM_DataUtils.h>

#include <memory>
#include <string>

#include "houdini_nodes/cook.h"

namespace repose::houdini {

class SIM_ReposeState : public SIM_Data {
 public:
  static constexpr const char* kDataName = "ReposeState";
  std::string bytes;                          // empty before the first step
  std::unique_ptr<nodes::NodeMemory> memory;  // a simulation that may be at these bytes; never copied

 protected:
  explicit SIM_ReposeState(const SIM_DataFactory* factory) : SIM_Data(factory) {}
  void initializeSubclass() override;
  void makeEqualSubclass(const SIM_Data* source) override;
  void saveSubclass(std::ostream& os) const override;
  bool loadSubclass(UT_IStream& is) override;
  int64 getMemorySizeSubclass() const override;

 private:
  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(SIM_ReposeState, SIM_Data, "Repose State", nullptr);
};

}  // namespace repose::houdini
