// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Cloth against itself and other cloth. Whether anything has gone through anything is told by a test of its
// own here, edges through triangles in double, which shares no code with the solver.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "scenes.h"

namespace repose {

namespace {

using Triangle = std::array<int, 3>;
struct Place {
  double x, y, z;
};
Place minus(Place a, Place b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double volume(Place a, Place b, Place c, Place d) {
  const Place u = minus(b, a), v = minus(c, a), w = minus(d, a);
  return u.x * (v.y * w.z - v.z * w.y) - u.y * (v.x * w.z - v.z * w.x) + u.z * (v.x * w.y - v.y * w.x);
}

// Quads are cut between points of one colour of a chessboard (model/topology.cpp).
std::vector<Triangle> gridTriangles(int nx, int nz) {
  std::vector<Triangle> all;
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, corner[4] = {a, a + nx + 1, a + nx + 2, a + 1}, turn = (i + j) % 2;
      const auto at = [&](int k) { return corner[(k + turn) % 4]; };
      all.push_back({at(0), at(1), at(2)}), all.push_back({at(0), at(2), at(3)});
    }
  return all;
}

// All cloths of a simulation as one soup.
struct Soup {
  std::vector<Triangle> triangles;
  std::vector<Place> points;

  void read(const Simulation& simulation, const std::vector<std::vector<Triangle>>& cloths) {
    triangles.clear(), points.clear();
    BodyView view;
    for (std::size_t b = 0; b < cloths.size(); ++b) {
      simulation.readBody(static_cast<int>(b), view);
      const int first = static_cast<int>(points.size());
      for (const Vec3f p : view.positions) points.push_back({p.x, p.y, p.z});
      for (const Triangle& t : cloths[b]) triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }

  // Edges that go through triangles they share no point with.
  int crossings() const {
    double cell = 0;
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const Place d = minus(points[t[k]], points[t[(k + 1) % 3]]);
        cell = std::max({cell, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
      }
    std::map<std::array<int, 3>, std::vector<int>> cells;
    const auto forCells = [&](const int* corner, int count, const auto& visit) {
      int lo[3], hi[3];
      for (int k = 0; k < 3; ++k) {
        double least = 1e30, most = -1e30;
        for (int c = 0; c < count; ++c) {
          const Place p = points[corner[c]];
          const double v = k == 0 ? p.x : k == 1 ? p.y : p.z;
          least = std::min(least, v), most = std::max(most, v);
        }
        lo[k] = static_cast<int>(std::floor(least / cell)), hi[k] = static_cast<int>(std::floor(most / cell));
      }
      for (int x = lo[0]; x <= hi[0]; ++x)
        for (int y = lo[1]; y <= hi[1]; ++y)
          for (int z = lo[2]; z <= hi[2]; ++z) visit(std::array<int, 3>{x, y, z});
    };
    for (std::size_t t = 0; t < triangles.size(); ++t)
      forCells(triangles[t].data(), 3,
               [&](const std::array<int, 3>& at) { cells[at].push_back(static_cast<int>(t)); });
    std::map<std::array<int, 2>, bool> edges;
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        edges[{low, high}] = true;
      }
    int count = 0;
    std::vector<int> near;
    for (const auto& [edge, one] : edges) {
      near.clear();
      forCells(edge.data(), 2, [&](const std::array<int, 3>& at) {
        if (const auto found = cells.find(at); found != cells.end())
          near.insert(near.end(), found->second.begin(), found->second.end());
      });
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
      for (const int t : near) count += crosses(edge, triangles[t]);
    }
    return count;
  }
  bool crosses(const std::array<int, 2>& e, const Triangle& t) const {
    for (const int p : t)
      if (p == e[0] || p == e[1]) return false;
    const Place p = points[e[0]], q = points[e[1]], a = points[t[0]], b = points[t[1]], c = points[t[2]];
    if ((volume(p, a, b, c) > 0) == (volume(q, a, b, c) > 0)) return false;
    const bool side = volume(p, q, a, b) > 0;
    return (volume(p, q, b, c) > 0) == side && (volume(p, q, c, a) > 0) == side;
  }
};

// Of a point from a triangle: from the plane where it is over the inside, else from the nearest side.
double distance(Place p, Place a, Place b, Place c) {
  const auto dot = [](Place u, Place v) { return u.x * v.x + u.y * v.y + u.z * v.z; };
  const auto toSide = [&](Place from, Place to) {
    const Place e = minus(to, from), d = minus(p, from);
    const double t = std::min(1.0, std::max(0.0, dot(d, e) / dot(e, e)));
    const Place off = {d.x - t * e.x, d.y - t * e.y, d.z - t * e.z};
    return std::sqrt(dot(off, off));
  };
  const Place u = minus(b, a), v = minus(c, a), d = minus(p, a);
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), du = dot(d, u), dv = dot(d, v);
  const double area = uu * vv - uv * uv, s = (du * vv - dv * uv) / area, t = (dv * uu - du * uv) / area;
  if (s >= 0 && t >= 0 && s + t <= 1) return std::abs(volume(a, b, c, p)) / std::sqrt(area);
  return std::min({toSide(a, b), toSide(b, c), toSide(c, a)});
}

bool verbose() { return std::getenv("REPOSE_VERBOSE") != nullptr; }
bool longRun() { return std::getenv("REPOSE_LONG") != nullptr; }

struct World {
  Scene scene;
  std::vector<std::vector<Triangle>> cloths;

