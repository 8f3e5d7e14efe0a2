// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Grains of scene files: fills, files of points, emitters, sinks, overrides and what is refused.
#include <fmt/format.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/sphere_grid.h"
#include "cache/abc_writer.h"
#include "scene/fill.h"
#include "scene/shapes.h"
#include "scene/validate.h"
#include "scene_files.h"

namespace repose {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Deepest overlap of two grains as a share of the smaller radius.
double deepestOverlap(const std::vector<Vec3f>& centres, const std::vector<float>& radii) {
  SphereGrid grid;
  grid.clear(centres.size());
  double deepest = 0;
  for (std::size_t k = 0; k < centres.size(); ++k) {
    grid.overlaps(centres[k], radii[k], [&](int other, double distance) {
      const double overlap = static_cast<double>(radii[k]) + radii[other] - distance;
      deepest = std::max(deepest, overlap / std::min(radii[k], radii[other]));
      return true;
    });
    grid.add({centres[k].x, centres[k].y, centres[k].z, radii[k]});
  }
  return deepest;
}

double solidVolume(const std::vector<float>& radii) {
  double sum = 0;
  for (const double r : radii) sum += 4.0 / 3 * kPi * r * r * r;
  return sum;
}

std::vector<std::string> findings(const Scene& scene) {
  std::vector<std::string> sentences;
  for (const Finding& finding : validateScene(scene))
    sentences.push_back((finding.error ? "" : "? ") + finding.sentence);
  return sentences;
}

using Sentences = std::vector<std::string>;

// Grains at these places, all of one radius.
Scene grainScene(std::vector<Vec3f> points, float radius = 0.1f) {
  Scene scene;
  Body body;
  body.name = "sand";
  body.kind = BodyKind::grain;
  body.radii.assign(points.size(), radius);
  body.geometry.points = std::move(points);
  scene.bodies.push_back(body);
  return scene;
}

GrainParams spread(float radius, float variance, RadiusDistribution law) {
  GrainParams grain;
  grain.radius = radius, grain.radiusvariance = variance, grain.radiusdistribution = law;
  return grain;
}

}  // namespace

class Grains : public SceneFiles {
 protected:
  static std::string sand(const std::string& source, const std::string& inside = "",
                          const std::string& top = "") {
    return "{" + top + "\n\"bodies\": [{\"name\": \"sand\", \"kind\": \"grain\"," + inside +
           "\n\"source\": " + source + "}]}";
  }
  Body body(const std::string& source, const std::string& inside = "",
            const std::vector<std::string>& sets = {}) const {
    const SceneLoad loaded = load(sand(source, inside), sets);
    EXPECT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
    EXPECT_TRUE(loaded.warnings.empty()) << testing::PrintToString(loaded.warnings);
    return loaded.ok() ? loaded.scene.bodies[0] : Body{};
  }
  void writeVdb(const std::string& name, const openvdb::GridBase::Ptr& grid) const {
    openvdb::initialize();
    grid->setName("stone");
    openvdb::io::File file(path(name));
    file.write({grid});
    file.close();
  }
};

TEST_F(Grains, ALatticeFillsABoxToTheLastCell) {
  const Body sand =
      body("{\"fill\": {\"shape\": \"box\", \"size\": [1, 0.5, 0.8]}, \"packing\": \"lattice\"}",
           "\"radius\": 0.05, \"density\": 2650,");
  EXPECT_EQ(sand.kind, BodyKind::grain);
  EXPECT_FLOAT_EQ(sand.grain.base.density, 2650);
  ASSERT_EQ(sand.geometry.points.size(), 10u * 5 * 8);
  ASSERT_EQ(sand.radii.size(), 400u);
  EXPECT_NEAR(sand.geometry.points[0].x, -0.45f, 1e-6);
  EXPECT_NEAR(sand.geometry.points[0].y, -0.2f, 1e-6);
  EXPECT_NEAR(sand.geometry.points[399].z, 0.35f, 1e-6);
  EXPECT_LT(deepestOverlap(sand.geometry.points, sand.radii), 1e-4);
}

