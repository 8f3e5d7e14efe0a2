// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Helper program of the Python tests:
//   make_archives random SEED OUT.abc OUT.json   an archive of random content, and that content
//   make_archives stream OUT.abc FRAMES POINTS   frames of known content; "committed F" after each commit
//   make_archives grains OUT.abc                 points that come and go
//   make_archives rigid OUT.abc xform|points     turning boxes
//   make_archives dump FILE.abc                  all that AbcReader finds, as JSON
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "base/pose.h"
#include "cache/abc_reader.h"
#include "cache/abc_verify.h"
#include "cache/abc_writer.h"

using namespace repose;
using nlohmann::json;

namespace {

void require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(static_cast<int>(status.code()));
}

json toJson(const std::vector<Vec3f>& vectors) {
  json list = json::array();
  for (const Vec3f& v : vectors) list.push_back({v.x, v.y, v.z});
  return list;
}

json toJson(const Mat4d& matrix) {
  json list = json::array();
  for (const auto& row : matrix.m)
    for (const double value : row) list.push_back(value);
  return list;
}

json toJson(const std::vector<Attribute>& attributes) {
  constexpr const char* kOwners[] = {"detail", "point", "face", "corner"};
  json list = json::object();
  for (const Attribute& a : attributes) {
    json one = {{"owner", kOwners[static_cast<int>(a.owner)]}, {"width", a.width}, {"indices", a.indices}};
    if (a.type == AttributeType::f32) one["values"] = a.floats;
    if (a.type == AttributeType::i32) one["values"] = a.ints;
    if (a.type == AttributeType::string) one["values"] = a.strings;
    list[a.name] = one;
  }
  return list;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int upTo(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n + 1)); }
  float number() { return static_cast<float>(upTo(200000) - 100000) / 1024.0f + 1e-3f; }
  std::vector<Vec3f> vectors(std::size_t n) {
    std::vector<Vec3f> v(n);
    for (Vec3f& p : v) p = {number(), number(), number()};
    return v;
  }
  std::vector<float> floats(std::size_t n) {
    std::vector<float> v(n);
    for (float& x : v) x = number();
    return v;
  }
  std::vector<std::int32_t> ints(std::size_t n, int limit) {
    std::vector<std::int32_t> v(n);
    for (auto& x : v) x = upTo(limit);
    return v;
  }

 private:
  std::mt19937 engine_;
};

// Which version of its content an object shows at a sample: constant, always new, late, in runs, one blip.
class Pattern {
 public:
  Pattern(Random& random, int samples) : kind_(random.upTo(4)), at_(1 + random.upTo(samples)) {}
  int version(int sample) const {
    switch (kind_) {
      case 0:
        return 0;
      case 1:
        return sample;
      case 2:
        return sample < at_ ? 0 : sample;
      case 3:
        return sample / 3;
      default:
        return sample == at_ ? 1 : 0;
    }
  }

 private:
  int kind_, at_;
};

Attribute attribute(const char* name, AttributeOwner owner, AttributeType type, int width) {
  Attribute a;
  a.name = name;
  a.owner = owner;
  a.type = type;
  a.width = width;
  return a;
}

Geometry randomMesh(Random& random) {
  Geometry g;
  g.points = random.vectors(3 + static_cast<std::size_t>(random.upTo(30)));
  for (int f = random.upTo(20); f >= 0; --f) g.face_counts.push_back(3 + random.upTo(3));
  for (const int count : g.face_counts)
    for (const int index :
         random.ints(static_cast<std::size_t>(count), static_cast<int>(g.points.size()) - 1))
      g.face_indices.push_back(index);
  const std::size_t corners = g.face_indices.size();
  if (random.upTo(1)) {
    Attribute uv = attribute("uv", AttributeOwner::corner, AttributeType::f32, 2);
    uv.floats = random.floats(2 * 7);
    for (const int k : random.ints(corners, 6)) uv.indices.push_back(static_cast<std::uint32_t>(k));
    g.attributes.push_back(uv);
  }
  Attribute rest = attribute("rest", AttributeOwner::point, AttributeType::f32, 3);
  rest.interpretation = "point";
  rest.floats = random.floats(3 * g.points.size());
  Attribute region = attribute("region", AttributeOwner::face, AttributeType::i32, 1);
  region.ints = random.ints(g.face_counts.size(), 1000);
  Attribute tint = attribute("tint", AttributeOwner::corner, AttributeType::f32, 3);
  tint.floats = random.floats(3 * corners);
  Attribute material = attribute("material", AttributeOwner::detail, AttributeType::string, 1);
  material.strings = {std::string(static_cast<std::size_t>(random.upTo(6000)), 'x') + "silk"};
  for (Attribute* a : {&rest, &region, &tint, &material})
    if (random.upTo(1)) g.attributes.push_back(*a);
  return g;
}

