// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/contact_terms.h"

#include <algorithm>
#include <cmath>

#include "base/vectors.h"
#include "kernel/lane1.h"
#include "solve/rigid/rigid_movers.h"

namespace repose {

namespace {

constexpr float kTwoPi = 6.2831853f;
// Friction answers as a spring while it is clearly below its limit.
constexpr float kSticking = 0.99f;

int padded(int n) { return (n + 15) / 16 * 16; }

}  // namespace

SoftLaw softLaw(const SolverParams& solver, float h, float frequency) {
  const float omega = kTwoPi * std::min(solver.contacthertz, frequency / h);
  const float a1 = 2 * solver.contactdamping + h * omega;
  return {h, h * omega * a1, omega / a1, solver.pushspeed};
}

float clothSoftness(float ratio) {
  return kClothSoftness * std::clamp(200 / std::max(ratio, 1.0f), 0.1f, 1.0f);
}

void ContactTerms::take(const ContactRows& patches, const MoverView& movers, int first, int points,
                        const std::vector<int>& carriers) {
  first_ = movers.grains + first, points_ = points;
  const auto mine = [&](int mover) { return mover >= first_ && mover < first_ + points; };
  const auto moves = [&](int row, int k) {
    return patches.value(row, kWeight + k) != 0 && movers.v[patches.mover(row, k)].w > 0;
  };
  row_.clear(), other_.clear();
  for (int row = 0; row < patches.size(); ++row) {
    bool touches = false;
    for (int k = 0; k < 4; ++k) touches = touches || (moves(row, k) && mine(patches.mover(row, k)));
    if (!touches) continue;
    row_.push_back(row);
    for (int k = 0; k < 4; ++k)
      if (moves(row, k) && !mine(patches.mover(row, k))) other_.push_back(patches.mover(row, k));
  }
  for (const int rigid : carriers) other_.push_back(movers.first_rigid + rigid);
  std::sort(other_.begin(), other_.end());
  other_.erase(std::unique(other_.begin(), other_.end()), other_.end());
  others_ = static_cast<int>(other_.size());
  takeLevers(movers, carriers);
  others_padded_ = padded(others_ + static_cast<int>(turners_.size()) + 1);
  mass_.assign(others_padded_, 0.0f);
  for (int k = 0; k < others_; ++k) mass_[k] = 1 / movers.v[other_[k]].w;
  way_.resize(others_ + turners_.size());

  clearRows();
  cloth_on_cloth_ = false;
  for (int r = 0; r < rows(); ++r) {
    int points_in = 0, others_in = 0;
    for (int k = 0; k < 4; ++k) {
      const int mover = patches.mover(row_[r], k);
      const bool point = mover >= movers.grains && mover < movers.grains + movers.points;
      if (patches.value(row_[r], kWeight + k) != 0) ++(point ? points_in : others_in);
    }
    between_[r] = points_in > 1 && others_in == 0;
    cloth_on_cloth_ = cloth_on_cloth_ || between_[r];
  }
  cursor_.assign(unknowns(), 0);
  for (int r = 0; r < rows(); ++r)
    for (int k = 0; k < 4; ++k) {
      if (!moves(row_[r], k)) continue;
      const int mover = patches.mover(row_[r], k);
      const float w = patches.value(row_[r], kWeight + k);
      const int unknown = mine(mover) ? mover - first_ : centreOf(mover);
      mover_[k * stride_ + r] = unknown;
      weight_[k * stride_ + r] = w;
      mass_term_[r] += w * w * movers.v[mover].w;
      ++cursor_[unknown];
    }

  unturned_ = mass_term_;
  listTouched();
  block_.assign(6 * points, 0.0f);
  other_block_.assign(6 * others_padded_, 0.0f);
  sum_.assign(unknowns(), Vec4f{});
}

void ContactTerms::clearRows() {
  const int nobody = unknowns() - 1;
  stride_ = padded(rows() + 1);  // the last row is always empty
  mover_.assign(4 * stride_, nobody);
  weight_.assign(4 * stride_, 0.0f);
  mass_term_.assign(stride_, 0.0f);
  across_.assign(stride_, 0.0f);
  firm_.assign(stride_, Vec4f{});
  impulse_.assign(stride_, Vec4f{});
  pull_.assign(stride_, Vec4f{});
  speed_.assign(stride_, Vec4f{});
  mode_.assign(stride_, idle);
  between_.assign(stride_, 0);
}

// Sorts the rows by the unknowns they touch; cursor_ says how many each has.
void ContactTerms::listTouched() {
  touched_.clear();
  for (int u = 0; u < unknowns(); ++u)
    if (cursor_[u] > 0) touched_.push_back(u);
  touched_count_ = static_cast<int>(touched_.size());
  touched_.resize(padded(touched_count_), unknowns() - 1);
  touched_start_.assign(1, 0);
  for (std::size_t t = 0; t < touched_.size(); t += 16) {
    int longest = 0;
    for (std::size_t k = t; k < t + 16; ++k) longest = std::max(longest, cursor_[touched_[k]]);
    touched_start_.push_back(touched_start_.back() + longest);
  }
  touched_row_.assign(16 * touched_start_.back(), stride_ - 1);
  touched_weight_.assign(16 * touched_start_.back(), 0.0f);
  // from here on the next free slot of each unknown
  for (int t = 0; t < touched_count_; ++t) cursor_[touched_[t]] = 16 * touched_start_[t / 16] + t % 16;
  for (int r = 0; r < rows(); ++r)
    for (int k = 0; k < 4; ++k) {
      const float w = weight_[k * stride_ + r];
      if (w == 0) continue;
      int& slot = cursor_[mover_[k * stride_ + r]];
      touched_row_[slot] = r, touched_weight_[slot] = w;
      slot += 16;
    }
}

int ContactTerms::centreOf(int mover) const {
  return points_ + static_cast<int>(std::lower_bound(other_.begin(), other_.end(), mover) - other_.begin());
}

int ContactTerms::turnOf(int rigid) const {
  const auto known =
      std::find_if(turners_.begin(), turners_.end(), [&](const Turner& t) { return t.rigid == rigid; });
  return points_ + others_ + static_cast<int>(known - turners_.begin());
}

std::array<float, 6> ContactTerms::blockOf(int unknown) const {
  std::array<float, 6> block;
  for (int c = 0; c < 6; ++c) block[c] = other_block_[c * others_padded_ + unknown - points_];
  return block;
}

// Bodies that rows have by a lever can turn, too.
void ContactTerms::takeLevers(const MoverView& movers, const std::vector<int>& carriers) {
  levers_.clear(), turners_.clear();
  for (const int rigid : carriers) turners_.push_back({rigid, {}, {}});
  if (!movers.lever) return;
  for (int r = 0; r < rows(); ++r) {
    const ContactRows& from = *movers.lever;
    const int row = row_[r], rigid = from.mover(row, 0);
    const float sign = from.value(row, kLeverSign);
    if (sign == 0 || !(movers.v[movers.first_rigid + rigid].w > 0)) continue;
    const int turn = turnOf(rigid);
    if (turn == points_ + others_ + static_cast<int>(turners_.size())) turners_.push_back({rigid, {}, {}});
    levers_.push_back({r, turn, sign, from.vector(row, kLeverX)});
  }
}

// What an impulse of 1 along n changes by turning.
float ContactTerms::answerOf(const Lever& lever, Vec3f n) const {
  const Vec3f twist = cross(lever.arm, n);
  return dot(twist, times(turners_[lever.turn - points_ - others_].inverse, twist));
}

Vec3f ContactTerms::speedOf(const Lever& lever, const MoverView& movers) const {
  return lever.sign *
         cross(xyz(movers.rigid->spin[turners_[lever.turn - points_ - others_].rigid]), lever.arm);
}

// Rows that carry an impulse answer, but for those between cloth and cloth: both sides are as light, so that
// the loop and the response are enough, and in the system they would tie points together that its
// preconditioner holds to the ground: conjugate gradients then end far from the solution, and folds burst
// open.
bool ContactTerms::choose(const ContactRows& patches, const MoverView& movers, const Vec4f* off,
                          const Vec4f* low, const SoftLaw& law) {
  h_ = law.h, firm_law_ = law.firm;
  const float inv_h = 1 / h_;
  active_ = false;
  std::fill(way_.begin(), way_.end(), Vec3f{});
  for (Turner& turner : turners_) {
    const Vec4f a = movers.rigid->turn_a[turner.rigid], b = movers.rigid->turn_b[turner.rigid];
    turner.inverse = {a.x, a.y, a.z, a.w, b.x, b.y};
    lane1::s3_store(turner.inertia.data(), 1, lane1::s3_inverse(lane1::s3_load(turner.inverse.data(), 1), 1));
  }
  turned_.assign(rows(), {});
  mass_term_ = unturned_;
  for (const Lever& lever : levers_) {
    mass_term_[lever.row] += answerOf(lever, patches.vector(row_[lever.row], kNormalX));
    turned_[lever.row] = speedOf(lever, movers);
  }
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const float pn = patches.value(row, kPush), mu = patches.value(row, kFriction);
    const Vec3f n = patches.vector(row, kNormalX), pt = patches.vector(row, kDragX);
    Vec3f u = turned_[r] - patches.vector(row, kSurfaceX);
    bool rolls = false;
    for (int k = 0; k < 4; ++k) {
      const float w = patches.value(row, kWeight + k);
      if (w == 0) continue;
      const int mover = patches.mover(row, k), p = mover - first_;
      rolls = rolls || (movers.rolling && mover < movers.grains);
      u += w * (p >= 0 && p < points_ ? inv_h * (xyz(off[p]) - xyz(low[p])) : xyz(movers.v[mover]));
    }
    const float u_n = dot(u, n);
    firm_[r] = {n.x, n.y, n.z, 0};
    const SoftAim aim = softAim(law, patches.value(row, kGap), mass_term_[r], law.softness);
    speed_[r] = {u.x, u.y, u.z, aim.bias + aim.compliance * pn};
    const bool answers = pn > 0 && !between_[r];
    // friction never pushes along
    const bool held = pn > 0 && mu > 0 && (length(pt) < kSticking * mu * pn || dot(u - u_n * n, pt) >= 0);
    mode_[r] = !answers ? idle : held && !rolls ? sticks : slides;
    active_ = active_ || answers;
  }
  return active_;
}

