// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_writer.h"

#include <cstdlib>
#include <ctime>

#include "cache/abc_writer_impl.h"

namespace repose {
namespace {

std::string now() {
  // the custom of reproducible builds: files that are equal byte for byte
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t seconds = fixed ? static_cast<std::time_t>(std::atoll(fixed)) : std::time(nullptr);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
  return {text, length};
}

Status checkOptions(const AbcOptions& o) {
  const auto wrong = [](const char* name, double value) {
    return badInput(std::string("The cache option '") + name + "' is " + std::to_string(value) +
                    " but must be above zero.");
  };
  if (!(o.fps > 0)) return wrong("fps", o.fps);
  if (o.samples < 1) return wrong("samples", o.samples);
  if (o.frame_step < 1) return wrong("frame_step", o.frame_step);
  if (o.samples > 1 && o.frame_step > 1)
    return badInput("A cache with several samples a frame needs every frame.");
  if (!(o.scale > 0)) return wrong("scale", o.scale);
  return {};
}

// No exception leaves the core: what can fail here is memory.
template <class F>
Status guarded(F&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return {Code::memory, "There is not enough memory for a frame of the cache."};
  }
}

}  // namespace

std::string archiveMetadata(const AbcOptions& options) {
  return joinMetadata({{"_ai_AlembicVersion", "Repose Ogawa writer"},
                       {"_ai_Application", options.application},
                       {"_ai_DCC_FPS", std::to_string(options.fps)},
                       {"_ai_DateWritten", options.date.empty() ? now() : options.date},
                       {"_ai_Description", options.description}});
}

Result<std::unique_ptr<AbcWriter>> AbcWriter::create(const std::string& path, const AbcOptions& options) {
  if (Status s = checkOptions(options); !s.ok()) return s;
  auto file = OgawaWriter::create(path);
  if (!file.ok()) return file.status();
  return std::unique_ptr<AbcWriter>(new AbcWriter(std::make_unique<Impl>(std::move(*file), options)));
}

AbcWriter::AbcWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AbcWriter::~AbcWriter() = default;

int AbcWriter::addMesh(const std::string& name, const Geometry& geometry) {
  return impl_->addObject(name, ShapeKind::mesh, [&](const std::string& safe) {
    return addMeshShape(impl_->tree, safe, geometry, impl_->options.scale, ShapeKind::mesh);
  });
}

int AbcWriter::addTearingMesh(const std::string& name, const Geometry& geometry) {
  return impl_->addObject(name, ShapeKind::tearing_mesh, [&](const std::string& safe) {
    return addMeshShape(impl_->tree, safe, geometry, impl_->options.scale, ShapeKind::tearing_mesh);
  });
}

int AbcWriter::addRigid(const std::string& name, const Geometry& geometry) {
  return impl_->addObject(name, ShapeKind::rigid, [&](const std::string& safe) {
    return addMeshShape(impl_->tree, safe, geometry, impl_->options.scale, ShapeKind::rigid);
  });
}

int AbcWriter::addChangingMesh(const std::string& name) {
  return impl_->addObject(name, ShapeKind::changing_mesh, [&](const std::string& safe) {
    return Result<AbcShape>(addChangingMeshShape(impl_->tree, safe));
  });
}

int AbcWriter::addPoints(const std::string& name, PointWidths widths) {
  return impl_->addObject(name, ShapeKind::points, [&](const std::string& safe) {
    return Result<AbcShape>(addPointsShape(impl_->tree, safe, widths));
  });
}

int AbcWriter::addCurves(const std::string& name, const std::vector<std::int32_t>& counts) {
  return impl_->addObject(name, ShapeKind::curves,
                          [&](const std::string& safe) { return addCurvesShape(impl_->tree, safe, counts); });
}

int AbcWriter::addAttribute(int object, const std::string& name, AttributeType type, int width,
                            const std::string& interpretation) {
  return impl_->addAttribute(object, name, type, width, interpretation);
}

Status AbcWriter::setMesh(int object, int sample, VectorsView positions, VectorsView velocities) {
  return guarded([&] { return impl_->setShape(object, sample, ShapeKind::mesh, positions, velocities); });
}

Status AbcWriter::setTearingMesh(int object, int sample, VectorsView positions, VectorsView velocities,
                                 const std::vector<std::int32_t>& corners) {
  return guarded([&] {
    Status set = impl_->setShape(object, sample, ShapeKind::tearing_mesh, positions, velocities);
    return set.ok() ? impl_->setCorners(object, sample, corners, positions.count) : set;
  });
}

Status AbcWriter::setChangingMesh(int object, int sample, const Geometry& geometry) {
  return guarded([&] { return impl_->setChangingMesh(object, sample, geometry); });
}

Status AbcWriter::setCurves(int object, int sample, VectorsView positions, VectorsView velocities) {
  return guarded([&] { return impl_->setShape(object, sample, ShapeKind::curves, positions, velocities); });
}

Status AbcWriter::setPoints(int object, int sample, VectorsView positions, VectorsView velocities,
                            const std::vector<std::uint64_t>& ids, const std::vector<float>& widths) {
  return guarded([&] {
    if (Status s = impl_->setShape(object, sample, ShapeKind::points, positions, velocities); !s.ok())
      return s;
    if (Status s = impl_->setIds(object, sample, positions.count, ids); !s.ok()) return s;
    return impl_->setWidths(object, sample, widths);
  });
}

Status AbcWriter::setTransform(int object, int sample, const Mat4d& local_to_world) {
  return guarded([&] { return impl_->setMatrix(object, sample, local_to_world); });
}

Status AbcWriter::setAttribute(int attribute, int sample, const float* values, std::size_t count) {
  return guarded([&] { return impl_->setValues(attribute, sample, values, count, Pod::f32); });
}

Status AbcWriter::setAttribute(int attribute, int sample, const std::int32_t* values, std::size_t count) {
  return guarded([&] { return impl_->setValues(attribute, sample, values, count, Pod::i32); });
}

Status AbcWriter::setAttribute(int attribute, int sample, const std::vector<std::string>& values) {
  return guarded([&] { return impl_->setTexts(attribute, sample, values); });
}

Status AbcWriter::endFrame(int frame, bool resumable, const std::string& note) {
  return guarded([&] { return impl_->endFrame(frame, resumable, note); });
}

Result<std::string> AbcWriter::state(const std::string& note) {
  if (Status flushed = flush(); !flushed) return flushed;
  return impl_->state(note);
}

Status AbcWriter::resume(const std::string& state, std::string& note) {
  return guarded([&] { return impl_->resume(state, note); });
}

Status AbcWriter::flush() { return impl_->flush(); }
Status AbcWriter::close() { return impl_->close(); }
int AbcWriter::committedFrames() const { return impl_->committed_frames; }
std::uint64_t AbcWriter::fileBytes() const { return impl_->file_bytes; }
std::string AbcWriter::objectPath(int object) const { return impl_->objectPath(object); }
void AbcWriter::onCommit(std::function<void(int frame, const std::string& state)> callback) {
  impl_->on_commit = std::move(callback);
}

}  // namespace repose