// The densest packing has pi/sqrt(18) of the space; the walls take some.
TEST_F(Grains, AHexagonalFillIsTheDensestPacking) {
  const Body sand = body("{\"fill\": {\"shape\": \"box\", \"size\": [2, 2, 2]}}", "\"radius\": 0.02,");
  EXPECT_LT(deepestOverlap(sand.geometry.points, sand.radii), 1e-3);
  const double density = solidVolume(sand.radii) / 8;
  EXPECT_GT(density, 0.70);
  EXPECT_LT(density, kPi / std::sqrt(18.0));
}

TEST_F(Grains, JitterAndRadiiMoveGrainsButMakeNoOverlap) {
  for (const char* packing : {"hexagonal", "lattice", "random"}) {
    const std::string source = std::string(
                                   "{\"fill\": {\"shape\": \"sphere\", \"radius\": 0.6}, \"jitter\": 0.2, "
                                   "\"seed\": 7, \"packing\": \"") +
                               packing + "\"}";
    const std::string law = "\"radius\": 0.03, \"radiusvariance\": 0.4,";
    const Body sand = body(source, law);
    ASSERT_GT(sand.radii.size(), 500u) << packing;
    EXPECT_LE(deepestOverlap(sand.geometry.points, sand.radii), 1e-4) << packing;
    for (std::size_t k = 0; k < sand.radii.size(); ++k)
      EXPECT_LE(length(sand.geometry.points[k]) + sand.radii[k], 0.6f + 1e-6f);
    EXPECT_EQ(body(source, law).geometry.points, sand.geometry.points);
    std::string other = source;
    other.replace(other.find("7"), 1, "8");
    EXPECT_NE(body(other, law).geometry.points, sand.geometry.points);
  }
}

TEST_F(Grains, ARandomFillIsLooseAndHasNoOverlap) {
  const Body sand = body("{\"fill\": {\"shape\": \"box\", \"size\": [1, 1, 1]}, \"packing\": \"random\"}",
                         "\"radius\": 0.02, \"radiusvariance\": 0.5, \"radiusdistribution\": \"lognormal\",");
  EXPECT_LE(deepestOverlap(sand.geometry.points, sand.radii), 1e-6);
  EXPECT_GT(solidVolume(sand.radii), 0.25);
  RecordProperty("density", std::to_string(solidVolume(sand.radii)));
}

// Every shape keeps its grains inside, also when the body is scaled, turned and moved.
TEST_F(Grains, FillsKeepGrainsInside) {
  const std::map<std::string, std::string> sizes = {{"box", "\"size\": [1, 0.6, 0.8]"},
                                                    {"sphere", "\"radius\": 0.5"},
                                                    {"cylinder", "\"radius\": 0.5, \"height\": 0.8"},
                                                    {"cone", "\"radius\": 0.6, \"height\": 1.2"},
                                                    {"capsule", "\"radius\": 0.4, \"height\": 0.6"},
                                                    {"torus", "\"radius\": 0.6, \"tuberadius\": 0.25"}};
  for (const auto& [shape, size] : sizes) {
    const Body sand =
        body("{\"fill\": {\"shape\": \"" + shape + "\", " + size + "}}",
             "\"radius\": 0.02, \"transform\": {\"translate\": [10, 0, 0], \"rotate\": [0, 0, 90], "
             "\"scale\": 2},");
    ASSERT_GT(sand.radii.size(), 1000u) << shape;
    // the share of the volume that a packing has: near 0.74 less a layer at the walls
    const double r = shape == "torus" || shape == "cone" ? 0.6 : shape == "capsule" ? 0.4 : 0.5;
    const double space =
        8 * std::map<std::string, double>{{"box", 0.48},
                                          {"sphere", 4.0 / 3 * kPi * r * r * r},
                                          {"cylinder", kPi * r * r * 0.8},
                                          {"cone", kPi * r * r * 0.4},
                                          {"capsule", kPi * r * r * 0.6 + 4.0 / 3 * kPi * r * r * r},
                                          {"torus", 2 * kPi * kPi * r * 0.0625}}
                .at(shape);
    const double density = solidVolume(sand.radii) / space;
    EXPECT_GT(density, 0.60) << shape;
    EXPECT_LT(density, 0.741) << shape;
    Bounds bounds;
    for (const Vec3f& p : sand.geometry.points) bounds.add(p);
    EXPECT_NEAR((bounds.lo.x + bounds.hi.x) / 2, 10, shape == "cone" ? 0.2 : 0.05) << shape;
    if (shape == "sphere") {
      for (const Vec3f& p : sand.geometry.points)
        EXPECT_LE(length(p - Vec3f{10, 0, 0}) + 0.02f, 1.0f + 1e-5f);
    }
    if (shape == "box")  // turned: x and y have changed places
      for (const Vec3f& p : sand.geometry.points) {
        EXPECT_LE(std::abs(p.x - 10) + 0.02f, 0.6f + 1e-5f);
        EXPECT_LE(std::abs(p.y) + 0.02f, 1.0f + 1e-5f);
      }
    if (shape == "torus")
      for (const Vec3f& p : sand.geometry.points) {
        const float ring = std::sqrt(p.y * p.y + p.z * p.z) - 1.2f;
        EXPECT_LE(std::sqrt(ring * ring + (p.x - 10) * (p.x - 10)) + 0.02f, 0.5f + 1e-5f);
      }
  }
}

