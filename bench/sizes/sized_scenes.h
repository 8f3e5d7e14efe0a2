// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// One scene of each family at any size, for `repose bench`.
#pragma once
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "base/profile.h"

namespace repose {

// What the solver does in a frame, as it last was.
struct Work {
  int size = 0;             // as made, which may not be what was asked for
  double rows = 0;          // constraints: springs, contacts that are kept, tetrahedra
  double passes = 0;        // over all rows, with the one that applies the impulses of the last step
  double bytes_a_pass = 0;  // that have to move if every row and body is read and written once
};

class SizedScene {
 public:
  virtual ~SizedScene() = default;
  virtual void frame(StageSeconds& seconds) = 0;
  virtual Work work() const = 0;
  virtual int settlingFrames() const { return 0; }
  std::unique_ptr<Backend> backend;
};

struct Family {
  const char* name;
  const char* size_of;  // what its size counts
  const char* rows;     // what its rows are
  const char* scene;
  std::vector<int> sizes;
  std::unique_ptr<SizedScene> (*make)(int size);
};
const std::vector<Family>& families();

}  // namespace repose
