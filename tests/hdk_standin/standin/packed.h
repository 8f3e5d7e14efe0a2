// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Packed primitives of the stand-in: geometry that hangs at one point, turned by axes of its own.
#pragma once
#include "standin/geometry.h"

class GU_PrimPacked : public GEO_Primitive {
 public:
  static constexpr int kStandinType = 26;  // a host gives each kind of packed primitive a number of its own
  static bool isPackedPrimitive(const GEO_Primitive& primitive) {
    return primitive.getTypeId().get() == kStandinType;
  }
  GU_PrimPacked() { type = kStandinType; }
  std::shared_ptr<GEO_Primitive> standinCopy(const std::shared_ptr<GEO_Primitive>&) const override {
    auto copy = std::make_shared<GU_PrimPacked>(*this);
    copy->owner = nullptr;  // until it is put somewhere
    return copy;
  }

  GU_DetailHandle getPackedDetail() const { return inside; }
  void getFullTransform4(UT_Matrix4D& matrix) const {
    const UT_Vector3 at = owner->getPos3(points.at(0));
    matrix = UT_Matrix4D(1.0);
    for (int j = 0; j < 3; ++j) {
      matrix(3, j) = at(j);
      for (int i = 0; i < 3; ++i) {
        matrix(i, j) = axes(i, j);
        matrix(3, j) -= pivot(i) * axes(i, j);
      }
    }
  }
  void setLocalTransform(const UT_Matrix3D& matrix) {
    axes = matrix;
    owner->primitive_list.dirty = true;
  }

  // ---- of the stand-in alone ----
  void standinPutInto(GA_Detail& detail) override { owner = &detail; }
  GA_Detail* owner = nullptr;
  GU_DetailHandle inside;
  UT_Matrix3D axes{1.0};
  UT_Vector3 pivot;  // of the inside, what hangs at the point
};