TEST_F(Grains, AMeshIsFilledAsTheShapeItIs) {
  std::string obj;
  Shape shape;
  shape.size = {1, 0.6f, 0.8f};
  shape.divisions = {3, 2, 2};
  const Geometry box = makeBox(shape);
  for (const Vec3f& p : box.points)
    obj += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  std::size_t corner = 0;
  for (const int count : box.face_counts) {
    obj += "f";
    for (int k = 0; k < count; ++k) obj += " " + std::to_string(box.face_indices[corner++] + 1);
    obj += "\n";
  }
  write("box.obj", obj);
  const std::string rest =
      "\"radius\": 0.03, \"transform\": {\"rotate\": [20, 30, 40], \"scale\": [2, 1, 1]},";
  const Body by_mesh =
      body("{\"fill\": {\"file\": \"box.obj\"}, \"packing\": \"random\", \"seed\": 3}", rest);
  const Body by_formula =
      body("{\"fill\": {\"shape\": \"box\", \"size\": [1, 0.6, 0.8]}, \"packing\": \"random\", \"seed\": 3}",
           rest);
  EXPECT_EQ(by_mesh.geometry.points.size(), by_formula.geometry.points.size());
  EXPECT_EQ(by_mesh.radii, by_formula.radii);

  write("open.obj", obj.substr(0, obj.rfind("f ")));
  EXPECT_EQ(
      onlyError(sand("{\"fill\": {\"file\": \"open.obj\"}}")),
      "s.json:3:29: the mesh is open: 4 of its edges have only one face, as that from point 15 to 33; only a "
      "closed one can be filled");
}

TEST_F(Grains, ALevelSetIsFilled) {
  writeVdb("ball.vdb",
           openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(0.5f, openvdb::Vec3f(0), 0.02f));
  // grains larger than the narrow band of three voxels, and twice the size
  const Body sand =
      body("{\"fill\": {\"file\": \"ball.vdb\"}}", "\"radius\": 0.1, \"transform\": {\"scale\": 2},");
  ASSERT_GT(sand.radii.size(), 200u);
  for (const Vec3f& p : sand.geometry.points) EXPECT_LE(length(p) + 0.1f, 1.0f + 2e-3f);

  openvdb::FloatGrid::Ptr fog = openvdb::FloatGrid::create(0);
  fog->setGridClass(openvdb::GRID_FOG_VOLUME);
  fog->tree().setValue(openvdb::Coord(0, 0, 0), 1);
  writeVdb("fog.vdb", fog);
  EXPECT_EQ(onlyError(Grains::sand("{\"fill\": {\"file\": \"fog.vdb\"}}")),
            "s.json:3:29: fog.vdb: its grid \"stone\" is not a level set of floats");
  write("broken.vdb", "no grid");
  EXPECT_EQ(onlyError(Grains::sand("{\"fill\": {\"file\": \"broken.vdb\"}}")).substr(0, 53),
            "s.json:3:29: broken.vdb cannot be read as a VDB file:");
}