json describeMesh(const std::string& path, const char* kind, const Geometry& g) {
  return {{"path", path},
          {"kind", kind},
          {"face_counts", g.face_counts},
          {"face_indices", g.face_indices},
          {"attributes", toJson(g.attributes)},
          {"samples", json::array()}};
}

Mat4d randomMatrix(Random& random) {
  Mat4d m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) m.m[r][c] = random.number();
  return m;
}

class RandomArchive {
 public:
  RandomArchive(unsigned seed, const std::string& path) : seed_(seed), random_(seed) {
    options_.first_frame = 1 + random_.upTo(1100);
    options_.samples = 1 + random_.upTo(2);
    options_.fps = random_.upTo(1) ? 24 : 30;
    frames_ = 1 + random_.upTo(seed % 10 == 0 ? 200 : 12);
    options_.expected_frames = random_.upTo(1) ? frames_ : random_.upTo(3);
    options_.date = "a day";
    options_.durable = false;
    auto writer = AbcWriter::create(path, options_);
    if (!writer.ok()) require(writer.status());
    writer_ = std::move(*writer);
    content_ = {{"fps", options_.fps},
                {"first_frame", options_.first_frame},
                {"samples", options_.samples},
                {"frames", frames_},
                {"objects", json::array()}};
  }

  json write() {
    for (int k = random_.upTo(2); k >= 0; --k) addMesh();
    for (int k = random_.upTo(2); k > 0; --k) addRigid();
    for (int k = random_.upTo(2); k > 0; --k) addPoints();
    for (int k = random_.upTo(1); k > 0; --k) addCurves();
    for (int k = random_.upTo(1); k > 0; --k) addChangingMesh();
    for (int f = 0; f < frames_; ++f) {
      for (int s = 0; s < options_.samples; ++s)
        for (auto& set : setters_) set(f * options_.samples + s, s);
      require(writer_->endFrame(options_.first_frame + f));
    }
    require(writer_->close());
    return content_;
  }

 private:
  Pattern pattern() { return Pattern(random_, frames_ * options_.samples); }
  unsigned salt(int object, int version) {
    return seed_ * 7919u + static_cast<unsigned>(object) * 104729u + static_cast<unsigned>(version) * 31u;
  }
  std::string path(int object) const { return writer_->objectPath(object); }
  json& samples(int object) { return content_["objects"][static_cast<std::size_t>(object)]["samples"]; }

  void addMesh() {
    const Geometry g = randomMesh(random_);
    const int object = writer_->addMesh("mesh", g);
    const bool velocities = random_.upTo(1);
    const int strain = random_.upTo(1) ? writer_->addAttribute(object, "strain", AttributeType::f32, 2) : -1;
    content_["objects"].push_back(describeMesh(path(object), "mesh", g));
    setters_.push_back([=, n = g.points.size(), p = pattern()](int index, int sample) {
      Random r(salt(object, p.version(index)));
      const auto positions = r.vectors(n), speed = r.vectors(n);
      const auto values = r.floats(2 * n);
      require(writer_->setMesh(object, sample, positions, velocities ? VectorsView(speed) : VectorsView()));
      json one = {{"P", toJson(positions)}};
      if (velocities) one["v"] = toJson(speed);
      if (strain >= 0) {
        require(writer_->setAttribute(strain, sample, values.data(), values.size()));
        one["strain"] = values;
      }
      samples(object).push_back(one);
    });
  }