  World() {
    scene.first_frame = 1, scene.last_frame = 1000;
    scene.world.base.airdensity = 0;
  }
  // A sheet of cells x cells with its middle at `middle`, facing up.
  Body& addSheet(int cells, float size, Vec3f middle, Vec3f velocity = {}) {
    Body body;
    body.name = "sheet" + std::to_string(cloths.size());
    body.geometry = makeGrid(cells, cells, size, size);
    for (Vec3f& p : body.geometry.points) p += middle - Vec3f{0.5f * size, 0, 0.5f * size};
    body.velocity = velocity;
    body.cloth.base.selfcollision = true;
    body.cloth.base.density = 0.2f;
    body.cloth.base.bendstiffness = 2e-5f;
    body.cloth.base.stretchstiffness = 1e5f;
    scene.bodies.push_back(body);
    cloths.push_back(gridTriangles(cells, cells));
    return scene.bodies.back();
  }
  void addPlane() {
    Collider plane;
    plane.name = "ground";
    scene.colliders.push_back(plane);
  }
  Collider& addSphere(Vec3f middle, float radius) {
    Collider sphere;
    sphere.name = "ball";
    sphere.shape = Collider::Shape::volume;
    sphere.volume.shape = Volume::Shape::sphere;
    sphere.volume.radius = radius;
    for (int k = 0; k < 3; ++k) sphere.volume.place.m[k][3] = middle[k];
    sphere.point = middle;
    scene.colliders.push_back(sphere);
    return scene.colliders.back();
  }
};

struct Outcome {
  int crossings = 0;       // over all frames
  float max_speed = 0;     // of any frame
  double energy_gain = 0;  // above the start [J]
  double seconds = 0;
  Soup soup;
};

Outcome simulate(const World& world, int frames, int threads = 2, std::uint64_t* hash = nullptr) {
  Outcome run;
  auto simulation = start(world.scene, threads);
  StepReport report;
  EXPECT_TRUE(simulation->measure(report).ok());
  const double first = report.energy;
  for (int f = 0; f < frames; ++f) {
    const auto begin = std::chrono::steady_clock::now();
    const Status status = simulation->advance(1, report);
    run.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_TRUE(status.ok()) << status.message();
    if (!status.ok()) break;
    run.soup.read(*simulation, world.cloths);
    const int crossings = run.soup.crossings();
    run.crossings += crossings;
    run.max_speed = std::max(run.max_speed, report.max_speed);
    run.energy_gain = std::max(run.energy_gain, report.energy - first);
    if (verbose())
      std::printf(
          "%3d crossings %d speed %.3f contacts %d deepest %.4f E %.4f stretch %.4f s %.3f collide %.3f\n", f,
          crossings, report.max_speed, static_cast<int>(report.contacts), report.max_penetration,
          report.energy, report.residual, run.seconds, report.seconds[static_cast<int>(Stage::collide)]);
  }
  if (hash) *hash = simulation->stateHash();
  return run;
}

constexpr SolverMethod kMethods[] = {SolverMethod::multilevel, SolverMethod::accelerated_jacobi,
                                     SolverMethod::gauss_seidel_coloured};

}  // namespace

TEST(SelfContact, TheCheckerSeesCrossings) {
  Soup soup;
  soup.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.2, -1, 0.2}, {0.2, 1, 0.2}, {0.3, 1, 0.2}};
  soup.triangles = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(soup.crossings(), 2);
  for (int k = 3; k < 6; ++k) soup.points[k].x += 2;
  EXPECT_EQ(soup.crossings(), 0);
}

