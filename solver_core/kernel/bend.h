// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Bending over a hinge: pass 1, one item a block of RE_LANES hinges, writes its own slots only.

// Quadratic (isometric) bending, flat at rest: vector row C = sum k_s x_s (algorithms.md 6), alpha = 1/(kb
// h^2). Writes dlambda; the gather multiplies it by k_s.
RE_FN void bend_quadratic_item(int item RE_ARGS_bend_quadratic(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 c = v3_zero(), slide = v3_zero();
  for (int s = 0; s < 4; ++s) {
    const real k = re_load(weight + s * stride + first);
    RE_GLOBAL const int* index = corner + s * stride + first;
    const vec3 x_s = v3_of(re_load4(x, index));
    c = v3_mad(x_s, k, c);
    slide = v3_mad(v3_sub(x_s, v3_of(re_load4(x_start, index))), k, slide);
  }
  const real a = re_load(alpha + first), d = re_load(inv_diagonal + first);
  const real4 last = re_load4_at(momentum, first);
  const vec3 l = v3_scale(v3_of(re_load4_at(lambda, first)), re_splat(keep));
  const vec3 step =
      v3(soft_step(c.x, slide.x, l.x, a, re_splat(rho), d), soft_step(c.y, slide.y, l.y, a, re_splat(rho), d),
         soft_step(c.z, slide.z, l.z, a, re_splat(rho), d));
  const vec3 change = v3_mad(v3_of(last), re_splat(beta * keep), v3_scale(step, re_splat(gain)));
  re_store4_at(momentum, first, v3_with(change, last.w));
  re_store4_at(lambda, first, v3_with(v3_add(l, change), last.w));
  re_store4_at(push, first, v3_with(step, last.w));
}

// Angle of the hinge with edge x3 x4 and opposite points x1, x2 (0 when flat), and its gradients
// (algorithms.md 6).
typedef struct {
  real angle;
  vec3 gradient[4];
} hinge;

RE_FN hinge hinge_at(vec3 x1, vec3 x2, vec3 x3, vec3 x4) {
  const vec3 e = v3_sub(x4, x3);
  const vec3 d13 = v3_sub(x1, x3), d14 = v3_sub(x1, x4), d23 = v3_sub(x2, x3), d24 = v3_sub(x2, x4);
  const vec3 n1 = v3_cross(d13, d14), n2 = v3_cross(d24, d23);
  const real l2 = v3_dot(e, e), inv_l = re_rsqrt(l2), l = l2 * inv_l;
  // a needle has no normal: its gradient is bounded instead of infinite
  const real floor2 = l2 * l2 * 1e-8f + 1e-30f;
  const vec3 m1 = v3_scale(n1, 1.0f / re_max(v3_dot(n1, n1), floor2));
  const vec3 m2 = v3_scale(n2, 1.0f / re_max(v3_dot(n2, n2), floor2));
  hinge r;
  r.angle = re_atan2(v3_dot(v3_cross(n1, n2), e) * inv_l, v3_dot(n1, n2));
  r.gradient[0] = v3_scale(m1, -l);
  r.gradient[1] = v3_scale(m2, -l);
  r.gradient[2] = v3_scale(v3_mad(m1, v3_dot(d14, e), v3_scale(m2, v3_dot(d24, e))), -inv_l);
  r.gradient[3] = v3_scale(v3_mad(m1, v3_dot(d13, e), v3_scale(m2, v3_dot(d23, e))), inv_l);
  return r;
}

// An angle's difference the short way round, so that a fold through pi does not kick.
RE_FN real short_way(real angle) {
  const real below = angle > 3.14159274f ? angle - 6.28318548f : angle;
  return below < -3.14159274f ? below + 6.28318548f : below;
}

// Dihedral bending around a rest angle. Writes the push of each corner, gradient * dlambda. `share` is the
// mass splitting factor of the row, split the one of each point (algorithms.md 3.1 c).
RE_FN void bend_dihedral_item(int item RE_ARGS_bend_dihedral(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 place[4];
  real inv_mass[4];
  for (int s = 0; s < 4; ++s) {
    const real4 p = re_load4(x, corner + s * stride + first);
    place[s] = v3_of(p);
    inv_mass[s] = p.w;
  }
  const hinge now = hinge_at(place[0], place[1], place[2], place[3]);
  real a = re_splat(0.0f), slide = re_splat(0.0f);
  for (int s = 0; s < 4; ++s) {
    const real4 start = re_load4(x_start, corner + s * stride + first);
    a = a + v3_dot(now.gradient[s], now.gradient[s]) * inv_mass[s] * re_load(split + s * stride + first);
    slide = slide + v3_dot(now.gradient[s], v3_sub(place[s], v3_of(start)));
  }
  const real c = short_way(now.angle - re_load(rest_angle + first));
  const real soft = re_load(alpha + first);
  const real inv_d = 1.0f / re_max((1.0f + rho) * a + soft, re_splat(1e-30f));
  const real l = re_load(lambda + first) * keep;
  const real step = soft_step(c, slide, l, soft, re_splat(rho), inv_d);
  const real change = step * gain + re_load(momentum + first) * (beta * keep);
  re_store(momentum + first, change);
  re_store(lambda + first, l + change);
  for (int s = 0; s < 4; ++s)
    re_store4_at(push, s * stride + first, v3_with(v3_scale(now.gradient[s], step), re_splat(0.0f)));
}
