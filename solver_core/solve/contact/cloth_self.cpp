// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/vectors.h"
#include "solve/contact/cloth_self_parts.h"

namespace repose {

namespace {

constexpr float kOneWay = 0.8f;  // cosine above which two contacts of a point are one
constexpr int kMostTouches = 6;  // of a point
constexpr int kFirstRoom = 64;   // touches of a task to begin with

}  // namespace

void ClothSelf::readParams(const StepParams& params) {
  float thickest = 0.5f * kLeastDistance;
  layer_.resize(cloth_.size());
  for (std::size_t c = 0; c < cloth_.size(); ++c) {
    const ClothParams& cloth = params.cloth[body_of_cloth_[c]];
    cloth_[c].x = cloth.thickness, cloth_[c].y = cloth.restscale, layer_[c] = cloth.layer;
    if (meets_[c]) thickest = std::max(thickest, cloth.thickness);
  }
  // cloth is pulled on harder than by gravity alone
  constexpr float kFalls = 4;
  margin_ = 2 * thickest * params.solver.contactmargin + kFalls * params.h * params.h * params.fall();
  reach_ = 2 * thickest + margin_;
}

void ClothSelf::findFolds(Backend& backend) {
  bent_.resize(edges_.size());
  meet_folds_args args;
  args.x = x_.data(), args.triangle = tree_.corners(), args.bent = bent_.data();
  args.faces = reinterpret_cast<const int*>(faces_.data()), args.count = static_cast<int>(edges_.size());
  backend.launch((args.count + RE_MEET_CHUNK - 1) / RE_MEET_CHUNK, args);
}

void ClothSelf::findTouches(Backend& backend) {
  meet_touches_args args;
  passMeeting(args), tree_.passRings(args);
  args.bent = bent_.data(), args.layer = layer_.data(), args.reach = reach_, args.margin = margin_;
  touch_lists_.start(tree_.tasks(), kFirstRoom);
  do {
    const std::size_t room = touch_lists_.end();
    if (touch_form_.size() < 2 * room)
      touch_form_.resize(2 * room), found_touch_.resize(RE_MEET_TOUCH_INTS * room);
    args.touch = found_touch_.data(), args.touch_form = touch_form_.data();
    touch_lists_.pass(args);
    backend.launch(touch_lists_.todo(), args);
  } while (touch_lists_.grow());
}

ClothSelf::Touch ClothSelf::touchAt(int k) const {
  const int* index = &found_touch_[static_cast<std::size_t>(k) * RE_MEET_TOUCH_INTS];
  const Vec4f &weight = touch_form_[2 * k], &form = touch_form_[2 * k + 1];
  const auto first = static_cast<std::uint64_t>(index[4]), second = static_cast<std::uint64_t>(index[5]);
  return {{index[0], index[1], index[2], index[3]},
          {weight.x, weight.y, weight.z, weight.w},
          xyz(form),
          form.w,
          body_of_cloth_[cloth_of_point_[index[0]]],
          body_of_cloth_[cloth_of_point_[index[3]]],
          index[5] < 0 ? kPointSurface | first << 1 : kEdgeSurface | first << 31 | second};
}

const std::vector<ClothSelf::Touch>& ClothSelf::find(const Vec4f* x, const Vec4f* v, const StepParams& params,
                                                     Backend& backend) {
  for (std::size_t p = 0; p < x_.size(); ++p) x_[p] = xyz(x[p]), way_[p] = xyz(v[p]) * params.h;
  readParams(params);
  tree_.place(x_.data(), way_.data(), backend);
  tree_.findPairs(reach_, meets_, backend);
  if (tree_.tasks() > 0) findFolds(backend);
  if (look_for_tangles_) findTangles();
  findTouches(backend);
  choosePoints();
  chooseEdges();
  Touch touch;
  for (const std::array<int, 2>& crossing : crossings_)
    if (untangle(crossing, params, touch)) touches_.push_back(touch);
  return touches_;
}

// The nearest contacts of each point, one a direction.
void ClothSelf::choosePoints() {
  touches_.clear(), point_touches_.clear();
  for (int list = 0; list < touch_lists_.lists(); ++list)
    for (int k = touch_lists_.first(list); k < touch_lists_.end(list); ++k)
      if (!ofEdges(k)) touches_.push_back(touchAt(k));
  std::sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.point[0], a.gap, a.surface) < std::tie(b.point[0], b.gap, b.surface);
  });
  first_touch_.assign(x_.size() + 1, 0);
  for (std::size_t k = 0; k < touches_.size();) {
    const int point = touches_[k].point[0];
    const std::size_t first = point_touches_.size();
    for (; k < touches_.size() && touches_[k].point[0] == point; ++k) {
      bool fresh = point_touches_.size() < first + kMostTouches;
      for (std::size_t other = first; other < point_touches_.size(); ++other)
        fresh = fresh && dot(point_touches_[other].normal, touches_[k].normal) < kOneWay;
      if (fresh) point_touches_.push_back(touches_[k]);
    }
    first_touch_[point + 1] = static_cast<int>(point_touches_.size() - first);
  }
  for (std::size_t p = 0; p < x_.size(); ++p) first_touch_[p + 1] += first_touch_[p];
}

// Of edges only those that are nearer than all that their ends touch that way: where two flat pieces lie on
// each other the points are enough.
void ClothSelf::chooseEdges() {
  touches_ = point_touches_;
  const std::size_t first = touches_.size();
  for (int list = 0; list < touch_lists_.lists(); ++list)
    for (int found = touch_lists_.first(list); found < touch_lists_.end(list); ++found) {
      if (!ofEdges(found)) continue;
      const Touch edge = touchAt(found);
      bool needed = true;
      for (int k = 0; k < 4 && needed; ++k)
        for (int t = first_touch_[edge.point[k]]; t < first_touch_[edge.point[k] + 1] && needed; ++t) {
          const Touch& point = point_touches_[t];
          needed = std::abs(dot(point.normal, edge.normal)) < kOneWay ||
                   edge.gap < point.gap - 0.1f * std::abs(point.gap) - 1e-4f;
        }
      if (needed) touches_.push_back(edge);
    }
  std::sort(touches_.begin() + first, touches_.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.point[0], a.surface) < std::tie(b.point[0], b.surface);
  });
}

std::size_t ClothSelf::bytes() const {
  return tree_.bytes() + touch_lists_.bytes() + hit_lists_.bytes() +
         bytesOf(rest_, seam_, edge_of_, edges_, owns_, x_, way_, full_way_, touches_, point_touches_,
                 first_touch_, share_, hits_, cloth_of_point_, changed_, tangled_, inv_mass_, cluster_,
                 common_, found_touch_, touch_form_, found_hit_, hit_share_, cloth_, layer_, faces_, bent_);
}

}  // namespace repose