// Without contacts the upper sheet falls through, with them it comes to lie on the lower one.
TEST(SelfContact, ASheetFallsOnASheetThatHangs) {
  for (const SolverMethod method : kMethods) {
    World world;
    world.scene.solver.base.method = method;
    world.addSheet(20, 1, {}).pins.push_back({"corners", {0, 20, 420, 440}, {}, false});
    world.addSheet(14, 0.6f, {0.03f, 0.2f, 0.02f}).cloth.base.veldamping = 0.5f;
    const Outcome run = simulate(world, 36);
    EXPECT_EQ(run.crossings, 0) << static_cast<int>(method);
    double mean = 0;
    for (std::size_t p = 441; p < run.soup.points.size(); ++p) mean += run.soup.points[p].y / 225;
    std::printf("method %d: mean height %.3f, fastest %.2f m/s, %.2f s\n", static_cast<int>(method), mean,
                run.max_speed, run.seconds);
    EXPECT_GT(mean, -0.5) << static_cast<int>(method);
    // multipliers let the sheet stretch, which the energy does not know of
    if (method != SolverMethod::multilevel) continue;
    EXPECT_LT(run.energy_gain, 1e-3);
    world.scene.bodies[0].cloth.base.selfcollision = false;
    EXPECT_LT(simulate(world, 20).soup.points[500].y, -2);
  }
}

// At 10 m/s a sheet goes ten times its distance from another one in a step.
TEST(SelfContact, AFastSheetIsStopped) {
  for (const SolverMethod method : kMethods) {
    World world;
    world.scene.solver.base.method = method;
    world.scene.world.base.gravity = {};
    world.addSheet(16, 1, {});
    world.addSheet(12, 0.7f, {0.03f, 0.3f, 0.02f}, {1, -10, 0.5f});
    const Outcome run = simulate(world, 3);
    EXPECT_EQ(run.crossings, 0) << static_cast<int>(method);
    EXPECT_LT(run.energy_gain, 1e-3) << static_cast<int>(method);
    const double lower = run.soup.points[8 * 17 + 8].y, upper = run.soup.points[289 + 6 * 13 + 6].y;
    std::printf("method %d: middles at %.3f and %.3f\n", static_cast<int>(method), lower, upper);
    EXPECT_GT(upper, lower) << static_cast<int>(method);
    EXPECT_LT(lower, -0.1) << static_cast<int>(method);
  }
}

