// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_obj.h"

#include <gtest/gtest.h>

#include <clocale>

namespace repose {

namespace {

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

Geometry good(const std::string& text) {
  Result<Geometry> mesh = parseObj(text, "m.obj");
  EXPECT_TRUE(mesh.ok()) << mesh.status().message();
  return mesh.ok() ? *mesh : Geometry{};
}

std::string bad(const std::string& text) { return parseObj(text, "m.obj").status().message(); }

}  // namespace

TEST(ReadObj, AllIndexFormsAreTheSameFace) {
  const std::string uvs = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";
  for (const char* face :
       {"f 1 2 3 4", "f 1/1 2/2 3/3 4/4", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/2/1 3/3/1 4/4/1",
        "f -4 -3 -2 -1", "f -4/-4/-1 -3/-3/-1 -2/-2/-1 -1/-1/-1"}) {
    const Geometry g = good(kSquare + uvs + face);
    EXPECT_EQ(g.face_indices, (std::vector<std::int32_t>{0, 1, 2, 3})) << face;
    const Attribute* uv = g.find(AttributeOwner::corner, "uv");
    const std::string_view text = face;
    const bool has_uv = text.find('/') != text.npos && text.find("//") == text.npos;
    ASSERT_EQ(uv != nullptr, has_uv) << face;
    if (uv) {
      EXPECT_EQ(uv->indices, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    }
  }
}

TEST(ReadObj, ReadsTabsCarriageReturnsCommentsSignsAndExponents) {
  const Geometry g = good(
      "# cloth\r\nv\t+1.5e0\t-2e-1  3 1.0\r\nv 1 0 0 # two\r\nv 0 1 0\r\n\r\nusemtl silk\r\ns off\r\nf 1\t2 "
      "3 \r\n");
  ASSERT_EQ(g.points.size(), 3u);
  EXPECT_EQ(g.points[0], (Vec3f{1.5f, -0.2f, 3}));
  EXPECT_EQ(g.face_counts, (std::vector<std::int32_t>{3}));
}

TEST(ReadObj, FacesMayComeBeforeTheirPoints) { EXPECT_EQ(good("f 1 2 3\n" + kSquare).face_indices[2], 2); }

TEST(ReadObj, GroupsAndObjectsBecomePointGroups) {
  const Geometry g = good(kSquare + "o cloth\ng left all\nf 1 2 3\ng right all\nf 1 3 4\ng empty\n");
  ASSERT_EQ(g.groups.size(), 3u);
  EXPECT_EQ(g.findGroup("left")->points, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(g.findGroup("right")->points, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(g.findGroup("all")->points, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(ReadObj, MistakesHaveTheirLine) {
  EXPECT_EQ(bad("v 0 0 0\nv 1 nan 0\n"), "m.obj:2: \"nan\" is not a finite number");
  EXPECT_EQ(bad("v 0 inf 0\n"), "m.obj:1: \"inf\" is not a finite number");
  EXPECT_EQ(bad("v 0 1e400 0\n"), "m.obj:1: \"1e400\" is not a finite number");
  EXPECT_EQ(bad("v 0 0 0\nv 1 0,5 0\n"), "m.obj:2: \"0,5\" is not a finite number");
  EXPECT_EQ(bad("v 0 0 0\nv 1 0"), "m.obj:2: \"v\" needs 3 numbers and has 2");
  EXPECT_EQ(bad(kSquare + "f 1 2 9\n"), "m.obj:5: a face uses point 9, but the file has 4");
  EXPECT_EQ(bad(kSquare + "vt 0 0\nf 1/1 2/1 3/2\n"), "m.obj:6: a face uses uv 2, but the file has 1");
  EXPECT_EQ(bad(kSquare + "f 1 2 0\n"), "m.obj:5: \"0\" is not a point number");
  EXPECT_EQ(bad(kSquare + "f 1 2 -5\n"), "m.obj:5: point -5 is before the first of 4 so far");
  EXPECT_EQ(bad(kSquare + "f 1 2 x\n"), "m.obj:5: \"x\" is not a point number");
  EXPECT_EQ(bad(kSquare + "f 1 2\n"), "m.obj:5: a face needs at least 3 points and has 2");
  EXPECT_EQ(bad(kSquare + "f 1 2 2\n"), "m.obj:5: a face uses point 2 twice");
  EXPECT_EQ(bad(kSquare + "f 1 2 99999999999\n"), "m.obj:5: \"99999999999\" is not a point number");
  EXPECT_EQ(bad(""), "m.obj has no points (\"v\" lines)");
  EXPECT_EQ(bad(kSquare), "m.obj has no faces (\"f\" lines)");
}

TEST(ReadObj, AMissingFileIsNamed) {
  EXPECT_EQ(readObj("no_such.obj").status().message(), "cannot read no_such.obj: No such file or directory");
}

TEST(ReadObj, ACommaLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  EXPECT_EQ(good("v 0.5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").points[0].x, 0.5f);
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace repose
