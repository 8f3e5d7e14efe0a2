// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A job for the command line: a scene file, and beside it one Alembic file with all meshes, float by float as
// the host has them, still or for each frame. `repose sim` runs it with the bits of the solver node.
#pragma once
#include <memory>
#include <string>

#include "cache/abc_writer.h"
#include "houdini_nodes/assembly.h"

namespace repose::nodes {

// Values of a parameter, frame by frame, as the text of a scene has them.
struct ParamKeys {
  const ParamRow* row = nullptr;
  int part = -1;   // of the job's bodies and colliders; -1: of none of them
  int joint = -1;  // of the job; of neither: of the world or the solver
  std::vector<std::pair<int, Json>> values = {};

  bool varies() const;
  Json json() const;  // [frame, value] pairs, without those in the middle of a rest
};

class JobWriter {
 public:
  // At the first frame: all that is constant. The path ends in .json; its folder is made.
  Status begin(const std::string& path, const WorldInput& input, int last_frame);
  // In order, beginning with the first frame; the input is of that frame. Parameters that change become keys:
  // those of the world and the solver, of bodies as the source has them, of colliders and of joints.
  Status addFrame(int frame, const WorldInput& input);
  // Writes the scene: before, there is no job.
  Status finish();

  bool moves() const;  // something has to be told frame by frame
  const std::vector<std::string>& warnings() const { return assembly_.warnings; }

 private:
  Status addKeys(int frame, const WorldInput& input);
  void beginKeys(const WorldInput& input);
  Status jointsAt(int frame, const WorldInput& input, Json& joints) const;
  std::string nameOf(const ParamKeys& keys) const;
  void writeKeys();
  Status setPart(std::size_t object, const Part& part, const std::vector<Vec3f>& places, bool first);

  std::string path_, meshes_;
  Assembly assembly_;
  std::unique_ptr<AbcWriter> writer_;
  std::vector<int> objects_;  // of bodies, then of colliders
  std::vector<std::vector<int>> attributes_;
  int first_ = 0, last_ = 0, written_ = 0;
  std::vector<ParamKeys> keys_;
  std::string texts_;  // of the configure nodes at the first frame
};

}  // namespace repose::nodes
