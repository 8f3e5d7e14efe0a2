// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Tetrahedra as blocks of rows on multipliers (docs/soft_rows.md).
//
// The rows of neo-Hookean and co-rotated tetrahedra are the nine entries of F. F is linear in the places: a
// multiplier Q moves corner s by w_s Q y_s, and F by Q M with M = sum_s w_s y_s y_s^T, which never changes.
// So the steps of a block add up to exactly what its corners felt, and at rest of the iteration Q = -V h^2
// P(F) holds to rounding, also for bodies that turn, are flat or inside out. A step is one of Newton's with a
// second derivative m + l c c^T that is nowhere below the true one.
//
// The rows of St Venant-Kirchhoff are the six of Green's strain (algorithms.md 6.1), which do not resist
// turning at all, but push a flat tetrahedron nowhere: a seventh keeps half of the volume.

typedef struct {
  tet_rest rest;
  sym3 masses;           // M [1/(kg m^2)], of Jacobi with split masses
  real mu, lambda, rho;  // Lame's moduli times V h^2 [kg m^2]; rho_d/h
} tet_row;

typedef struct {
  mat3 impulse;                   // moves corner s by w_s impulse y_s
  real step[RE_TET_MULTIPLIERS];  // of the multipliers
  real error2;                    // of strain before the step, squared
} tet_answer;

RE_FN int tet_place(int entry, int fields) { return entry / 16 * (16 * fields) + entry % 16; }

RE_FN tet_row tet_row_at(RE_GLOBAL const float* row, int entry) {
  RE_GLOBAL const float* at = row + tet_place(entry, RE_TET_FIELDS);
  tet_row r;
  r.rest = tet_rest_at(at, 16);
  r.masses = s3_load(at + 16 * RE_TET_MASSES, 16);
  r.mu = re_load(at + 16 * RE_TET_MU);
  r.lambda = re_load(at + 16 * RE_TET_LAMBDA);
  r.rho = re_load(at + 16 * RE_TET_RHO);
  return r;
}

RE_FN mat3 tet_gradient_of(const vec3* place, tet_rest rest) {
  const vec3 edge[3] = {v3_sub(place[1], place[0]), v3_sub(place[2], place[0]), v3_sub(place[3], place[0])};
  return tet_gradient(edge, rest);
}

// Green's strain between two metrics F^T F.
RE_FN sym3 tet_green(sym3 now, sym3 then) {
  sym3 e = {0.5f * (now.xx - then.xx), 0.5f * (now.xy - then.xy), 0.5f * (now.xz - then.xz),
            0.5f * (now.yy - then.yy), 0.5f * (now.yz - then.yz), 0.5f * (now.zz - then.zz)};
  return e;
}

// Second derivatives of crushed and torn tetrahedra are counted at most so many times mu.
#define RE_TET_STIFFEST 1e4f

// How a material answers to F: P [Pa], and m + l c c^T not below its derivative, all times V h^2.
typedef struct {
  mat3 p, c;
  real m, l;
} tet_stress;

// Stable neo-Hookean, the energy of soft_isotropic: with I = |F|^2, m = 16/15 mu and k = lambda + 14/15 mu
// its stress is m (1 - 1/(I + 1)^2) F + (k (J - 1) - mu) dJ/dF. The derivative of the cofactors is not above
// the mean size of F; that of the fraction is left out, as all that is counted is never below half of the
// whole.
RE_FN tet_stress tet_neohookean(mat3 f, real mu, real lambda) {
  tet_stress r;
  r.c = m3_cofactor(f);
  const real bulk = lambda + (14.0f / 15.0f) * mu, j = v3_dot(f.c[0], r.c.c[0]);
  const tet_guard guard = tet_guard_at(j, RE_TET_LEAST, RE_TET_FIRM);
  const real k = bulk * (j - 1.0f + guard.slope) - mu;
  r.l = bulk + bulk * guard.curve;
  const real size2 = m3_dot(f, f), inverse = 1.0f / (1.0f + size2);
  const real firm = (16.0f / 15.0f) * mu * (1.0f - inverse * inverse);
  r.p = m3_mad(r.c, k, m3_scale(f, firm));
  r.m = re_min(firm + re_abs(k) * (0.5f + size2 * (1.0f / 6.0f)), RE_TET_STIFFEST * mu);
  return r;
}

