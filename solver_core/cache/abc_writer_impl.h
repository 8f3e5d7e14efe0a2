// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Inside of AbcWriter. A channel is a property that gets samples by frame: the caller's thread fills a buffer
// for each channel and sample, the pipeline's threads hash, write and commit them.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cache/abc_frames.h"
#include "cache/abc_shapes.h"
#include "cache/abc_writer.h"

namespace repose {

std::string archiveMetadata(const AbcOptions& options);

class AbcWriter::Impl {
 public:
  Impl(std::unique_ptr<OgawaWriter> file, const AbcOptions& writer_options);

  int addObject(const std::string& name, ShapeKind kind,
                const std::function<Result<AbcShape>(const std::string& safe)>& build);
  int addAttribute(int object, const std::string& name, AttributeType type, int width,
                   const std::string& interpretation);

  Status setShape(int object, int sample, ShapeKind kind, VectorsView positions, VectorsView velocities);
  Status setCorners(int object, int sample, const std::vector<std::int32_t>& corners, std::size_t points);
  Status setChangingMesh(int object, int sample, const Geometry& geometry);
  Status setIds(int object, int sample, std::size_t count, const std::vector<std::uint64_t>& ids);
  Status setWidths(int object, int sample, const std::vector<float>& widths);
  Status setMatrix(int object, int sample, const Mat4d& matrix);
  Status setValues(int attribute, int sample, const void* values, std::size_t count, Pod pod);
  Status setTexts(int attribute, int sample, const std::vector<std::string>& values);

  Status endFrame(int frame, bool resumable, const std::string& note);
  std::string state(const std::string& note) const;  // behind a flush()
  Status resume(const std::string& state, std::string& note);
  Status flush();
  Status close();
  std::string objectPath(int object) const;

  const AbcOptions options;

 private:
  std::unique_ptr<OgawaWriter> file_;

 public:
  AbcTree tree;
  std::function<void(int, const std::string&)> on_commit;
  std::atomic<int> committed_frames{0};
  std::atomic<std::uint64_t> file_bytes{0};

 private:
  enum class Count { one, per_point, any };  // of elements in a sample
  struct Channel {
    PropertyNode* property;
    int object;
    Count count;
    std::size_t elements = 0;  // of the newest sample that was handed over
    std::size_t elementBytes() const { return podBytes(property->pod) * property->extent; }
  };
  struct Object {
    AbcShape shape;
    std::vector<int> channels;
    int main = -1, velocities = -1, ids = -1, widths = -1;  // channels; main = positions or matrix
    int face_indices = -1, face_counts = -1;
    bool own_ids = false;  // the caller gave ids
    // Of the writing thread, for moving Xforms.
    double first_matrix[16] = {};
    bool moved[16] = {};
    PropertyNode* not_identity = nullptr;
    PropertyNode* moved_list = nullptr;
  };

  Status check(int object, int sample, ShapeKind kind);
  Status fail(const Object& object, const std::string& problem) const;
  int addChannel(int object, PropertyNode* property, Count count);
  SampleBuffer& buffer(int channel, int sample);
  void copyInts(int channel, int sample, const std::vector<std::int32_t>& values);
  void copyVectors(int channel, int sample, VectorsView vectors);
  Status checkFrame();

  // The stages, each on its thread.
  Status hash(Frame& frame) const;
  Status write(Frame& frame);
  Status commit(const Frame& frame);
  void addSample(Object& object, const Frame& frame, int sample);
  void chooseCounting();
  bool rests(const Object& object, const Frame& frame, int sample) const;
  void catchUp(Object& object);
  Status catchUpAll();
  void noteMotion(Object& object, const SampleBuffer& matrix);

  // What resume() needs (abc_resume.cpp): of the caller's thread, and of the writing thread.
  void saveGiven(Frame& frame, const std::string& note) const;
  void saveWritten(Frame& frame) const;
  template <class Bytes, class Writer>
  static void passGiven(Bytes& bytes, Writer& writer);
  template <class Bytes, class Writer>
  static void passWritten(Bytes& bytes, Writer& writer);
  void findLateProperties();
  const SampleBuffer& bufferOf(const Frame& frame, int channel, int sample) const;

  std::vector<Object> objects_;
  std::vector<Channel> channels_;
  std::set<std::string> names_;
  Status declared_;  // the first wrong declaration
  bool started_ = false, closed_ = false;
  int next_frame_;
  std::vector<std::int32_t> clockwise_;    // faces of the mesh being set
  std::string texts_;                      // strings being set
  std::uint32_t sample_index_ = 0;         // of the writing thread
  std::uint64_t root_ = 0;                 // of the writing thread, of the last frame
  std::size_t counting_ = 0;               // object that never goes without a sample
  std::optional<FramePipeline> pipeline_;  // last: its threads use all of the above
};

}  // namespace repose