// Momentum is what it was to rounding, whatever the contacts and the guard do. Multipliers move points, and
// round their places once an iteration: a velocity is a difference of places over a short time.
TEST(SelfContact, AFreeCollisionKeepsTheMomentum) {
  for (const SolverMethod method : kMethods) {
    World world;
    world.scene.solver.base.method = method;
    world.scene.world.base.gravity = {};
    world.addSheet(10, 1, {});
    world.addSheet(10, 0.7f, {0.03f, 0.2f, 0.02f}, {0.5f, -3, 0.2f});
    auto simulation = start(world.scene);
    const auto momentum = [&](double mass[2]) {
      std::array<double, 3> sum{};
      BodyView view;
      for (int b = 0; b < 2; ++b) {
        simulation->readBody(b, view);
        // corners of a triangle take a third of its mass each: points along the rim of a grid have half,
        // those in its corners a part that the cut decides
        const std::vector<Triangle>& triangles = world.cloths[b];
        for (const Triangle& t : triangles)
          for (const int p : t) {
            const Vec3f v = view.velocities[p];
            const double m = mass[b] / static_cast<double>(triangles.size()) / 3;
            sum[0] += m * v.x, sum[1] += m * v.y, sum[2] += m * v.z;
          }
      }
      return sum;
    };
    double mass[2] = {0.2 * 1, 0.2 * 0.49};
    const auto first = momentum(mass);
    advanceFrames(*simulation, 10);
    const auto last = momentum(mass);
    double lost = 0, size = 0;
    for (int k = 0; k < 3; ++k)
      lost += (last[k] - first[k]) * (last[k] - first[k]), size += first[k] * first[k];
    BodyView lower;
    simulation->readBody(0, lower);
    std::printf("method %d: momentum lost %.2e, lower sheet at %.2f m/s\n", static_cast<int>(method),
                std::sqrt(lost / size), lower.velocities[60].y);
    EXPECT_LT(std::sqrt(lost / size), method == SolverMethod::multilevel ? 1e-6 : 5e-5)
        << static_cast<int>(method);
    EXPECT_LT(lower.velocities[60].y, -0.3f) << static_cast<int>(method);
  }
}

// A sheet that begins folded falls on the ground and stays in two layers.
TEST(SelfContact, AFoldedSheetLiesInTwoLayers) {
  for (const SolverMethod method : kMethods) {
    World world;
    world.scene.solver.base.method = method;
    const int cells = 24;
    Body& body = world.addSheet(cells, 1, {0, 0.1f, 0});
    body.rest_points = body.geometry.points;
    const float radius = 0.04f, turn = 3.14159265f * radius, flat = 0.5f * (1 - turn);
    for (Vec3f& p : body.geometry.points) {
      const float u = p.x + 0.5f;
      if (u < flat) continue;
      const float along = u - flat, angle = along / radius;
      p.y += along < turn ? radius * (1 - std::cos(angle)) : 2 * radius;
      p.x = -0.5f + flat + (along < turn ? radius * std::sin(angle) : turn - along);
    }
    body.cloth.base.veldamping = 0.5f;
    world.addPlane();
    const Outcome run = simulate(world, 48);
    EXPECT_EQ(run.crossings, 0) << static_cast<int>(method);
    const std::vector<Place>& at = run.soup.points;
    double least = 1, mean = 0;
    int count = 0;
    for (int p = 0; p < static_cast<int>(at.size()); ++p) {
      if (p % (cells + 1) < 15) continue;  // the upper half, away from the fold
      double nearest = 1;
      for (const Triangle& t : world.cloths[0])
        if (t[0] % (cells + 1) < 9)
          nearest = std::min(nearest, distance(at[p], at[t[0]], at[t[1]], at[t[2]]));
      least = std::min(least, nearest), mean += nearest, ++count;
    }
    std::printf("method %d: layers %.4f m apart, %.4f in the mean, %.2f s\n", static_cast<int>(method), least,
                mean / count, run.seconds);
    EXPECT_GT(least, 0.01) << static_cast<int>(method);
    EXPECT_LT(mean / count, 0.04) << static_cast<int>(method);
  }
}

// Four sheets fall on a sphere that then goes its way.
World fourLayers(int cells, SolverMethod method) {
  World world;
  world.scene.solver.base.method = method;
  for (int k = 0; k < 4; ++k) {
    const float shift = static_cast<float>(k);
    world.addSheet(cells, 1.2f, {0.02f * shift, 0.5f + 0.05f * shift, -0.015f * shift});
  }
  for (Body& body : world.scene.bodies) body.cloth.base.friction = 0.5f;
  world.addPlane();
  world.scene.colliders[0].point = {0, -0.6f, 0};
  Collider& ball = world.addSphere({0, 0.1f, 0}, 0.3f);
  ball.translate.keys = {
      {1, {}}, {30, {}}, {60, {0.3f, 0.1f, 0}}, {90, {0.3f, 0.3f, 0.3f}}, {150, {-0.3f, 0.2f, 0}}};
  return world;
}

