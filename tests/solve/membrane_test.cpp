// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Membrane triangles against the plane elasticity that docs/membranes.md promises: C11, C22, G and C12 = G.
#include <cmath>
#include <random>

#include "base/hash.h"
#include "kernel/lane1.h"
#include "model/build.h"
#include "scenes.h"
#include "solve/membrane_rows.h"
#include "solve/point_fields.h"

namespace repose {

constexpr float kLong = 1, kWide = 0.25f;  // of the strips [m]
constexpr float kGravity = 2, kDensity = 0.2f;

// Moves every inner point of a grid by up to `share` of a cell, in the plane.
void jitter(Geometry& g, int nx, int nz, float share) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> noise(-share, share);
  const float dx = g.points[1].x - g.points[0].x, dz = g.points[nx + 1].z - g.points[0].z;
  for (int j = 1; j < nz; ++j)
    for (int i = 1; i < nx; ++i) {
      Vec3f& p = g.points[j * (nx + 1) + i];
      p.x += dx * noise(random), p.z += dz * noise(random);
    }
}

// A strip in the xz plane that hangs along z from its end at z = 0. Its warp is x turned by `angle`.
Scene stripScene(int nx, float angle, float shake = 0,
                 SolverMethod method = SolverMethod::conjugate_residuals) {
  const int nz = 4 * nx;
  Geometry g = makeGrid(nx, nz, kWide, kLong);
  jitter(g, nx, nz, shake);
  Scene scene = sceneOf(std::move(g));
  scene.world.base.gravity = {0, 0, kGravity};
  scene.world.base.substeps = 12;  // a wave passes few cells in a step, so that the iterations converge
  scene.solver.base.method = method;
  scene.solver.base.iterations = 60;
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.membrane = Membrane::triangles;
  cloth.warpangle = angle;
  cloth.density = kDensity;
  cloth.stretchstiffness = 40;
  cloth.weftstiffness = 20;
  cloth.shearstiffness = 8;
  cloth.stretchdamping = 0.02f;
  cloth.bendmodel = BendModel::none;
  Pin pin;
  for (int i = 0; i <= nx; ++i) pin.points.push_back(i);
  scene.bodies[0].pins.push_back(pin);
  return scene;
}

// Uniaxial modulus of a strip that hangs at rest, from the way between two of its sections: with the tension
// T = density g (L - z) of its own weight, d = integral of T/E.
double stripModulus(const Scene& scene) {
  auto simulation = start(scene);
  advanceFrames(*simulation, 80);
  BodyView view;
  simulation->readBody(0, view);
  const std::vector<Vec3f>& rest = view.geometry->points;
  // far from the clamped end, where the width is free
  double moved[2] = {0, 0}, place[2] = {0, 0}, count[2] = {0, 0};
  for (std::size_t p = 0; p < rest.size(); ++p)
    for (int end = 0; end < 2; ++end) {
      if (std::abs(rest[p].z - (end ? 0.85f : 0.45f) * kLong) > 0.1f * kLong) continue;
      moved[end] += view.positions[p].z - rest[p].z;
      place[end] += rest[p].z;
      ++count[end];
    }
  for (int end = 0; end < 2; ++end) moved[end] /= count[end], place[end] /= count[end];
  const double weight = kDensity * kGravity;
  return weight * (kLong * (place[1] - place[0]) - (place[1] * place[1] - place[0] * place[0]) / 2) /
         (moved[1] - moved[0]);
}

TEST(Membrane, StripStretchesByTheUniaxialModulusAlongWarpAndWeft) {
  const double c11 = 40, c22 = 20, g = 8;
  for (const SolverMethod method : {SolverMethod::conjugate_residuals, SolverMethod::multilevel}) {
    EXPECT_NEAR(stripModulus(stripScene(8, 90, 0, method)) / (c11 - g * g / c22), 1, 0.02);
    EXPECT_NEAR(stripModulus(stripScene(8, 0, 0, method)) / (c22 - g * g / c11), 1, 0.02);
  }
}

