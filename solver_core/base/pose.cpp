// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "base/pose.h"

namespace repose {

Quat quatOf(const Pose& pose) {
  const Vec3f &x = pose.axis[0], &y = pose.axis[1], &z = pose.axis[2];
  // the largest of the four is found from its square, the others from it
  const float squares[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z,
                            1 + x.x + y.y + z.z};
  int largest = 3;
  for (int k = 0; k < 3; ++k)
    if (squares[k] > squares[largest]) largest = k;
  const float xy = x.y + y.x, xz = x.z + z.x, yz = y.z + z.y;
  const float wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
  switch (largest) {
    case 0:
      return normalized({squares[0], xy, xz, wx});
    case 1:
      return normalized({xy, squares[1], yz, wy});
    case 2:
      return normalized({xz, yz, squares[2], wz});
    default:
      return normalized({wx, wy, wz, squares[3]});
  }
}

}  // namespace repose