TEST_F(Grains, PointsComeFromFiles) {
  write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  const Body plain =
      body("{\"file\": \"points.obj\"}", "\"radius\": 0.1, \"transform\": {\"translate\": [0, 0, 5]},");
  ASSERT_EQ(plain.geometry.points.size(), 3u);
  EXPECT_EQ(plain.geometry.points[1], (Vec3f{1, 0, 5}));
  EXPECT_EQ(plain.radii, (std::vector<float>{0.1f, 0.1f, 0.1f}));

  auto writer = AbcWriter::create(path("points.abc"), {});
  ASSERT_TRUE(writer.ok());
  const int sand = (*writer)->addPoints("sand", PointWidths::per_point);
  ASSERT_TRUE(
      (*writer)->setPoints(sand, 0, std::vector<Vec3f>{{0, 0, 0}, {2, 0, 0}}, {}, {}, {0.2f, 0.5f}).ok());
  ASSERT_TRUE((*writer)->endFrame(1).ok());
  ASSERT_TRUE((*writer)->close().ok());
  const Body sized = body("{\"file\": \"points.abc\"}", "\"transform\": {\"scale\": 2},");
  ASSERT_EQ(sized.radii.size(), 2u);
  EXPECT_FLOAT_EQ(sized.radii[0], 0.2f);  // half the width, and scaled
  EXPECT_FLOAT_EQ(sized.radii[1], 0.5f);
  EXPECT_EQ(sized.geometry.points[1], (Vec3f{4, 0, 0}));
}

TEST_F(Grains, CountEndsAFill) {
  EXPECT_EQ(body("{\"fill\": {\"shape\": \"box\"}, \"count\": 77}").radii.size(), 77u);
  EXPECT_EQ(body("{\"fill\": {\"shape\": \"box\"}, \"packing\": \"random\", \"count\": 77}").radii.size(),
            77u);
}

TEST_F(Grains, EmittersAndSinks) {
  const SceneLoad loaded = load(R"({
    "sinks": [{"shape": "sphere", "radius": 2, "transform": {"translate": [0, -5, 0]}, "body": "sand"},
              {"plane": {"point": [0, -1, 0], "normal": [0, 1, 0]}}, {"age": 2.5}],
    "bodies": [{"name": "sand", "kind": "grain", "startasleep": true, "velocity": [0, -1, 0],
      "emitters": [{"shape": "cylinder", "radius": 0.2, "height": 0.1, "transform": {"translate": [0, 3, 0]},
                    "rate": 120, "velocity": [0, -2, 0], "spread": 0.1, "frames": [5, 10.5], "seed": 9}]}]})");
  ASSERT_TRUE(loaded.ok()) << testing::PrintToString(loaded.errors);
  const Body& sand = loaded.scene.bodies[0];
  EXPECT_TRUE(sand.geometry.points.empty());
  EXPECT_TRUE(sand.grain.base.startasleep);
  EXPECT_EQ(sand.velocity, (Vec3f{0, -1, 0}));
  ASSERT_EQ(sand.emitters.size(), 1u);
  const Emitter& emitter = sand.emitters[0];
  EXPECT_EQ(emitter.volume.shape, Volume::Shape::cylinder);
  EXPECT_FLOAT_EQ(emitter.volume.height, 0.1f);
  EXPECT_EQ(emitter.volume.place.m[1][3], 3);
  EXPECT_EQ(emitter.rate, 120);
  EXPECT_EQ(emitter.velocity, (Vec3f{0, -2, 0}));
  EXPECT_EQ(emitter.last_frame, 10.5);
  EXPECT_EQ(emitter.seed, 9u);
  ASSERT_EQ(loaded.scene.sinks.size(), 3u);
  EXPECT_EQ(loaded.scene.sinks[0].body, "sand");
  EXPECT_EQ(loaded.scene.sinks[1].kind, Sink::Kind::plane);
  EXPECT_FLOAT_EQ(loaded.scene.sinks[2].age, 2.5f);
}

