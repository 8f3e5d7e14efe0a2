// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Membrane triangles (docs/membranes.md): fibres along warp, weft and both biases, each a row C = |fibre| -
// rest. The gradient at corner s is (the fibre's weight at s) * (its direction), so what four rows do to
// three corners is two pushes, one that the gather multiplies by warp_s and one by weft_s.

typedef struct {
  vec3 warp, weft;
} fabric;

typedef struct {
  vec3 of[4];  // warp, weft, (warp + weft)/sqrt 2, (warp - weft)/sqrt 2
} fibres;

#define RE_SQRT_HALF 0.707106781f

// Of edges from corner 0 and not of places: far from the origin sum warp_s x_s would lose its digits.
RE_FN fabric fabric_of(vec3 x0, vec3 x1, vec3 x2, real warp1, real weft1, real warp2, real weft2) {
  const vec3 d1 = v3_sub(x1, x0), d2 = v3_sub(x2, x0);
  fabric r;
  r.warp = v3_mad(d2, warp2, v3_scale(d1, warp1));
  r.weft = v3_mad(d2, weft2, v3_scale(d1, weft1));
  return r;
}

RE_FN fabric fabric_at(RE_GLOBAL const point4* x, RE_GLOBAL const int* corner, RE_GLOBAL const float* warp,
                       RE_GLOBAL const float* weft, int stride) {
  return fabric_of(v3_of(re_load4(x, corner)), v3_of(re_load4(x, corner + stride)),
                   v3_of(re_load4(x, corner + 2 * stride)), re_load(warp + stride), re_load(weft + stride),
                   re_load(warp + 2 * stride), re_load(weft + 2 * stride));
}

RE_FN fibres fibres_of(fabric f) {
  fibres r;
  r.of[0] = f.warp;
  r.of[1] = f.weft;
  r.of[2] = v3_scale(v3_add(f.warp, f.weft), re_splat(RE_SQRT_HALF));
  r.of[3] = v3_scale(v3_sub(f.warp, f.weft), re_splat(RE_SQRT_HALF));
  return r;
}

// The other way round: what pushes along the fibres come to for warp and weft.
RE_FN fabric fabric_pushed(fibres f) {
  fabric r;
  r.warp = v3_mad(v3_add(f.of[2], f.of[3]), re_splat(RE_SQRT_HALF), f.of[0]);
  r.weft = v3_mad(v3_sub(f.of[2], f.of[3]), re_splat(RE_SQRT_HALF), f.of[1]);
  return r;
}

// Pass 1 of a Jacobi iteration, one item a block of RE_LANES triangles.
RE_FN void membrane_item(int item RE_ARGS_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const fibres now = fibres_of(fabric_at(x, corner + first, warp + first, weft + first, stride));
  const fibres start = fibres_of(fabric_at(x_start, corner + first, warp + first, weft + first, stride));
  const real length = re_load(rest + first), damping = re_load(rho + first);
  fibres pushes;
  for (int f = 0; f < 4; ++f) {
    const int e = f * stride + first;
    const real l2 = v3_dot(now.of[f], now.of[f]), y = re_rsqrt(l2);
    const real slide = v3_dot(now.of[f], v3_sub(now.of[f], start.of[f])) * y;
    const real last = re_load(lambda + e) * keep;
    const real step =
        soft_step(l2 * y - length, slide, last, re_load(alpha + e), damping, re_load(inv_diagonal + e));
    const real change = step * gain + re_load(momentum + e) * (beta * keep);
    re_store(momentum + e, change);
    re_store(lambda + e, last + change);
    pushes.of[f] = v3_scale(now.of[f], y * step);
  }
  const fabric pushed = fabric_pushed(pushes);
  re_store4_at(push, first, v3_with(pushed.warp, re_splat(0.0f)));
  re_store4_at(push, stride + first, v3_with(pushed.weft, re_splat(0.0f)));
}

