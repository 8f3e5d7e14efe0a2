// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "houdini_nodes/attributes.h"
#include "houdini_nodes/moving.h"
#include "params/presets.h"
#include "params/text.h"

namespace repose::nodes {

namespace {

std::vector<Vec3f> velocitiesOf(const Part& part) {
  std::vector<Vec3f> velocities;
  if (const Attribute* v = part.mesh.find(AttributeOwner::point, "v"))
    for (std::size_t k = 0; k < part.mesh.points.size(); ++k)
      velocities.push_back({v->floats[3 * k], v->floats[3 * k + 1], v->floats[3 * k + 2]});
  return velocities;
}

std::vector<const Part*> allParts(const Assembly& assembly) {
  std::vector<const Part*> all;
  for (const auto* parts : {&assembly.bodies, &assembly.colliders})
    for (const Part& part : *parts)
      if (part.field.empty()) all.push_back(&part);
  return all;
}

// What configure nodes say at the frame of the input.
std::string configuredTexts(const WorldInput& input) {
  std::string all;
  for (const NodeGeometry* geometry : {input.source, input.colliders})
    for (std::size_t k = 0; geometry && k < geometry->attributes.size(); ++k)
      if (const NodeAttribute& a = geometry->attributes[k];
          a.owner == Owner::detail && a.isText() && a.size() > 0 && a.name.rfind("repose_", 0) == 0)
        all += a.name + a.text(0) + "\n";
  return all;
}

// A row that the text of a body leaves out has the value of its preset, or that of the table.
Json valueIn(const Json& settings, const ParamRow& row) {
  if (const auto found = settings.find(row.name); found != settings.end()) return *found;
  const std::string preset = row.group == kGroupOf<ClothParams> ? settings.value("preset", "") : "";
  for (const PresetRow& fabric : kPresetRows)
    for (const PresetValue& value : kPresetValues)
      if (fabric.name == preset && value.preset == fabric.preset && value.name == row.name)
        return jsonValue(row, {value.value, 0, 0});
  return jsonValue(row, {row.value[0], row.value[1], row.value[2]});
}

}  // namespace

bool ParamKeys::varies() const {
  return std::any_of(values.begin(), values.end(),
                     [&](const auto& value) { return value.second != values[0].second; });
}

Json ParamKeys::json() const {
  Json keys = Json::array();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool rests = k > 0 && k + 1 < values.size() && values[k].second == values[k - 1].second &&
                       values[k].second == values[k + 1].second;
    if (!rests) keys.push_back({values[k].first, values[k].second});
  }
  return keys;
}

Status JobWriter::begin(const std::string& path, const WorldInput& input, int last_frame) {
  const std::filesystem::path file(path);
  if (file.extension() != ".json")
    return badInput(fmt::format("file is \"{}\", but must end in .json", path));
  assembly_ = assemble(input);
  if (!assembly_.ok()) return badInput(joinText(assembly_.errors, "; "));
  path_ = path;
  meshes_ = std::filesystem::path(path).replace_extension(".abc").filename().string();
  first_ = static_cast<int>(std::lround(input.frame)), last_ = std::max(first_, last_frame);
  std::error_code problem;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), problem);
  if (problem) return ioError(fmt::format("the folder of {} cannot be made: {}", path, problem.message()));
  AbcOptions options;
  options.fps = input.parms->number("fps"), options.first_frame = first_;
  Result<std::unique_ptr<AbcWriter>> writer =
      AbcWriter::create((file.parent_path() / meshes_).string(), options);
  if (!writer) return writer.status();
  writer_ = std::move(*writer);
  for (const Part* part : allParts(assembly_)) {
    attributes_.emplace_back();
    objects_.push_back(part->kind == "grain" ? writer_->addPoints(part->name, PointWidths::none)
                                             : writer_->addMesh(part->name, part->mesh));
    if (part->kind == "grain")
      for (const Attribute& a : part->mesh.attributes)
        if (a.name != "v")
          attributes_.back().push_back(writer_->addAttribute(objects_.back(), a.name, a.type, a.width));
  }
  return {};
}

bool JobWriter::moves() const {
  const std::vector<const Part*> parts = allParts(assembly_);
  return std::any_of(parts.begin(), parts.end(), [](const Part* part) { return part->moves; });
}

Status JobWriter::setPart(std::size_t k, const Part& part, const std::vector<Vec3f>& places, bool first) {
  const std::vector<Vec3f> velocities = velocitiesOf(part);
  if (part.kind != "grain") return writer_->setMesh(objects_[k], 0, places, velocities);
  if (!first) return {};
  Status set = writer_->setPoints(objects_[k], 0, places, velocities);
  std::size_t a = 0;
  for (const Attribute& attribute : part.mesh.attributes)
    if (set.ok() && attribute.name != "v")
      set = writer_->setAttribute(attributes_[k][a++], 0, attribute.floats.data(), attribute.floats.size());
  return set;
}

void JobWriter::beginKeys(const WorldInput& input) {
  const std::vector<const Part*> parts = allParts(assembly_);
  const Json joints = assembly_.scene.value("joints", Json::array());
  texts_ = configuredTexts(input);
  for (const ParamRow& row : kParamRows) {
    if (row.group == "world" || row.group == "solver") keys_.push_back({&row});
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (row.group == parts[k]->kind) keys_.push_back({&row, static_cast<int>(k)});
    for (std::size_t k = 0; row.group == "joint" && k < joints.size(); ++k)
      keys_.push_back({&row, -1, static_cast<int>(k)});
  }
}

