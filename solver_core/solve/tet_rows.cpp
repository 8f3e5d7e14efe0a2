// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/tet_rows.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"
#include "solve/workspace.h"

namespace repose {

namespace {

constexpr int kBlock = 1024;  // RE_BLOCK of kernel/measure.h
constexpr float kStiffest = 1 << 26;

// Place of a field of an entry among `fields` of them.
std::size_t at(int entry, int fields, int field) {
  return (static_cast<std::size_t>(entry / 16) * fields + field) * 16 + entry % 16;
}

// How much of a crowd a block is (rowShare): its stiffness against what its masses answer to one entry of F.
float share(const RestTet& tet, const float* mass_share, const SoftModuli& moduli, float stiffness, float h) {
  float a = 0;
  for (int s = 0; s < 4; ++s) a += mass_share[s] * dot(tet.y[s], tet.y[s]) / 3;
  return rowShare(a, 1 / std::max(2 * moduli.mu * stiffness * tet.volume * h * h, 1e-30f));
}

}  // namespace

RestTet restTet(const TetElements& tets, const std::vector<float>& y, int i) {
  const auto row = [&](const std::vector<float>& from, int k) {
    return Vec3f{from[(3 * k) * tets.size() + i], from[(3 * k + 1) * tets.size() + i],
                 from[(3 * k + 2) * tets.size() + i]};
  };
  RestTet r;
  for (int k = 0; k < 3; ++k) r.y[k + 1] = row(y, k);
  r.y[0] = (r.y[1] + r.y[2] + r.y[3]) * -1.0f;
  r.volume = tets.volume[i];
  if (&y != &tets.y && r.volume > 0) r.volume = 1 / (6 * dot(r.y[1], cross(r.y[2], r.y[3])));
  return r;
}

SoftModuli softModuli(const SoftParams& soft) {
  const float e = soft.youngsmodulus, nu = soft.poissonratio;
  return {e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))};
}

void TetBlocks::build(const Model& model, ColourOrder visits) {
  order = std::move(visits);
  corner.resize(4 * size());
  for (int e = 0; e < size(); ++e)
    for (int s = 0; s < 4; ++s) corner[at(e, 4, s)] = model.tets.corner[s * model.tets.size() + order.row[e]];
  row.resize(RE_TET_FIELDS * size());
  multiplier.resize(RE_TET_MULTIPLIERS * size());
  error.resize(size());
}

float TetBlocks::weigh(const Model& model, const State& state, const StepParams& params,
                       const std::vector<float>* crowd) {
  const TetElements& tets = model.tets;
  const std::vector<float>& shapes = restShapes(model, state);
  const float h2 = params.h * params.h;
  float most = 1;
  damped = fibred = false;
  for (int e = 0; e < size(); ++e) {
    const int i = order.row[e];
    const SoftParams& soft = params.soft[order.body[e]];
    const SoftModuli moduli = softModuli(soft);
    const RestTet tet = restTet(tets, shapes, i);
    const float stiffness = tets.stiffness[i];
    float w[4], alone = 0, crowded = 0, m[6] = {};
    for (int s = 0; s < 4; ++s) w[s] = model.inv_mass[tets.corner[s * tets.size() + i]];
    const float part = crowd ? share(tet, w, moduli, stiffness, params.h) : 1.0f;
    for (int s = 0; s < 4; ++s) {
      const Vec3f y = tet.y[s];
      const float split = crowd ? (*crowd)[tets.corner[s * tets.size() + i]] / part : 1.0f;
      alone += w[s] * dot(y, y), crowded += split * w[s] * dot(y, y);
      const float outer[6] = {y.x * y.x, y.x * y.y, y.x * y.z, y.y * y.y, y.y * y.z, y.z * y.z};
      for (int k = 0; k < 6; ++k) m[k] += split * w[s] * outer[k];
    }
    if (alone > 0) most = std::max(most, crowded / alone);
    for (int k = 0; k < 9; ++k) {
      const Vec3f y = tet.y[k / 3 + 1];
      row[at(e, RE_TET_FIELDS, k)] = k % 3 == 0 ? y.x : k % 3 == 1 ? y.y : y.z;
    }
    for (int k = 0; k < 6; ++k) row[at(e, RE_TET_FIELDS, RE_TET_MASSES + k)] = m[k];
    // stiffer than this is rigid to the last bit that matters, and its products would leave the range of
    // floats
    const float stiffest = crowded > 0 ? kStiffest / crowded : 1e30f;
    const float scale = std::min(stiffness * tet.volume * h2, stiffest / moduli.mu);
    row[at(e, RE_TET_FIELDS, RE_TET_MU)] = moduli.mu * scale;
    row[at(e, RE_TET_FIELDS, RE_TET_LAMBDA)] = moduli.lambda * scale;
    const float rho = soft.stiffdamping / params.h +
                      (params.solver.scheme == SolverScheme::sp ? params.solver.velocityweight : 0.0f);
    row[at(e, RE_TET_FIELDS, RE_TET_RHO)] = rho;
    damped = damped || rho > 0;
    if (!fibre.empty()) {
      const Vec3f a = tets.fibre[i];
      for (int k = 0; k < 3; ++k) fibre[at(e, RE_TET_FIBRE_FIELDS, k)] = k == 0 ? a.x : k == 1 ? a.y : a.z;
      fibre[at(e, RE_TET_FIBRE_FIELDS, 3)] = soft.fibrestiffness * scale;
      fibred = fibred || soft.fibrestiffness > 0;
    }
  }
  return most;
}