TEST(SelfContact, FourLayersOverAMovingSphere) {
  for (const SolverMethod method : kMethods) {
    if (longRun() && method != SolverMethod::multilevel) continue;
    const World world = fourLayers(longRun() ? 40 : 16, method);
    const Outcome run = simulate(world, longRun() ? 300 : 60);
    std::printf("method %d: crossings %d, fastest %.2f m/s, %.2f s\n", static_cast<int>(method),
                run.crossings, run.max_speed, run.seconds);
    EXPECT_EQ(run.crossings, 0) << static_cast<int>(method);
    EXPECT_LT(run.max_speed, 15) << static_cast<int>(method);  // corners lash
  }
}

TEST(SelfContact, SameBitsOnAnyNumberOfThreads) {
  for (const SolverMethod method : kMethods) {
    const World world = fourLayers(12, method);
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3, 7}) {
      std::uint64_t hash = 0;
      simulate(world, 20, threads, &hash);
      if (threads == 1) expected = hash;
      EXPECT_EQ(hash, expected) << static_cast<int>(method) << ", " << threads << " threads";
    }
  }
}

// Cloth that begins inside other cloth is not blown apart: two sheets that lie across each other come apart
// at their rims, or where one has a higher layer to the side that the other faces.
TEST(SelfContact, ATangledStartComesApart) {
  for (const SolverMethod method : kMethods)
    for (const int layer : {0, 1}) {
      World world;
      world.scene.solver.base.method = method;
      world.scene.world.base.gravity = {};
      world.addSheet(16, 1, {});
      Body& other = world.addSheet(16, 1, {});
      for (Vec3f& p : other.geometry.points)
        p = {0.45f + p.x * 0.98f, layer ? 0.01f + 0.03f * std::sin(9 * p.x) : 0.17f * p.x + 0.06f,
             p.z + 0.01f};
      other.cloth.base.layer = layer;
      for (Body& body : world.scene.bodies) body.cloth.base.veldamping = 2;
      auto simulation = start(world.scene);
      Soup soup;
      soup.read(*simulation, world.cloths);
      const int first = soup.crossings();
      const Outcome run = simulate(world, 48);
      const int last = run.soup.crossings();
      std::printf("method %d layer %d: crossings %d, then %d, fastest %.2f m/s\n", static_cast<int>(method),
                  layer, first, last, run.max_speed);
      EXPECT_GT(first, 10);
      EXPECT_LT(last, layer ? 1 : first) << static_cast<int>(method);
      EXPECT_LT(run.max_speed, 20) << static_cast<int>(method);
    }
}

// A tube that is wound round more than once, in waves, goes through itself.
TEST(SelfContact, ATubeInsideItselfDoesNotBurst) {
  for (const SolverMethod method : kMethods) {
    World world;
    world.scene.solver.base.method = method;
    world.addSheet(24, 1, {}).cloth.base.veldamping = 1;
    Body& tube = world.scene.bodies[0];
    for (Vec3f& p : tube.geometry.points) {
      const float round = 7.5f * (p.x + 0.5f), radius = 0.13f + 0.01f * std::sin(4 * round + 12 * p.z);
      p = {radius * std::cos(round), 0.55f + p.z, radius * std::sin(round)};
    }
    world.addPlane();
    const Outcome run = simulate(world, 36);
    std::printf("method %d: fastest %.2f m/s, crossings at the end %d\n", static_cast<int>(method),
                run.max_speed, run.soup.crossings());
    EXPECT_LT(run.max_speed, 20) << static_cast<int>(method);
  }
}

}  // namespace repose
