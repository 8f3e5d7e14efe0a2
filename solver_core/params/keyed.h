// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Values that change over the frames: [frame, value] keys, straight lines between them, held outside.
#pragma once
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace repose {

template <class T>
struct Key {
  double frame;
  T value;
};

template <class T>
class Keys {
 public:
  std::vector<Key<T>> keys;  // frames strictly ascending
  bool empty() const { return keys.empty(); }
  T at(double frame) const {
    if (keys.empty()) return T{};
    if (frame <= keys.front().frame) return keys.front().value;
    for (std::size_t k = 1; k < keys.size(); ++k)
      if (frame <= keys[k].frame) {
        const Key<T>&a = keys[k - 1], &b = keys[k];
        const auto t = static_cast<float>((frame - a.frame) / (b.frame - a.frame));
        return a.value + (b.value - a.value) * t;
      }
    return keys.back().value;
  }
};

// A parameter struct of which some float and vec3 fields have keys; the offset is that of the row.
template <class Params>
struct Keyed {
  struct Track {
    std::size_t offset;
    int width;  // 1 float, 3 vec3
    Keys<Vec3f> keys;
  };
  Params base;
  std::vector<Track> tracks;

  // Whether some value that the run may see passes the test: the base, or one at a key.
  template <class Test>
  bool ever(const Test& test) const {
    bool passed = test(base);
    for (const Track& track : tracks)
      for (const Key<Vec3f>& key : track.keys.keys) passed = passed || test(at(key.frame));
    return passed;
  }

  Params at(double frame) const {
    Params p = base;
    for (const Track& track : tracks) {
      const Vec3f value = track.keys.at(frame);
      auto* field = reinterpret_cast<float*>(reinterpret_cast<char*>(&p) + track.offset);
      for (int k = 0; k < track.width; ++k) field[k] = value[k];
    }
    return p;
  }
};

}  // namespace repose
