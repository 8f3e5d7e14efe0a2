// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The part of AbcWriter that runs on the pipeline's threads.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cache/abc_writer_impl.h"

namespace repose {
namespace {

constexpr double kMotionTolerance = 1e-12;  // the library's own, for .animChans

// Twelve floats, four points, at a time in vector registers; the hashing thread must not be slower than the
// disk.
Bounds boundsOf(const SampleBuffer& positions) {
  using Quad __attribute__((vector_size(16))) = float;
  constexpr std::size_t kBytes = 3 * sizeof(Quad);
  Bounds bounds;
  Quad lo[3], hi[3];
  for (int q = 0; q < 3; ++q) lo[q] = bounds.lo.x - Quad{}, hi[q] = bounds.hi.x - Quad{};
  std::size_t at = 0;
  for (; at + kBytes <= positions.used; at += kBytes) {
    Quad next[3];
    std::memcpy(next, positions.bytes.data() + at, kBytes);
    for (int q = 0; q < 3; ++q) {
      lo[q] = next[q] < lo[q] ? next[q] : lo[q];
      hi[q] = next[q] > hi[q] ? next[q] : hi[q];
    }
  }
  for (int k = 0; k < 12; k += 3) {
    const auto of = [k](const Quad* v) {
      return Vec3f{v[k / 4][k % 4], v[(k + 1) / 4][(k + 1) % 4], v[(k + 2) / 4][(k + 2) % 4]};
    };
    if (at > 0) bounds.add(of(lo)), bounds.add(of(hi));
  }
  for (; at + sizeof(Vec3f) <= positions.used; at += sizeof(Vec3f)) {
    Vec3f p;
    std::memcpy(&p, positions.bytes.data() + at, sizeof p);
    bounds.add(p);
  }
  return bounds;
}

}  // namespace

const SampleBuffer& AbcWriter::Impl::bufferOf(const Frame& frame, int channel, int sample) const {
  return frame.buffers[static_cast<std::size_t>(channel) * options.samples + sample];
}

Status AbcWriter::Impl::hash(Frame& frame) const {
  for (std::size_t k = 0; k < frame.buffers.size(); ++k) {
    SampleBuffer& b = frame.buffers[k];
    if (!b.set) continue;
    b.key = murmur3(b.bytes.data(), b.used);
    const Channel& channel = channels_[k / static_cast<std::size_t>(options.samples)];
    const Object& object = objects_[static_cast<std::size_t>(channel.object)];
    if (object.shape.bounds && channel.property == object.shape.moving) b.bounds = boundsOf(b);
  }
  return {};
}

Status AbcWriter::Impl::write(Frame& frame) {
  // a file that another run goes on with must not be touched at all
  if (options.may_commit)
    if (Status s = options.may_commit(); !s.ok()) return s;
  for (int sample = 0; sample < options.samples; ++sample, ++sample_index_) {
    chooseCounting();
    for (Object& object : objects_) addSample(object, frame, sample);
  }
  Status status = tree.write(frame.root);
  root_ = frame.root;
  frame.file_bytes = file_->bytes();
  saveWritten(frame);
  return status;
}

Status AbcWriter::Impl::commit(const Frame& frame) {
  if (options.may_commit)
    if (Status s = options.may_commit(); !s.ok()) return s;
  if (Status s = file_->commit(frame.root, options.durable); !s.ok()) return s;
  file_bytes = frame.file_bytes;
  ++committed_frames;
  if (on_commit) on_commit(frame.number, frame.resume);
  return {};
}

// The samples of one object say how many frames there are: one that has moved, since the format counts those
// of others as one (alembic.md 3.4).
void AbcWriter::Impl::chooseCounting() {
  const auto moved = [](const Object& object) { return object.shape.moving->last_changed > 0; };
  const auto first = std::find_if(objects_.begin(), objects_.end(), moved);
  counting_ = first == objects_.end() ? 0 : static_cast<std::size_t>(first - objects_.begin());
}

// A rigid body that stays where it is gets no sample, and so costs no index: a reader takes the last one for
// all times after it.
bool AbcWriter::Impl::rests(const Object& object, const Frame& frame, int sample) const {
  if (object.shape.kind != ShapeKind::rigid || &object == &objects_[counting_] || sample_index_ == 0)
    return false;
  const SampleBuffer& b = bufferOf(frame, object.main, sample);
  return !b.set || b.key == object.shape.moving->key;
}

// The samples that were left out while it rested.
void AbcWriter::Impl::catchUp(Object& object) {
  const auto fill = [this](PropertyNode& property) {
    while (property.samples < sample_index_) tree.repeatSample(property);
  };
  for (const int number : object.channels) fill(*channels_[static_cast<std::size_t>(number)].property);
  for (PropertyNode* constant : object.shape.constant) fill(*constant);
}

// In a finished archive all objects have the same number of samples.
Status AbcWriter::Impl::catchUpAll() {
  bool behind = false;
  for (Object& object : objects_) {
    if (object.shape.kind != ShapeKind::rigid || object.shape.moving->samples == sample_index_) continue;
    catchUp(object);
    behind = true;
  }
  if (!behind) return {};
  std::uint64_t root = 0;
  if (Status s = tree.write(root); !s.ok()) return s;
  if (Status s = file_->commit(root, options.durable); !s.ok()) return s;
  file_bytes = file_->bytes();
  return {};
}

void AbcWriter::Impl::addSample(Object& object, const Frame& frame, int sample) {
  if (rests(object, frame, sample)) return;
  if (object.shape.kind == ShapeKind::rigid) catchUp(object);
  for (const int number : object.channels) {
    PropertyNode& property = *channels_[static_cast<std::size_t>(number)].property;
    const SampleBuffer& b = bufferOf(frame, number, sample);
    PropertyNode* bounds = number == object.main ? object.shape.bounds : nullptr;
    if (b.set) {
      tree.addSample(property, b.key, b.bytes.data(), b.used);
      if (bounds) tree.addSample(*bounds, boundsPayload(b.bounds));
      if (object.shape.kind == ShapeKind::rigid) noteMotion(object, b);
    } else {
      tree.repeatSample(property);
      if (bounds) tree.repeatSample(*bounds);
    }
  }
  for (PropertyNode* constant : object.shape.constant)
    if (constant->samples <= sample_index_) tree.repeatSample(*constant);
}

// isNotConstantIdentity and .animChans speak of all samples so far (alembic.md 4.4).
void AbcWriter::Impl::noteMotion(Object& object, const SampleBuffer& matrix) {
  double values[16];
  std::memcpy(values, matrix.bytes.data(), sizeof values);
  if (sample_index_ == 0) std::memcpy(object.first_matrix, values, sizeof values);
  bool newly_moved = false;
  std::string list;
  for (std::uint32_t k = 0; k < 16; ++k) {
    const double identity = k % 5 == 0 ? 1 : 0;
    if (!object.not_identity && std::abs(values[k] - identity) > kMotionTolerance) {
      object.not_identity =
          object.shape.xform->add("isNotConstantIdentity", PropertyType::scalar, Pod::boolean, 1);
      tree.addSample(*object.not_identity, std::string(1, 1));
    }
    if (!object.moved[k] && std::abs(values[k] - object.first_matrix[k]) > kMotionTolerance)
      object.moved[k] = newly_moved = true;
    if (object.moved[k]) list.append(reinterpret_cast<const char*>(&k), sizeof k);
  }
  if (!newly_moved) return;
  if (!object.moved_list)
    object.moved_list =
        object.shape.xform->add(".animChans", PropertyType::array, Pod::u32, 1, kFrameSampling);
  tree.replaceSample(*object.moved_list, list);
}

}  // namespace repose
