// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// A tetrahedron's deformation gradient and what it pushes (algorithms.md 6.1). y_1 to y_3 are the rows of the
// inverse of the edge matrix at rest [1/m], y_0 = -(y_1 + y_2 + y_3).

enum { RE_NEOHOOKEAN, RE_COROTATED, RE_STVK };  // materials, as SoftMaterial

typedef struct {
  vec3 y[3];  // y_1 to y_3
} tet_rest;

// Nine arrays, `stride` apart.
RE_FN tet_rest tet_rest_at(RE_GLOBAL const float* y, int stride) {
  tet_rest r;
  for (int k = 0; k < 3; ++k)
    r.y[k] =
        v3(re_load(y + 3 * k * stride), re_load(y + (3 * k + 1) * stride), re_load(y + (3 * k + 2) * stride));
  return r;
}

// F = sum_k e_k y_k^T of the edges e_k = x_k - x_0.
RE_FN mat3 tet_gradient(const vec3* edge, tet_rest rest) {
  mat3 f = m3(v3_scale(edge[0], rest.y[0].x), v3_scale(edge[0], rest.y[0].y), v3_scale(edge[0], rest.y[0].z));
  for (int k = 1; k < 3; ++k)
    f = m3(v3_mad(edge[k], rest.y[k].x, f.c[0]), v3_mad(edge[k], rest.y[k].y, f.c[1]),
           v3_mad(edge[k], rest.y[k].z, f.c[2]));
  return f;
}

// dE/dx of corners 1 to 3 from P = dE/dF: P y_k. That of corner 0 is minus their sum.
RE_FN void tet_pushes(mat3 p, tet_rest rest, vec3* push) {
  for (int k = 0; k < 3; ++k) push[k] = m3_mul(p, rest.y[k]);
}

// Neo-Hookean and co-rotated matter has a further energy of J below a share of its volume, which keeps loads
// on single points from turning elements inside out: its slope falls to -firm least at J = 0 and fades from
// there to J = -RE_TET_FADE, since what is well inside out would be crushed to a point on its way back. That
// of co-rotated matter is gentler: a firm one would hold what was crumpled.
#define RE_TET_LEAST           0.3f
#define RE_TET_FIRM            5.0f
#define RE_TET_LEAST_COROTATED 0.15f
#define RE_TET_FIRM_COROTATED  3.0f
#define RE_TET_FADE            2.0f
typedef struct {
  real energy, slope, curve;  // over the bulk modulus; curve without its negative part
} tet_guard;
RE_FN tet_guard tet_guard_at(real j, float least, float firm) {
  const real zero = re_splat(0.0f);
  const real lacks = re_max(re_min(least - j, re_splat(least)), zero);
  const real inside = re_max(re_min(-j, re_splat(RE_TET_FADE)), zero);
  tet_guard g;
  g.slope = -firm * lacks * (1.0f - inside * (1.0f / RE_TET_FADE));
  g.energy = firm * (0.5f * lacks * lacks + least * inside * (1.0f - inside * (0.5f / RE_TET_FADE)));
  g.curve = lacks > 0.0f && j > 0.0f ? re_splat(firm) : zero;
  return g;
}