// 1/E = (2/(C + G) + 1/G)/4 at 45 degrees when C11 = C22 = C and C12 = G.
double biasModulus(double c, double g) { return 4 * g * (c + g) / (c + 3 * g); }

TEST(Membrane, StripStretchesByTheBiasModulusAt45Degrees) {
  for (const SolverMethod method : {SolverMethod::conjugate_residuals, SolverMethod::multilevel}) {
    Scene scene = stripScene(8, 45, 0, method);
    scene.bodies[0].cloth.base.weftstiffness = 0;  // as the warp
    EXPECT_NEAR(stripModulus(scene) / biasModulus(40, 8), 1, 0.03);
  }
}

TEST(Membrane, IsTheSameFabricOnAnyMesh) {
  for (const float angle : {0.0f, 90.0f}) {
    const double regular = stripModulus(stripScene(8, angle));
    EXPECT_NEAR(stripModulus(stripScene(8, angle, 0.3f)) / regular, 1, 0.02) << angle;
    EXPECT_NEAR(stripModulus(stripScene(8, angle, 0.3f, SolverMethod::multilevel)) / regular, 1, 0.02)
        << angle;
    EXPECT_NEAR(stripModulus(stripScene(4, angle)) / regular, 1, 0.03) << angle;
    EXPECT_NEAR(stripModulus(stripScene(4, angle, 0.3f)) / regular, 1, 0.03) << angle;
  }
}

TEST(Membrane, KeysOnTheStiffnessAreFollowed) {
  Scene scene = stripScene(4, 90);
  const double before = stripModulus(scene);
  for (const char* name : {"stretchstiffness", "weftstiffness", "shearstiffness"}) {
    const ParamRow* row = findParam("cloth", name);
    const auto value = static_cast<float>(loadParam(*row, &scene.bodies[0].cloth.base)[0]);
    scene.bodies[0].cloth.tracks.push_back({row->offset, 1, {{{1, {value, 0, 0}}, {20, {value / 2, 0, 0}}}}});
  }
  EXPECT_NEAR(stripModulus(scene) / before, 0.5, 0.01);
}

TEST(Membrane, StressIsTheWeightBelow) {
  for (const Membrane membrane : {Membrane::triangles, Membrane::springs}) {
    Scene scene = stripScene(8, 90);
    scene.bodies[0].cloth.base.membrane = membrane;
    if (membrane == Membrane::springs) scene.bodies[0].cloth.base.shearstiffness = 0;
    auto simulation = start(scene);
    advanceFrames(*simulation, 80);
    std::vector<float> stress;
    simulation->readStress(0, stress);
    const std::vector<Vec3f>& rest = scene.bodies[0].geometry.points;
    // of two edges at a point the upper one carries half a cell more
    const float more = membrane == Membrane::springs ? kLong / 64 : 0.0f;
    double sum = 0, expected = 0;
    for (std::size_t p = 0; p < rest.size(); ++p)
      if (std::abs(rest[p].z - 0.5f * kLong) < 0.2f * kLong)
        sum += stress[p], expected += kDensity * kGravity * (kLong - rest[p].z + more);
    EXPECT_NEAR(sum / expected, 1, 0.01) << static_cast<int>(membrane);
  }
}

// One triangle on one lane; the pushes are minus the derivatives of the energy by warp and weft.
struct OneTriangle {
  int corner[3] = {0, 1, 2};
  float warp[3] = {-1.25f, 1.5f, -0.25f}, weft[3] = {-0.5f, -0.75f, 1.25f};
  Vec4f x[3] = {{0, 0, 0, 1}, {0.7f, 0.1f, 0.2f, 1}, {0.2f, -0.3f, 0.9f, 1}};
  float stiffness[4] = {3, 2, 0.7f, 0.5f};
  Vec4f push[2];