TEST_F(Grains, MistakesAreSaidWithTheirPlace) {
  const auto only = [&](const std::string& source, const std::string& inside = "") {
    return onlyError(sand(source, inside));
  };
  EXPECT_EQ(only("{}"), "s.json:3:11: a source of grains must have either \"fill\" or \"file\"");
  EXPECT_EQ(only("{\"fill\": {}}"), "s.json:3:20: a fill must have either \"shape\" or \"file\"");
  EXPECT_EQ(
      only("{\"fill\": {\"shape\": \"bx\"}}"),
      "s.json:3:30: shape is \"bx\", but must be one of box, sphere, cylinder, cone, capsule, torus; did you "
      "mean \"box\"?");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\"}, \"packing\": \"dense\"}"),
            "s.json:3:49: packing is \"dense\", but must be one of hexagonal, lattice, random");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\", \"radius\": 1}}"),
            "s.json:3:37: a fill has no key \"radius\"");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\", \"size\": [0.03, 1, 1]}}"),
            "s.json:3:20: the fill has no room for a grain of radius 0.02 m: make it larger, or the radius "
            "smaller");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\"}}", "\"radius\": 1e-4,"),
            "s.json:3:20: the fill makes about 1.77e+11 grains, but at most 50000000 are possible: use "
            "larger grains, "
            "or \"count\"");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\"}, \"packing\": \"random\"}", "\"radius\": 1e-3,"),
            "s.json:3:20: the fill makes about 7.16e+07 grains, but at most 50000000 are possible: use "
            "larger grains, "
            "or \"count\"");
  EXPECT_EQ(only("{\"file\": \"a.ply\"}"),
            "s.json:3:20: file is \"a.ply\", but must end in one of .obj, .abc");
  EXPECT_EQ(only("{\"file\": \"a.obj\"}"), "s.json:3:20: the file a.obj does not exist");
  EXPECT_EQ(only("{\"fill\": {\"shape\": \"box\"}}", "\"radius\": 0,"),
            "s.json:2:55: radius is 0, but must be a number from 1e-06 to 1000");
  EXPECT_EQ(
      only("{\"fill\": {\"shape\": \"box\"}}", "\"radiusvariance\": 2,"),
      "s.json:2:12: body \"sand\" has radius 0.02 and radiusvariance 2, which gives grains without size: the "
      "variance of a uniform distribution must be below 1");
  EXPECT_EQ(onlyError("{\"bodies\": [{\"name\": \"a\", \"kind\": \"grain\"}]}"),
            "s.json:1:13: a grain body must have a \"source\" or \"emitters\"");
  EXPECT_EQ(
      onlyError("{\"bodies\": [{\"name\": \"a\", \"kind\": \"grain\",\n\"emitters\": [{\"shape\": \"box\", "
                "\"rate\": -1}]}]}"),
      "s.json:2:39: rate is -1, but must be a number from 0 to 10000000");
  EXPECT_EQ(onlyError(sand("{\"fill\": {\"shape\": \"box\"}}", "", "\"sinks\": [{}],")),
            "s.json:1:12: a sink must have one of \"shape\", \"plane\" and \"age\"");
  EXPECT_EQ(onlyError(sand("{\"fill\": {\"shape\": \"box\"}}", "",
                           "\"sinks\": [{\"age\": 1, \"body\": \"snad\"}],")),
            "s.json:1:31: body is \"snad\", but must be one of sand; did you mean \"sand\"?");
}

TEST_F(Grains, KeysOfTheOtherKindAreRefused) {
  EXPECT_EQ(onlyError(sand("{\"fill\": {\"shape\": \"box\"}}", "\n\"pins\": [],")),
            "s.json:3:1: \"pins\" is a key of cloth bodies, but this one is of kind grain");
  EXPECT_EQ(onlyError(sand("{\"fill\": {\"shape\": \"box\"}}", "\n\"bendstiffness\": 1,")),
            "s.json:3:1: \"bendstiffness\" is a key of cloth bodies, but this one is of kind grain");
  EXPECT_EQ(onlyError(cloth("\"rotation\": true,")),
            "s.json:3:1: \"rotation\" is a key of grain bodies, but this one is of kind cloth");
  EXPECT_EQ(onlyError(sand("{\"fill\": {\"shape\": \"box\"}}", "\n\"frction\": 1,")),
            "s.json:3:1: a body has no key \"frction\"; did you mean \"friction\"?");
}