// q = -k_n (u_n + b + e p_n) n - k_t u_t with k = a2/a.
void ContactTerms::weigh(std::vector<float>& inverse, float omega) {
  const float inv_h2 = 1 / (h_ * h_);
  const int all = unknowns();
  std::fill(block_.begin(), block_.end(), 0.0f);
  std::fill(other_block_.begin(), other_block_.end(), 0.0f);
  for (int r = 0; r < rows(); ++r) {
    const Vec3f n = xyz(firm_[r]), u = xyz(speed_[r]);
    firm_[r].w = across_[r] = 0, impulse_[r] = {};
    if (mode_[r] == idle) continue;
    const float k = firm_law_ / mass_term_[r], k_t = mode_[r] == sticks ? k : 0, u_n = dot(u, n);
    const Vec3f q = (-k * (u_n + speed_[r].w)) * n - k_t * (u - u_n * n);
    firm_[r].w = k, across_[r] = k_t, impulse_[r] = {q.x, q.y, q.z, 0};

    const float along = k - k_t;
    const float firm[6] = {along * n.x * n.x + k_t, along * n.x * n.y, along * n.x * n.z,
                           along * n.y * n.y + k_t, along * n.y * n.z, along * n.z * n.z + k_t};
    for (int m = 0; m < 4; ++m) {
      const float w = weight_[m * stride_ + r];
      if (w == 0) continue;
      const int at = mover_[m * stride_ + r];
      const bool point = at < points_;
      float* block = point ? block_.data() + at : other_block_.data() + (at - points_);
      for (int c = 0; c < 6; ++c) block[c * (point ? points_ : others_padded_)] += w * w * inv_h2 * firm[c];
    }
  }
  weighTurning(inverse, omega);
  const lane1::sym3 none{};
  for (int t = 0; t < touched_count_; ++t) {
    const int at = touched_[t];
    float* to = inverse.data() + at;
    if (at < points_) {
      const lane1::sym3 cloth = lane1::s3_inverse(lane1::s3_load(to, all), 1);
      const lane1::sym3 sum = lane1::s3_mad(lane1::s3_load(block_.data() + at, points_), 1, cloth);
      lane1::s3_store(to, all, lane1::s3_inverse(sum, 1));
    } else {
      const int other = at - points_;
      const lane1::sym3 sum = lane1::s3_mad(lane1::s3_load(other_block_.data() + other, others_padded_), 1,
                                            lane1::s3_scaled_identity(mass_[other] * inv_h2));
      lane1::s3_store(to, all, lane1::s3_mad(lane1::s3_inverse(sum, 1), 1 / omega, none));
    }
  }
  for (int at = points_ + others_ + static_cast<int>(turners_.size()); at < all; ++at)
    lane1::s3_store(inverse.data() + at, all, none);
}

