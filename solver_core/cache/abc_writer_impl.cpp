// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_writer_impl.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cache/abc_winding.h"

namespace repose {
AbcWriter::Impl::Impl(std::unique_ptr<OgawaWriter> file, const AbcOptions& writer_options)
    : options(writer_options),
      file_(std::move(file)),
      tree(*file_, archiveMetadata(options),
           {TimeSampling{},
            {options.frame_step / (options.fps * options.samples), options.first_frame / options.fps}},
           static_cast<std::uint64_t>(std::max(0, options.expected_frames)) * options.samples),
      next_frame_(options.first_frame) {
  pipeline_.emplace(std::vector<FramePipeline::Stage>{[this](Frame& frame) { return hash(frame); },
                                                      [this](Frame& frame) { return write(frame); },
                                                      [this](Frame& frame) { return commit(frame); }});
}

int AbcWriter::Impl::addObject(const std::string& name, ShapeKind kind,
                               const std::function<Result<AbcShape>(const std::string& safe)>& build) {
  std::string safe = safeName(name);
  for (int k = 2; !names_.insert(safe).second; ++k) safe = safeName(name) + "_" + std::to_string(k);
  const int number = static_cast<int>(objects_.size());
  objects_.emplace_back();
  objects_.back().shape.kind = kind;
  objects_.back().shape.path = "/" + safe;
  if (started_ || closed_) {
    if (declared_.ok()) declared_ = fail(objects_.back(), "it was added after the first frame");
    return number;
  }
  auto shape = build(safe);
  if (!shape.ok()) {
    if (declared_.ok()) declared_ = shape.status();
    return number;
  }
  Object& object = objects_.back();
  object.shape = *shape;
  object.main =
      addChannel(number, object.shape.moving, kind == ShapeKind::rigid ? Count::one : Count::per_point);
  if (PropertyNode* indices = object.shape.face_indices)
    object.face_indices = addChannel(number, indices, Count::any);
  if (PropertyNode* counts = object.shape.face_counts)
    object.face_counts = addChannel(number, counts, Count::any);
  if (kind != ShapeKind::points) return number;
  object.ids = addChannel(number, object.shape.ids, Count::per_point);
  object.velocities = addChannel(number, addVelocities(*object.shape.geom), Count::per_point);
  if (PropertyNode* widths = object.shape.widths)
    object.widths = addChannel(
        number, widths, metadataValue(widths->metadata, "geoScope") == "con" ? Count::one : Count::per_point);
  return number;
}

int AbcWriter::Impl::addChannel(int object, PropertyNode* property, Count count) {
  channels_.push_back({property, object, count});
  objects_[static_cast<std::size_t>(object)].channels.push_back(static_cast<int>(channels_.size()) - 1);
  return static_cast<int>(channels_.size()) - 1;
}

int AbcWriter::Impl::addAttribute(int object, const std::string& name, AttributeType type, int width,
                                  const std::string& interpretation) {
  const auto refuse = [&](Status status) {
    if (declared_.ok()) declared_ = std::move(status);
    return -1;
  };
  if (object < 0 || object >= static_cast<int>(objects_.size()))
    return refuse(badInput("The cache has no object number " + std::to_string(object) + "."));
  Object& o = objects_[static_cast<std::size_t>(object)];
  const bool text = type == AttributeType::string;
  if (started_ || o.main < 0 || o.shape.kind == ShapeKind::rigid || width < 1 || width > (text ? 1 : 4))
    return refuse(
        fail(o, "the attribute '" + name +
                    "' must be declared before the first frame, on points, with 1 to 4 numbers or a string"));
  const char* scope = o.shape.kind == ShapeKind::points ? "var" : "vtx";
  const Pod pod = text ? Pod::string : type == AttributeType::f32 ? Pod::f32 : Pod::i32;
  PropertyNode* property =
      o.shape.parameter(safeName(name), pod, width, kFrameSampling, scope, interpretation);
  property->shared = false;
  return addChannel(object, property, Count::per_point);
}

Status AbcWriter::Impl::fail(const Object& object, const std::string& problem) const {
  return badInput("The object '" + object.shape.path + "' of the cache cannot be written: " + problem + ".");
}

Status AbcWriter::Impl::check(int object, int sample, ShapeKind kind) {
  if (!declared_.ok()) return declared_;
  if (closed_) return badInput("The cache is closed.");
  if (Status s = pipeline_->status(); !s.ok()) return s;
  if (object < 0 || object >= static_cast<int>(objects_.size()))
    return badInput("The cache has no object number " + std::to_string(object) + ".");
  const Object& o = objects_[static_cast<std::size_t>(object)];
  if (o.shape.kind != kind) return fail(o, "it was declared as another kind");
  if (sample < 0 || sample >= options.samples)
    return fail(
        o, "sample " + std::to_string(sample) + " is outside 0 to " + std::to_string(options.samples - 1));
  return {};
}

SampleBuffer& AbcWriter::Impl::buffer(int channel, int sample) {
  std::vector<SampleBuffer>& buffers = pipeline_->current().buffers;
  const std::size_t needed = channels_.size() * static_cast<std::size_t>(options.samples);
  if (buffers.size() < needed) buffers.resize(needed);
  return buffers[static_cast<std::size_t>(channel) * options.samples + sample];
}

void AbcWriter::Impl::copyVectors(int channel, int sample, VectorsView vectors) {
  auto* out = static_cast<float*>(buffer(channel, sample).resize(vectors.count * sizeof(Vec3f)));
  const auto scale = static_cast<float>(options.scale);
  if (vectors.count == 0) return;
  if (vectors.stride == 3 && scale == 1) {
    std::memcpy(out, vectors.data, vectors.count * sizeof(Vec3f));
    return;
  }
  for (std::size_t i = 0; i < vectors.count; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[3 * i + k] = vectors.data[vectors.stride * i + k] * scale;
}

Status AbcWriter::Impl::setShape(int object, int sample, ShapeKind kind, VectorsView positions,
                                 VectorsView velocities) {
  if (Status s = check(object, sample, kind); !s.ok()) return s;
  Object& o = objects_[static_cast<std::size_t>(object)];
  const bool grows = kind == ShapeKind::points || kind == ShapeKind::tearing_mesh;
  if (!grows && positions.count != o.shape.points)
    return fail(o, "it got " + std::to_string(positions.count) + " positions for " +
                       std::to_string(o.shape.points) + " points");
  if (velocities.count != 0 && velocities.count != positions.count)
    return fail(o, "it got " + std::to_string(velocities.count) + " velocities for " +
                       std::to_string(positions.count) + " points");
  const bool given = velocities.count > 0;
  if (kind != ShapeKind::points && positions.count > 0 && given != (o.velocities >= 0)) {
    // Whether there are velocities is known from the very first sample on.
    if (!given || started_ || buffer(o.main, 0).set)
      return fail(o, "velocities must be given with every sample or with none");
    o.velocities = addChannel(object, addVelocities(*o.shape.geom), Count::per_point);
  }
  copyVectors(o.main, sample, positions);
  if (given) copyVectors(o.velocities, sample, velocities);
  if (!given && o.velocities >= 0) {
    const std::size_t bytes = positions.count * sizeof(Vec3f);
    void* zeros = buffer(o.velocities, sample).resize(bytes);
    if (bytes > 0) std::memset(zeros, 0, bytes);
  }
  return {};
}

void AbcWriter::Impl::copyInts(int channel, int sample, const std::vector<std::int32_t>& values) {
  void* out = buffer(channel, sample).resize(values.size() * sizeof(std::int32_t));
  if (!values.empty()) std::memcpy(out, values.data(), values.size() * sizeof(std::int32_t));
}

Status AbcWriter::Impl::setCorners(int object, int sample, const std::vector<std::int32_t>& corners,
                                   std::size_t points) {
  const Object& o = objects_[static_cast<std::size_t>(object)];
  const std::vector<std::int32_t>& counts = o.shape.corners;
  const auto whole = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (corners.size() != whole)
    return fail(o, "it got " + std::to_string(corners.size()) + " corners for " + std::to_string(whole));
  for (const std::int32_t p : corners)
    if (p < 0 || static_cast<std::size_t>(p) >= points)
      return fail(o, "a face uses point " + std::to_string(p) + " of " + std::to_string(points));
  clockwise_ = corners;
  reverseCorners(counts, 1, clockwise_);
  copyInts(o.face_indices, sample, clockwise_);
  return {};
}

Status AbcWriter::Impl::setChangingMesh(int object, int sample, const Geometry& geometry) {
  if (Status s = check(object, sample, ShapeKind::changing_mesh); !s.ok()) return s;
  const Object& o = objects_[static_cast<std::size_t>(object)];
  if (Status s = checkTopology(o.shape.path, geometry); !s.ok()) return s;
  clockwise_ = geometry.face_indices;
  reverseCorners(geometry.face_counts, 1, clockwise_);
  copyVectors(o.main, sample, geometry.points);
  copyInts(o.face_indices, sample, clockwise_);
  copyInts(o.face_counts, sample, geometry.face_counts);
  return {};
}

Status AbcWriter::Impl::setIds(int object, int sample, std::size_t count,
                               const std::vector<std::uint64_t>& ids) {
  Object& o = objects_[static_cast<std::size_t>(object)];
  Channel& channel = channels_[static_cast<std::size_t>(o.ids)];
  const bool first = !started_ && sample == 0;
  if (ids.empty() && count > 0) {
    if (!first && channel.elements == count) return {};
    if (o.own_ids) return fail(o, "its number of points changed without new ids");
  }
  if (!ids.empty() && ids.size() != count)
    return fail(o, "it got " + std::to_string(ids.size()) + " ids for " + std::to_string(count) + " points");
  o.own_ids |= !ids.empty();
  channel.elements = count;
  auto* out = static_cast<std::uint64_t*>(buffer(o.ids, sample).resize(count * sizeof(std::uint64_t)));
  if (count == 0) return {};
  if (ids.empty()) {
    std::iota(out, out + count, std::uint64_t{0});
  } else {
    std::memcpy(out, ids.data(), count * sizeof(std::uint64_t));
  }
  return {};
}

Status AbcWriter::Impl::setWidths(int object, int sample, const std::vector<float>& widths) {
  const Object& o = objects_[static_cast<std::size_t>(object)];
  if (o.widths < 0) return widths.empty() ? Status() : fail(o, "it was declared without widths");
  const bool per_point = channels_[static_cast<std::size_t>(o.widths)].count == Count::per_point;
  if (widths.empty() && !(per_point && buffer(o.main, sample).used == 0)) return {};
  auto* out = static_cast<float*>(buffer(o.widths, sample).resize(widths.size() * sizeof(float)));
  for (std::size_t k = 0; k < widths.size(); ++k) out[k] = widths[k] * static_cast<float>(options.scale);
  return {};
}

Status AbcWriter::Impl::setMatrix(int object, int sample, const Mat4d& matrix) {
  if (Status s = check(object, sample, ShapeKind::rigid); !s.ok()) return s;
  const int channel = objects_[static_cast<std::size_t>(object)].main;
  // Alembic multiplies row vectors: our matrix transposed (alembic.md 4.4).
  auto* out = static_cast<double*>(buffer(channel, sample).resize(16 * sizeof(double)));
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) out[4 * r + c] = matrix.m[c][r] * (r == 3 && c < 3 ? options.scale : 1.0);
  return {};
}

Status AbcWriter::Impl::setValues(int attribute, int sample, const void* values, std::size_t count, Pod pod) {
  if (!declared_.ok()) return declared_;
  if (attribute < 0 || attribute >= static_cast<int>(channels_.size()))
    return badInput("The cache has no attribute number " + std::to_string(attribute) + ".");
  const Channel& channel = channels_[static_cast<std::size_t>(attribute)];
  const Object& o = objects_[static_cast<std::size_t>(channel.object)];
  if (Status s = check(channel.object, sample, o.shape.kind); !s.ok()) return s;
  const std::size_t bytes = count * podBytes(pod);
  if (channel.property->pod != pod || bytes % channel.elementBytes() != 0)
    return fail(o, "the values of '" + channel.property->name + "' have another type or width than declared");
  void* out = buffer(attribute, sample).resize(bytes);
  if (bytes > 0) std::memcpy(out, values, bytes);
  return {};
}

Status AbcWriter::Impl::setTexts(int attribute, int sample, const std::vector<std::string>& values) {
  texts_.clear();
  for (const std::string& value : values) texts_.append(value.c_str(), std::strlen(value.c_str()) + 1);
  return setValues(attribute, sample, texts_.data(), texts_.size(), Pod::string);
}

Status AbcWriter::Impl::checkFrame() {
  for (int sample = 0; sample < options.samples; ++sample)
    for (std::size_t k = 0; k < channels_.size(); ++k) {
      Channel& channel = channels_[k];
      const Object& object = objects_[static_cast<std::size_t>(channel.object)];
      const SampleBuffer& b = buffer(static_cast<int>(k), sample);
      const std::string& name = channel.property->name;
      if (b.set) channel.elements = elementsIn(*channel.property, b.bytes.data(), b.used);
      if (!b.set && !started_ && sample == 0)
        return fail(object, "its property '" + name + "' has no value in the first frame");
      if (channel.count == Count::any) continue;
      const std::size_t points = channels_[static_cast<std::size_t>(object.main)].elements;
      const std::size_t needed = channel.count == Count::per_point ? points : 1;
      if (channel.elements != needed)
        return fail(object, "its property '" + name + "' has " + std::to_string(channel.elements) +
                                " values where " + std::to_string(needed) + " are needed, in frame " +
                                std::to_string(next_frame_));
    }
  return {};
}

Status AbcWriter::Impl::endFrame(int frame, bool resumable, const std::string& note) {
  if (!declared_.ok()) return declared_;
  if (closed_) return badInput("The cache is closed.");
  if (frame != next_frame_)
    return badInput("Frame " + std::to_string(frame) + " was given to the cache where frame " +
                    std::to_string(next_frame_) + " is next.");
  if (Status s = checkFrame(); !s.ok()) return s;
  Frame& current = pipeline_->current();
  current.number = frame;
  current.resumable = resumable;
  saveGiven(current, note);
  started_ = true;
  if (Status s = pipeline_->handOver(); !s.ok()) return s;
  next_frame_ += options.frame_step;
  for (SampleBuffer& b : pipeline_->current().buffers) b.set = false;
  return {};
}

Status AbcWriter::Impl::flush() {
  if (!declared_.ok()) return declared_;
  return closed_ ? Status() : pipeline_->flush();
}

Status AbcWriter::Impl::close() {
  if (closed_) return {};
  Status status = flush();
  closed_ = true;
  pipeline_.reset();
  if (status.ok() && started_) status = catchUpAll();
  if (status.ok() && options.durable) status = file_->synchronize();
  return status;
}

std::string AbcWriter::Impl::objectPath(int object) const {
  return objects_[static_cast<std::size_t>(object)].shape.path;
}

}  // namespace repose
