// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What a soft material answers to a deformation gradient F: energy density [J/m^3], stress P = dE/dF, and its
// second derivative without the negative part. In the frame of F = U diag(s) V^T the second derivative of an
// isotropic material falls apart: three stretches, and for each pair of axes a symmetric shear and a twist.

// St Venant-Kirchhoff softens below a stretch of 1/sqrt 3 and does not see that it is inside out: below this
// share of the volume a further term pushes back (algorithms.md 6.1).
#define SOFT_STVK_LEAST 0.5f

// In the order of pairs: yz, xz, xy.
typedef struct {
  real energy;
  vec3 pull;          // dE/ds
  sym3 normal;        // d2E/ds2
  vec3 shear, twist;  // second derivatives of the pairs
} soft_answer;

// NOLINTNEXTLINE(readability-function-size): three materials in the terms that they share
RE_FN soft_answer soft_isotropic(vec3 s, float mu, float lambda, int material) {
  const real zero = re_splat(0.0f);
  // stretches less one keep the digits of small strains
  const vec3 d = v3(s.x - 1.0f, s.y - 1.0f, s.z - 1.0f);
  const vec3 c = v3(s.y * s.z, s.x * s.z, s.x * s.y);  // dJ/ds
  const real e1 = d.x + d.y + d.z, e2 = d.x * d.y + d.y * d.z + d.z * d.x, e3 = d.x * d.y * d.z;
  const real grown = e1 + e2 + e3;  // J - 1
  soft_answer a;
  real slope, curve;  // of a term of J
  if (material == RE_NEOHOOKEAN) {
    // m/2 (I - 3 + 1/(I + 1) - 1/4) - 15/16 m (J - 1) + k/2 (J - 1)^2 with I = |F|^2, m = 16/15 mu, k =
    // lambda + 14/15 mu: at rest where J = 1, with the moduli that were asked for. The fraction takes the
    // pull out of elements that have shrunk to a point, which would stay there.
    const float m = 16.0f / 15.0f * mu, bulk = lambda + 14.0f / 15.0f * mu;
    const tet_guard guard = tet_guard_at(1.0f + grown, RE_TET_LEAST, RE_TET_FIRM);
    const real more = 2.0f * e1 + v3_dot(d, d), inverse = 1.0f / (4.0f + more);  // I - 3, 1/(I + 1)
    a.energy = 0.5f * m * (0.9375f * (v3_dot(d, d) - 2.0f * (e2 + e3)) + 0.0625f * more * more * inverse) +
               bulk * (0.5f * grown * grown + guard.energy);
    slope = bulk * (grown + guard.slope) - 0.9375f * m, curve = bulk * (1.0f + guard.curve);
    const real firm = m * (1.0f - inverse * inverse);
    a.pull = v3_scale(s, firm);
    a.normal = s3_mad(s3_outer(s, re_splat(0.0f)), 4.0f * m * (inverse * inverse * inverse),
                      s3_scaled_identity(firm));
    a.shear = a.twist = v3(firm, firm, firm);
  } else if (material == RE_COROTATED) {
    // mu |F - R|^2 + lambda/2 tr^2(R^T F - 1)
    const real twice = re_splat(2.0f * mu), both = re_splat(lambda);
    const float bulk = lambda + mu;
    const tet_guard guard = tet_guard_at(1.0f + grown, RE_TET_LEAST_COROTATED, RE_TET_FIRM_COROTATED);
    a.energy = mu * v3_dot(d, d) + 0.5f * lambda * e1 * e1 + bulk * guard.energy;
    slope = bulk * guard.slope, curve = bulk * guard.curve;
    a.pull = v3(twice * d.x + lambda * e1, twice * d.y + lambda * e1, twice * d.z + lambda * e1);
    sym3 normal = {twice + both, both, both, twice + both, both, twice + both};
    a.normal = normal;
    a.shear = v3(twice, twice, twice);
    const real least = re_splat(1e-2f);  // flat: the numerator is far below zero
    a.twist =
        v3((a.pull.y + a.pull.z) / re_max(s.y + s.z, least), (a.pull.x + a.pull.z) / re_max(s.x + s.z, least),
           (a.pull.x + a.pull.y) / re_max(s.x + s.y, least));
  } else {
    // mu |G|^2 + lambda/2 tr^2 G of Green's strain G = (F^T F - 1)/2
    const vec3 g = v3(d.x * (1.0f + 0.5f * d.x), d.y * (1.0f + 0.5f * d.y), d.z * (1.0f + 0.5f * d.z));
    const real trace = lambda * (g.x + g.y + g.z);
    const float twice = 2.0f * mu, along = twice + lambda;
    a.energy = mu * v3_dot(g, g) + 0.5f * trace * (g.x + g.y + g.z);
    const vec3 stress = v3(twice * g.x + trace, twice * g.y + trace, twice * g.z + trace);
    a.pull = v3(s.x * stress.x, s.y * stress.y, s.z * stress.z);
    sym3 normal = {stress.x + along * s.x * s.x, lambda * c.z, lambda * c.y,
                   stress.y + along * s.y * s.y, lambda * c.x, stress.z + along * s.z * s.z};
    a.normal = normal;
    const vec3 sum =
        v3(s.y * s.y + s.z * s.z - 1.0f, s.x * s.x + s.z * s.z - 1.0f, s.x * s.x + s.y * s.y - 1.0f);
    a.shear = v3(mu * (sum.x + c.x) + trace, mu * (sum.y + c.y) + trace, mu * (sum.z + c.z) + trace);
    a.twist = v3(mu * (sum.x - c.x) + trace, mu * (sum.y - c.y) + trace, mu * (sum.z - c.z) + trace);
    const real lacks = re_min(grown + (1.0f - SOFT_STVK_LEAST), zero);
    a.energy = a.energy + 0.5f * along * lacks * lacks;
    slope = along * lacks, curve = lacks < 0.0f ? re_splat(along) : zero;
  }
  a.pull = v3_mad(c, slope, a.pull);
  sym3 normal = {c.x * c.x * curve + a.normal.xx,
                 c.x * c.y * curve + slope * s.z + a.normal.xy,
                 c.x * c.z * curve + slope * s.y + a.normal.xz,
                 c.y * c.y * curve + a.normal.yy,
                 c.y * c.z * curve + slope * s.x + a.normal.yz,
                 c.z * c.z * curve + a.normal.zz};
  a.normal = normal;
  a.shear = v3_mad(s, -slope, a.shear);
  a.twist = v3_mad(s, slope, a.twist);
  return a;
}