// The blocks of bodies that turn, and their inverses.
void ContactTerms::weighTurning(std::vector<float>& inverse, float omega) {
  const float inv_h2 = 1 / (h_ * h_);
  for (const Lever& lever : levers_) {
    if (mode_[lever.row] == idle) continue;
    const Vec3f way[3] = {cross({1, 0, 0}, lever.arm), cross({0, 1, 0}, lever.arm),
                          cross({0, 0, 1}, lever.arm)};
    float* block = other_block_.data() + (lever.turn - points_);
    int c = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++c)
        block[c * others_padded_] +=
            lever.sign * lever.sign * inv_h2 * dot(way[i], firmOf(lever.row, way[j]));
  }
  for (std::size_t k = 0; k < turners_.size(); ++k) {
    const int other = others_ + static_cast<int>(k);
    const lane1::sym3 sum = lane1::s3_mad(lane1::s3_load(turners_[k].inertia.data(), 1), inv_h2,
                                          lane1::s3_load(other_block_.data() + other, others_padded_));
    lane1::s3_store(inverse.data() + points_ + other, unknowns(),
                    lane1::s3_mad(lane1::s3_inverse(sum, 1), 1 / omega, lane1::sym3{}));
  }
}

bool ContactTerms::carry(const ContactRows& patches) const {
  return active_ ||
         std::any_of(row_.begin(), row_.end(), [&](int row) { return patches.value(row, kPush) != 0; });
}