std::size_t TetBlocks::bytes() const {
  return bytesOf(order.row, order.body, corner, row, multiplier, fibre, momentum, error);
}

void TetRows::build(const Model& model, const StepParams& params, Order order, bool jacobi) {
  const TetElements& tets = model.tets;
  for (int material = 0; material < kSoftMaterials; ++material) {
    std::vector<OrderedRow> rows;
    bool fibred = false;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Range range = model.bodies[b].tets;
      if (range.count == 0 || static_cast<int>(params.soft[b].material) != material) continue;
      fibred = fibred || params.soft[b].fibrestiffness > 0;
      const int count = order == Order::index ? range.padded() : range.count;
      for (int i = range.first; i < range.first + count; ++i) rows.push_back({i, static_cast<int>(b)});
    }
    ColourOrder visits;
    if (order == Order::colours) {
      // points lie in space order, and so do the tetrahedra that begin with them
      const auto first = [&](const OrderedRow& r) {
        int least = tets.corner[r.row];
        for (int s = 1; s < 4; ++s) least = std::min(least, tets.corner[s * tets.size() + r.row]);
        return least;
      };
      std::stable_sort(rows.begin(), rows.end(),
                       [&](const OrderedRow& a, const OrderedRow& b) { return first(a) < first(b); });
      visits = orderByColour(std::move(rows), model.numPoints(), 4,
                             [&](int i, int s) { return tets.corner[s * tets.size() + i]; });
    } else {
      for (const OrderedRow& r : rows) visits.row.push_back(r.row), visits.body.push_back(r.body);
    }
    of[material].build(model, std::move(visits));
    if (fibred) of[material].fibre.resize(RE_TET_FIBRE_FIELDS * of[material].size());
    if (jacobi) of[material].momentum.resize(RE_TET_MULTIPLIERS * of[material].size());
  }
}

float TetRows::weigh(const Model& model, const State& state, const StepParams& params,
                     const std::vector<float>* crowd) {
  float most = 1;
  for (TetBlocks& blocks : of) most = std::max(most, blocks.weigh(model, state, params, crowd));
  return most;
}

void TetRows::count(const Model& model, const State& state, const StepParams& params,
                    std::vector<float>& crowd) const {
  const TetElements& tets = model.tets;
  const std::vector<float>& shapes = restShapes(model, state);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range range = model.bodies[b].tets;
    for (int i = range.first; i < range.first + range.count; ++i) {
      float w[4];
      for (int s = 0; s < 4; ++s) w[s] = model.inv_mass[tets.corner[s * tets.size() + i]];
      const float part =
          share(restTet(tets, shapes, i), w, softModuli(params.soft[b]), tets.stiffness[i], params.h);
      for (int s = 0; s < 4; ++s) crowd[tets.corner[s * tets.size() + i]] += part;
    }
  }
}

float TetRows::largestError(std::vector<float>& partial, Backend& backend) const {
  float largest = 0;
  for (const TetBlocks& blocks : of) {
    largest_args a;
    a.value = blocks.error.data(), a.result = partial.data(), a.count = blocks.size();
    const int items = (blocks.size() + kBlock - 1) / kBlock;
    backend.launch(items, a);
    for (int k = 0; k < items; ++k) largest = std::max(largest, partial[k]);
  }
  return std::sqrt(largest);
}

int TetRows::pushes() const {
  int sum = 0;
  for (const TetBlocks& blocks : of) sum += 4 * blocks.size();
  return sum;
}

bool TetRows::any() const { return pushes() > 0; }

std::size_t TetRows::bytes() const {
  std::size_t sum = 0;
  for (const TetBlocks& blocks : of) sum += blocks.bytes();
  return sum;
}

}  // namespace repose
