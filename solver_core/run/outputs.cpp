// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "run/outputs.h"

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "base/frame_name.h"
#include "cache/abc_writer.h"
#include "run/rigid_output.h"
#include "scene/output_fields.h"
#include "vdb/level_set.h"

namespace repose {
namespace {

Result<std::unique_ptr<AbcWriter>> openArchive(const Output& output, const OutputFrames& frames,
                                               const FrameCommitted& committed) {
  AbcOptions abc;
  abc.fps = frames.fps;
  abc.first_frame = frames.first;
  abc.frame_step = frames.step;
  abc.samples = output.samples;
  abc.expected_frames = frames.count;
  abc.description = frames.scene;
  abc.may_commit = frames.may_commit;
  abc.resume_copy = frames.contested;
  Result<std::unique_ptr<AbcWriter>> archive = AbcWriter::create(output.path, abc);
  if (archive) (*archive)->onCommit(committed);
  return archive;
}

// All bodies: cloth as meshes, grains as points, rigid pieces as either.
class BodiesOutput final : public RunOutput {
 public:
  BodiesOutput(const Scene& scene, const Output& output, std::unique_ptr<AbcWriter> archive)
      : archive_(std::move(archive)) {
    for (const Body& body : scene.bodies) {
      Object object;
      if (body.kind == BodyKind::rigid) {
        object.rigid.emplace(*archive_, body, output.rigid);
        objects_.push_back(std::move(object));
        continue;
      }
      object.grains = body.kind == BodyKind::grain;
      object.tears = body.tears();
      object.number = object.grains  ? archive_->addPoints(body.name, PointWidths::per_point)
                      : object.tears ? archive_->addTearingMesh(body.name, body.geometry)
                                     : archive_->addMesh(body.name, body.geometry);
      for (const OutputFieldRow& row : kOutputFields)
        if (row.of(body.kind) && std::count(output.attributes.begin(), output.attributes.end(), row.name) > 0)
          object.fields.push_back(
              {&row, archive_->addAttribute(object.number, std::string(row.name), row.type)});
      objects_.push_back(std::move(object));
    }
    if (wantsHits(output)) hits_.emplace(*archive_, scene);
  }

  Status write(const Simulation& simulation, const RunView& now, int sample) override {
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      const BodyView& view = now.bodies[k];
      Object& object = objects_[k];
      if (object.rigid) {
        if (Status set = object.rigid->write(now.rigid[k], sample); !set) return set;
        continue;
      }
      if (Status set = object.grains ? archive_->setPoints(object.number, sample, view.positions,
                                                           view.velocities, view.ids, view.widths)
                       : object.tears
                           ? archive_->setTearingMesh(object.number, sample, view.positions, view.velocities,
                                                      view.geometry->face_indices)
                           : archive_->setMesh(object.number, sample, view.positions, view.velocities);
          !set)
        return set;
      for (const Field& field : object.fields) {
        simulation.readField(field.row->field, static_cast<int>(k), view, values_);
        if (Status set = writeField(field, sample); !set) return set;
      }
    }
    return hits_ ? hits_->write(now.hits, now.frame, sample) : Status();
  }

  Status endFrame(int frame, bool resumable) override {
    if (resumable) takeNote();
    return archive_->endFrame(frame, resumable, note_);
  }
  Result<std::string> state() override {
    takeNote();
    return archive_->state(note_);
  }
  Status resume(const std::string& state) override {
    if (Status resumed = archive_->resume(state, note_); !resumed) return resumed;
    ByteReader bytes(note_);
    pass(bytes);
    return bytes.done() ? Status() : badInput("the checkpoint is of other outputs");
  }
  Status close() override { return archive_->close(); }

 private:
  struct Field {
    const OutputFieldRow* row;
    int attribute;  // number in the archive
  };
  struct Object {
    bool grains = false, tears = false;
    int number = 0;  // in the archive
    std::vector<Field> fields;
    std::optional<RigidObject> rigid;  // then nothing of the above
  };