// Newton's step for the largest root t = tr U of ((t^2 - I)/2)^2 - 2 J t - II, the characteristic equation of
// F = R U, with I = |F|^2 and II = |cof F|^2. From above it falls to the root without passing it.
RE_FN real tet_trace_step(real t, real i, real ii, real j) {
  const real q = 0.5f * (t * t - i);
  return t - (q * q - 2.0f * j * t - ii) / (2.0f * (q * t - j));
}

// The rotation nearest to F (algorithms.md 7.2) is the slope of that root, R = d tr U / dF. (|F|^2 + 3)/2 is
// not below tr U and off by the square of the strain: two steps end it for strains up to a third; what the
// second one moved tells which lanes need more. Where F is crushed, inside out or torn apart, the equation is
// not worth its digits.
#define RE_TET_CRUSHED 0.05f  // J of F with |F|^2 = 3
#define RE_TET_MOVED   2.5e-4f
typedef struct {
  mat3 rotation, cofactor;
  real trace, j;  // of U; det F
} tet_polar;
RE_FN tet_polar tet_polar_of(mat3 f) {
  tet_polar r;
  r.cofactor = m3_cofactor(f);
  r.j = v3_dot(f.c[0], r.cofactor.c[0]);
  const sym3 metric = m3_gram(f);
  const real i = metric.xx + metric.yy + metric.zz, ii = m3_dot(r.cofactor, r.cofactor);
  const real first = tet_trace_step(0.5f * i + 1.5f, i, ii, r.j);
  real t = tet_trace_step(first, i, ii, r.j);
  const ints late = first - t > RE_TET_MOVED * t;
  if (re_any(late)) {
    real further = re_min(t, 3.0f * i * re_rsqrt(3.0f * i));  // not below tr U either
    for (int k = 0; k < 6; ++k) further = tet_trace_step(further, i, ii, r.j);
    t = late ? further : t;
  }
  const real q = 0.5f * (t * t - i), unit = 1.0f / (q * t - r.j);
  const mat3 sum = m3_mad(r.cofactor, t, m3_scale(f, q + i));
  r.rotation = m3_scale(m3_sub(sum, m3_times(f, metric)), unit);
  r.trace = t;
  const real least2 = RE_TET_CRUSHED * RE_TET_CRUSHED / 27.0f * (i * i * i);
  const ints crushed = r.j * re_max(r.j, re_splat(0.0f)) <= least2;
  if (re_any(crushed)) {
    const mat3 other = svd3_rotation(svd3_of(f));
    for (int k = 0; k < 3; ++k) r.rotation.c[k] = v3_select(crushed, other.c[k], r.rotation.c[k]);
    r.trace = crushed ? m3_dot(other, f) : r.trace;
  }
  return r;
}

// mu |F - R|^2 + lambda/2 tr(R^T F - 1)^2 with the rotation R nearest to F (algorithms.md 7.2), and the
// guard.
RE_FN tet_stress tet_corotated(mat3 f, real mu, real lambda) {
  const tet_polar polar = tet_polar_of(f);
  tet_stress r;
  r.c = polar.rotation;
  r.m = 2.0f * mu, r.l = lambda;
  r.p = m3_mad(r.c, lambda * (polar.trace - 3.0f) - r.m, m3_scale(f, r.m));
  if (re_any(polar.j < RE_TET_LEAST_COROTATED)) {
    const tet_guard guard = tet_guard_at(polar.j, RE_TET_LEAST_COROTATED, RE_TET_FIRM_COROTATED);
    const real bulk = lambda + mu, push = bulk * guard.slope, size2 = m3_dot(f, f);
    r.p = m3_mad(polar.cofactor, push, r.p);
    const real more = bulk * guard.curve * m3_dot(polar.cofactor, polar.cofactor) +
                      re_abs(push) * (0.5f + size2 * (1.0f / 6.0f));
    r.m = re_min(r.m + more, RE_TET_STIFFEST * mu);
  }
  return r;
}

