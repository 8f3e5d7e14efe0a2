// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/followers.h"

#include <algorithm>

#include "kernel/lane1.h"
#include "solve/rigid/rigid_movers.h"

namespace repose {

namespace {

void add(Vec4f& to, Vec3f a) { to = {to.x + a.x, to.y + a.y, to.z + a.z, 0}; }

// After a turn by Cayley's map, as the loop turns bodies (kernel/rigid_body.h).
Quat turned(Quat q, Vec3f turn) {
  return normalized(Quat{0.5f * turn.x, 0.5f * turn.y, 0.5f * turn.z, 1} * q);
}

Quat quat(Vec4f q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace

void Followers::take(const std::vector<HeldPoint>& held, const MoverView& movers, int first, int points) {
  points_.clear(), carriers_.clear(), rigid_.clear();
  held_ = false;
  const auto moves = [&](int rigid) { return rigid >= 0 && movers.v[movers.first_rigid + rigid].w > 0; };
  const auto mine = [&](const HeldPoint& h) { return h.point >= first && h.point < first + points; };
  for (const HeldPoint& h : held)
    if (mine(h) && moves(h.rigid)) rigid_.push_back(h.rigid);
  std::sort(rigid_.begin(), rigid_.end());
  rigid_.erase(std::unique(rigid_.begin(), rigid_.end()), rigid_.end());
  for (const int rigid : rigid_) {
    Carrier carrier;
    carrier.mover = movers.first_rigid + rigid, carrier.rigid = rigid;
    carrier.mass = 1 / movers.v[carrier.mover].w;
    carriers_.push_back(carrier);
  }
  for (std::size_t k = 0; k < held.size(); ++k) {
    const HeldPoint& h = held[k];
    if (!mine(h)) continue;
    int carrier = -1;
    if (moves(h.rigid))
      carrier = static_cast<int>(std::lower_bound(rigid_.begin(), rigid_.end(), h.rigid) - rigid_.begin());
    held_ = held_ || carrier < 0;
    points_.push_back({h.hold, static_cast<int>(k), h.point - first, carrier, h.place, {}, {}});
  }
}

void Followers::number(const ContactTerms& terms) {
  for (Carrier& c : carriers_) c.centre = terms.centreOf(c.mover), c.turn = terms.turnOf(c.rigid);
}

void Followers::begin(const std::vector<HeldPoint>& held, const MoverView& movers, const ContactTerms& terms,
                      const Vec4f* x, float h, std::vector<Vec4f>& off, std::vector<Vec4f>& aim) {
  x_ = x, h_ = h;
  for (Carrier& c : carriers_) {
    c.x = xyz(movers.rigid->x[c.rigid]), c.q = quat(movers.rigid->q[c.rigid]);
    c.inertia = terms.inertiaOf(c.turn);
    const Vec3f way = h * xyz(movers.v[c.mover]), turn = h * xyz(movers.rigid->spin[c.rigid]);
    off[c.centre] = aim[c.centre] = {way.x, way.y, way.z, 0};
    off[c.turn] = aim[c.turn] = {turn.x, turn.y, turn.z, 0};
  }
  for (Point& p : points_) {
    const HeldPoint& at = held[p.held];
    p.place = at.place;
    if (p.carrier >= 0 || at.rigid < 0) continue;
    const RigidMovers& rigid = *movers.rigid;  // goes by keys
    p.place = xyz(rigid.x[at.rigid]) + h * xyz(movers.v[movers.first_rigid + at.rigid]) +
              rotate(turned(quat(rigid.q[at.rigid]), h * xyz(rigid.spin[at.rigid])), at.place);
  }
  place(off);
}

void Followers::place(std::vector<Vec4f>& off) {
  for (Point& p : points_) {
    Vec3f way = p.place - xyz(x_[p.point]);
    if (p.carrier >= 0) {
      const Carrier& c = carriers_[p.carrier];
      p.arm = rotate(turned(c.q, xyz(off[c.turn])), p.place);
      way = (c.x - xyz(x_[p.point])) + p.arm + xyz(off[c.centre]);
    }
    off[p.point] = {way.x, way.y, way.z, 0};
  }
}

void Followers::fold(std::vector<Vec4f>& r) const {
  for (const Point& p : points_) {
    if (p.carrier >= 0) {
      add(r[carriers_[p.carrier].centre], xyz(r[p.point]));
      add(r[carriers_[p.carrier].turn], cross(p.arm, xyz(r[p.point])));
    }
    r[p.point] = {};
  }
}

void Followers::weigh(const ContactTerms& terms, const std::vector<Vec4f>& off, const std::vector<Vec4f>& aim,
                      std::vector<Vec4f>& r, std::vector<float>& inverse, std::vector<float>& value) {
  const float inv_h2 = 1 / (h_ * h_);
  const int stride = terms.unknowns();
  for (Carrier& c : carriers_) {
    add(r[c.centre], c.mass * inv_h2 * (xyz(aim[c.centre]) - xyz(off[c.centre])));
    add(r[c.turn], inv_h2 * times(c.inertia, xyz(aim[c.turn]) - xyz(off[c.turn])));
    c.block.resize(6);
    const std::array<float, 6> straight = terms.blockOf(c.centre), turning = terms.blockOf(c.turn);
    for (int i = 0; i < 3; ++i) {
      c.block.row(i)[i] += static_cast<double>(c.mass) * inv_h2;
      for (int j = 0; j < 3; ++j) {
        static constexpr int kAt[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
        const int at = kAt[i][j];
        c.block.row(i)[j] += static_cast<double>(straight[at]);
        c.block.row(3 + i)[3 + j] += static_cast<double>(c.inertia[at]) * inv_h2 + turning[at];
      }
    }
  }
  const lane1::sym3 none{};
  for (Point& p : points_) {
    p.force = xyz(r[p.point]);
    float* at = inverse.data() + p.point;
    if (p.carrier >= 0) {
      const lane1::sym3 block = lane1::s3_inverse(lane1::s3_load(at, stride), 1);
      Carrier& c = carriers_[p.carrier];
      for (int j = 0; j < 6; ++j) {
        Vec3f unit{};
        (&unit.x)[j % 3] = 1;
        const Vec3f way = j < 3 ? unit : cross(unit, p.arm);
        const lane1::vec3 pull = lane1::s3_mul(block, {way.x, way.y, way.z});
        const Vec3f force{pull.x, pull.y, pull.z}, twist = cross(p.arm, force);
        for (int i = 0; i < 6; ++i) c.block.row(i)[j] += static_cast<double>(i < 3 ? force[i] : twist[i - 3]);
      }
    }
    lane1::s3_store(at, stride, none);
  }
  fold(r);
  for (Carrier& c : carriers_) {
    c.block.factor();
    for (const int at : {c.centre, c.turn}) lane1::s3_store(inverse.data() + at, stride, none);
  }
  if (!carriers_.empty()) value[carriers_[0].centre] += static_cast<float>(energy(off, aim));
}

double Followers::energy(const std::vector<Vec4f>& off, const std::vector<Vec4f>& aim) const {
  double sum = 0;
  for (const Carrier& c : carriers_) {
    const Vec3f way = xyz(off[c.centre]) - xyz(aim[c.centre]), turn = xyz(off[c.turn]) - xyz(aim[c.turn]);
    sum += 0.5 * (c.mass * dot(way, way) + dot(turn, times(c.inertia, turn))) / (h_ * h_);
  }
  return sum;
}

void Followers::foldProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y,
                            std::vector<float>& to) const {
  fold(y);
  for (const Point& p : points_) to[p.point] = 0;
  for (const Carrier& c : carriers_)
    for (const int at : {c.centre, c.turn}) to[at] = dot(xyz(x[at]), xyz(y[at]));
}

void Followers::smooth(const std::vector<Vec4f>& r, std::vector<Vec4f>& z, std::vector<float>& to) {
  for (Carrier& c : carriers_) {
    const Vec4f a = r[c.centre], b = r[c.turn];
    rhs_.assign({a.x, a.y, a.z, b.x, b.y, b.z});
    c.block.solve(rhs_);
    const auto at = [&](int k) { return static_cast<float>(rhs_[k]); };
    z[c.centre] = {at(0), at(1), at(2), 0}, z[c.turn] = {at(3), at(4), at(5), 0};
    for (const int k : {c.centre, c.turn}) to[k] = dot(xyz(r[k]), xyz(z[k]));
  }
  for (const Point& p : points_) {
    const Vec3f way = p.carrier < 0 ? Vec3f{} : wayOf(carriers_[p.carrier], z, p.arm);
    z[p.point] = {way.x, way.y, way.z, 0}, to[p.point] = 0;
  }
}

void Followers::give(const std::vector<Vec4f>& off, const MoverView& movers) {
  for (Carrier& c : carriers_) {
    c.v = (1 / h_) * xyz(off[c.centre]), c.spin = (1 / h_) * xyz(off[c.turn]);
    movers.v[c.mover] = {c.v.x, c.v.y, c.v.z, movers.v[c.mover].w};
    movers.rigid->spin[c.rigid] = {c.spin.x, c.spin.y, c.spin.z, 0};
  }
}

void Followers::mark(const MoverView& movers) {
  for (Carrier& c : carriers_) c.v = xyz(movers.v[c.mover]), c.spin = xyz(movers.rigid->spin[c.rigid]);
}

void Followers::takeBack(const MoverView& movers, std::vector<Vec4f>& aim) {
  for (Carrier& c : carriers_) {
    add(aim[c.centre], h_ * (xyz(movers.v[c.mover]) - c.v));
    add(aim[c.turn], h_ * (xyz(movers.rigid->spin[c.rigid]) - c.spin));
  }
}

void Followers::addMomentum(const MoverView& movers, double sign, std::array<double, 3>& sum) const {
  for (const Carrier& c : carriers_)
    for (int k = 0; k < 3; ++k)
      sum[k] += sign * static_cast<double>(c.mass) * static_cast<double>(xyz(movers.v[c.mover])[k]);
}

void Followers::shift(const MoverView& movers, const double way[3]) const {
  for (const Carrier& c : carriers_) {
    Vec4f& v = movers.v[c.mover];
    v = {static_cast<float>(v.x + way[0]), static_cast<float>(v.y + way[1]), static_cast<float>(v.z + way[2]),
         v.w};
  }
}

double Followers::mass() const {
  double sum = 0;
  for (const Carrier& c : carriers_) sum += c.mass;
  return sum;
}

}  // namespace repose