  void pull() {
    float lambda[4] = {}, momentum[4] = {};
    const float none[4] = {}, one = 1;
    lane1::membrane_item(0, x, x, corner, warp, weft, &one, none, stiffness, none, lambda, momentum, push, 1,
                         1, 0, 0);
  }
  static double part(const Vec4f& p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }
  double energy(const double place[3][3]) const {
    double fibre[4][3], sum = 0;
    for (int k = 0; k < 3; ++k) {
      double a = 0, b = 0;
      for (int s = 0; s < 3; ++s) a += warp[s] * place[s][k], b += weft[s] * place[s][k];
      fibre[0][k] = a, fibre[1][k] = b;
      fibre[2][k] = (a + b) / std::sqrt(2.0), fibre[3][k] = (a - b) / std::sqrt(2.0);
    }
    for (int f = 0; f < 4; ++f) {
      const double c = std::hypot(fibre[f][0], fibre[f][1], fibre[f][2]) - 1;
      sum += 0.5 * stiffness[f] * c * c;
    }
    return sum;
  }
};

TEST(Membrane, PushesAreTheGradientOfTheEnergy) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> noise(-0.4f, 0.4f);
  for (int trial = 0; trial < 100; ++trial) {
    OneTriangle t;
    for (Vec4f& p : t.x) p.x += noise(random), p.y += noise(random), p.z += noise(random);
    t.pull();
    double place[3][3];
    for (int s = 0; s < 3; ++s)
      for (int k = 0; k < 3; ++k) place[s][k] = OneTriangle::part(t.x[s], k);
    for (int s = 0; s < 3; ++s)
      for (int k = 0; k < 3; ++k) {
        const double here = place[s][k], step = 1e-6;
        place[s][k] = here + step;
        const double up = t.energy(place);
        place[s][k] = here - step;
        const double down = t.energy(place);
        place[s][k] = here;
        const double force =
            t.warp[s] * OneTriangle::part(t.push[0], k) + t.weft[s] * OneTriangle::part(t.push[1], k);
        EXPECT_NEAR(force, -(up - down) / (2 * step), 2e-5) << trial << " " << s << " " << k;
      }
  }
}

// Stress of a right triangle of area 1/2 under small strains, against Hooke's law with C12 = G.
TEST(Membrane, SmallStrainsFollowTheModuli) {
  MembraneTriangles m;
  m.stretch = m.shear = {1};
  ClothParams cloth;
  cloth.stretchstiffness = 50, cloth.weftstiffness = 30, cloth.shearstiffness = 10;
  const FibreStiffness k = fibreStiffness(m, 0, cloth);
  const auto stress = [&](float warp, float weft, float shear) {
    OneTriangle t;
    const float along[3] = {-1, 1, 0}, across[3] = {-1, 0, 1};
    std::copy(along, along + 3, t.warp);
    std::copy(across, across + 3, t.weft);
    std::copy(k.of, k.of + 4, t.stiffness);
    t.x[0] = {0, 0, 0, 1}, t.x[1] = {1 + warp, 0, 0, 1}, t.x[2] = {shear, 1 + weft, 0, 1};
    t.pull();
    return std::array<float, 3>{-t.push[0].x, -t.push[1].y, -t.push[1].x};
  };
  const float e = 1e-3f;
  EXPECT_NEAR(stress(e, 0, 0)[0] / e, 50, 0.1);
  EXPECT_NEAR(stress(e, 0, 0)[1] / e, 10, 0.1);
  EXPECT_NEAR(stress(0, e, 0)[1] / e, 30, 0.1);
  EXPECT_NEAR(stress(0, e, 0)[0] / e, 10, 0.1);
  EXPECT_NEAR(stress(0, 0, e)[2] / e, 10, 0.1);
  // a shear modulus above the stretch stiffness leaves the biases alone
  cloth.shearstiffness = 60;
  EXPECT_EQ(fibreStiffness(m, 0, cloth).of[0], 0);
  EXPECT_EQ(fibreStiffness(m, 0, cloth).of[2], 120);
}