// Rayleigh's damping: the stress of St Venant-Kirchhoff by the strain since the start of the step.
RE_FN tet_stress tet_damped(tet_stress s, mat3 f, mat3 start, tet_row row) {
  const sym3 since = tet_green(m3_gram(f), m3_gram(start));
  const real mu2 = 2.0f * row.mu * row.rho, volume = row.lambda * row.rho * (since.xx + since.yy + since.zz);
  s.p = m3_add(s.p, m3_times(f, s3_mad(since, mu2, s3_scaled_identity(volume))));
  const real size2 = m3_dot(f, f), volume_rho = row.lambda * row.rho;
  // near a rotation the gradient of the trace is c; what is crushed or torn far from one is held by m
  const mat3 off = m3_sub(f, s.c);
  const real far = re_min(m3_dot(off, off), re_splat(RE_TET_STIFFEST));
  s.m = s.m + mu2 * re_max(size2 - 2.0f, size2 * (1.0f / 3.0f)) + (mu2 + volume_rho) * far +
        re_max(volume, re_splat(0.0f));
  s.l = s.l + volume_rho;
  return s;
}

// Of a positive definite matrix; TetBlocks::weigh sees to it that its determinant stays within floats.
RE_FN sym3 tet_inverse(sym3 a) {
  const sym3 c = s3_cofactor(a);
  return s3_scale(c, 1.0f / s3_det(a, c));
}

// The same of one that rounding may have left without a positive determinant.
RE_FN sym3 tet_firm_inverse(sym3 a) {
  const sym3 c = s3_cofactor(a);
  const real least = re_max(1e-9f * (a.xx * a.yy * a.zz), re_splat(1e-30f));
  return s3_scale(c, 1.0f / re_max(s3_det(a, c), least));
}

// One Newton step of Q = -V h^2 P(F) for the block alone: with L = (1 + m M)^-1 and dF = dQ M,
// dQ = -(r + l (c : dF) c) L, and c : dF follows by Sherman and Morrison.
RE_FN mat3 tet_newton(mat3 residual, tet_stress s, sym3 masses) {
  const sym3 inverse = tet_inverse(s3_mad(masses, s.m, s3_scaled_identity(re_splat(1.0f))));
  const mat3 cl = m3_times(s.c, inverse);
  const real own = m3_dot(s.c, s.c) - m3_dot(s.c, cl), pushed = m3_dot(residual, s.c) - m3_dot(residual, cl);
  const real share = s.l * pushed / re_max(s.m + s.l * own, re_splat(1e-30f));
  return m3_sub(m3_scale(cl, share), m3_times(residual, inverse));
}