  void addRigid() {
    const Geometry g = randomMesh(random_);
    const int object = writer_->addRigid("piece/of 2", g);
    json described = describeMesh(path(object), "rigid", g);
    described["P"] = toJson(g.points);
    content_["objects"].push_back(described);
    setters_.push_back([=, p = pattern()](int index, int sample) {
      Random r(salt(object, p.version(index)));
      const Mat4d matrix = randomMatrix(r);
      require(writer_->setTransform(object, sample, matrix));
      samples(object).push_back({{"matrix", toJson(matrix)}});
    });
  }

  void addPoints() {
    const bool each = random_.upTo(1), births = random_.upTo(1);
    const int object = writer_->addPoints("grains", each ? PointWidths::per_point : PointWidths::constant);
    const int age = writer_->addAttribute(object, "age", AttributeType::i32);
    content_["objects"].push_back({{"path", path(object)}, {"kind", "points"}, {"samples", json::array()}});
    setters_.push_back([=, p = pattern()](int index, int sample) {
      Random r(salt(object, p.version(index)));
      const std::size_t n = births ? static_cast<std::size_t>(r.upTo(12)) : 9;
      const auto positions = r.vectors(n), speed = r.vectors(n);
      const auto widths = r.floats(each ? n : 1);
      const auto ages = r.ints(n, 99);
      std::vector<std::uint64_t> ids;
      for (std::size_t k = 0; k < n; ++k) ids.push_back(1000 * static_cast<std::uint64_t>(r.upTo(5)) + k);
      require(writer_->setPoints(object, sample, positions, speed, ids, widths));
      require(writer_->setAttribute(age, sample, ages.data(), n));
      samples(object).push_back(
          {{"P", toJson(positions)}, {"v", toJson(speed)}, {"ids", ids}, {"widths", widths}, {"age", ages}});
    });
  }

  void addCurves() {
    const std::vector<std::int32_t> counts = {2, 3 + random_.upTo(4), 4};
    const int n = counts[0] + counts[1] + counts[2];
    const int object = writer_->addCurves("hair", counts);
    content_["objects"].push_back(
        {{"path", path(object)}, {"kind", "curves"}, {"counts", counts}, {"samples", json::array()}});
    setters_.push_back([=, p = pattern()](int index, int sample) {
      Random r(salt(object, p.version(index)));
      const auto positions = r.vectors(n), speed = r.vectors(n);
      require(writer_->setCurves(object, sample, positions, speed));
      samples(object).push_back({{"P", toJson(positions)}, {"v", toJson(speed)}});
    });
  }

  void addChangingMesh() {
    const int object = writer_->addChangingMesh("skin");
    content_["objects"].push_back(
        {{"path", path(object)}, {"kind", "changing_mesh"}, {"samples", json::array()}});
    setters_.push_back([=, p = pattern()](int index, int sample) {
      Random r(salt(object, p.version(index)));
      const Geometry g = r.upTo(3) ? randomMesh(r) : Geometry();  // at times there is nothing
      require(writer_->setChangingMesh(object, sample, g));
      samples(object).push_back(
          {{"P", toJson(g.points)}, {"face_counts", g.face_counts}, {"face_indices", g.face_indices}});
    });
  }

  unsigned seed_;
  Random random_;
  AbcOptions options_;
  int frames_ = 1;
  std::unique_ptr<AbcWriter> writer_;
  std::vector<std::function<void(int index, int sample)>> setters_;
  json content_;
};

unsigned long long rootOf(const std::string& path) {
  std::uint64_t root = 0;
  std::ifstream file(path, std::ios::binary);
  file.seekg(8);
  file.read(reinterpret_cast<char*>(&root), sizeof root);
  return root;
}