// The part of a symmetric matrix that is not negative: (A + |A|)/2.
RE_FN sym3 soft_positive(sym3 a) {
  const svd3 d = svd3_of(m3(v3(a.xx, a.xy, a.xz), v3(a.xy, a.yy, a.yz), v3(a.xz, a.yz, a.zz)));
  const sym3 zero = s3_scaled_identity(re_splat(0.0f));
  sym3 sum = s3_mad(a, re_splat(0.5f), zero);
  const real size[3] = {d.s.x, d.s.y, re_abs(d.s.z)};
  for (int k = 0; k < 3; ++k) sum = s3_mad(s3_outer(d.v.c[k], re_splat(0.0f)), 0.5f * size[k], sum);
  return sum;
}

// A second derivative in its frame: of the pair k of axes i < j, entries ij, ji of U^T dF V. Fibres are a
// spring along F a: axial n n^T + across, on dF a.
typedef struct {
  mat3 u, v;
  sym3 normal;
  vec3 ij, both, ji;
  vec3 fibre, along;  // a, and n sqrt(axial)
  real across;
} soft_stiffness;

// Constants of a body [Pa]. rho: damping time over h, 0 without.
typedef struct {
  float mu, lambda, fibre, rho;
  int material;
} soft_law;

typedef struct {
  real energy;
  mat3 stress;
  soft_stiffness stiffness;
} soft_response;

// Green's strain (F^T F - 1)/2.
RE_FN sym3 soft_strain(mat3 f) {
  const sym3 g = m3_gram(f), minus = s3_scaled_identity(re_splat(-0.5f));
  return s3_mad(g, re_splat(0.5f), minus);
}

