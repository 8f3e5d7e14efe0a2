// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/cache_node.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "houdini_nodes/attributes.h"

namespace repose::nodes {

Status CacheWriter::add(const std::string& path, double fps, int frame, bool first,
                        const NodeGeometry& geometry) {
  if (first) {
    const std::filesystem::path file(path);
    if (file.extension() != ".abc")
      return badInput(fmt::format("file is \"{}\", but must end in .abc", path));
    std::error_code ignored;  // creating the file says what is wrong
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
    AbcOptions options;
    options.fps = fps, options.first_frame = frame;
    Result<std::unique_ptr<AbcWriter>> writer = AbcWriter::create(path, options);
    if (!writer) return writer.status();
    writer_ = std::move(*writer), path_ = path, next_ = frame;
    const Geometry mesh = polygonsOf(geometry);
    mesh_ = !mesh.face_counts.empty();
    object_ =
        mesh_ ? writer_->addMesh("geometry", mesh) : writer_->addPoints("geometry", PointWidths::per_point);
  }
  if (!writer_ || path != path_ || frame != next_)
    return badInput(
        fmt::format("frame {} cannot be added to {}: the frames of a cache come in order, from the first on",
                    frame, path));
  const PointVectors v(geometry, "v");
  const PointNumbers ids(geometry, "id"), sizes(geometry, "pscale");
  std::vector<Vec3f> velocities(geometry.points.size());
  std::vector<std::uint64_t> id_list;
  std::vector<float> widths(geometry.points.size(), 0.1f);  // as Houdini draws points without pscale
  for (std::size_t p = 0; p < geometry.points.size(); ++p) {
    if (v) velocities[p] = v.at(p);
    if (ids) id_list.push_back(static_cast<std::uint64_t>(std::max(0.0, ids.at(p))));
    if (sizes) widths[p] = static_cast<float>(2 * sizes.at(p));
  }
  Status set = mesh_ ? writer_->setMesh(object_, 0, geometry.points, velocities)
                     : writer_->setPoints(object_, 0, geometry.points, velocities, id_list, widths);
  if (set.ok()) set = writer_->endFrame(frame);
  if (set.ok()) set = writer_->flush();  // the frame is on the disk when the node has cooked
  if (set.ok()) ++next_;
  return set;
}

CookResult cookCache(const CookInput& input) {
  const Parms& parms = *input.parms;
  CookResult result;
  result.geometry = *input.at(0);
  if (!parms.on("write") || !input.memory) return result;
  const int frame = static_cast<int>(std::lround(input.frame)),
            first = static_cast<int>(std::lround(parms.number("f1")));
  if (frame < first || frame > parms.number("f2")) return result;
  auto* writer = dynamic_cast<CacheWriter*>(input.memory->get());
  if (!writer) {
    auto made = std::make_unique<CacheWriter>();
    writer = made.get();
    *input.memory = std::move(made);
  }
  if (const Status added =
          writer->add(parms.text("file"), parms.number("fps"), frame, frame == first, result.geometry);
      !added)
    result.fail(added.message());
  return result;
}

}  // namespace repose::nodes