Built builtOf(const Scene& scene) {
  Result<Built> built = buildModel(scene);
  EXPECT_TRUE(built.ok());
  return std::move(*built);
}

// Where the warp of a triangle points at rest.
Vec3f warpOf(const Built& built, int i) {
  const MembraneTriangles& m = built.model.membrane;
  Vec3f sum;
  for (int s = 0; s < 3; ++s)
    sum += xyz(built.state.x[m.corner[s * m.size() + i]]) * m.warp[s * m.size() + i];
  return sum;
}

void expectWarp(const Scene& scene, Vec3f direction) {
  const Built built = builtOf(scene);
  const Range triangles = built.model.bodies[0].membrane;
  ASSERT_GT(triangles.count, 0);
  EXPECT_EQ(built.model.bodies[0].rows[static_cast<int>(RowKind::stretch)].count, 0);
  EXPECT_EQ(built.model.bodies[0].rows[static_cast<int>(RowKind::shear)].count, 0);
  for (int i = triangles.first; i < triangles.first + triangles.count; ++i)
    EXPECT_LT(length(warpOf(built, i) - direction), 1e-4f) << i;
}

TEST(Membrane, WarpIsTheXAxisTurnedByTheAngle) {
  expectWarp(stripScene(4, 0, 0.3f), {1, 0, 0});
  // a quarter turn against the clock around the normal (0, 1, 0) takes x to -z
  expectWarp(stripScene(4, 90, 0.3f), {0, 0, -1});
  expectWarp(stripScene(4, 30, 0.3f), {std::sqrt(0.75f), 0, -0.5f});
}

TEST(Membrane, WarpOfAClothThatFacesXIsTheZAxis) {
  Scene scene = stripScene(4, 0, 0.3f);
  for (Vec3f& p : scene.bodies[0].geometry.points) p = {p.y, -p.x, p.z};
  expectWarp(scene, {0, 0, 1});
}

TEST(Membrane, WarpFollowsUOfPointsAndOfCorners) {
  Scene scene = stripScene(4, 0, 0.3f);
  Geometry& g = scene.bodies[0].geometry;
  Attribute uv;
  uv.name = "uv";
  uv.width = 2;
  for (const Vec3f p : g.points) uv.floats.insert(uv.floats.end(), {3 * p.z + 4 * p.x, p.x});
  g.attributes.push_back(uv);
  expectWarp(scene, {0.8f, 0, 0.6f});
  uv.owner = AttributeOwner::corner;
  uv.indices.assign(g.face_indices.begin(), g.face_indices.end());
  g.attributes = {uv};
  expectWarp(scene, {0.8f, 0, 0.6f});
  for (float& u : g.attributes[0].floats) u = 0.3f;  // without a direction: as without uv
  expectWarp(scene, {1, 0, 0});
}

TEST(Membrane, RigidMotionIsNoStrain) {
  Built built = builtOf(stripScene(8, 20, 0.3f));
  const float c = 0.6f, s = 0.8f;
  for (Vec4f& p : built.state.x) {
    const Vec3f q = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
    p.x = q.x + 1, p.y = c * q.y - s * q.z - 2, p.z = s * q.y + c * q.z + 3;
  }
  std::vector<float> strain;
  pointStrain(built.model, built.state, 0, ClothParams{}, strain);
  for (const float e : strain) EXPECT_LT(e, 2e-5f);
}

// Two corners held in gravity and wind; every method solves it well enough to agree.
Scene sheetScene(int cells, SolverMethod method) {
  Scene scene = gustyScene(cells, BendModel::quadratic, method);
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.membrane = Membrane::triangles;
  cloth.stretchstiffness = 60;
  cloth.weftstiffness = 40;
  cloth.shearstiffness = 10;
  cloth.stretchdamping = 0.001f;
  return scene;
}