// Gauss-Seidel: triangles of one colour share no point; the fibres of a triangle follow one another.
RE_FN void visit_membrane_item(int item RE_ARGS_visit_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  const fibres start = fibres_of(fabric_at(x_start, corner + first, warp + first, weft + first, stride));
  const real length = re_load(rest + first), damping = re_load(rho + first);
  real4 p[3];
  real along[3], across[3];
  for (int s = 0; s < 3; ++s) {
    p[s] = re_load4(x, corner + s * stride + first);
    along[s] = re_load(warp + s * stride + first);
    across[s] = re_load(weft + s * stride + first);
  }
  for (int f = 0; f < 4; ++f) {
    const int e = f * stride + first;
    const fibres now =
        fibres_of(fabric_of(v3_of(p[0]), v3_of(p[1]), v3_of(p[2]), along[1], across[1], along[2], across[2]));
    const real l2 = v3_dot(now.of[f], now.of[f]), y = re_rsqrt(l2);
    const real slide = v3_dot(now.of[f], v3_sub(now.of[f], start.of[f])) * y;
    const real last = re_load(lambda + e) * keep;
    const real step = soft_step(l2 * y - length, slide, last, re_load(alpha + e), damping,
                                re_load(inv_diagonal + e) * omega);
    re_store(lambda + e, last + step);
    fibres pushes;
    for (int other = 0; other < 4; ++other) pushes.of[other] = v3_zero();
    pushes.of[f] = v3_scale(now.of[f], y * step);
    const fabric pushed = fabric_pushed(pushes);
    for (int s = 0; s < 3; ++s) {
      const vec3 moved = v3_mad(pushed.weft, across[s], v3_scale(pushed.warp, along[s]));
      p[s] = v3_with(v3_mad(moved, p[s].w, v3_of(p[s])), p[s].w);
    }
  }
  for (int s = 0; s < 3; ++s) re_store4(x, corner + s * stride + first, p[s], used);
}

// The linearised sweep of kernel/respond.h.
RE_FN void respond_membrane_item(int item RE_ARGS_respond_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const fibres now = fibres_of(fabric_at(x, corner + first, warp + first, weft + first, stride));
  const fibres moved = fibres_of(fabric_at(u, corner + first, warp + first, weft + first, stride));
  const real damping = re_load(rho + first);
  fibres pushes;
  for (int f = 0; f < 4; ++f) {
    const int e = f * stride + first;
    const real y = re_rsqrt(v3_dot(now.of[f], now.of[f]));
    const real slide = v3_dot(now.of[f], moved.of[f]) * y;
    const real q = (1.0f + damping) * slide + re_load(alpha + e) * re_load(multiplier + e);
    const real answer = q * re_load(inv_diagonal + e);
    re_store(response + e, answer);
    pushes.of[f] = v3_scale(now.of[f], y * answer);
  }
  const fabric pushed = fabric_pushed(pushes);
  re_store4_at(push, first, v3_with(pushed.warp, re_splat(0.0f)));
  re_store4_at(push, stride + first, v3_with(pushed.weft, re_splat(0.0f)));
}

// Largest stretch of warp and weft in a block of triangles; a fibre that is too short is slack.
RE_FN void membrane_stretch_item(int item RE_ARGS_membrane_stretch(RE_BUFFER, RE_VALUE)) {
  real largest = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int first = item * RE_BLOCK; first < end; first += RE_LANES) {
    const fabric now = fabric_at(x, corner + first, warp + first, weft + first, stride);
    const real along = v3_dot(now.warp, now.warp), across = v3_dot(now.weft, now.weft);
    largest = re_max(along * re_rsqrt(along) * inv_rest - 1.0f, largest);
    largest = re_max(across * re_rsqrt(across) * inv_rest - 1.0f, largest);
  }
  float m = 0.0f;
  for (int k = 0; k < RE_LANES; ++k) m = re_lane(largest, k) > m ? re_lane(largest, k) : m;
  result[item] = m;
}