void ContactTerms::answer(const std::vector<Vec4f>& x, float keep, float scale, Backend& backend) {
  ml_contacts_args a;
  a.x = x.data(), a.mover = mover_.data(), a.weight = weight_.data(), a.firm = firm_.data();
  a.across = across_.data(), a.rest = impulse_.data(), a.pull = pull_.data(), a.stride = stride_;
  a.keep = keep, a.scale = scale;
  backend.launchLanes(stride_, a);
  if (scale == 0) return;
  for (const Lever& lever : levers_) {
    const Vec3f more = scale * firmOf(lever.row, lever.sign * cross(xyz(x[lever.turn]), lever.arm));
    Vec4f& to = pull_[lever.row];
    to = {to.x + more.x, to.y + more.y, to.z + more.z, 0};
  }
}

// What a row answers to a way of its place.
Vec3f ContactTerms::firmOf(int row, Vec3f way) const {
  const Vec3f n = xyz(firm_[row]);
  return across_[row] * way + (firm_[row].w - across_[row]) * dot(n, way) * n;
}

void ContactTerms::gather(const Vec4f* x, Vec4f* y, float* dot, float scale, Backend& backend) {
  ml_touch_args a;
  a.pull = pull_.data(), a.touched = touched_.data(), a.row_start = touched_start_.data();
  a.row = touched_row_.data(), a.weight = touched_weight_.data(), a.x = x, a.y = y, a.dot = dot;
  a.count = touched_count_, a.product = dot != nullptr, a.scale = scale;
  backend.launchLanes(static_cast<int>(touched_.size()), a);
  for (const Lever& lever : levers_) {
    const Vec3f twist = scale * lever.sign * cross(lever.arm, xyz(pull_[lever.row]));
    Vec4f& to = y[lever.turn];
    to = {to.x + twist.x, to.y + twist.y, to.z + twist.z, 0};
    if (dot) dot[lever.turn] += repose::dot(xyz(x[lever.turn]), twist);
  }
}

