// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Triangles that spheres touch: a tree of boxes, nearest places, and the side of the surface by angle
// weighted pseudonormals (Baerentzen and Aanaes 2005). A sphere touches wherever its distance from the
// surface has a local minimum, so that it has one touch on a flat floor, whatever its triangles, and two in a
// corner.
#pragma once
#include <vector>

#include "collide/obstacle.h"
#include "scene/mesh_check.h"

namespace repose {

// A touch, and where on the triangle it is.
struct TriangleTouch {
  Vec3f normal;
  float gap = 0;
  int feature = 0;
  int triangle = -1;
  Vec3f weights;  // of its corners
};

class TriangleSurface {
 public:
  // closed: bodies are outside. sheet: bodies are on the side of the normals. open: on both sides.
  enum class Kind { closed, sheet, open };

  // The points tell which triangles lie in one smooth part. turned: bodies are on the other side.
  TriangleSurface(TriangleList triangles, const std::vector<Vec3f>& points, Kind kind, bool turned);

  // Puts the points where they are at the start of the step; shifts: how far each goes, or null.
  void place(const std::vector<Vec3f>& points, const std::vector<Vec3f>* shifts);

  int touch(Vec3f centre, Vec3f motion, float reach, TriangleTouch* touches) const;
  // The nearest place, however far; of equal ones that of the first triangle.
  TriangleTouch nearest(Vec3f centre) const;

  // Triangles whose boxes reach into the box; velocities stay unset.
  template <class Visit>
  void eachTriangle(const Bounds& box, const Visit& visit) const {
    int stack[kStack], depth = 0;
    stack[depth++] = 0;
    while (depth) {
      const int index = stack[--depth];
      const Node& node = nodes_[index];
      if (!overlap(node.box, box)) continue;
      if (node.right >= 0) {
        stack[depth++] = node.right, stack[depth++] = index + 1;
        continue;
      }
      for (int k = node.first; k < node.first + node.count; ++k) visit(nearTriangle(k));
    }
  }

  const Bounds& bounds() const { return nodes_[0].box; }
  const TriangleList& triangles() const { return triangles_; }

 private:
  static constexpr int kStack = 64;  // the tree halves its triangles, so it is less deep than this
  static bool overlap(const Bounds& a, const Bounds& b) {
    for (int k = 0; k < 3; ++k)
      if (a.lo[k] > b.hi[k] || a.hi[k] < b.lo[k]) return false;
    return true;
  }

  struct Node {
    Bounds box;
    int right;         // second child, the first is the next node; -1 in a leaf
    int first, count;  // leaf: triangles in the order of order_
  };
  struct Corners {
    Vec3f a, b, c;
  };
  // A place on the surface where the distance may have a minimum.
  struct Spot {
    TriangleTouch touch;
    float distance2;
    int part;  // face, edge or vertex that it is on: each has one number
  };
  struct Spots;
  int takeTouches(const Spots& spots, TriangleTouch* touches) const;
  // Nearest place on a triangle (Ericson 2005, 5.1.5): 0 on the face, 1 to 3 at a corner, 4 to 6 on the side
  // from corner 0, 1, 2 to the next.
  struct Nearest {
    Vec3f weights, point;
    int region;
  };
  static Nearest nearestOn(const Corners& t, Vec3f p);

  void link(const std::vector<Vec3f>& points);
  void build(const std::vector<Vec3f>& points);
  int addNode(const std::vector<Vec3f>& centres, int first, int count);
  void refit();
  void findNormals();

  NearTriangle nearTriangle(int leaf) const;
  Vec3f pseudoNormal(int triangle, int region) const;
  int partOf(int triangle, int region) const;
  bool onRim(int triangle, int region) const;
  bool isMinimum(int triangle, int region, Vec3f away) const;
  Spot spotAt(int triangle, const Nearest& nearest, Vec3f centre) const;
  bool crossing(int leaf, Vec3f centre, Vec3f motion, float reach, Spot& spot) const;

  TriangleList triangles_;
  Kind kind_;
  bool turned_, moving_ = false;
  std::vector<std::array<int, 3>> across_;  // triangle beyond the side from corner k; -1: none
  std::vector<int> ring_start_, ring_;      // points that share a side with a point
  std::vector<bool> rim_;                   // points at a side with one triangle
  std::vector<int> smooth_;                 // triangle -> smooth part
  int smooth_parts_ = 0;

  std::vector<Node> nodes_;
  std::vector<int> order_;                        // triangles leaf after leaf
  std::vector<Corners> corners_, corner_shifts_;  // in that order
  std::vector<Vec3f> points_, normals_, point_normals_;
};

}  // namespace repose