// (A + E) step = -right, of the six rows of Green's strain xx yy zz yz xz xy (algorithms.md 6.1).
// A = (1 + rho) J W J^T needs no sums over corners: its entries are products of m = (1 + rho) M and F^T F.
RE_FN void tet_strain_solve(sym3 m, sym3 g, real stretch, real squeeze, real shear, const real* right,
                            real* step) {
  // products of three entries have to stay within floats, of small and of torn tetrahedra too
  const real most = (m.xx + m.yy + m.zz) * (g.xx + g.yy + g.zz) + stretch;
  const real unit = 1.0f / re_max(most, re_splat(1e-30f));
  m = s3_scale(m, unit), stretch = stretch * unit, squeeze = squeeze * unit, shear = shear * unit;
  real a[6][6];
  a[0][0] = m.xx * g.xx, a[1][0] = m.xy * g.xy, a[1][1] = m.yy * g.yy;
  a[2][0] = m.xz * g.xz, a[2][1] = m.yz * g.yz, a[2][2] = m.zz * g.zz;
  a[3][0] = 0.5f * (m.xy * g.xz + m.xz * g.xy), a[3][1] = 0.5f * (m.yy * g.yz + m.yz * g.yy);
  a[3][2] = 0.5f * (m.yz * g.zz + m.zz * g.yz);
  a[4][0] = 0.5f * (m.xx * g.xz + m.xz * g.xx), a[4][1] = 0.5f * (m.xy * g.yz + m.yz * g.xy);
  a[4][2] = 0.5f * (m.xz * g.zz + m.zz * g.xz);
  a[5][0] = 0.5f * (m.xx * g.xy + m.xy * g.xx), a[5][1] = 0.5f * (m.xy * g.yy + m.yy * g.xy);
  a[5][2] = 0.5f * (m.xz * g.yz + m.yz * g.xz);
  a[3][3] = 0.25f * (m.yy * g.zz + 2.0f * m.yz * g.yz + m.zz * g.yy);
  a[4][4] = 0.25f * (m.xx * g.zz + 2.0f * m.xz * g.xz + m.zz * g.xx);
  a[5][5] = 0.25f * (m.xx * g.yy + 2.0f * m.xy * g.xy + m.yy * g.xx);
  a[4][3] = 0.25f * (m.xy * g.zz + m.yz * g.xz + m.xz * g.yz + m.zz * g.xy);
  a[5][3] = 0.25f * (m.xy * g.yz + m.yy * g.xz + m.xz * g.yy + m.yz * g.xy);
  a[5][4] = 0.25f * (m.xx * g.yz + m.xy * g.xz + m.xz * g.xy + m.yz * g.xx);
  for (int i = 0; i < 3; ++i) a[i][i] = a[i][i] + stretch, a[i + 3][i + 3] = a[i + 3][i + 3] + shear;
  a[1][0] = a[1][0] - squeeze, a[2][0] = a[2][0] - squeeze, a[2][1] = a[2][1] - squeeze;

  // stretches, then shears: two inverses of 3 x 3 wait for less than six pivots, one after another, would
  const sym3 stretches = {a[0][0], a[1][0], a[2][0], a[1][1], a[2][1], a[2][2]};
  const sym3 inverse = tet_firm_inverse(stretches);
  vec3 low[3], off[3];
  for (int k = 0; k < 3; ++k)
    off[k] = v3(a[k + 3][0], a[k + 3][1], a[k + 3][2]), low[k] = s3_mul(inverse, off[k]);
  // positive but for rounding, of which E leaves little
  const sym3 shears = {re_max(a[3][3] - v3_dot(low[0], off[0]), 1e-6f * a[3][3]),
                       a[4][3] - v3_dot(low[0], off[1]),
                       a[5][3] - v3_dot(low[0], off[2]),
                       re_max(a[4][4] - v3_dot(low[1], off[1]), 1e-6f * a[4][4]),
                       a[5][4] - v3_dot(low[1], off[2]),
                       re_max(a[5][5] - v3_dot(low[2], off[2]), 1e-6f * a[5][5])};
  const vec3 pull = v3(-right[0], -right[1], -right[2]);
  const vec3 turn = v3(-right[3] - v3_dot(low[0], pull), -right[4] - v3_dot(low[1], pull),
                       -right[5] - v3_dot(low[2], pull));
  const vec3 sheared = s3_mul(tet_firm_inverse(shears), turn);
  const vec3 stretched = v3_sub(s3_mul(inverse, pull), m3_mul(m3(low[0], low[1], low[2]), sheared));
  step[0] = stretched.x * unit, step[1] = stretched.y * unit, step[2] = stretched.z * unit;
  step[3] = sheared.x * unit, step[4] = sheared.y * unit, step[5] = sheared.z * unit;
}

// Multipliers of strain as a stress: those of shear stand for both of its entries.
RE_FN sym3 tet_stress_of(const real* p) {
  sym3 s = {p[0], 0.5f * p[5], 0.5f * p[4], p[1], 0.5f * p[3], p[2]};
  return s;
}

// C = J - 1/2 >= 0, after the other rows of the block have moved F to `f`. Few tetrahedra ever need it.
RE_FN void tet_keep_volume(mat3 f, tet_row row, real last, tet_answer* answer) {
  const mat3 c = m3_cofactor(f);
  const real lacks = v3_dot(f.c[0], c.c[0]) - 0.5f;
  answer->step[6] = re_splat(0.0f);
  if (!re_any((lacks < 0.0f) | (last > 0.0f))) return;
  const real hold = 1.0f / re_max(row.lambda + 2.0f * row.mu, re_splat(1e-30f));
  const real own = m3_dot(c, m3_times(c, row.masses));
  answer->step[6] = re_max(-(lacks + hold * last) / (own + hold), -last);
  answer->impulse = m3_mad(c, answer->step[6], answer->impulse);
}

