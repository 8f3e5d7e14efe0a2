// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Table (a) of reference.md: how far sliding bodies go before friction stops them.
#include <gtest/gtest.h>

#include <array>

#include "tests/solve/grain_world.h"

namespace repose {

namespace {

constexpr float kRadius = 0.5f, kStep = 0.016f;
constexpr double kDegree = 0.017453292519943295;

struct Slide {
  FrictionModel model = FrictionModel::disc;
  double degrees = 0;  // of the way from x to z
  float speed = 5, friction = 0.1f;
  bool cluster = false;  // eight grains as the corners of a box, instead of one
  ContactScheme scheme = ContactScheme::vts;
};

struct Stop {
  double along = 0, aside = 0;  // of the first velocity [m]
  double distance = 0, hop = 0;
};

Stop slide(const Slide& s) {
  GrainWorld world(kRadius);
  world.addPlane({0, 0, 0}, {0, 1, 0});
  world.params.h = kStep;
  world.params.solver.contactscheme = s.scheme;
  world.params.solver.frictionmodel = s.model;
  if (s.scheme == ContactScheme::vts) world.params.solver.contactiterations = 50;
  // the grains of a cluster hold each other better than the ground does
  world.params.solver.frictioncombine = FrictionCombine::minimum;
  world.params.grain[0].friction = 1, world.params.collider[0].friction = s.friction;
  const double c = std::cos(s.degrees * kDegree), z = std::sin(s.degrees * kDegree);
  const Vec3f v{static_cast<float>(s.speed * c), 0, static_cast<float>(s.speed * z)};
  const int across = s.cluster ? 2 : 1;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j)
      for (int k = 0; k < across; ++k)
        world.add({2 * i * kRadius, kRadius * (2 * j + 1), 2 * k * kRadius}, v, kRadius, 1);
  const auto middle = [&] {
    double at[3] = {0, 0, 0};
    for (const Vec4f p : world.state.grains.x) at[0] += p.x, at[1] += p.y, at[2] += p.z;
    const auto n = static_cast<double>(world.state.grains.size());
    return std::array<double, 3>{at[0] / n, at[1] / n, at[2] / n};
  };
  const auto fastest = [&] {
    double most = 0;
    for (const Vec4f u : world.state.grains.v)
      most = std::max(most, std::hypot(static_cast<double>(u.x), static_cast<double>(u.z)));
    return most;
  };
  const std::array<double, 3> start = middle();
  Stop stop;
  for (int step = 0; step < 2000 && fastest() > 1e-4; ++step) {
    world.step();
    stop.hop = std::max(stop.hop, middle()[1] - start[1]);
  }
  const std::array<double, 3> end = middle();
  const double dx = end[0] - start[0], dz = end[2] - start[2];
  stop.along = dx * c + dz * z, stop.aside = dz * c - dx * z, stop.distance = std::hypot(dx, dz);
  return stop;
}

// v0^2 / (2 mu g), less what the first step takes (reference.md a).
double expected(const Slide& s, double step) {
  const double v = s.speed;
  return v * v / (2 * static_cast<double>(s.friction) * 9.8) - v * step / 2;
}

class SlideTest : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Bodies, SlideTest, testing::Bool(),
                         [](const auto& body) { return body.param ? "cluster" : "grain"; });

TEST_P(SlideTest, IsotropicModelsStopWhereTheorySays) {
  for (const FrictionModel model : {FrictionModel::disc, FrictionModel::cone, FrictionModel::cone_corrected})
    for (const double degrees : {0.0, 22.5, 45.0}) {
      Slide s;
      s.model = model, s.degrees = degrees, s.cluster = GetParam();
      const Stop stop = slide(s);
      SCOPED_TRACE(testing::Message() << "model " << static_cast<int>(model) << " at " << degrees);
      EXPECT_NEAR(stop.along, expected(s, kStep), 0.005);  // 12.715 m
      EXPECT_LT(std::abs(stop.aside), 1e-4);
      const double hop = model == FrictionModel::cone ? 0.0165 : 0;
      EXPECT_NEAR(stop.hop, hop, hop > 0 ? 0.001 : 1e-5);
    }
}

TEST_P(SlideTest, PyramidIsTooStrongAlongItsDiagonal) {
  const double distance[] = {12.715, 11.007, 8.979}, aside[] = {0, 2.4, 0};
  for (int k = 0; k < 3; ++k) {
    Slide s;
    s.model = FrictionModel::pyramid, s.degrees = 22.5 * k, s.cluster = GetParam();
    const Stop stop = slide(s);
    EXPECT_NEAR(stop.distance, distance[k], 0.005) << s.degrees;
    EXPECT_NEAR(std::abs(stop.aside), aside[k], 0.05) << s.degrees;
  }
}

TEST_P(SlideTest, SoftContactsStopWhereTheorySays) {
  for (const double degrees : {0.0, 22.5, 45.0}) {
    Slide s;
    s.degrees = degrees, s.cluster = GetParam(), s.scheme = ContactScheme::soft;
    const Stop stop = slide(s);
    EXPECT_NEAR(stop.along, expected(s, kStep / contactSubsteps({}, kStep, kRadius)), 0.005) << degrees;
    EXPECT_LT(std::abs(stop.aside), 1e-4) << degrees;
    EXPECT_LT(stop.hop, 1e-5) << degrees;
  }
}

TEST(SlideFastTest, OnlyThePlainConeTakesOff) {
  Slide s;
  s.speed = 20, s.friction = 0.5f;
  for (const FrictionModel model :
       {FrictionModel::disc, FrictionModel::cone, FrictionModel::cone_corrected}) {
    s.model = model;
    const Stop stop = slide(s);
    SCOPED_TRACE(static_cast<int>(model));
    EXPECT_NEAR(stop.along, 40.656, 0.01);
    const double hop = model == FrictionModel::cone ? 3.30 : 0;
    EXPECT_NEAR(stop.hop, hop, hop > 0 ? 0.02 : 1e-4);
  }
}

}  // namespace

}  // namespace repose