void ContactTerms::addImpulses(std::vector<Vec4f>& r, Backend& backend) {
  std::fill(r.begin() + points_, r.begin() + unknowns(), Vec4f{});
  const float inv_h2 = 1 / (h_ * h_);
  for (std::size_t k = 0; k < way_.size(); ++k) {
    const Vec3f back =
        static_cast<int>(k) < others_ ? mass_[k] * way_[k] : times(turners_[k - others_].inertia, way_[k]);
    r[points_ + k] = {0 - inv_h2 * back.x, 0 - inv_h2 * back.y, 0 - inv_h2 * back.z, 0};
  }
  answer(r, 1, 0, backend);
  gather(nullptr, r.data(), nullptr, 1 / h_, backend);
}

void ContactTerms::addProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, std::vector<float>& dot,
                              Backend& backend) {
  ml_others_args a;
  a.x = x.data(), a.rhs = x.data(), a.mass = mass_.data(), a.y = y.data(), a.dot = dot.data();
  a.first_entry = points_, a.mode = ML_PRODUCT, a.inv_h2 = 1 / (h_ * h_);
  backend.launchLanes(others_padded_, a);
  for (std::size_t k = 0; k < turners_.size(); ++k) {
    const int at = points_ + others_ + static_cast<int>(k);
    const Vec3f to = a.inv_h2 * times(turners_[k].inertia, xyz(x[at]));
    y[at] = {to.x, to.y, to.z, 0}, dot[at] = repose::dot(xyz(x[at]), to);
  }
  answer(x, 0, 1 / (h_ * h_), backend);
  gather(x.data(), y.data(), dot.data(), 1, backend);
}

void ContactTerms::passOthers(const std::vector<Vec4f>& r, const std::vector<Vec4f>& z, std::vector<Vec4f>& y,
                              std::vector<float>& dot, Backend& backend) {
  ml_others_args a;
  a.x = z.data(), a.rhs = r.data(), a.mass = mass_.data(), a.y = y.data(), a.dot = dot.data();
  a.first_entry = points_, a.mode = ML_SMOOTH;
  backend.launchLanes(others_padded_, a);
}

// Of the rows behind a step.
void ContactTerms::takeSpeeds(const std::vector<Vec4f>& dx, float step, std::vector<Vec4f>& speed) const {
  const float rate = step / h_;
  speed = speed_;
  const auto add = [](Vec4f& to, Vec3f a) { to = {to.x + a.x, to.y + a.y, to.z + a.z, to.w}; };
  for (int r = 0; r < rows(); ++r)
    for (int k = 0; k < 4; ++k)
      add(speed[r], rate * weight_[k * stride_ + r] * xyz(dx[mover_[k * stride_ + r]]));
  for (const Lever& lever : levers_)
    add(speed[lever.row], rate * lever.sign * cross(xyz(dx[lever.turn]), lever.arm));
}

// Of the springs that answer, k_n/2 (u_n + b + e p_n)^2 + k_t/2 u_t^2 with k in kg, and of inertia.
double ContactTerms::energyAt(const std::vector<Vec4f>& dx, float step) {
  takeSpeeds(dx, step, later_);
  double sum = 0;
  for (int r = 0; r < rows(); ++r) {
    if (mode_[r] == idle) continue;
    const Vec3f n = xyz(firm_[r]), u = xyz(later_[r]);
    const float along = dot(u, n), wrong = along + later_[r].w;
    const Vec3f across = u - along * n;
    sum += 0.5 * (double{firm_[r].w} * wrong * wrong + double{across_[r]} * dot(across, across));
  }
  for (std::size_t k = 0; k < way_.size(); ++k) {
    const Vec3f way = way_[k] + step * xyz(dx[points_ + k]);
    const Vec3f heavy =
        static_cast<int>(k) < others_ ? mass_[k] * way : times(turners_[k - others_].inertia, way);
    sum += 0.5 * double{dot(way, heavy)} / (double{h_} * h_);
  }
  return sum;
}

void ContactTerms::advance(const std::vector<Vec4f>& dx, float step) {
  takeSpeeds(dx, step, later_);
  speed_.swap(later_);
  for (std::size_t k = 0; k < way_.size(); ++k) way_[k] += step * xyz(dx[points_ + k]);
}