TEST_F(Grains, OverridesReachTheKindsThatHaveTheParameter) {
  const std::string text = R"({"bodies": [
    {"name": "sand", "kind": "grain", "source": {"fill": {"shape": "box"}, "packing": "lattice"}},
    {"name": "flag", "kind": "cloth", "source": {"shape": "grid"}}]})";
  const SceneLoad all = load(text, {"friction=0.7", "radius=0.1", "veldamping=2", "flag.veldamping=3"});
  ASSERT_TRUE(all.ok()) << testing::PrintToString(all.errors);
  EXPECT_FLOAT_EQ(all.scene.bodies[0].grain.base.friction, 0.7f);
  EXPECT_FLOAT_EQ(all.scene.bodies[1].cloth.base.friction, 0.7f);
  EXPECT_EQ(all.scene.bodies[0].radii.size(), 125u);  // filled with the radius of the override
  EXPECT_FLOAT_EQ(all.scene.bodies[0].grain.base.veldamping, 2);
  EXPECT_FLOAT_EQ(all.scene.bodies[1].cloth.base.veldamping, 3);

  const SceneLoad some = load(text, {"grain.density=3000", "cloth.density=0.1", "sand.friction=0.6"});
  ASSERT_TRUE(some.ok()) << testing::PrintToString(some.errors);
  EXPECT_FLOAT_EQ(some.scene.bodies[0].grain.base.density, 3000);
  EXPECT_FLOAT_EQ(some.scene.bodies[1].cloth.base.density, 0.1f);
  EXPECT_FLOAT_EQ(some.scene.bodies[0].grain.base.friction, 0.6f);
  EXPECT_FLOAT_EQ(some.scene.bodies[1].cloth.base.friction, 0.25f);

  EXPECT_EQ(onlyError(text, {"density=2000"}),
            "--set density=2000: density is 2000, but must be a number from 0.0001 to 1000");
  EXPECT_EQ(onlyError(text, {"sand.bendstiffness=1"}),
            "--set sand.bendstiffness=1: sand has no parameter \"bendstiffness\"");
  EXPECT_EQ(onlyError(text, {"collider.friction=1"}),
            "--set collider.friction=1: the scene has no colliders");
  EXPECT_EQ(onlyError(text, {"grian.friction=1"}),
            "--set grian.friction=1: there is no body, joint, collider or group \"grian\"; did you mean "
            "\"grain\"?");
  EXPECT_EQ(onlyError(cloth(""), {"radius=1"}), "--set radius=1: the scene has no body of kind grain");
  EXPECT_EQ(onlyError(cloth(""), {"rollingfriction=1"}),
            "--set rollingfriction=1: nothing in the scene has \"rollingfriction\"");
}