  void takeNote() {
    note_.clear();
    ByteWriter bytes(note_);
    pass(bytes);
  }
  // What the objects remember from sample to sample.
  template <class Bytes>
  void pass(Bytes& bytes) {
    for (Object& object : objects_)
      if (object.rigid) object.rigid->pass(bytes);
    if (hits_) hits_->pass(bytes);
  }

  Status writeField(const Field& field, int sample) {
    if (field.row->type == AttributeType::f32)
      return archive_->setAttribute(field.attribute, sample, values_.data(), values_.size());
    whole_.assign(values_.begin(), values_.end());
    return archive_->setAttribute(field.attribute, sample, whole_.data(), whole_.size());
  }

  std::unique_ptr<AbcWriter> archive_;
  std::string note_;
  std::vector<Object> objects_;
  std::optional<HitsObject> hits_;
  std::vector<float> values_;
  std::vector<std::int32_t> whole_;
};

// A skin around grains: a mesh in an archive, or a level set a frame.
class SkinOutput final : public RunOutput {
 public:
  SkinOutput(Output output, const OutputFrames& frames, std::unique_ptr<AbcWriter> archive,
             FrameCommitted committed)
      : output_(std::move(output)),
        frames_(frames),
        archive_(std::move(archive)),
        committed_(std::move(committed)) {
    const std::string name = output_.body.empty() ? "grains" : output_.body;
    if (archive_) object_ = archive_->addChangingMesh(name + "_surface");
  }

  Status write(const Simulation&, const RunView& now, int sample) override {
    centres_.clear();
    widths_.clear();
    for (const BodyView& view : now.bodies) {
      if (!output_.body.empty() && view.name != output_.body) continue;
      if (view.widths.size() != view.positions.size()) continue;  // cloth
      centres_.insert(centres_.end(), view.positions.begin(), view.positions.end());
      widths_.insert(widths_.end(), view.widths.begin(), view.widths.end());
    }
    Result<LevelSet> skin = skinOfGrains(centres_, widths_, *output_.skin, frames_.threads);
    if (!skin) return {skin.status().code(), output_.path + ": " + skin.status().message()};
    if (archive_) return archive_->setChangingMesh(object_, sample, meshOf(*skin, frames_.threads));
    level_set_ = std::move(*skin);
    return {};
  }

  Status endFrame(int frame, bool resumable) override {
    if (archive_) return archive_->endFrame(frame, resumable);
    if (frames_.may_commit)
      if (Status may = frames_.may_commit(); !may) return may;
    if (Status written = writeVdb(*level_set_, expandFrameToken(output_.path, frame)); !written)
      return written;
    committed_(frame, "");
    return {};
  }
  Result<std::string> state() override {
    return archive_ ? archive_->state() : Result<std::string>(std::string());
  }
  Status resume(const std::string& state) override {
    std::string none;
    return archive_ ? archive_->resume(state, none) : Status();
  }
  Status close() override { return archive_ ? archive_->close() : Status(); }

 private:
  const Output output_;
  const OutputFrames frames_;
  std::unique_ptr<AbcWriter> archive_;  // null: level sets
  FrameCommitted committed_;
  int object_ = 0;
  std::vector<Vec3f> centres_;
  std::vector<float> widths_;
  std::optional<LevelSet> level_set_;
};

}  // namespace

bool wantsHits(const Output& output) {
  return std::count(output.attributes.begin(), output.attributes.end(), "hits") > 0;
}

Result<std::unique_ptr<RunOutput>> makeOutput(const Scene& scene, const Output& output,
                                              const OutputFrames& frames, FrameCommitted committed) {
  std::unique_ptr<AbcWriter> archive;
  if (std::filesystem::path(output.path).extension() != ".vdb") {
    Result<std::unique_ptr<AbcWriter>> opened = openArchive(output, frames, committed);
    if (!opened) return opened.status();
    archive = std::move(*opened);
  }
  std::unique_ptr<RunOutput> made;
  if (output.skin)
    made = std::make_unique<SkinOutput>(output, frames, std::move(archive), std::move(committed));
  else
    made = std::make_unique<BodiesOutput>(scene, output, std::move(archive));
  return made;
}

}  // namespace repose