// Point k of frame f is at (f, k, f + k), its velocity (k, f, 1). A stone is at x = f, but rests from frame
// 1010 until 1020. tests/cache/test_commit.py knows this.
int stream(const std::string& path, int frames, int points) {
  AbcOptions options;
  options.first_frame = 1001;
  auto writer = AbcWriter::create(path, options);
  if (!writer.ok()) require(writer.status());
  (*writer)->onCommit([&path](int frame, const std::string&) {
    std::printf("committed %d %llu\n", frame, rootOf(path));
    std::fflush(stdout);
  });
  Geometry grid;
  grid.points.resize(static_cast<std::size_t>(points));
  grid.face_counts = {3};
  grid.face_indices = {0, 1, 2};
  const int mesh = (*writer)->addMesh("cloth", grid), grains = (*writer)->addPoints("grains");
  const int stone = (*writer)->addRigid("stone", grid);
  std::vector<Vec3f> velocities(grid.points.size());
  for (int frame = 1001; frame < 1001 + frames; ++frame) {
    for (std::size_t k = 0; k < grid.points.size(); ++k) {
      const auto f = static_cast<float>(frame), i = static_cast<float>(k);
      grid.points[k] = {f, i, f + i};
      velocities[k] = {i, f, 1};
    }
    require((*writer)->setMesh(mesh, 0, grid.points, velocities));
    require((*writer)->setPoints(grains, 0, grid.points, velocities, {}, {0.5f}));
    Mat4d place;
    place.m[0][3] = frame >= 1010 && frame < 1020 ? 1010 : frame;
    require((*writer)->setTransform(stone, 0, place));
    require((*writer)->endFrame(frame));
  }
  require((*writer)->close());
  return 0;
}

// Grains that come and go: frame f of 1 to 6 has those of the ids from f to 2 f + 1; grain i is at (i, f, 0),
// its velocity (0, i, 0), its width (i + 1) / 8. tests/cache/test_grains.py knows this.
int grains(const std::string& path) {
  auto writer = AbcWriter::create(path, {});
  if (!writer.ok()) require(writer.status());
  const int sand = (*writer)->addPoints("sand", PointWidths::per_point);
  const int asleep = (*writer)->addAttribute(sand, "asleep", AttributeType::i32);
  for (int frame = 1; frame <= 6; ++frame) {
    std::vector<Vec3f> positions, velocities;
    std::vector<std::uint64_t> ids;
    std::vector<float> widths;
    std::vector<std::int32_t> sleeping;
    for (int id = frame; id <= 2 * frame + 1; ++id) {
      const auto i = static_cast<float>(id);
      positions.push_back({i, static_cast<float>(frame), 0});
      velocities.push_back({0, i, 0});
      ids.push_back(static_cast<std::uint64_t>(id));
      widths.push_back((i + 1) / 8);
      sleeping.push_back(id % 2);
    }
    require((*writer)->setPoints(sand, 0, positions, velocities, ids, widths));
    require((*writer)->setAttribute(asleep, 0, sleeping.data(), sleeping.size()));
    require((*writer)->endFrame(frame));
  }
  require((*writer)->close());
  return 0;
}

// Three boxes of 0.2 x 0.4 x 0.6 m in frames 1 to 5. Box k is at (k, f / 8, -f / 4), turned by 0.3 (k + 1) f
// about (1, 2, 2); the last one stays as it is in frame 2. tests/cache/test_rigid.py knows this.
Pose boxPose(int k, int frame) {
  const auto f = static_cast<float>(k == 2 ? std::min(frame, 2) : frame), i = static_cast<float>(k);
  const float half = 0.15f * (i + 1) * f, s = std::sin(half) / 3;
  return poseOf({i, f / 8, -f / 4}, {s, 2 * s, 2 * s, std::cos(half)});
}