TEST(RadiusLaws, HaveTheMeanTheSpreadAndTheEndsThatTheyName) {
  struct Case {
    RadiusDistribution law;
    float variance;
    double deviation;
  };
  // a uniform law that ends at +-v has the standard deviation v/sqrt 3
  for (const Case& c :
       {Case{RadiusDistribution::uniform, 0.6f, 0.6 / std::sqrt(3.0)},
        Case{RadiusDistribution::normal, 0.2f, 0.2}, Case{RadiusDistribution::lognormal, 0.4f, 0.4}}) {
    const RadiusLaw law(spread(0.5f, c.variance, c.law));
    double sum = 0, squares = 0;
    float least = 1e9f, greatest = 0;
    constexpr int kDraws = 200000;
    for (int k = 0; k < kDraws; ++k) {
      Random random(1, k);
      const float r = law.draw(random);
      sum += r, squares += static_cast<double>(r) * r;
      least = std::min(least, r), greatest = std::max(greatest, r);
    }
    const double mean = sum / kDraws, deviation = std::sqrt(squares / kDraws - mean * mean);
    EXPECT_NEAR(mean, 0.5, 0.004) << static_cast<int>(c.law);
    EXPECT_NEAR(deviation, 0.5 * c.deviation, 0.5 * c.deviation * 0.04)
        << static_cast<int>(c.law);  // ends at 3
    EXPECT_GE(least, law.least());
    EXPECT_LE(greatest, law.greatest());
    EXPECT_GT(greatest, 0.9f * law.greatest());
  }
  // exp(3 s - s^2/2) with s^2 = ln(1 + v^2), by the library
  const double s = std::sqrt(std::log(1 + 0.5 * 0.5));
  EXPECT_NEAR(RadiusLaw(spread(1, 0.5f, RadiusDistribution::lognormal)).greatest(),
              std::exp(3 * s - s * s / 2), 1e-6);
  EXPECT_FALSE(RadiusLaw(spread(1, 1, RadiusDistribution::uniform)).good());
  EXPECT_FALSE(RadiusLaw(spread(1, 0.4f, RadiusDistribution::normal)).good());
  EXPECT_TRUE(RadiusLaw(spread(1, 10, RadiusDistribution::lognormal)).good());
}

TEST(GrainFindings, SizesAndPlaces) {
  EXPECT_EQ(findings(grainScene({{0, 0, 0}, {1, 0, 0}})), Sentences{});
  EXPECT_EQ(findings(grainScene({})), (Sentences{"body \"sand\" has no points"}));
  for (const float radius : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    Scene scene = grainScene({{0, 0, 0}, {1, 0, 0}});
    scene.bodies[0].radii[1] = radius;
    EXPECT_EQ(findings(scene),
              (Sentences{fmt::format("body \"sand\" has a radius of {} at point 1, but it must be above "
                                     "0",
                                     radius)}));
  }
  Scene wild = grainScene({{0, 0, 0}, {std::numeric_limits<float>::infinity(), 0, 0}});
  EXPECT_EQ(findings(wild), (Sentences{"body \"sand\" has a position at point 1 that is not finite"}));
  Scene spread = grainScene({{0, 0, 0}});
  spread.bodies[0].grain.base.radiusvariance = 1;
  EXPECT_EQ(findings(spread),
            (Sentences{"body \"sand\" has radius 0.02 and radiusvariance 1, which gives grains without "
                       "size: the variance of a uniform distribution must be below 1"}));
}

TEST(GrainFindings, OverlapsMassesEmittersAndSinks) {
  EXPECT_EQ(
      findings(grainScene({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}})),
      (Sentences{
          "? body \"sand\" has point 1 at the same place as point 0 of \"sand\"; the solver pushes them "
          "apart"}));
  EXPECT_EQ(
      findings(grainScene({{0, 0, 0}, {0.15f, 0, 0}, {0.25f, 0, 0}})),
      (Sentences{
          "? body \"sand\" has 2 pairs of grains that overlap at the start, the deepest by 100 % of the "
          "smaller radius (point 2 and point 1 of \"sand\"); the solver pushes them apart"}));
  Scene two = grainScene({{0, 0, 0}});
  two.bodies.push_back(two.bodies[0]);
  two.bodies[1].name = "gravel";
  two.bodies[1].geometry.points[0] = {0.15f, 0, 0};
  EXPECT_EQ(findings(two),
            (Sentences{"? body \"gravel\" has 1 pairs of grains that overlap at the start, the deepest by "
                       "50 % of the smaller radius (point 0 and point 0 of \"sand\"); the solver pushes "
                       "them apart"}));
  Scene heavy = grainScene({{0, 0, 0}, {200, 0, 0}});
  heavy.bodies[0].radii[1] = 11;  // 110 cubed
  EXPECT_EQ(findings(heavy),
            (Sentences{"? body \"sand\" has a point 1 that is 1.33e+06 times as heavy as point 0 of "
                       "\"sand\"; piles of such grains settle slowly"}));
  Scene emitting = grainScene({{0, 0, 0}});
  Emitter emitter;
  emitter.rate = std::numeric_limits<float>::quiet_NaN();
  emitter.velocity.y = std::numeric_limits<float>::infinity();
  emitting.bodies[0].emitters = {emitter};
  EXPECT_EQ(findings(emitting),
            (Sentences{"body \"sand\" has an emitter 0 of rate nan, but it must be from 0 to 10000000",
                       "body \"sand\" has an emitter 0 whose velocity or spread is not finite"}));
}

