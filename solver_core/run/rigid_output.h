// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Rigid bodies and their hits in an archive.
#pragma once
#include <string>
#include <vector>

#include "cache/abc_writer.h"
#include "scene/scene.h"
#include "solve/body_view.h"

namespace repose {

// The pieces of one body: a moved mesh each, or one object of points with `orient`, `w` and `name`.
class RigidObject {
 public:
  RigidObject(AbcWriter& archive, const Body& body, RigidOutput as);
  Status write(const RigidView& view, int sample);
  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(named_);
  }

 private:
  Status writeXforms(const RigidView& view, int sample);
  Status writePoints(const RigidView& view, int sample);

  AbcWriter& archive_;
  std::vector<int> xforms_;  // by piece
  int points_ = -1, orient_ = -1, spin_ = -1, name_ = -1;
  bool named_ = false;  // names are written once
  std::vector<Vec3f> places_;
  std::vector<Quat> orients_;
  std::vector<std::string> names_;
};

// Points named "hits", as many as there were since the sample before.
class HitsObject {
 public:
  HitsObject(AbcWriter& archive, const Scene& scene);
  // `hits` may reach further back than the last sample.
  Status write(const std::vector<Hit>& hits, double frame, int sample);
  template <class Bytes>
  void pass(Bytes& bytes) {
    bytes(written_)(next_id_);
  }

 private:
  AbcWriter& archive_;
  const Scene& scene_;
  int points_, impulse_, speed_, normal_, frame_, name_, other_;
  double written_;  // frame up to which hits are in the archive
  std::uint64_t next_id_ = 0;
  std::vector<std::uint64_t> ids_;
  std::vector<Vec3f> places_, normals_;
  std::vector<float> impulses_, speeds_, frames_;
  std::vector<std::string> names_, others_;
};

}  // namespace repose