RE_FN tet_answer tet_strain_step(mat3 f, mat3 start, tet_row row, const real* last, int damped) {
  const sym3 metric = m3_gram(f);
  const sym3 strain = tet_green(metric, s3_scaled_identity(re_splat(1.0f)));
  // no product of two moduli, which is beyond floats for bodies of a tenth of a millimetre
  const real soft = 1.0f / re_max(row.mu, re_splat(1e-30f));
  const real share = soft / re_max(3.0f * row.lambda + 2.0f * row.mu, re_splat(1e-30f));
  const real stretch = (row.lambda + row.mu) * share, squeeze = 0.5f * row.lambda * share;
  const real shear = 0.25f * soft;
  const real p = last[0] + last[1] + last[2];
  real right[6] = {strain.xx, strain.yy, strain.zz, strain.yz, strain.xz, strain.xy};
  sym3 masses = row.masses;
  if (damped) {
    const sym3 since = tet_green(metric, m3_gram(start));
    masses = s3_scale(masses, 1.0f + row.rho);
    right[0] = right[0] + row.rho * since.xx, right[1] = right[1] + row.rho * since.yy;
    right[2] = right[2] + row.rho * since.zz, right[3] = right[3] + row.rho * since.yz;
    right[4] = right[4] + row.rho * since.xz, right[5] = right[5] + row.rho * since.xy;
  }
  for (int i = 0; i < 3; ++i) {
    right[i] = right[i] + (stretch + squeeze) * last[i] - squeeze * p;
    right[i + 3] = right[i + 3] + shear * last[i + 3];
  }
  tet_answer r;
  r.error2 = right[0] * right[0] + right[1] * right[1] + right[2] * right[2] +
             2.0f * (right[3] * right[3] + right[4] * right[4] + right[5] * right[5]);
  tet_strain_solve(masses, metric, stretch, squeeze, shear, right, r.step);
  r.impulse = m3_times(f, tet_stress_of(r.step));
  r.step[7] = r.step[8] = re_splat(0.0f);
  tet_keep_volume(m3_add(f, m3_times(r.impulse, row.masses)), row, last[6], &r);
  return r;
}

RE_FN tet_answer tet_gradient_step(int material, mat3 f, mat3 start, tet_row row, const real* last,
                                   int damped) {
  tet_stress s = material == RE_NEOHOOKEAN ? tet_neohookean(f, row.mu, row.lambda)
                                           : tet_corotated(f, row.mu, row.lambda);
  if (damped) s = tet_damped(s, f, start, row);
  const mat3 residual = m3_add(
      s.p, m3(v3(last[0], last[1], last[2]), v3(last[3], last[4], last[5]), v3(last[6], last[7], last[8])));
  const real unit = 0.5f / re_max(row.mu, re_splat(1e-30f));
  tet_answer r;
  r.impulse = tet_newton(residual, s, row.masses);
  r.error2 = m3_dot(residual, residual) * (unit * unit);
  for (int k = 0; k < 3; ++k)
    r.step[3 * k] = r.impulse.c[k].x, r.step[3 * k + 1] = r.impulse.c[k].y,
               r.step[3 * k + 2] = r.impulse.c[k].z;
  return r;
}

// C = |F a| - 1 along the fibre a, after the block has moved F.
RE_FN void tet_fibre_step(mat3 f, tet_row row, RE_GLOBAL const float* fibre, real last, tet_answer* answer) {
  const vec3 a = v3(re_load(fibre), re_load(fibre + 16), re_load(fibre + 32));
  const real stiffness = re_load(fibre + 48);
  const vec3 along = m3_mul(m3_add(f, m3_times(answer->impulse, row.masses)), a);
  const real l2 = v3_dot(along, along), y = re_rsqrt(l2), own = v3_dot(a, s3_mul(row.masses, a));
  const real step = -(stiffness * (l2 * y - 1.0f) + last) / (stiffness * own + 1.0f);
  const vec3 push = v3_scale(along, y * step);
  answer->step[RE_TET_OF_FIBRE] = step;
  for (int k = 0; k < 3; ++k)
    answer->impulse.c[k] = v3_mad(push, k == 0 ? a.x : k == 1 ? a.y : a.z, answer->impulse.c[k]);
}

