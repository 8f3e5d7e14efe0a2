// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "model/state_bytes.h"

namespace repose {
namespace {

template <class Bytes, class Grains>
void passGrains(Bytes& bytes, Grains& g) {
  bytes(g.x)(g.v)(g.spin)(g.id)(g.body)(g.born)(g.calm)(g.births)(g.last)(g.emitted);
}

template <class Bytes, class Rigid>
void passRigid(Bytes& bytes, Rigid& r) {
  bytes(r.x)(r.q)(r.v)(r.spin)(r.calm)(r.island)(r.broken)(r.bonds)(r.loose);
}

template <class Bytes, class Memory>
void passMemory(Bytes& bytes, Memory& m) {
  bytes(m.first)(m.partner)(m.impulse)(m.mover)(m.surface)(m.surface_impulse);
  bytes(m.rigid_pair)(m.rigid_place)(m.rigid_impulse)(m.roll)(m.surface_roll)(m.part)(m.rules);
}

// Every member of State, in its order.
template <class Bytes, class S>
void passState(Bytes& bytes, S& s) {
  bytes(s.x)(s.x_low)(s.v)(s.v_last)(s.v_mean)(s.rest)(s.rest_angle)(s.rest_scale)(s.tet_y)(s.torn);
  passGrains(bytes, s.grains);
  passRigid(bytes, s.rigid);
  passMemory(bytes, s.contacts);
  bytes(s.rest_changes)(s.substep)(s.seconds)(s.row_radius)(s.map_radius);
}

struct ArrayBytes {
  std::size_t sum = 0;
  template <class T>
  ArrayBytes& operator()(const std::vector<T>& array) {
    sum += repose::bytesOf(array);
    return *this;
  }
  template <class T>
  ArrayBytes& operator()(const T& /*number*/) {
    return *this;
  }
};

}  // namespace

std::size_t bytesOf(const State& state) {
  ArrayBytes bytes;
  passState(bytes, state);
  return bytes.sum;
}

void saveState(const State& state, ByteWriter& bytes) { passState(bytes, state); }

std::vector<std::size_t> sizesOf(const State& state) {
  return {state.x.size(),          state.x_low.size(),      state.v.size(),         state.rest.size(),
          state.rest_angle.size(), state.rest_scale.size(), state.tet_y.size(),     state.rigid.x.size(),
          state.rigid.q.size(),    state.rigid.v.size(),    state.rigid.spin.size()};
}

void loadState(ByteReader& bytes, State& state) { passState(bytes, state); }

}  // namespace repose