// dp = q - K J dv, but rows neither pull nor drag beyond friction. The other movers take J^T dp itself
// instead of their part of the solution, so that their momentum is exactly that of the rows; the cloth is
// aimed by it and solved again (respond).
std::array<double, 3> ContactTerms::finish(const std::vector<Vec4f>& dx, float step, ContactRows& patches,
                                           const MoverView& movers, std::vector<Vec4f>& aim,
                                           Backend& backend) {
  answer(dx, 1, -step / h_, backend);
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const Vec3f n = patches.vector(row, kNormalX), dp = xyz(pull_[r]), pt_last = patches.vector(row, kDragX);
    const float along = dot(dp, n), pn_last = patches.value(row, kPush);
    const float pn = std::max(pn_last + along, 0.0f);
    Vec3f pt = pt_last + (dp - along * n);
    const float most = patches.value(row, kFriction) * pn, now = length(pt);
    if (now > most) pt = (most / now) * pt;
    const Vec3f change = (pn - pn_last) * n + (pt - pt_last);
    pull_[r] = {change.x, change.y, change.z, 0};
    patches.value(row, kPush) = pn;
    patches.setVector(row, kDragX, pt);
  }
  std::fill(sum_.begin(), sum_.end(), Vec4f{});
  gather(nullptr, sum_.data(), nullptr, 1, backend);
  std::array<double, 3> given{};
  for (int t = 0; t < touched_count_; ++t) {
    const int u = touched_[t];
    const bool point = u < points_;
    if (point) given[0] += sum_[u].x, given[1] += sum_[u].y, given[2] += sum_[u].z;
    Vec4f& to = point ? aim[u] : movers.v[other_[u - points_]];
    const float s = point ? h_ * movers.v[first_ + u].w : to.w;
    to.x += s * sum_[u].x, to.y += s * sum_[u].y, to.z += s * sum_[u].z;
  }
  for (std::size_t k = 0; k < turners_.size(); ++k) {
    const Vec3f change = times(turners_[k].inverse, xyz(sum_[points_ + others_ + k]));
    Vec4f& spin = movers.rigid->spin[turners_[k].rigid];
    spin.x += change.x, spin.y += change.y, spin.z += change.z;
  }
  return given;
}

// A row that is open after the substep held too much. How much is bounded by the blocks on the diagonal,
// which answer less than the cloth; the masses of points would say far too little where a fold is hit edge
// on. The velocities keep it, but as a guess for the next substep it would push again and again.
void ContactTerms::forget(ContactRows& patches, const MoverView& movers, const std::vector<float>& inverse,
                          int stride) const {
  const float inv_h2 = 1 / (h_ * h_);
  std::size_t next = 0;  // levers are in the order of their rows
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const float pn = patches.value(row, kPush);
    while (next < levers_.size() && levers_[next].row < r) ++next;
    if (!(pn > 0)) continue;
    const Vec3f n = patches.vector(row, kNormalX);
    const lane1::vec3 on = {n.x, n.y, n.z};
    Vec3f u = -patches.vector(row, kSurfaceX);
    float a = 0;
    if (next < levers_.size() && levers_[next].row == r) {
      const Lever& lever = levers_[next];
      u += speedOf(lever, movers);
      a += answerOf(lever, n);
    }
    for (int k = 0; k < 4; ++k) {
      const float w = patches.value(row, kWeight + k);
      if (w == 0) continue;
      const int mover = patches.mover(row, k), p = mover - first_;
      u += w * xyz(movers.v[mover]);
      a += w * w *
           (p >= 0 && p < points_
                ? inv_h2 * lane1::v3_dot(on, lane1::s3_mul(lane1::s3_load(inverse.data() + p, stride), on))
                : movers.v[mover].w);
    }
    const float open = patches.value(row, kGap) / h_ + dot(u, n);
    if (!(open > 0)) continue;
    const float kept = std::max(0.0f, 1 - open / (a * pn));
    patches.value(row, kPush) = kept * pn;
    patches.setVector(row, kDragX, kept * patches.vector(row, kDragX));
  }
}

std::size_t ContactTerms::bytes() const {
  return bytesOf(row_, other_, mass_, way_, later_, mover_, weight_, mass_term_, speed_, mode_, between_,
                 firm_, impulse_, pull_, across_, block_, other_block_, touched_, touched_start_,
                 touched_row_, cursor_, touched_weight_, sum_);
}

}  // namespace repose
