// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_transform.h"

#include <cmath>

namespace repose {

namespace {

Mat4d rotation(int axis, double degrees) {
  Mat4d m;
  const double angle = degrees * 3.14159265358979323846 / 180;
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  m.m[a][a] = m.m[b][b] = std::cos(angle);
  m.m[a][b] = -std::sin(angle);
  m.m[b][a] = std::sin(angle);
  return m;
}

}  // namespace

Mat4d composeTransform(Vec3f translate, Vec3f rotate, const double (&scale)[3]) {
  Mat4d scaling, moving;
  for (int k = 0; k < 3; ++k) {
    scaling.m[k][k] = scale[k];
    moving.m[k][3] = translate[k];
  }
  return moving * rotation(2, rotate.z) * rotation(1, rotate.y) * rotation(0, rotate.x) * scaling;
}

Mat4d readTransform(const JsonNode& node, Problems& problems) {
  ObjectReader object(node, "a transform", problems);
  Vec3f translate, rotate;
  double scale[3] = {1, 1, 1};
  object.vector("translate", translate);
  object.vector("rotate", rotate);
  if (const JsonNode* factor = object.find("scale")) {
    // Mirrors would turn the faces inside out.
    const bool list = factor->type == JsonNode::Type::array;
    const bool good = readNumbers(*factor, "scale", {list ? 3 : 1, false, 1e-6, 1e6}, scale, problems);
    if (good && !list) scale[1] = scale[2] = scale[0];
  }
  object.rejectUnknown();
  return composeTransform(translate, rotate, scale);
}

void placeGeometry(Geometry& geometry, const Mat4d& transform) {
  for (Vec3f& p : geometry.points) p = transformPoint(transform, p);
  for (Attribute& a : geometry.attributes) {
    if (a.name != "v" || a.owner != AttributeOwner::point || a.width != 3) continue;
    for (std::size_t k = 0; k + 2 < a.floats.size(); k += 3) {
      const Vec3f v = transformVector(transform, {a.floats[k], a.floats[k + 1], a.floats[k + 2]});
      a.floats[k] = v.x, a.floats[k + 1] = v.y, a.floats[k + 2] = v.z;
    }
  }
}

}  // namespace repose
