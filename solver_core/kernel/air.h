// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Wind, drag and pressure on triangles: pass 1 writes one force a triangle, predict gathers them.

// A number in [-1, 1) for a lattice point; integer arithmetic, the same everywhere.
RE_FN real lattice_value(ints x, ints y, ints z, int channel) {
  uints h = re_to_uint(x) * 73856093u ^ re_to_uint(y) * 19349663u ^ re_to_uint(z) * 83492791u;
  h = (h ^ (unsigned)channel * 668265263u ^ h >> 15) * 2146121005u;
  h = (h ^ h >> 14) * 2221713035u;
  return re_to_real(re_of_uint(h >> 8)) * (2.0f / 16777216.0f) - 1.0f;
}

RE_FN real re_blend(real a, real b, real t) { return a + (b - a) * t; }

// Smooth value noise with a lattice of one unit, quintic blending, in [-1, 1).
RE_FN real value_noise(vec3 p, int channel) {
  ints ix = re_to_int(p.x), iy = re_to_int(p.y), iz = re_to_int(p.z);
  // x - x is a zero in every lane. NOLINTBEGIN(misc-redundant-expression)
  ix = ix - (p.x < re_to_real(ix) ? (ints)(ix - ix + 1) : (ints)(ix - ix));
  iy = iy - (p.y < re_to_real(iy) ? (ints)(iy - iy + 1) : (ints)(iy - iy));
  iz = iz - (p.z < re_to_real(iz) ? (ints)(iz - iz + 1) : (ints)(iz - iz));
  // NOLINTEND(misc-redundant-expression)
  const vec3 f = v3(p.x - re_to_real(ix), p.y - re_to_real(iy), p.z - re_to_real(iz));
  const real u = f.x * f.x * f.x * (f.x * (f.x * 6.0f - 15.0f) + 10.0f);
  const real v = f.y * f.y * f.y * (f.y * (f.y * 6.0f - 15.0f) + 10.0f);
  const real w = f.z * f.z * f.z * (f.z * (f.z * 6.0f - 15.0f) + 10.0f);
  real layer[2];
  for (int k = 0; k < 2; ++k) {
    const real row0 =
        re_blend(lattice_value(ix, iy, iz + k, channel), lattice_value(ix + 1, iy, iz + k, channel), u);
    const real row1 = re_blend(lattice_value(ix, iy + 1, iz + k, channel),
                               lattice_value(ix + 1, iy + 1, iz + k, channel), u);
    layer[k] = re_blend(row0, row1, v);
  }
  return re_blend(layer[0], layer[1], w);
}

// Gusts: two octaves of noise that drift with the wind; each octave is half the size and half the strength.
RE_FN vec3 gust(vec3 p) {
  const vec3 fine = v3_scale(p, re_splat(2.17f));
  return v3(value_noise(p, 1) + 0.5f * value_noise(fine, 4), value_noise(p, 2) + 0.5f * value_noise(fine, 5),
            value_noise(p, 3) + 0.5f * value_noise(fine, 6));
}

// Drag of a plate in a stream: f = rho/2 A (cn |un| un n + ct |ut| ut), u the air relative to the cloth. The
// speeds |un|, |ut| are those of the start, the vector is that after gravity, and all is divided by 1 + h
// |df/du| / m: an implicit step, so that no wind overshoots on light cloth and the terminal speed is exact
// for any step. Pressure adds p A n.
RE_FN void air_item(int item RE_ARGS_air(RE_BUFFER, RE_VALUE)) {
  const int first = first_entry + item * RE_LANES;
  vec3 x_s[3];
  vec3 velocity = v3_zero();
  for (int s = 0; s < 3; ++s) {
    RE_GLOBAL const int* index = corner + s * stride + first;
    x_s[s] = v3_of(re_load4(x, index));
    velocity = v3_add(velocity, v3_of(re_load4(v, index)));
  }
  vec3 u = v3(wind_x - velocity.x * (1.0f / 3.0f), wind_y - velocity.y * (1.0f / 3.0f),
              wind_z - velocity.z * (1.0f / 3.0f));
  if (turbulence > 0.0f) {
    const vec3 centre = v3_scale(v3_add(x_s[0], v3_add(x_s[1], x_s[2])), re_splat(1.0f / 3.0f));
    const vec3 p = v3((centre.x - drift_x) * inv_scale, (centre.y - drift_y) * inv_scale,
                      (centre.z - drift_z) * inv_scale);
    u = v3_mad(gust(p), re_splat(turbulence), u);
  }
  const vec3 normal = v3_cross(v3_sub(x_s[1], x_s[0]), v3_sub(x_s[2], x_s[0]));
  const real n2 = v3_dot(normal, normal), inv_n = re_rsqrt(n2);
  const vec3 n = v3_scale(normal, inv_n);
  const real half_area = 0.5f * n2 * inv_n;
  const real un = v3_dot(u, n);
  const vec3 ut = v3_mad(n, -un, u);
  const real ut2 = v3_dot(ut, ut);
  const vec3 after = v3(u.x - h * gravity_x, u.y - h * gravity_y, u.z - h * gravity_z);
  const real after_n = v3_dot(after, n);
  const real k = half_area * (0.5f * air_density);
  const int scale = scaled ? first : 0;
  const real kn = k * (normal_drag * re_load(normal_scale + scale)) * re_abs(un);
  const real kt = k * (tangent_drag * re_load(tangent_scale + scale)) * (ut2 * re_rsqrt(ut2));
  const real limit = 1.0f / (1.0f + (kn + kt) * re_load(inv_mass + first) * h);
  const vec3 f = v3_scale(v3_mad(n, (kn - kt) * after_n, v3_scale(after, kt)), limit);
  re_store4_at(force, first, v3_with(v3_mad(normal, re_splat(0.5f * pressure), f), re_splat(0.0f)));
}