RE_FN tet_answer tet_step(int material, const vec3* place, RE_GLOBAL const point4* x_start,
                          RE_GLOBAL const int* corner, RE_GLOBAL const float* fibre, int entry, tet_row row,
                          const real* last, int damped, int fibred) {
  const mat3 f = tet_gradient_of(place, row.rest);
  mat3 start = f;
  if (damped) {
    vec3 was[4];
    for (int s = 0; s < 4; ++s) was[s] = v3_of(re_load4(x_start, corner + 16 * s));
    start = tet_gradient_of(was, row.rest);
  }
  tet_answer r = material == RE_STVK ? tet_strain_step(f, start, row, last, damped)
                                     : tet_gradient_step(material, f, start, row, last, damped);
  r.step[RE_TET_OF_FIBRE] = re_splat(0.0f);
  if (fibred)
    tet_fibre_step(f, row, fibre + tet_place(entry, RE_TET_FIBRE_FIELDS), last[RE_TET_OF_FIBRE], &r);
  return r;
}

// Multipliers of the last step are forgotten: keep is 0 in the first iteration.
RE_FN void tet_last(RE_GLOBAL const float* multiplier, float keep, real* last) {
  for (int k = 0; k < RE_TET_MULTIPLIERS; ++k) last[k] = re_splat(0.0f);
  if (keep > 0.0f)
    for (int k = 0; k < RE_TET_MULTIPLIERS; ++k) last[k] = re_load(multiplier + 16 * k);
}

// A colour of more tetrahedra is one of many that together are more than the caches hold: tetrahedra so many
// ahead are fetched while those at hand are computed; with still more, their corners too.
#define RE_FAR_TETS    512
#define RE_FAR_CORNERS 4096
#define RE_TETS_AHEAD  32

RE_FN void tet_fetch(int first, int first_entry, int end_entry, RE_GLOBAL const int* corner,
                     RE_GLOBAL const float* row, RE_GLOBAL const point4* x) {
  const int then = first + RE_TETS_AHEAD, count = end_entry - first_entry;
  if (count <= RE_FAR_TETS || then + RE_LANES > end_entry) return;
  fetch_block(row, then, RE_TET_FIELDS);
  if (count <= RE_FAR_CORNERS) return;
  for (int s = 0; s < 4; ++s) fetch_named(x, corner + tet_place(then, 4) + 16 * s);
}

