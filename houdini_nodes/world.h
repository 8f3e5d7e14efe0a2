// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One step of a world that a host feeds. Everything that is remembered from step to step is in the state, a
// string of bytes: a host that keeps it can play, jump, go back, save and load, and gets the same bits.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "houdini_nodes/host_push.h"

namespace repose::nodes {

struct WorldStep {
  WorldInput input;
  int parts = 1;  // steps a frame
  std::vector<HostPush> pushes = {};
  bool contacts = false;  // are kept on the geometry, for a guide
  CookControl* control = nullptr;
  std::unique_ptr<NodeMemory>* memory = nullptr;  // a simulation that may already be where the state is
  AsLeft left = {};                               // with its state `before` is not looked at
};

// Goes from the frame of the state `before` to that of the input, one part of a frame; with an empty state
// begins at the start frame, and stays there when the input is of that frame. What has moved is written to
// result.geometry, which begins as input.geometry. On errors or an interrupt `state` is not touched.
void stepWorld(const WorldStep& step, std::string_view before, std::string& state, CookResult& result);

// The frame that a state is of.
double frameOf(std::string_view state);

}  // namespace repose::nodes
