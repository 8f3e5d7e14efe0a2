// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A closed mesh of any shape as a rigid body touches with it: a grid of signed distances that others are
// measured by, and points on its surface that are measured by others (algorithms.md 9).
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "collide/manifold.h"

namespace repose {

class Concave {
 public:
  // Of a closed mesh, its faces counter-clockwise from outside; voxel: 0 chooses by
  // wall, half the least thickness [m]. Fails with bad_input on a
  // voxel that would make too many cells; the message goes on from the name of the body.
  static Result<std::unique_ptr<Concave>> make(const std::vector<Vec3f>& points,
                                               const std::vector<std::array<int, 3>>& triangles, float voxel,
                                               float wall);

  // Distance of a place of the own space from the surface [m], negative inside, and the way out.
  float distance(Vec3f p, Vec3f& normal) const;

  struct Sample {
    Vec3f place, normal;  // outwards; at edges and corners the mean of the faces
  };
  // Calls visit(number, sample) for those within `radius` of a place in the own space, and maybe others near
  // it, in the order of their numbers.
  template <class Visit>
  void eachNear(Vec3f centre, float radius, const Visit& visit) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Vec3f apart = xyz(blocks_[b]) - centre;
      const float far = blocks_[b].w + radius;
      if (dot(apart, apart) <= far * far) eachOf(b, visit);
    }
  }
  // Calls visit as above for those of blocks that may be: near(centre, radius) of the ball around a block.
  template <class Near, class Visit>
  void eachWhere(const Near& near, const Visit& visit) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (near(xyz(blocks_[b]), blocks_[b].w)) eachOf(b, visit);
  }
  // Places on sharp edges and corners, which can be the first to touch a face.
  const std::vector<Vec3f>& ridges() const { return ridges_; }

  float voxel() const { return voxel_; }  // [m]
  std::size_t samples() const { return samples_.size(); }
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kBlock = 16;

  struct SurfaceNormals;
  void fillGrid(const std::vector<Vec3f>& points, const std::vector<std::array<int, 3>>& triangles,
                const SurfaceNormals& normals);
  void takeSamples(const std::vector<Vec3f>& points, const std::vector<std::array<int, 3>>& triangles,
                   const SurfaceNormals& normals);
  void orderSamples();
  template <class Visit>
  void eachOf(std::size_t block, const Visit& visit) const {
    const std::size_t end = std::min(samples_.size(), (block + 1) * kBlock);
    for (std::size_t k = block * kBlock; k < end; ++k) visit(static_cast<int>(k), samples_[k]);
  }

  float voxel_ = 0;
  Vec3f low_;                // of the grid's first node
  int nodes_[3] = {};        // of the grid along x, y, z
  std::vector<float> grid_;  // [m], z changes fastest
  std::vector<Sample> samples_;
  std::vector<Vec4f> blocks_;  // balls around kBlock samples each
  std::vector<Vec3f> ridges_;
};

// Where a concave body touches another one: as many manifolds as there are ways in which they touch, at most
// kMostManifolds; normals point from b to a.
int collide(const Concave& a, const Pose& pose_a, const Convex& b, const Pose& pose_b, float reach,
            Manifold* out);
int collide(const Concave& a, const Pose& pose_a, const Concave& b, const Pose& pose_b, float reach,
            Manifold* out);
// As that of a convex solid. motion: the way of a place in the step is that of the centre and its turn [rad].
int collide(const Concave& a, const Pose& pose, Vec3f motion, Vec3f turn, const Obstacle& obstacle,
            float reach, Manifold* out, Vec3f* velocity);
SolidTouch nearest(const Concave& concave, const Pose& pose, Vec3f p);

}  // namespace repose