// Gauss-Seidel: tetrahedra of one colour share no point.
RE_FN void visit_tets(int material, int item RE_ARGS_visit_tets(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  tet_fetch(first, first_entry, end_entry, corner, row, x);
  RE_GLOBAL const int* corners = corner + tet_place(first, 4);
  RE_GLOBAL float* own = multiplier + tet_place(first, RE_TET_MULTIPLIERS);
  const tet_row r = tet_row_at(row, first);
  real4 p[4];
  vec3 place[4], push[3];
  real before[RE_TET_MULTIPLIERS];
  for (int s = 0; s < 4; ++s) p[s] = re_load4(x, corners + 16 * s), place[s] = v3_of(p[s]);
  tet_last(own, keep, before);
  const tet_answer answer =
      tet_step(material, place, x_start, corners, fibre, first, r, before, damped, fibred);
  if (!last)
    for (int k = 0; k < RE_TET_MULTIPLIERS; ++k) re_store(own + 16 * k, before[k] + answer.step[k] * omega);
  if (measured) re_store(error + first, answer.error2);
  tet_pushes(m3_scale(answer.impulse, re_splat(omega)), r.rest, push);
  const vec3 back = v3_add(v3_add(push[0], push[1]), push[2]);
  re_store4(x, corners, v3_with(v3_mad(back, -p[0].w, place[0]), p[0].w), used);
  for (int s = 1; s < 4; ++s)
    re_store4(x, corners + 16 * s, v3_with(v3_mad(push[s - 1], p[s].w, place[s]), p[s].w), used);
}

RE_FN void visit_neohookean_item(int item RE_ARGS_visit_tets(RE_BUFFER, RE_VALUE)) {
  visit_tets(RE_NEOHOOKEAN, item, x, x_start, corner, row, fibre, multiplier, error, first_entry, end_entry,
             omega, keep, last, damped, fibred, measured);
}
RE_FN void visit_corotated_item(int item RE_ARGS_visit_tets(RE_BUFFER, RE_VALUE)) {
  visit_tets(RE_COROTATED, item, x, x_start, corner, row, fibre, multiplier, error, first_entry, end_entry,
             omega, keep, last, damped, fibred, measured);
}
RE_FN void visit_stvk_item(int item RE_ARGS_visit_tets(RE_BUFFER, RE_VALUE)) {
  visit_tets(RE_STVK, item, x, x_start, corner, row, fibre, multiplier, error, first_entry, end_entry, omega,
             keep, last, damped, fibred, measured);
}

// Pass 1 of a Jacobi iteration, one item a block of RE_LANES tetrahedra.
RE_FN void push_tets(int material, int item RE_ARGS_push_tets(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  RE_GLOBAL const int* corners = corner + tet_place(first, 4);
  RE_GLOBAL float* own = multiplier + tet_place(first, RE_TET_MULTIPLIERS);
  RE_GLOBAL float* change = momentum + tet_place(first, RE_TET_MULTIPLIERS);
  const tet_row r = tet_row_at(row, first);
  const real zero = re_splat(0.0f);
  vec3 place[4], pushes[3];
  real last[RE_TET_MULTIPLIERS];
  for (int s = 0; s < 4; ++s) place[s] = v3_of(re_load4(x, corners + 16 * s));
  tet_last(own, keep, last);
  const tet_answer answer =
      tet_step(material, place, x_start, corners, fibre, first, r, last, damped, fibred);
  for (int k = 0; k < RE_TET_MULTIPLIERS; ++k) {
    const real moved = answer.step[k] * gain + re_load(change + 16 * k) * (beta * keep);
    re_store(change + 16 * k, moved);
    re_store(own + 16 * k, last[k] + moved);
  }
  if (measured) re_store(error + first, answer.error2);
  tet_pushes(answer.impulse, r.rest, pushes);
  const vec3 back = v3_add(v3_add(pushes[0], pushes[1]), pushes[2]);
  re_store4_at(push, first, v3_with(v3_scale(back, re_splat(-1.0f)), zero));
  for (int s = 1; s < 4; ++s) re_store4_at(push, s * stride + first, v3_with(pushes[s - 1], zero));
}

RE_FN void push_neohookean_item(int item RE_ARGS_push_tets(RE_BUFFER, RE_VALUE)) {
  push_tets(RE_NEOHOOKEAN, item, x, x_start, corner, row, fibre, multiplier, momentum, error, push, stride,
            gain, beta, keep, damped, fibred, measured);
}
RE_FN void push_corotated_item(int item RE_ARGS_push_tets(RE_BUFFER, RE_VALUE)) {
  push_tets(RE_COROTATED, item, x, x_start, corner, row, fibre, multiplier, momentum, error, push, stride,
            gain, beta, keep, damped, fibred, measured);
}
RE_FN void push_stvk_item(int item RE_ARGS_push_tets(RE_BUFFER, RE_VALUE)) {
  push_tets(RE_STVK, item, x, x_start, corner, row, fibre, multiplier, momentum, error, push, stride, gain,
            beta, keep, damped, fibred, measured);
}

// Of a block of values, none of them below 0.
RE_FN void largest_item(int item RE_ARGS_largest(RE_BUFFER, RE_VALUE)) {
  real most = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int first = item * RE_BLOCK; first < end; first += RE_LANES)
    most = re_max(re_load(value + first), most);
  float m = 0.0f;
  for (int k = 0; k < RE_LANES; ++k) m = re_lane(most, k) > m ? re_lane(most, k) : m;
  result[item] = m;
}
