// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cache/abc_archive.h"
#include "cache/abc_verify.h"

namespace repose {
namespace {

Status summarizeShape(const AbcReader& reader, int object, AbcObjectSummary& out) {
  const auto name = [&out](const std::vector<Attribute>& attributes) {
    for (const Attribute& a : attributes) out.attributes.push_back(a.name);
  };
  switch (out.kind) {
    case AbcKind::mesh: {
      const auto mesh = reader.mesh(object, 0);
      if (!mesh.ok()) return mesh.status();
      out.points = mesh->points.size();
      out.faces = mesh->face_counts.size();
      name(mesh->attributes);
      break;
    }
    case AbcKind::points: {
      const auto points = reader.points(object, 0);
      if (!points.ok()) return points.status();
      out.points = points->positions.size();
      if (!points->velocities.empty()) out.attributes.push_back("v");
      if (!points->widths.empty()) out.attributes.push_back("width");
      name(points->attributes);
      break;
    }
    case AbcKind::curves: {
      const auto curves = reader.curves(object, 0);
      if (!curves.ok()) return curves.status();
      out.points = curves->positions.size();
      out.faces = curves->counts.size();
      if (!curves->velocities.empty()) out.attributes.push_back("v");
      name(curves->attributes);
      break;
    }
    case AbcKind::xform:
    case AbcKind::other:
      break;
  }
  return {};
}

// World box of a shape at the first and the last time of the archive, and how many points it has at the last.
Status addBounds(const AbcReader& reader, int object, Bounds& bounds, AbcObjectSummary& out) {
  std::vector<Vec3f> positions;
  for (const double frame : {reader.info().first_frame, reader.info().last_frame}) {
    if (Status s = reader.positionsAt(object, frame / reader.info().fps, positions); !s.ok()) return s;
    for (const Vec3f& p : positions) bounds.add(p);
    out.last_points = positions.size();
  }
  return {};
}

std::string frameText(double frame) { return fmt::format("{:.6g}", frame); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

nlohmann::json vectorJson(Vec3f v) { return {v.x, v.y, v.z}; }

}  // namespace

Result<AbcSummary> summarize(const AbcReader& reader) {
  AbcSummary summary;
  summary.info = reader.info();
  summary.bytes = reader.archive().file().bytes();
  for (std::size_t k = 0; k < reader.objects().size(); ++k) {
    const AbcObject& object = reader.objects()[k];
    AbcObjectSummary out;
    out.path = object.path;
    out.kind = object.kind;
    out.depth = static_cast<int>(std::count(object.path.begin(), object.path.end(), '/'));
    out.samples = object.samples;
    out.constant_topology = object.constant_topology;
    out.moves = object.moves;
    const bool shape = out.kind != AbcKind::xform && out.kind != AbcKind::other;
    if (shape && object.samples > 0) {
      if (Status s = summarizeShape(reader, static_cast<int>(k), out); !s.ok()) return s;
      if (Status s = addBounds(reader, static_cast<int>(k), summary.bounds, out); !s.ok()) return s;
    }
    summary.objects.push_back(std::move(out));
  }
  return summary;
}

std::string toText(const AbcSummary& summary, const std::string& name) {
  const AbcInfo& info = summary.info;
  std::string text = fmt::format("{}: Alembic, {} bytes", name, summary.bytes);
  if (!info.application.empty()) text += ", by " + info.application;
  text += fmt::format("\nframes {}-{} at {:g} a second\n", frameText(info.first_frame),
                      frameText(info.last_frame), info.fps);
  if (const Bounds& b = summary.bounds; !b.empty())
    text += fmt::format("bounds {:g} {:g} {:g} to {:g} {:g} {:g}\n", b.lo.x, b.lo.y, b.lo.z, b.hi.x, b.hi.y,
                        b.hi.z);
  for (const AbcObjectSummary& o : summary.objects) {
    text += fmt::format("{:{}}{}  {}, {} sample{}", "", 2 * o.depth, o.path.substr(o.path.rfind('/') + 1),
                        abcKindName(o.kind), o.samples, o.samples == 1 ? "" : "s");
    if (o.points != o.last_points)
      text += fmt::format(", {} points at first, {} at last", o.points, o.last_points);
    else if (o.points > 0)
      text += fmt::format(", {} points", o.points);
    if (o.faces > 0) text += fmt::format(", {} {}", o.faces, o.kind == AbcKind::curves ? "curves" : "faces");
    if (!o.constant_topology) text += ", changing topology";
    if (!o.attributes.empty()) text += " (" + joined(o.attributes) + ")";
    text += '\n';
  }
  return text;
}

std::string toJson(const AbcSummary& summary, const std::string& name) {
  const AbcInfo& info = summary.info;
  nlohmann::json json = {{"file", name},
                         {"format", "alembic"},
                         {"bytes", summary.bytes},
                         {"application", info.application},
                         {"description", info.description},
                         {"date", info.date},
                         {"fps", info.fps},
                         {"first_frame", info.first_frame},
                         {"last_frame", info.last_frame},
                         {"frames", info.frames},
                         {"objects", nlohmann::json::array()}};
  if (!summary.bounds.empty())
    json["bounds"] = {vectorJson(summary.bounds.lo), vectorJson(summary.bounds.hi)};
  for (const AbcObjectSummary& o : summary.objects)
    json["objects"].push_back({{"path", o.path},
                               {"kind", abcKindName(o.kind)},
                               {"samples", o.samples},
                               {"points", o.points},
                               {"last_points", o.last_points},
                               {"faces", o.faces},
                               {"constant_topology", o.constant_topology},
                               {"moves", o.moves},
                               {"attributes", o.attributes}});
  // Names from foreign files need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace repose