// Of the constraints at a frame; what a joint holds, and where, is as at the first.
Status JobWriter::jointsAt(int frame, const WorldInput& input, Json& joints) const {
  const std::size_t count = assembly_.scene.value("joints", Json::array()).size();
  if (count == 0) return {};
  Assembly now;
  now.bodies = assembly_.bodies, now.scene = Json::object();
  if (input.constraints) addConstraints(*input.constraints, *input.geometry, now);
  if (!now.ok()) return badInput(joinText(now.errors, "; "));
  joints = now.scene.value("joints", Json::array());
  if (joints.size() == count) return {};
  return badInput(fmt::format("the constraints have {} joints at frame {}, but {} at frame {}", joints.size(),
                              frame, count, first_));
}

std::string JobWriter::nameOf(const ParamKeys& keys) const {
  if (keys.joint >= 0)
    return fmt::format("\"{}\": ", assembly_.scene["joints"][keys.joint].value("name", ""));
  return keys.part < 0 ? "" : fmt::format("\"{}\": ", allParts(assembly_)[keys.part]->name);
}

Status JobWriter::addKeys(int frame, const WorldInput& input) {
  if (keys_.empty()) beginKeys(input);
  Assembly now;
  std::vector<const Part*> parts_now = allParts(assembly_);
  if (configuredTexts(input) != texts_) {
    WorldInput bare = input;
    bare.constraints = nullptr;
    now = assemble(bare);
    if (!now.ok()) return badInput(joinText(now.errors, "; "));
    if (allParts(now).size() == parts_now.size()) parts_now = allParts(now);
  }
  Json joints;
  if (Status read = jointsAt(frame, input, joints); !read) return read;
  for (ParamKeys& keys : keys_) {
    if (keys.part < 0 && keys.joint < 0) {
      const ParamValue& value = input.parms->numbers(std::string(keys.row->name));
      if (Status good = checkParam(*keys.row, value); !good) return good;
      keys.values.emplace_back(frame, jsonValue(*keys.row, value));
    } else {
      keys.values.emplace_back(
          frame, valueIn(keys.joint >= 0 ? joints[keys.joint] : parts_now[keys.part]->settings, *keys.row));
    }
    if (!(keys.row->flags & kAnimatable) && keys.values.back().second != keys.values[0].second)
      return badInput(fmt::format("{}{} has another value at frame {} than at frame {}, but cannot have keys",
                                  nameOf(keys), keys.row->name, frame, first_));
  }
  return {};
}

// In place of the value of the first frame.
void JobWriter::writeKeys() {
  std::vector<Json*> settings;
  for (auto* parts : {&assembly_.bodies, &assembly_.colliders})
    for (Part& part : *parts)
      if (part.field.empty()) settings.push_back(&part.settings);
  for (const ParamKeys& keys : keys_) {
    if (!keys.varies()) continue;
    Json& object = keys.part >= 0                ? *settings[keys.part]
                   : keys.joint >= 0             ? assembly_.scene["joints"][keys.joint]
                   : keys.row->group == "solver" ? assembly_.scene["solver"]
                                                 : assembly_.scene;
    object[std::string(keys.row->name)] = keys.json();
  }
}

Status JobWriter::addFrame(int frame, const WorldInput& input) {
  const bool first = written_ == 0;
  if (Status keyed = addKeys(frame, input); !keyed) return keyed;
  if (frame != first_ + written_)
    return badInput(fmt::format("frame {} comes after frame {}: the frames of a job come in order", frame,
                                first_ + written_ - 1));
  CookResult checked;
  const std::vector<std::vector<Vec3f>> places = placesOfMoving(input, assembly_, checked);
  if (!checked.ok()) return badInput(checked.errors[0]);
  std::size_t m = 0, k = 0;
  for (const Part* part : allParts(assembly_)) {
    const std::vector<Vec3f>& now = part->moves ? places[m++] : part->mesh.points;
    if (now.size() != part->mesh.points.size())
      return badInput(fmt::format("\"{}\" has {} points at frame {}, but {} at the start", part->name,
                                  now.size(), frame, part->mesh.points.size()));
    if (first || part->moves)
      if (Status set = setPart(k, *part, now, first); !set) return set;
    ++k;
  }
  ++written_;
  return writer_->endFrame(frame);
}

Status JobWriter::finish() {
  if (Status closed = writer_->close(); !closed) return closed;
  writeKeys();
  const std::string text = assembly_.text(first_, last_, [&](const Part& part) {
    Json source = {{"file", meshes_}, {"object", part.name}};
    if (part.moves) source["animated"] = true;
    return source;
  });
  const std::string half = path_ + ".tmp";
  std::ofstream(half) << text << "\n";
  std::error_code problem;
  std::filesystem::rename(half, path_, problem);
  if (problem) return ioError(fmt::format("{} cannot be written: {}", path_, problem.message()));
  return {};
}

CookResult cookExportJob(const CookInput& input) {
  const Parms& parms = *input.parms;
  CookResult result;
  result.geometry = *input.at(0);
  if (!parms.on("write")) return result;
  const WorldInput world{input.at(0), input.at(1), input.at(2),
                         input.at(3), input.parms, parms.number("startframe")};
  JobWriter job;
  Status done = job.begin(parms.text("file"), world, static_cast<int>(std::lround(parms.number("f2"))));
  if (done.ok()) done = job.addFrame(static_cast<int>(std::lround(world.frame)), world);
  if (done.ok()) done = job.finish();
  if (!done) return result.fail(done.message());
  result.warnings = job.warnings();
  if (job.moves())
    result.warnings.push_back("what moves stands still in this job; write it with the ROP repose_rop");
  return result;
}

}  // namespace repose::nodes