int rigid(const std::string& path, bool as_points) {
  AbcOptions options;
  options.expected_frames = 5;
  auto writer = AbcWriter::create(path, options);
  if (!writer.ok()) require(writer.status());
  Geometry box;
  for (int k = 0; k < 8; ++k)
    box.points.push_back({k & 1 ? 0.1f : -0.1f, k & 2 ? 0.2f : -0.2f, k & 4 ? 0.3f : -0.3f});
  box.face_counts.assign(6, 4);
  box.face_indices = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  const std::vector<std::string> names = {"box0", "box 1", "box2"};
  std::vector<int> boxes;
  int points = -1, orient = -1, name = -1;
  if (as_points) {
    points = (*writer)->addPoints("boxes", PointWidths::none);
    orient = (*writer)->addAttribute(points, "orient", AttributeType::f32, 4, "quat");
    name = (*writer)->addAttribute(points, "name", AttributeType::string);
  } else {
    for (const std::string& n : names) boxes.push_back((*writer)->addRigid(n, box));
  }
  for (int frame = 1; frame <= 5; ++frame) {
    std::vector<Vec3f> places;
    std::vector<float> quats;
    for (int k = 0; k < 3; ++k) {
      const Pose pose = boxPose(k, frame);
      const Quat q = quatOf(pose);
      places.push_back(pose.origin);
      quats.insert(quats.end(), {q.x, q.y, q.z, q.w});
      Mat4d matrix;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) matrix.m[r][c] = pose.axis[c][r];
        matrix.m[r][3] = pose.origin[r];
      }
      if (!as_points) require((*writer)->setTransform(boxes[static_cast<std::size_t>(k)], 0, matrix));
    }
    if (as_points) {
      require((*writer)->setPoints(points, 0, places));
      require((*writer)->setAttribute(orient, 0, quats.data(), quats.size()));
      require((*writer)->setAttribute(name, 0, names));
    }
    require((*writer)->endFrame(frame));
  }
  require((*writer)->close());
  return 0;
}

json dumpSample(const AbcReader& reader, int object, int sample) {
  json one = {{"time", reader.time(object, sample)}};
  switch (reader.objects()[static_cast<std::size_t>(object)].kind) {
    case AbcKind::mesh: {
      const auto mesh = reader.mesh(object, sample);
      if (!mesh.ok()) require(mesh.status());
      one["P"] = toJson(mesh->points);
      one["face_counts"] = mesh->face_counts;
      one["face_indices"] = mesh->face_indices;
      one["attributes"] = toJson(mesh->attributes);
      break;
    }
    case AbcKind::points: {
      const auto points = reader.points(object, sample);
      if (!points.ok()) require(points.status());
      one["P"] = toJson(points->positions);
      one["v"] = toJson(points->velocities);
      one["ids"] = points->ids;
      one["widths"] = points->widths;
      one["attributes"] = toJson(points->attributes);
      break;
    }
    case AbcKind::curves: {
      const auto curves = reader.curves(object, sample);
      if (!curves.ok()) require(curves.status());
      one["P"] = toJson(curves->positions);
      one["v"] = toJson(curves->velocities);
      one["counts"] = curves->counts;
      break;
    }
    case AbcKind::xform: {
      const auto matrix = reader.xform(object, sample);
      if (!matrix.ok()) require(matrix.status());
      one["matrix"] = toJson(*matrix);
      break;
    }
    case AbcKind::other:
      break;
  }
  return one;
}

int dump(const std::string& path) {
  const AbcReport report = verifyAlembic(path);
  auto reader = AbcReader::open(path);
  if (!reader.ok()) require(reader.status());
  json all = {{"ok", report.ok},
              {"problem", report.problem},
              {"fps", (*reader)->info().fps},
              {"first_frame", (*reader)->info().first_frame},
              {"last_frame", (*reader)->info().last_frame},
              {"objects", json::object()}};
  for (std::size_t k = 0; k < (*reader)->objects().size(); ++k) {
    const AbcObject& object = (*reader)->objects()[k];
    json one = {{"kind", abcKindName(object.kind)},
                {"constant_topology", object.constant_topology},
                {"samples", json::array()}};
    for (int s = 0; s < object.samples; ++s)
      one["samples"].push_back(dumpSample(**reader, static_cast<int>(k), s));
    all["objects"][object.path] = one;
  }
  std::cout << all << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 4 && args[0] == "random") {
    const json content = RandomArchive(static_cast<unsigned>(std::stoul(args[1])), args[2]).write();
    std::ofstream(args[3]) << content;
    return 0;
  }
  if (args.size() == 4 && args[0] == "stream") return stream(args[1], std::stoi(args[2]), std::stoi(args[3]));
  if (args.size() == 2 && args[0] == "grains") return grains(args[1]);
  if (args.size() == 3 && args[0] == "rigid") return rigid(args[1], args[2] == "points");
  if (args.size() == 2 && args[0] == "dump") return dump(args[1]);
  std::fprintf(stderr,
               "usage: make_archives random SEED ABC JSON | stream ABC FRAMES POINTS | grains ABC | "
               "rigid ABC xform|points | dump ABC\n");
  return 2;
}