TEST(Membrane, EveryMethodComesToTheSameSag) {
  const auto sag = [](SolverMethod method, Relaxation relaxation) {
    Scene scene = sheetScene(10, method);
    scene.world.base.wind = {};
    scene.world.base.airdensity = 0;
    scene.solver.base.iterations = 80;
    scene.solver.base.relaxation = relaxation;
    scene.bodies[0].cloth.base.veldamping = 6;
    auto simulation = start(scene, 2);
    advanceFrames(*simulation, 60);
    StepReport report;
    EXPECT_TRUE(simulation->measure(report).ok());
    EXPECT_GT(report.residual, 0.01f);  // warp and weft are measured
    BodyView view;
    simulation->readBody(0, view);
    float low = 0;
    for (const Vec3f p : view.positions) low = std::min(low, p.y);
    return low;
  };
  const float expected = sag(SolverMethod::gauss_seidel, Relaxation::split);
  EXPECT_LT(expected, -0.8f);
  for (int m = 1; m <= static_cast<int>(SolverMethod::multilevel); ++m) {
    if (m == static_cast<int>(SolverMethod::interleaved)) continue;  // which has springs alone
    EXPECT_NEAR(sag(static_cast<SolverMethod>(m), Relaxation::split), expected, 0.01f) << "method " << m;
  }
  for (const Relaxation relaxation : {Relaxation::power, Relaxation::count})
    EXPECT_NEAR(sag(SolverMethod::accelerated_jacobi, relaxation), expected, 0.01f);
}

std::uint64_t hashAfter(const Scene& scene, std::unique_ptr<Backend> backend, int frames) {
  auto simulation = Simulation::create(scene, std::move(backend));
  EXPECT_TRUE(simulation.ok());
  advanceFrames(**simulation, frames);
  return (*simulation)->stateHash();
}

TEST(Membrane, SameBitsForEveryThreadCountAndInstructionSet) {
  for (const SolverMethod method : {SolverMethod::accelerated_jacobi, SolverMethod::gauss_seidel_coloured,
                                    SolverMethod::conjugate_residuals}) {
    const Scene scene = sheetScene(30, method);
    const std::uint64_t expected = hashAfter(scene, makeTbbBackend(1, Isa::sse2), 6);
    for (const Isa isa : supportedIsas())
      for (const int threads : {1, 2, 3, 7})
        EXPECT_EQ(hexHash(hashAfter(scene, makeTbbBackend(threads, isa), 6)), hexHash(expected))
            << isaName(isa) << ", " << threads << " threads";
  }
}

// A golden value changes only with a reason in the commit.
TEST(Membrane, GoldenHashes) {
  const std::pair<SolverMethod, const char*> golden[] = {
      {SolverMethod::gauss_seidel, "dcb1b151397823cc"},
      {SolverMethod::accelerated_jacobi, "c263e5dea0e8f5af"},
      {SolverMethod::gauss_seidel_coloured, "b3f932f217470f38"},
      {SolverMethod::conjugate_residuals, "bd12a7a97b443b07"}};
  for (const auto& [method, hash] : golden)
    EXPECT_EQ(hexHash(hashAfter(sheetScene(24, method), makeTbbBackend(2), 12)), hash)
        << "method " << static_cast<int>(method);
}

TEST(Membrane, StiffClothKeepsItsLength) {
  Scene scene = sheetScene(10, SolverMethod::conjugate_residuals);
  ClothParams& cloth = scene.bodies[0].cloth.base;
  cloth.stretchstiffness = ClothParams{}.stretchstiffness;
  cloth.weftstiffness = 0;
  scene.solver.base.iterations = 100;
  scene.solver.base.tolerance = 0.01f;
  auto simulation = start(scene);
  StepReport report;
  for (int f = 0; f < 24; ++f) {
    ASSERT_TRUE(simulation->advance(1, report).ok());
    EXPECT_TRUE(report.converged) << f;
    EXPECT_LT(report.residual, 0.01f);
  }
}

}  // namespace repose
