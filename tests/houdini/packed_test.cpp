// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Packed primitives as rigid pieces and as colliders, on the stand-in.
#include "standin/packed.h"
#include "tests/houdini/session.h"

namespace repose::houdini {

namespace {

using nodes::crate;
using nodes::dots;

UT_Matrix3D quarterTurn() {
  UT_Matrix3D axes(1.0);
  axes(0, 0) = 0, axes(0, 1) = 1, axes(1, 0) = -1, axes(1, 1) = 0;
  return axes;
}

// Where a packed primitive shows a point of its inside.
UT_Vector3 shown(const GU_Detail& detail, GA_Index primitive, UT_Vector3 p) {
  UT_Matrix4D m;
  static_cast<const GU_PrimPacked*>(detail.getGEOPrimitiveByIndex(primitive))->getFullTransform4(m);
  UT_Vector3 at;
  for (int j = 0; j < 3; ++j)
    at(j) = static_cast<float>(p.x() * m(0, j) + p.y() * m(1, j) + p.z() * m(2, j) + m(3, j));
  return at;
}

// Crates that hang at points, all with the same inside.
GU_Detail packedCrates(const std::vector<UT_Vector3>& places, const UT_Vector3& pivot = {}) {
  GU_DetailHandle inside;
  inside.allocateAndSet(new GU_Detail(toHost(crate(0.4f))));
  nodes::NodeGeometry hooks;
  std::vector<std::string> names;
  for (const UT_Vector3& p : places) {
    hooks.points.push_back({p.x(), p.y(), p.z()});
    names.push_back("piece" + std::to_string(names.size()));
  }
  hooks.write(nodes::Owner::point, "name", 1, names);
  GU_Detail detail = toHost(hooks);
  for (std::size_t k = 0; k < places.size(); ++k) {
    auto packed = std::make_shared<GU_PrimPacked>();
    packed->points = {detail.pointOffset(static_cast<GA_Index>(k))};
    packed->inside = inside, packed->pivot = pivot;
    if (k % 2 == 1) packed->axes = quarterTurn();
    detail.addPrimitive(packed);
  }
  detail.bumpDataIdsForAddOrRemove(true, true, true);
  return detail;
}

const std::vector<UT_Vector3> kPlaces = {{0, 0.3125f, 0}, {0.125f, 0.8125f, 0.0625f}, {3, 0.5f, 0}};

// numbers that floats hold exactly, so that both ways give the same bits
// The same crates as one mesh, point for point.
nodes::NodeGeometry unpacked(const GU_Detail& packed) {
  const nodes::NodeGeometry one = crate(0.4f);
  nodes::NodeGeometry all;
  std::vector<std::string> names;
  for (GA_Index k = 0; k < packed.getNumPrimitives(); ++k) {
    const int first = static_cast<int>(all.points.size());
    for (const Vec3f p : one.points) {
      const UT_Vector3 at = shown(packed, k, {p.x, p.y, p.z});
      all.points.push_back({at.x(), at.y(), at.z()});
      names.push_back("piece" + std::to_string(k));
    }
    for (const nodes::Primitive& face : one.primitives) {
      std::vector<int> corners;
      for (int i = 0; i < face.count; ++i) corners.push_back(first + one.corners[face.first + i]);
      all.addPrimitive(nodes::PrimitiveKind::polygon, corners);
    }
  }
  all.write(nodes::Owner::point, "name", 1, names);
  return all;
}

GU_Detail configured(Session& session, const GU_Detail& detail) {
  return session.cook(session.make("repose::configure_rigid"), {&detail});
}

}  // namespace

TEST(Packed, PiecesFallLikeTheSameMeshUnpacked) {
  for (const UT_Vector3 pivot : {UT_Vector3(0, 0, 0), UT_Vector3(0.125f, 0, -0.0625f)}) {
    Session session;
    const GU_Detail pieces = packedCrates(kPlaces, pivot);
    SolverSop packed(session, configured(session, pieces)),
        plain(session, session.configured("rigid", unpacked(pieces), {{"pieces", "2"}}));
    for (const int frame : {1, 12, 30}) {
      const GU_Detail &a = packed.at(frame), &b = plain.at(frame);
      EXPECT_EQ(hashOf(a), hashOf(b)) << frame;
      const nodes::NodeGeometry one = crate(0.4f);
      for (GA_Index k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < one.points.size(); ++i) {
          const UT_Vector3 at = shown(a, k, {one.points[i].x, one.points[i].y, one.points[i].z});
          const UT_Vector3 is =
              b.getPos3(b.pointOffset(static_cast<GA_Index>(k * 8 + static_cast<GA_Index>(i))));
          for (int c = 0; c < 3; ++c) EXPECT_NEAR(at(c), is(c), 2e-5f) << frame << " " << k << " " << i;
        }
    }
    EXPECT_EQ(packed.at(30).unbumped(), "");
    EXPECT_LT(packed.at(30).getPos3(packed.at(30).pointOffset(2)).y(), 0.45f);
  }
}

TEST(Packed, AColdStateGoesOnLikeAWarmOne) {
  Session session;
  SolverSop warm(session, configured(session, packedCrates(kPlaces))),
      cold(session, configured(session, packedCrates(kPlaces)));
  cold.forgets = true;
  EXPECT_EQ(hashOf(warm.at(12)), hashOf(cold.at(12)));
  EXPECT_EQ(bitsOf(warm.at(12)), bitsOf(cold.at(12)));
}

TEST(Packed, CollidersHoldAndMove) {
  Session session;
  SolverSop solver(session, session.configured("grain", dots(2, 0.05f)), {});
  solver.colliders = [](int frame) {
    return packedCrates({{0, -0.2f - 0.001f * static_cast<float>(frame), 0}});
  };
  expectAbove(solver.at(12), 0.02f);
}

TEST(Packed, PlacesThatAreNoneAreNamed) {
  Session session;
  GU_Detail pieces = packedCrates({{0, 1, 0}});
  auto broken = std::make_shared<GU_PrimPacked>(static_cast<const GU_PrimPacked&>(*pieces.primitives()[0]));
  GU_Detail bad = toHost(crate());
  bad.setPos3(bad.pointOffset(4), {NAN, 0, 0});
  broken->inside.allocateAndSet(new GU_Detail(bad));
  pieces.primitives()[0] = broken;
  SOP_Node& node = session.make("repose::configure_rigid");
  node.inputs = {&pieces};
  EXPECT_EQ(node.standinCook(0), UT_ERROR_ABORT);
  EXPECT_EQ(node.errors.at(0), "Geometry, packed primitive 0: P is not finite at point 4");
}

}  // namespace repose::houdini