// fibre: a unit vector at rest; start: Green's strain when the step began. Damping is the energy rho (mu
// |G - G_start|^2 + lambda/2 tr^2), which turns freely.
RE_FN soft_response soft_respond(mat3 f, soft_law law, vec3 fibre, sym3 start) {
  const svd3 d = svd3_of(f);
  const soft_answer a = soft_isotropic(d.s, law.mu, law.lambda, law.material);
  soft_response r;
  r.energy = a.energy;
  const mat3 scaled =
      m3(v3_scale(d.u.c[0], a.pull.x), v3_scale(d.u.c[1], a.pull.y), v3_scale(d.u.c[2], a.pull.z));
  r.stress = m3_product(scaled, m3_transposed(d.v));
  soft_stiffness k;
  k.u = d.u, k.v = d.v;
  k.normal = soft_positive(a.normal);
  const real zero = re_splat(0.0f);
  const vec3 shear = v3(re_max(a.shear.x, zero), re_max(a.shear.y, zero), re_max(a.shear.z, zero));
  const vec3 twist = v3(re_max(a.twist.x, zero), re_max(a.twist.y, zero), re_max(a.twist.z, zero));
  k.ij = k.ji = v3_scale(v3_add(shear, twist), re_splat(0.5f));
  k.both = v3_scale(v3_sub(shear, twist), re_splat(0.5f));
  k.fibre = fibre, k.along = v3_zero(), k.across = zero;
  if (law.fibre > 0.0f) {
    const vec3 along = m3_mul(f, fibre);
    const ml_spring spring = ml_spring_at(along, re_splat(1.0f), re_splat(law.fibre));
    const real l2 = spring.axial, root = l2 * re_rsqrt(l2);
    r.energy = r.energy + spring.energy;
    r.stress = m3(v3_mad(along, spring.pull * fibre.x, r.stress.c[0]),
                  v3_mad(along, spring.pull * fibre.y, r.stress.c[1]),
                  v3_mad(along, spring.pull * fibre.z, r.stress.c[2]));
    k.along = v3_scale(along, spring.inv_length * root), k.across = spring.across;
  }
  if (law.rho > 0.0f) {
    const sym3 g = s3_mad(start, re_splat(-1.0f), soft_strain(f));
    const float mu = law.rho * law.mu, lambda = law.rho * law.lambda;
    const real trace = g.xx + g.yy + g.zz, push = lambda * trace;
    r.energy =
        r.energy +
        mu * (g.xx * g.xx + g.yy * g.yy + g.zz * g.zz + 2.0f * (g.xy * g.xy + g.xz * g.xz + g.yz * g.yz)) +
        0.5f * push * trace;
    const sym3 s = s3_mad(g, re_splat(2.0f * mu), s3_scaled_identity(push));
    r.stress = m3_add(r.stress, m3_times(f, s));
    const vec3 t = d.s;
    const real along = re_splat(2.0f * mu + lambda);
    sym3 more = {along * t.x * t.x, lambda * t.x * t.y, lambda * t.x * t.z,
                 along * t.y * t.y, lambda * t.y * t.z, along * t.z * t.z};
    k.normal = s3_mad(more, re_splat(1.0f), k.normal);
    k.ij = v3_mad(v3(t.y * t.y, t.x * t.x, t.x * t.x), re_splat(mu), k.ij);
    k.ji = v3_mad(v3(t.z * t.z, t.z * t.z, t.y * t.y), re_splat(mu), k.ji);
    k.both = v3_mad(v3(t.y * t.z, t.x * t.z, t.x * t.y), re_splat(mu), k.both);
  }
  r.stiffness = k;
  return r;
}

// The change of stress with dF.
RE_FN mat3 soft_change(soft_stiffness k, mat3 df) {
  const mat3 g = m3_product(m3_transposed(k.u), m3_product(df, k.v));
  const vec3 n = s3_mul(k.normal, v3(g.c[0].x, g.c[1].y, g.c[2].z));
  const mat3 h =
      m3(v3(n.x, k.both.z * g.c[1].x + k.ji.z * g.c[0].y, k.both.y * g.c[2].x + k.ji.y * g.c[0].z),
         v3(k.ij.z * g.c[1].x + k.both.z * g.c[0].y, n.y, k.both.x * g.c[2].y + k.ji.x * g.c[1].z),
         v3(k.ij.y * g.c[2].x + k.both.y * g.c[0].z, k.ij.x * g.c[2].y + k.both.x * g.c[1].z, n.z));
  const mat3 p = m3_product(m3_product(k.u, h), m3_transposed(k.v));
  const vec3 way = m3_mul(df, k.fibre);
  const vec3 pull = v3_mad(k.along, v3_dot(k.along, way), v3_scale(way, k.across));
  return m3(v3_mad(pull, k.fibre.x, p.c[0]), v3_mad(pull, k.fibre.y, p.c[1]),
            v3_mad(pull, k.fibre.z, p.c[2]));
}

// The block between corners with gradients a and b: the change of P a with a displacement of the other
// corner. a and b in the frame, V^T y; share: of the fibre, (a . fibre) (b . fibre).
RE_FN mat3 soft_block(soft_stiffness k, vec3 a, vec3 b, real share) {
  const sym3 n = k.normal;
  const mat3 m = m3(
      v3(n.xx * a.x * b.x + k.ij.z * a.y * b.y + k.ij.y * a.z * b.z, n.xy * a.y * b.x + k.both.z * a.x * b.y,
         n.xz * a.z * b.x + k.both.y * a.x * b.z),
      v3(n.xy * a.x * b.y + k.both.z * a.y * b.x, n.yy * a.y * b.y + k.ji.z * a.x * b.x + k.ij.x * a.z * b.z,
         n.yz * a.z * b.y + k.both.x * a.y * b.z),
      v3(n.xz * a.x * b.z + k.both.y * a.z * b.x, n.yz * a.y * b.z + k.both.x * a.z * b.y,
         n.zz * a.z * b.z + k.ji.y * a.x * b.x + k.ji.x * a.y * b.y));
  mat3 block = m3_product(m3_product(k.u, m), m3_transposed(k.u));
  const vec3 s = v3_scale(k.along, share);
  block = m3(v3_mad(s, k.along.x, block.c[0]), v3_mad(s, k.along.y, block.c[1]),
             v3_mad(s, k.along.z, block.c[2]));
  const real across = k.across * share;
  block.c[0].x = block.c[0].x + across, block.c[1].y = block.c[1].y + across,
  block.c[2].z = block.c[2].z + across;
  return block;
}
