// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Artists' attributes: found on points or on the detail, in any number type, refused with a sentence when
// they are of another kind.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "houdini_nodes/node_geometry.h"

namespace repose::nodes {

// Names of our own attributes.
inline constexpr const char* kBody = "repose_body";          // point, text: the body that a point belongs to
inline constexpr const char* kCollider = "repose_collider";  // the same of colliders
inline constexpr const char* kRest = "repose_rest";          // point: where it was at the start
inline constexpr const char* kPin = "repose_pin";      // point: 0 free, 1 held, 2 follows, as at the start
inline constexpr const char* kStart = "repose_start";  // point: v and w of its rigid piece at the start
inline constexpr const char* kFrame = "repose_frame";  // point: transform of its packed piece at the start
inline constexpr const char* kState = "repose_state";  // detail: all that varies
inline constexpr const char* kShown = "repose_shown";  // detail: hash of what a placed object was left with
inline constexpr const char* kContacts = "repose_contacts";  // detail: what pushes, for a guide
inline constexpr const char* kHash = "repose_hash";  // detail: of the state, as the command line logs it

// Every attribute of the artists' tables that is there has the kind that it should have, and P is finite.
Status checkGeometry(const NodeGeometry& geometry, const std::string& what);

// A number of each point: of a point attribute, else of a detail attribute.
class PointNumbers {
 public:
  PointNumbers(const NodeGeometry& geometry, const char* name);
  explicit operator bool() const { return attribute_ != nullptr; }
  double at(std::size_t point) const { return attribute_->number(detail_ ? 0 : point); }
  // The one value of all these points; nothing when they differ.
  std::optional<double> common(const std::vector<int>& points) const;

 private:
  const NodeAttribute* attribute_;
  bool detail_ = false;
};

// A vector of each point.
class PointVectors {
 public:
  PointVectors(const NodeGeometry& geometry, const char* name)
      : attribute_(geometry.find(Owner::point, name)),
        floats_(attribute_ ? std::get_if<std::vector<float>>(&*attribute_->values) : nullptr) {}
  explicit operator bool() const { return attribute_ != nullptr; }
  Vec3f at(std::size_t point) const {
    const std::size_t k = 3 * point;
    if (floats_) return {(*floats_)[k], (*floats_)[k + 1], (*floats_)[k + 2]};
    return {static_cast<float>(attribute_->number(k)), static_cast<float>(attribute_->number(k + 1)),
            static_cast<float>(attribute_->number(k + 2))};
  }

 private:
  const NodeAttribute* attribute_;
  const std::vector<float>* floats_;  // its values, when they are stored as such
};

// Of each point of one geometry the point of another that it is, by id where both have one, or -1. Else both
// need the same count; `has` begins the sentence that says so: "the source has".
Result<std::vector<int>> matchPoints(const NodeGeometry& from, const NodeGeometry& to, const char* has);

// A VDB file that the detail names becomes that of its points, which keep it where geometry is merged.
void spreadField(NodeGeometry& geometry);

// Vectors of all points as an attribute's values.
std::vector<float> flat(const std::vector<Vec3f>& vectors);

}  // namespace repose::nodes
