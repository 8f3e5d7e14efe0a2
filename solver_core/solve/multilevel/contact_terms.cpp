// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multilevel/contact_terms.h"

#include <algorithm>
#include <cmath>

#include "kernel/lane1.h"

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

void ContactTerms::take(const ContactRows& patches, const MoverView& movers, int first, int points) {
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
  std::sort(other_.begin(), other_.end());
  other_.erase(std::unique(other_.begin(), other_.end()), other_.end());
  others_ = static_cast<int>(other_.size()), others_padded_ = padded(others_ + 1);
  mass_.assign(others_padded_, 0.0f);
  for (int k = 0; k < others_; ++k) mass_[k] = 1 / movers.v[other_[k]].w;

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
      const int unknown =
          mine(mover) ? mover - first_
                      : points + static_cast<int>(std::lower_bound(other_.begin(), other_.end(), mover) -
                                                  other_.begin());
      mover_[k * stride_ + r] = unknown;
      weight_[k * stride_ + r] = w;
      mass_term_[r] += w * w * movers.v[mover].w;
      ++cursor_[unknown];
    }

  touched_.clear();
  for (int u = 0; u < unknowns(); ++u)
    if (cursor_[u] > 0) touched_.push_back(u);
  touched_count_ = static_cast<int>(touched_.size());
  touched_.resize(padded(touched_count_), nobody);
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
  block_.assign(6 * points, 0.0f);
  other_block_.assign(6 * others_padded_, 0.0f);
  sum_.assign(unknowns(), Vec4f{});
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
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const float pn = patches.value(row, kPush), mu = patches.value(row, kFriction);
    const Vec3f n = patches.vector(row, kNormalX), pt = patches.vector(row, kDragX);
    Vec3f u = -patches.vector(row, kSurfaceX);
    bool rolls = false;
    for (int k = 0; k < 4; ++k) {
      const float w = patches.value(row, kWeight + k);
      if (w == 0) continue;
      const int mover = patches.mover(row, k), p = mover - first_;
      rolls = rolls || (movers.rolling && mover < movers.grains);
      u += w * (p >= 0 && p < points_ ? inv_h * (xyz(off[p]) - xyz(low[p])) : xyz(movers.v[mover]));
    }
    const float u_n = dot(u, n);
    const SoftAim aim = softAim(law, patches.value(row, kGap), mass_term_[r], kClothSoftness);
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
void ContactTerms::weigh(const ContactRows& patches, std::vector<float>& inverse, float omega) {
  const float inv_h2 = 1 / (h_ * h_);
  const int all = unknowns();
  std::fill(block_.begin(), block_.end(), 0.0f);
  std::fill(other_block_.begin(), other_block_.end(), 0.0f);
  for (int r = 0; r < rows(); ++r) {
    const Vec3f n = patches.vector(row_[r], kNormalX), u = xyz(speed_[r]);
    firm_[r] = {n.x, n.y, n.z, 0}, across_[r] = 0, impulse_[r] = {};
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
  for (int at = points_ + others_; at < all; ++at) lane1::s3_store(inverse.data() + at, all, none);
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
}

void ContactTerms::gather(const Vec4f* x, Vec4f* y, float* dot, float scale, Backend& backend) {
  ml_touch_args a;
  a.pull = pull_.data(), a.touched = touched_.data(), a.row_start = touched_start_.data();
  a.row = touched_row_.data(), a.weight = touched_weight_.data(), a.x = x, a.y = y, a.dot = dot;
  a.count = touched_count_, a.product = dot != nullptr, a.scale = scale;
  backend.launchLanes(static_cast<int>(touched_.size()), a);
}

void ContactTerms::addImpulses(std::vector<Vec4f>& r, Backend& backend) {
  std::fill(r.begin() + points_, r.begin() + unknowns(), Vec4f{});
  answer(r, 1, 0, backend);
  gather(nullptr, r.data(), nullptr, 1 / h_, backend);
}

void ContactTerms::addProduct(const std::vector<Vec4f>& x, std::vector<Vec4f>& y, std::vector<float>& dot,
                              Backend& backend) {
  ml_others_args a;
  a.x = x.data(), a.rhs = x.data(), a.mass = mass_.data(), a.y = y.data(), a.dot = dot.data();
  a.first_entry = points_, a.mode = ML_PRODUCT, a.inv_h2 = 1 / (h_ * h_);
  backend.launchLanes(others_padded_, a);
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

// dp = q - K J dv, but rows neither pull nor drag beyond friction. The other movers take J^T dp itself
// instead of their part of the solution, so that their momentum is exactly that of the rows; the cloth is
// aimed by it and solved again (respond).
std::array<double, 3> ContactTerms::finish(const std::vector<Vec4f>& dx, ContactRows& patches,
                                           const MoverView& movers, std::vector<Vec4f>& aim,
                                           Backend& backend) {
  answer(dx, 1, -1 / h_, backend);
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const Vec3f n = patches.vector(row, kNormalX), dp = xyz(pull_[r]), pt_last = patches.vector(row, kDragX);
    const float along = dot(dp, n), pn_last = patches.value(row, kPush), pn = std::max(pn_last + along, 0.0f);
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
  return given;
}

// A row that is open after the substep held too much. How much is bounded by the blocks on the diagonal,
// which answer less than the cloth; the masses of points would say far too little where a fold is hit edge
// on. The velocities keep it, but as a guess for the next substep it would push again and again.
void ContactTerms::forget(ContactRows& patches, const MoverView& movers,
                          const std::vector<float>& inverse) const {
  const float inv_h2 = 1 / (h_ * h_);
  for (int r = 0; r < rows(); ++r) {
    const int row = row_[r];
    const float pn = patches.value(row, kPush);
    if (!(pn > 0)) continue;
    const Vec3f n = patches.vector(row, kNormalX);
    const lane1::vec3 on = {n.x, n.y, n.z};
    Vec3f u = -patches.vector(row, kSurfaceX);
    float a = 0;
    for (int k = 0; k < 4; ++k) {
      const float w = patches.value(row, kWeight + k);
      if (w == 0) continue;
      const int mover = patches.mover(row, k), p = mover - first_;
      u += w * xyz(movers.v[mover]);
      a += w * w *
           (p >= 0 && p < points_
                ? inv_h2 * lane1::v3_dot(on, lane1::s3_mul(lane1::s3_load(inverse.data() + p, points_), on))
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
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(row_) + of(other_) + of(mass_) + of(mover_) + of(weight_) + of(mass_term_) + of(speed_) +
         of(mode_) + of(between_) + of(firm_) + of(impulse_) + of(pull_) + of(across_) + of(block_) +
         of(other_block_) + of(touched_) + of(touched_start_) + of(touched_row_) + of(cursor_) +
         of(touched_weight_) + of(sum_);
}

}  // namespace repose
