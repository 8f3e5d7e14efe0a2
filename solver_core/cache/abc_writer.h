// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Writes an Alembic archive in which every frame is a commit: after endFrame() of a frame has been
// committed, the file on disk is complete and opens with all frames so far, whatever happens next, and it
// may be open in a reader while writing goes on.
//
//   auto writer = AbcWriter::create("flag.abc", options);
//   const int flag = (*writer)->addMesh("flag", geometry);
//   for (int frame = 1001; frame <= 1048; ++frame) {
//     (*writer)->setMesh(flag, 0, positions, velocities);
//     Status s = (*writer)->endFrame(frame);
//   }
//   Status s = (*writer)->close();
//
// The set functions only copy, into buffers that are used again; hashing, writing and committing run on
// threads of the writer's own. endFrame() waits only while two frames are still pending. An error of these
// threads (disk full) is the Status of the next call and of every call after it.
//
// Growth. Sample blocks are appended once and never change. The lists of samples grow in place, in space
// reserved from expected_frames (or by doubling). So a commit costs, beside the samples themselves, at most
//   kCommitBytes + sum over objects of (kObjectBytes + 3 * bytes of its name + kPropertyBytes * its
//   properties that have a sample a frame)
// bytes of index, whatever the frame number; dead bytes are bounded by that times the number of frames. A
// rigid object that rests costs only its name: until it moves again or close() comes, it has fewer samples
// than there are frames, and readers take its last one.
//
// The bytes go to PATH.tmp.<pid>, which is renamed to PATH when the first frame is committed: a run that
// fails before that leaves an existing PATH alone and no file of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "scene/geometry.h"

namespace repose {

struct AbcOptions {
  double fps = 24;
  int first_frame = 1;
  int frame_step = 1;  // from one frame to the next
  int samples = 1;     // a frame, uniform: sample s of frame f is at (f + s / samples) / fps seconds; several
                       // need a step of 1
  int expected_frames = 0;  // 0 = unknown; only reserves space
  std::string application = "Repose";
  std::string description;
  std::string date;     // empty = now; set it for archives that are equal byte for byte
  double scale = 1;     // of positions, velocities, widths and translations
  bool durable = true;  // fdatasync before each commit, so that also a power cut leaves a good file
  std::function<Status()> may_commit =
      {};                    // asked before each write and commit, on their threads; empty: yes
  bool resume_copy = false;  // resume() goes on with a copy, as another process may still have the file open
};

// A read-only array of 3-vectors: packed, or four floats apart as the solver keeps them.
struct VectorsView {
  const float* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 3;  // floats from one vector to the next

  VectorsView() = default;
  VectorsView(const Vec3f* first, std::size_t n) : data(n ? &first->x : nullptr), count(n) {}
  VectorsView(const Vec4f* first, std::size_t n) : data(n ? &first->x : nullptr), count(n), stride(4) {}
  VectorsView(const std::vector<Vec3f>& v) : VectorsView(v.data(), v.size()) {}
  VectorsView(const std::vector<Vec4f>& v) : VectorsView(v.data(), v.size()) {}
};

enum class PointWidths { none, constant, per_point };

class AbcWriter {
 public:
  // Bytes of index a commit may cost; see the top of this file.
  static constexpr std::size_t kCommitBytes = 256;
  static constexpr std::size_t kObjectBytes = 448;
  static constexpr std::size_t kPropertyBytes = 96;

  static Result<std::unique_ptr<AbcWriter>> create(const std::string& path, const AbcOptions& options);
  ~AbcWriter();  // without close(): keeps what was committed
  AbcWriter(const AbcWriter&) = delete;
  AbcWriter& operator=(const AbcWriter&) = delete;

  // Objects and attributes are declared before the first endFrame(). Each returns the number by which the
  // object is set. Names are made unique and reduced to letters, digits and underscores; the shape of `flag`
  // is /flag/flagShape. The attributes of a geometry are written once, as constants (normals of a deforming
  // mesh and velocities are left out: they would be wrong).
  int addMesh(const std::string& name, const Geometry& geometry);   // deforming, topology constant
  int addRigid(const std::string& name, const Geometry& geometry);  // constant mesh under a moving Xform
  // Corners may go to new points behind the others; faces and their corners stay, and so does what they have.
  // Attributes of points are written as those of corners.
  int addTearingMesh(const std::string& name, const Geometry& geometry);
  int addChangingMesh(const std::string& name);  // other points and faces in each sample
  int addPoints(const std::string& name, PointWidths widths = PointWidths::constant);  // count may change
  int addCurves(const std::string& name, const std::vector<std::int32_t>& counts);     // linear, open

  // An attribute a point that changes by frame (numbers of width 1..4, or strings), e.g. "strain". Returns
  // its number.
  int addAttribute(int object, const std::string& name, AttributeType type, int width = 1,
                   const std::string& interpretation = "");

  // One sample (0 <= sample < options.samples) of the current frame. What is not set keeps its last value.
  // Velocities are units a second; for meshes and curves given always or never, for points empty = zero. Ids
  // must be stable and below 2^53; empty = as before while the count stays, at first 0, 1, 2... Widths are
  // diameters: one for each point or one for all, as declared; empty = as before.
  Status setMesh(int object, int sample, VectorsView positions, VectorsView velocities = {});
  Status setTearingMesh(int object, int sample, VectorsView positions, VectorsView velocities,
                        const std::vector<std::int32_t>& corners);           // the point of each corner
  Status setChangingMesh(int object, int sample, const Geometry& geometry);  // points and faces alone
  Status setCurves(int object, int sample, VectorsView positions, VectorsView velocities = {});
  Status setPoints(int object, int sample, VectorsView positions, VectorsView velocities = {},
                   const std::vector<std::uint64_t>& ids = {}, const std::vector<float>& widths = {});
  Status setTransform(int object, int sample, const Mat4d& local_to_world);
  Status setAttribute(int attribute, int sample, const float* values, std::size_t count);
  Status setAttribute(int attribute, int sample, const std::int32_t* values, std::size_t count);
  Status setAttribute(int attribute, int sample, const std::vector<std::string>& values);

  // Frames follow each other by options.frame_step, from options.first_frame. A resumable one hands
  // onCommit() what resume() needs, with a note of the caller's.
  Status endFrame(int frame, bool resumable = false, const std::string& note = "");
  // flush(), and the state for resume() behind the last frame.
  Result<std::string> state(const std::string& note = "");
  // Instead of a new file goes on with PATH behind the frame of `state`, after the same declarations. Frames
  // behind it are dropped; written again, the file is that of a run that never stopped, byte for byte.
  Status resume(const std::string& state, std::string& note);
  Status flush();  // waits until all frames handed over are committed
  Status close();  // flush, then no further frame

  int committedFrames() const;
  std::uint64_t fileBytes() const;  // after the last commit
  std::string objectPath(int object) const;
  // Called on the writer's thread after each commit, with the state for resume() if that was asked for. Set
  // it before the first endFrame().
  void onCommit(std::function<void(int frame, const std::string& state)> callback);

 private:
  class Impl;
  explicit AbcWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace repose