TEST(GrainFindings, TheWorldEndsAMillionRadiiAway) {
  EXPECT_EQ(findings(grainScene({{0, 99000, 0}}, 0.1f)), Sentences{});
  EXPECT_EQ(findings(grainScene({{0, 0, 0}, {0, 0, -2000}}, 0.001f)),
            (Sentences{"body \"sand\" has point 1 at 0, 0, -2000, but a grain of radius 0.001 must be within "
                       "1000 m of the origin"}));
}

TEST(GrainFindings, AnEmitterInACollider) {
  Scene scene = grainScene({{5, 0, 0}});
  Emitter emitter;
  emitter.rate = 10;
  emitter.volume.size = {1, 1, 1};
  scene.bodies[0].emitters = {emitter};
  Collider& collider = scene.colliders.emplace_back();
  collider.name = "c";
  const auto inside = [](const char* share) {
    return Sentences{
        std::string("? body \"sand\" has an emitter 0 of which ") + share +
        " % is inside the collider \"c\"; grains that begin there are pushed out, or stay in it"};
  };
  EXPECT_EQ(findings(scene), inside("50"));  // a floor through its middle
  collider.point.y = -1;
  EXPECT_EQ(findings(scene), Sentences{});
  collider.point.y = 0;
  collider.translate.keys = {{1, {0, -9, 0}}};  // it is somewhere else
  EXPECT_EQ(findings(scene), Sentences{});
  collider.translate.keys.clear();

  collider.shape = Collider::Shape::volume;
  collider.volume.shape = Volume::Shape::sphere, collider.volume.radius = 3;
  EXPECT_EQ(findings(scene), inside("100"));
  collider.inside = true;
  EXPECT_EQ(findings(scene), Sentences{});
  collider.volume.place.m[0][3] = 10;
  EXPECT_EQ(findings(scene), inside("100"));

  collider = {};
  collider.name = "c", collider.shape = Collider::Shape::mesh;
  collider.geometry = makeBox(Shape{});
  EXPECT_EQ(findings(scene), inside("100"));
  collider.geometry.face_indices[0] = 99;  // a wrong one is not looked into
  EXPECT_EQ(findings(scene).size(), 1u);
}

// A pair of 1:100 and many small ones: each is found once.
TEST(SphereGrids, FindEveryOverlapOnce) {
  std::vector<Vec4f> spheres;
  Random random(5, 0);
  for (int k = 0; k < 3000; ++k) {
    Vec4f s;
    s.x = static_cast<float>(random.between(-1, 1)), s.y = static_cast<float>(random.between(-1, 1));
    s.z = static_cast<float>(random.between(-1, 1));
    const double u = random.uniform();
    s.w = static_cast<float>(0.005 + 0.3 * u * u * u * u * u * u);
    spheres.push_back(s);
  }
  SphereGrid grid;
  grid.clear(spheres.size());
  long found = 0, expected = 0;
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    grid.overlaps(xyz(spheres[k]), spheres[k].w, [&](int, double) { return ++found, true; });
    grid.add(spheres[k]);
    for (std::size_t j = 0; j < k; ++j) {
      const double x = static_cast<double>(spheres[k].x) - spheres[j].x;
      const double y = static_cast<double>(spheres[k].y) - spheres[j].y;
      const double z = static_cast<double>(spheres[k].z) - spheres[j].z;
      const double reach = static_cast<double>(spheres[k].w) + spheres[j].w;
      expected += x * x + y * y + z * z < reach * reach;
    }
  }
  EXPECT_GT(expected, 1000);
  EXPECT_EQ(found, expected);
}

}  // namespace repose
