// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Projective dynamics (algorithms.md 7): the gradient of the step's energy times h^2, m (q - s) + sum w A^T
// (A q - p), where p is the nearest place at which an element is at rest; and the matrix M + sum w A^T A, the
// same for x, y and z. Pass 1 has one item a lane of elements, pass 2 gathers at the points in list order.
// Damping adds rho times the way of A q since the start of the step, along the direction of the element.

// Quadratic bending is at rest where it is 0: no projection. The gather multiplies by the stencil.
RE_FN void pd_quadratic_item(int item RE_ARGS_pd_quadratic(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 now = v3_zero(), slide = v3_zero();
  const vec3 origin = v3_of(re_load4(x, corner + first)), from = v3_of(re_load4(x_start, corner + first));
  for (int s = 1; s < 4; ++s) {
    // the stencil sums to 0: differences keep the digits far from the origin
    RE_GLOBAL const int* index = corner + s * stride + first;
    const real k = re_load(stencil + s * stride + first);
    const vec3 d = v3_sub(v3_of(re_load4(x, index)), origin);
    now = v3_mad(d, k, now);
    if (rho > 0.0f) slide = v3_mad(v3_sub(d, v3_sub(v3_of(re_load4(x_start, index)), from)), k, slide);
  }
  const vec3 pull = v3_scale(v3_mad(slide, re_splat(rho), now), re_load(weight + first));
  re_store4_at(push, first, v3_with(pull, re_splat(0.0f)));
}

// Bending around a rest angle: the gradient is exact, the matrix that of the flat hinge.
RE_FN void pd_dihedral_item(int item RE_ARGS_pd_dihedral(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 place[4];
  for (int s = 0; s < 4; ++s) place[s] = v3_of(re_load4(x, corner + s * stride + first));
  const hinge now = hinge_at(place[0], place[1], place[2], place[3]);
  real slide = re_splat(0.0f);
  if (rho > 0.0f)
    for (int s = 0; s < 4; ++s)
      slide = slide + v3_dot(now.gradient[s],
                             v3_sub(place[s], v3_of(re_load4(x_start, corner + s * stride + first))));
  const real pull =
      (short_way(now.angle - re_load(rest_angle + first)) + rho * slide) * re_load(weight + first);
  for (int s = 0; s < 4; ++s)
    re_store4_at(push, s * stride + first, v3_with(v3_scale(now.gradient[s], pull), re_splat(0.0f)));
}

// Fibres of a triangle are springs of length `rest`.
RE_FN void pd_membrane_item(int item RE_ARGS_pd_membrane(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const fibres now = fibres_of(fabric_at(x, corner + first, warp + first, weft + first, stride));
  fibres start = now;
  if (rho > 0.0f) start = fibres_of(fabric_at(x_start, corner + first, warp + first, weft + first, stride));
  fibres pull;
  for (int f = 0; f < 4; ++f) {
    const vec3 d = now.of[f];
    const real l2 = v3_dot(d, d), y = re_rsqrt(l2);
    const real slide = v3_dot(d, v3_sub(d, start.of[f])) * y;
    pull.of[f] = v3_scale(d, re_load(weight + f * stride + first) * (1.0f + (rho * slide - rest) * y));
  }
  const fabric pushed = fabric_pushed(pull);
  re_store4_at(push, first, v3_with(pushed.warp, re_splat(0.0f)));
  re_store4_at(push, stride + first, v3_with(pushed.weft, re_splat(0.0f)));
}

// F - R of tetrahedra; damping compares the stretch R^T F with that at the start of the step.
RE_FN void pd_tets_item(int item RE_ARGS_pd_tets(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  const tet_rest rest = tet_rest_at(y + first, stride);
  const int times = rho > 0.0f ? 2 : 1;
  mat3 f[2], r[2];
  for (int t = 0; t < times; ++t) {
    RE_GLOBAL const point4* places = t == 0 ? x : x_start;
    const vec3 origin = v3_of(re_load4(places, corner + first));
    vec3 edge[3];
    for (int k = 0; k < 3; ++k)
      edge[k] = v3_sub(v3_of(re_load4(places, corner + (k + 1) * stride + first)), origin);
    f[t] = tet_gradient(edge, rest);
    r[t] = polar_rotation(f[t]);
  }
  mat3 stress = m3_sub(f[0], r[0]);
  if (rho > 0.0f) {
    const mat3 start = m3_product(r[0], m3_product(m3_transposed(r[1]), f[1]));
    stress = m3_mad(m3_sub(f[0], start), re_splat(rho), stress);
  }
  vec3 pushes[3];
  tet_pushes(m3_scale(stress, re_load(weight + first)), rest, pushes);
  for (int k = 0; k < 3; ++k)
    re_store4_at(push, (k + 1) * stride + first, v3_with(pushes[k], re_splat(0.0f)));
  const vec3 sum = v3_add(pushes[0], v3_add(pushes[1], pushes[2]));
  re_store4_at(push, first, v3_with(v3_scale(sum, re_splat(-1.0f)), re_splat(0.0f)));
}

// How much of d a spring pulls: 1 - rest/|d|; of a rope, whose rest is below 0, nothing when it is slack.
RE_FN real pd_pull(real rest, real y) {
  return rest < 0.0f ? re_max(1.0f + rest * y, re_splat(0.0f)) : 1.0f - rest * y;
}

// Adds the pulls of `count` springs, a constant, in their order.
RE_FN vec3 pd_springs(int count, vec3 place, vec3 sum, RE_GLOBAL const point4* x, RE_GLOBAL const int* point,
                      RE_GLOBAL const float* rest, RE_GLOBAL const float* weight) {
  vec3 d[RE_ROWS];
  real l2[RE_ROWS], y[RE_ROWS];
  distances(count, place, x, point, d, l2, y);
  RE_UNROLL
  for (int j = 0; j < count; ++j) y[j] = pd_pull(re_load(rest + j * 16), y[j]) * re_load(weight + j * 16);
  RE_UNROLL
  for (int j = 0; j < count; ++j) sum = v3_mad(d[j], y[j], sum);
  return sum;
}

RE_FN void pd_gradient_item(int item RE_ARGS_pd_gradient(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 place = v3_of(re_load4_at(x, first));
  const real m = re_load(mass + first);
  vec3 sum = v3_scale(v3_sub(place, v3_of(re_load4_at(aim, first))), m);

  int r = spring_start[slice];
  for (; r + RE_ROWS <= spring_start[slice + 1]; r += RE_ROWS)
    sum = pd_springs(RE_ROWS, place, sum, x, spring_point + r * 16 + lane, spring_rest + r * 16 + lane,
                     spring_weight + r * 16 + lane);
  for (; r < spring_start[slice + 1]; ++r)
    sum = pd_springs(1, place, sum, x, spring_point + r * 16 + lane, spring_rest + r * 16 + lane,
                     spring_weight + r * 16 + lane);
  if (damped) {
    const vec3 moved = v3_sub(place, v3_of(re_load4_at(x_start, first)));
    for (int k = spring_start[slice]; k < spring_start[slice + 1]; ++k) {
      const int e = k * 16 + lane;
      const vec3 other = v3_of(re_load4(x, spring_point + e));
      const vec3 d = v3_sub(place, other);
      const vec3 other_moved = v3_sub(other, v3_of(re_load4(x_start, spring_point + e)));
      const real y = re_rsqrt(v3_dot(d, d));
      const real slide = v3_dot(d, v3_sub(moved, other_moved)) * y;
      sum = v3_mad(d, slide * y * (re_load(spring_weight + e) * re_load(spring_rho + e)), sum);
    }
  }
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(push, push_row + e)), re_load(push_weight + e), sum);
  }
  // pins do not move
  const real live = m > 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  re_store4_at(gradient, first, v3_with(v3_scale(sum, live), re_splat(0.0f)));
}

// Sum of weight times neighbour over a row of the matrix, whose entries beside the diagonal are minus the
// weights.
RE_FN vec3 pd_row(int first, RE_GLOBAL const point4* x, RE_GLOBAL const int* row_start,
                  RE_GLOBAL const int* row_point, RE_GLOBAL const float* row_weight) {
  const int slice = first / 16, lane = first % 16;
  vec3 sum = v3_zero();
  for (int k = row_start[slice]; k < row_start[slice + 1]; ++k) {
    const int e = k * 16 + lane;
    sum = v3_mad(v3_of(re_load4(x, row_point + e)), re_load(row_weight + e), sum);
  }
  return sum;
}

// Gauss-Seidel on A step = -gradient: points of one colour share no entry of the matrix.
RE_FN void pd_visit_item(int item RE_ARGS_pd_visit(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  const vec3 g = v3_of(re_load4(gradient, point + first)), last = v3_of(re_load4(step, point + first));
  const vec3 rest = v3_sub(pd_row(first, step, row_start, row_point, row_weight), g);
  const vec3 exact = v3_scale(rest, re_load(inv_diagonal + first));
  const vec3 next = v3_mad(v3_sub(exact, last), re_splat(omega), last);
  re_store4(step, point + first, v3_with(next, re_splat(0.0f)), used);
}

// y = A x.
RE_FN void pd_product_item(int item RE_ARGS_pd_product(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES, used = end_entry - first;
  const vec3 me = v3_scale(v3_of(re_load4(x, point + first)), re_load(diagonal + first));
  const vec3 all = v3_sub(me, pd_row(first, x, row_start, row_point, row_weight));
  re_store4(y, point + first, v3_with(all, re_splat(0.0f)), used);
}

// Jacobi: step = -D^-1 gradient.
RE_FN void pd_scale_item(int item RE_ARGS_pd_scale(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 down = v3_scale(v3_of(re_load4_at(gradient, first)), -re_load(inv_diagonal + first));
  re_store4_at(step, first, v3_with(down, re_splat(0.0f)));
}

// direction = step + beta direction.
RE_FN void pd_direction_item(int item RE_ARGS_pd_direction(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 sum =
      v3_mad(v3_of(re_load4_at(direction, first)), re_splat(beta), v3_of(re_load4_at(step, first)));
  re_store4_at(direction, first, v3_with(sum, re_splat(0.0f)));
}

// x += gain step + beta (x - x_last): Chebyshev's q_{k+1} = om (gam step + q_k - q_{k-1}) + q_{k-1} with gain
// = om gam and beta = om - 1 (algorithms.md 3).
RE_FN void pd_move_item(int item RE_ARGS_pd_move(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const real4 me = re_load4_at(x, first);
  const vec3 place = v3_of(me);
  const vec3 moved = v3_mad(v3_of(re_load4_at(step, first)), re_splat(gain),
                            v3_scale(v3_sub(place, v3_of(re_load4_at(x_last, first))), re_splat(beta)));
  re_store4_at(x_last, first, me);
  re_store4_at(x, first, v3_with(v3_add(place, moved), me.w));
}

// Largest |a|^2 scale^2 of a block of points.
RE_FN void pd_largest_item(int item RE_ARGS_pd_largest(RE_BUFFER, RE_VALUE)) {
  real largest = re_splat(0.0f);
  const int end = item * RE_BLOCK + RE_BLOCK < count ? item * RE_BLOCK + RE_BLOCK : count;
  for (int first = item * RE_BLOCK; first < end; first += RE_LANES) {
    const vec3 v = v3_scale(v3_of(re_load4_at(a, first)), re_load(scale + first));
    largest = re_max(v3_dot(v, v), largest);
  }
  float m = 0.0f;
  for (int k = 0; k < RE_LANES; ++k) m = re_lane(largest, k) > m ? re_lane(largest, k) : m;
  result[item] = m;
}
