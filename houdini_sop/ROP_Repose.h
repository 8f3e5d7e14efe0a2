// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The ROP: frames in order, into a job for the command line or a cache.
#pragma once
#include <OP/OP_Operator.h>
#include <ROP/ROP_Node.h>

#include <memory>

#include "houdini_nodes/range_writer.h"

namespace repose::houdini {

class ROP_Repose : public ROP_Node {
 public:
  static OP_Node* make(OP_Network* network, const char* name, OP_Operator* op) {
    return new ROP_Repose(network, name, op);
  }
  static OP_TemplatePair* templates();

 protected:
  ROP_Repose(OP_Network* network, const char* name, OP_Operator* op) : ROP_Node(network, name, op) {}
  int startRender(int nframes, fpreal tstart, fpreal tend) override;
  ROP_RENDER_CODE renderFrame(fpreal time, UT_Interrupt* boss) override;
  ROP_RENDER_CODE endRender() override;

 private:
  nodes::Parms parmsAt(fpreal time) const;
  // The geometry of the SOP that a parameter names; nothing when it names none. False after an error.
  bool cookPath(const char* parameter, fpreal time, std::unique_ptr<nodes::NodeGeometry>& geometry);
  bool report(const Status& status);

  std::unique_ptr<nodes::RangeWriter> writer_;
  int frame_ = 0;
};

}  // namespace repose::houdini
