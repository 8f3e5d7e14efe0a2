// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "cache_fixtures.h"

namespace repose {
namespace {

constexpr int kFirst = 1001, kLast = 1012;

// An archive of everything that a run writes: cloth with velocities and a field, grains that come and go, and
// rigid bodies of which one rests for a while.
class AbcResume : public CacheTest {
 protected:
  struct Archive {
    std::unique_ptr<AbcWriter> writer;
    int mesh, strain, points, rolling, resting, skin;
  };

  Archive open(const std::string& path) {
    options_.samples = 2;
    Archive a;
    auto made = AbcWriter::create(path, options_);
    EXPECT_TRUE(made.ok()) << made.status().message();
    a.writer = std::move(*made);
    a.mesh = a.writer->addMesh("cloth", smallMesh());
    a.strain = a.writer->addAttribute(a.mesh, "strain", AttributeType::f32);
    a.points = a.writer->addPoints("sand", PointWidths::per_point);
    a.rolling = a.writer->addRigid("ball", smallMesh());
    a.resting = a.writer->addRigid("box", smallMesh());
    a.skin = a.writer->addChangingMesh("skin");
    a.writer->onCommit([this](int frame, const std::string& state) { states_[frame] = state; });
    return a;
  }

  static Status writeFrame(Archive& a, int frame, bool resumable) {
    const Geometry mesh = smallMesh();
    for (int sample = 0; sample < 2; ++sample) {
      const float t = static_cast<float>(frame - kFirst) + 0.5f * static_cast<float>(sample);
      const std::vector<Vec3f> at = moved(mesh.points, 0.1f * t);
      const std::vector<float> strain(at.size(), t);
      if (Status s = a.writer->setMesh(a.mesh, sample, at, at); !s) return s;
      if (Status s = a.writer->setAttribute(a.strain, sample, strain.data(), strain.size()); !s) return s;
      const auto grains = static_cast<std::size_t>(frame % 4 + 1);
      std::vector<std::uint64_t> ids(grains);
      for (std::size_t k = 0; k < grains; ++k) ids[k] = static_cast<std::uint64_t>(frame) + k;
      if (Status s = a.writer->setPoints(a.points, sample, std::vector<Vec3f>(grains, {t, 0, 0}), {}, ids,
                                         std::vector<float>(grains, 0.5f));
          !s)
        return s;
      Mat4d roll, rest;
      roll.m[0][3] = t;
      rest.m[1][3] = frame < 1004 ? t : frame < 1009 ? 3.0 : t;  // rests from 1004 to 1008
      if (Status s = a.writer->setTransform(a.rolling, sample, roll); !s) return s;
      if (Status s = a.writer->setTransform(a.resting, sample, rest); !s) return s;
      Geometry skin = mesh;
      skin.points = at;
      if (Status s = a.writer->setChangingMesh(a.skin, sample, skin); !s) return s;
    }
    return a.writer->endFrame(frame, resumable, "note " + std::to_string(frame));
  }

  // Writes frames first to last, and closes or just dies.
  void write(const std::string& path, int first, int last, const std::string& from, bool close) {
    Archive a = open(path);
    if (!from.empty()) ASSERT_OK(a.writer->resume(from, note_));
    for (int frame = first; frame <= last; ++frame) ASSERT_OK(writeFrame(a, frame, true));
    ASSERT_OK(close ? a.writer->close() : a.writer->flush());
  }

  std::map<int, std::string> states_;
  std::string note_;
};

TEST_F(AbcResume, AContinuedFileIsThatOfARunThatNeverStopped) {
  write(path_, kFirst, kLast, "", true);
  const std::string whole = readFile(path_);
  const std::map<int, std::string> states = states_;
  ASSERT_EQ(states.size(), 12u);

  const std::string stopped = (folder_ / "stopped.abc").string();
  for (int frame = kFirst; frame < kLast; ++frame) {
    // dies some frames behind the one it goes on from
    write(stopped, kFirst, std::min(frame + 3, kLast), "", false);
    write(stopped, frame + 1, kLast, states.at(frame), true);
    EXPECT_EQ(readFile(stopped), whole) << "from frame " << frame;
  }
}

TEST_F(AbcResume, ItMayStopAgainAndAgain) {
  write(path_, kFirst, kLast, "", true);
  const std::string whole = readFile(path_);
  const std::string stopped = (folder_ / "stopped.abc").string();
  states_.clear();
  write(stopped, kFirst, kFirst, "", false);
  for (int frame = kFirst + 1; frame <= kLast; ++frame)
    write(stopped, frame, frame, std::string(states_.at(frame - 1)), frame == kLast);
  EXPECT_EQ(readFile(stopped), whole);
}

TEST_F(AbcResume, AnotherFileIsRefusedAndLeftAlone) {
  write(path_, kFirst, kLast, "", true);
  const std::string state = states_.at(1005), whole = readFile(path_);

  const std::string other = (folder_ / "other.abc").string();
  Archive absent = open(other);
  const Status missing = absent.writer->resume(state, note_);
  EXPECT_EQ(missing.code(), Code::bad_input);
  EXPECT_NE(missing.message().find("other.abc"), std::string::npos) << missing.message();

  writeFile(other, whole.substr(0, whole.size() / 4));
  Archive small = open(other);
  EXPECT_EQ(small.writer->resume(state, note_).code(), Code::bad_input);
  EXPECT_EQ(readFile(other).size(), whole.size() / 4);

  // bytes that are no state, or one of other objects
  for (const std::string& bad : {std::string("nonsense"), state.substr(0, state.size() - 1), state + "x"}) {
    Archive a = open(path_);
    EXPECT_EQ(a.writer->resume(bad, note_).code(), Code::bad_input);
  }
  auto lone = create();
  lone->addMesh("cloth", smallMesh());
  EXPECT_EQ(lone->resume(state, note_).code(), Code::bad_input);
  EXPECT_EQ(readFile(path_), whole);
}

TEST_F(AbcResume, ReadersSeeTheFramesUpToWhereItGoesOn) {
  write(path_, kFirst, kLast, "", false);
  {
    Archive a = open(path_);
    ASSERT_OK(a.writer->resume(states_.at(1006), note_));
    EXPECT_EQ(a.writer->committedFrames(), 6);
    EXPECT_EQ(note_, "note 1006");
  }
  // died before it wrote anything
  const std::string state = states_.at(1006);
  write(path_, 1007, kLast, state, true);
  const std::string again = readFile(path_);
  write((folder_ / "whole.abc").string(), kFirst, kLast, "", true);
  EXPECT_EQ(again, readFile((folder_ / "whole.abc").string()));
}

}  // namespace
}  // namespace repose
