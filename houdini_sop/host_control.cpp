// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <UT/UT_Interrupt.h>

#include "houdini_sop/bridge.h"

namespace repose::houdini {

namespace {

class HostControl : public nodes::CookControl {
 public:
  bool interrupted(double share) override { return boss_.wasInterrupted(static_cast<int>(100 * share)); }

 private:
  UT_AutoInterrupt boss_{"Repose"};
};

}  // namespace

std::unique_ptr<nodes::CookControl> hostControl() { return std::make_unique<HostControl>(); }

}  // namespace repose::houdini
