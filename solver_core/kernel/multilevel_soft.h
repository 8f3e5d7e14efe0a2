// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The energy of an implicit step of tetrahedra, its gradient and its matrix (cloth_study.md 7). Places are x
// + off as in multilevel_cloth.h. Pass 1 has one item a lane of tetrahedra, which hand their corners pushes
// and their edges blocks; pass 2 gathers them at edges and points, in list order. The matrix is m/h^2 plus a
// block on each edge that multiplies the difference of its ends: translations cost nothing, to the last bit.
//
// With strain smoothed around edges every edge is an element with F = sum w_t F_t of the tetrahedra around it
// (edge-based smoothed finite elements): its product is taken pass by pass, as its matrix would join points
// that share no tetrahedron.

// A matrix in memory: columns 0 and 1, `apart`, with two entries of column 2 behind them, and the last entry.
RE_FN mat3 ml_matrix(RE_GLOBAL const point4* two, RE_GLOBAL const float* last, int apart,
                     RE_GLOBAL const int* index) {
  const real4 a = re_load4(two, index), b = re_load4(two + apart, index);
  return m3(v3_of(a), v3_of(b), v3(a.w, b.w, re_gather(last, index)));
}
RE_FN void ml_set_matrix(RE_GLOBAL point4* two, RE_GLOBAL float* last, int apart, int first, mat3 m) {
  re_store4_at(two, first, v3_with(m.c[0], m.c[2].x));
  re_store4_at(two + apart, first, v3_with(m.c[1], m.c[2].y));
  re_store(last + first, m.c[2].z);
}

// Edges from corner 0 to the others, of places or of a displacement alone.
RE_FN void ml_tet_edges(RE_GLOBAL const point4* x, RE_GLOBAL const point4* off, RE_GLOBAL const int* corner,
                        int stride, vec3* edge) {
  const vec3 place = v3_of(re_load4(x, corner)), mine = v3_of(re_load4(off, corner));
  for (int k = 0; k < 3; ++k)
    edge[k] = v3_scale(ml_between(place, mine, x, off, corner + (k + 1) * stride), re_splat(-1.0f));
}
RE_FN void ml_tet_ways(RE_GLOBAL const point4* dx, RE_GLOBAL const int* corner, int stride, vec3* way) {
  const vec3 mine = v3_of(re_load4(dx, corner));
  for (int k = 0; k < 3; ++k) way[k] = v3_sub(v3_of(re_load4(dx, corner + (k + 1) * stride)), mine);
}

RE_FN soft_law ml_law(float mu, float lambda, float fibre, float rho, int material) {
  soft_law law;
  law.mu = mu, law.lambda = lambda, law.fibre = fibre, law.rho = rho, law.material = material;
  return law;
}

// What the quadratic model at f - way missed of the energy at f.
RE_FN real ml_soft_missed(mat3 f, mat3 way, real energy, soft_law law, vec3 fibre, sym3 start) {
  const soft_response from = soft_respond(m3_sub(f, way), law, fibre, start);
  return energy -
         (from.energy + m3_dot(from.stress, way) + 0.5f * m3_dot(soft_change(from.stiffness, way), way));
}

RE_FN vec3 ml_fibre_at(RE_GLOBAL const float* fibre, int stride, float stiffness) {
  return stiffness > 0.0f ? v3(re_load(fibre), re_load(fibre + stride), re_load(fibre + 2 * stride))
                          : v3_zero();
}
RE_FN sym3 ml_start_at(RE_GLOBAL const float* start, int stride, float rho) {
  return rho > 0.0f ? s3_load(start, stride) : s3_scaled_identity(re_splat(0.0f));
}

// Green's strain at the start of the step, which damping compares with.
RE_FN void ml_tet_strain_item(int item RE_ARGS_ml_tet_strain(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  vec3 edge[3];
  ml_tet_edges(x, low, corner + first, stride, edge);
  s3_store(start + first, stride, soft_strain(tet_gradient(edge, tet_rest_at(y + first, stride))));
}

// Blocks and, where strain is not smoothed, pushes: gradient and a quarter of the energy; without assembling
// a quarter of what the model missed above and below, and of the energy.
RE_FN void ml_tets_item(int item RE_ARGS_ml_tets(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  RE_GLOBAL const int* at = corner + first;
  const tet_rest rest = tet_rest_at(y + first, stride);
  const soft_law law = ml_law(mu, lambda, fibre_stiffness, rho, material);
  const vec3 along = ml_fibre_at(fibre + first, stride, fibre_stiffness);
  const sym3 from = ml_start_at(start + first, stride, rho);
  const real size = re_load(scale + first);
  vec3 edge[3], push[4];
  ml_tet_edges(x, off, at, stride, edge);
  const mat3 f = tet_gradient(edge, rest);
  const soft_response r = soft_respond(f, law, along, from);
  const real energy = r.energy * size;
  if (!assembling) {
    real missed = re_splat(0.0f);
    if (judging) {
      vec3 way[3];
      ml_tet_ways(dx, at, stride, way);
      missed = size * ml_soft_missed(f, tet_gradient(way, rest), r.energy, law, along, from);
    }
    const real4 share =
        ml_judged(re_max(missed, re_splat(0.0f)), -re_min(missed, re_splat(0.0f)), energy, 0.25f);
    for (int k = 0; k < 4; ++k) re_store4_at(pushes + k * stride, first, share);
    return;
  }
  if (!smoothed) {
    tet_pushes(m3_scale(r.stress, size), rest, push + 1);
    push[0] = v3_scale(v3_add(push[1], v3_add(push[2], push[3])), re_splat(-1.0f));
    for (int k = 0; k < 4; ++k) re_store4_at(pushes + k * stride, first, v3_with(push[k], 0.25f * energy));
  }
  vec3 frame[4];
  real along_fibre[4];
  for (int k = 1; k < 4; ++k)
    frame[k] = m3_tmul(r.stiffness.v, rest.y[k - 1]), along_fibre[k] = v3_dot(along, rest.y[k - 1]);
  frame[0] = v3_scale(v3_add(frame[1], v3_add(frame[2], frame[3])), re_splat(-1.0f));
  along_fibre[0] = -(along_fibre[1] + along_fibre[2] + along_fibre[3]);
  int e = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b, ++e) {
      const mat3 block = soft_block(r.stiffness, frame[a], frame[b], along_fibre[a] * along_fibre[b]);
      ml_set_matrix(blocks + e * stride, block_last + e * stride, 6 * stride + 1, first,
                    m3_scale(block, size));
    }
}

// An edge of the matrix: minus the sum of its blocks, for one end, and turned over for the other. place:
// where the slots of both ends are.
RE_FN void ml_soft_edges_item(int item RE_ARGS_ml_soft_edges(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  mat3 sum = m3(v3_zero(), v3_zero(), v3_zero());
  for (int k = tet_start[slice]; k < tet_start[slice + 1]; ++k) {
    const mat3 block = ml_matrix(blocks, block_last, 6 * stride + 1, tet_block + k * 16 + lane);
    sum = m3_sub(sum, block);
  }
  const mat3 sides[2] = {sum, m3_transposed(sum)};
  for (int side = 0; side < 2; ++side)
    for (int c = 0; c < 3; ++c) {
      RE_GLOBAL const int* to = place + side * edges + first;
      re_scatter(edge + 48 * c, to, sides[side].c[c].x);
      re_scatter(edge + 48 * c + 16, to, sides[side].c[c].y);
      re_scatter(edge + 48 * c + 32, to, sides[side].c[c].z);
    }
}

RE_FN mat3 ml_edge_matrix(RE_GLOBAL const float* edge) {
  mat3 m;
  for (int c = 0; c < 3; ++c)
    m.c[c] = v3(re_load(edge + 48 * c), re_load(edge + 48 * c + 16), re_load(edge + 48 * c + 32));
  return m;
}

// At the points: minus the gradient, the inverse diagonal blocks and the energy.
RE_FN void ml_soft_points_item(int item RE_ARGS_ml_soft_points(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const real inertia = re_load(mass + first) * inv_h2;
  const vec3 lag = v3_sub(v3_of(re_load4_at(off, first)), v3_of(re_load4_at(aim, first)));
  vec3 g = v3_scale(lag, inertia);
  real e = 0.5f * inertia * v3_dot(lag, lag);
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const real4 p = re_load4(push, push_slot + k * 16 + lane);
    g = v3_add(g, v3_of(p));
    e = e + p.w;
  }
  mat3 sum = m3(v3_zero(), v3_zero(), v3_zero());
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k)
    sum = m3_add(sum, ml_edge_matrix(edge + k * 144 + lane));
  sym3 diagonal = {sum.c[0].x + inertia, 0.5f * (sum.c[0].y + sum.c[1].x), 0.5f * (sum.c[0].z + sum.c[2].x),
                   sum.c[1].y + inertia, 0.5f * (sum.c[1].z + sum.c[2].y), sum.c[2].z + inertia};
  const real live = inertia > 0.0f ? re_splat(1.0f) : re_splat(0.0f);
  re_store4_at(residual, first, v3_with(v3_scale(g, -live), re_splat(0.0f)));
  s3_store(inverse + first, stride, s3_inverse(diagonal, live));
  re_store(energy + first, e);
}

// Energy of the points and what they were handed; see ml_energy.
RE_FN void ml_soft_energy_item(int item RE_ARGS_ml_soft_energy(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 lag = v3_sub(v3_of(re_load4_at(off, first)), v3_of(re_load4_at(aim, first)));
  real4 all;
  all.x = 0.5f * (re_load(mass + first) * inv_h2) * v3_dot(lag, lag);
  all.y = all.z = all.w = re_splat(0.0f);
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k) {
    const real4 p = re_load4(push, push_slot + k * 16 + lane);
    all.x = all.x + p.w;
    all.y = all.y + p.x;
    all.z = all.z + p.y;
  }
  re_store4_at(energy, first, all);
}

// The matrix of tetrahedra that are not smoothed, from its edges.
RE_FN void ml_soft_product_item(int item RE_ARGS_ml_soft_product(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 me = v3_of(re_load4_at(x, first));
  vec3 sum = v3_scale(me, re_load(mass + first) * inv_h2);
  for (int k = edge_start[slice]; k < edge_start[slice + 1]; ++k) {
    const vec3 d = v3_sub(me, v3_of(re_load4(x, edge_point + k * 16 + lane)));
    sum = v3_add(sum, m3_mul(ml_edge_matrix(edge + k * 144 + lane), d));
  }
  if (contact_stride > 0) sum = v3_add(sum, s3_mul(s3_load(contact + first, contact_stride), me));
  ml_finish(first, sum, me, mode, omega, rhs, inverse, stride, y, dot);
}

// Smoothed strain. Pass 1: F of every tetrahedron, or its change with a displacement.
RE_FN void ml_tet_gradients_item(int item RE_ARGS_ml_tet_gradients(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  vec3 edge[3];
  if (changing)
    ml_tet_ways(off, corner + first, stride, edge);
  else
    ml_tet_edges(x, off, corner + first, stride, edge);
  ml_set_matrix(gradient, gradient_last, stride, first, tet_gradient(edge, tet_rest_at(y + first, stride)));
}

RE_FN mat3 ml_smoothed(int first, RE_GLOBAL const int* list_start, RE_GLOBAL const int* tet,
                       RE_GLOBAL const float* weight, RE_GLOBAL const point4* gradient,
                       RE_GLOBAL const float* gradient_last, int stride) {
  const int slice = first / 16, lane = first % 16;
  mat3 f = m3(v3_zero(), v3_zero(), v3_zero());
  for (int k = list_start[slice]; k < list_start[slice + 1]; ++k) {
    const int s = k * 16 + lane;
    f = m3_mad(ml_matrix(gradient, gradient_last, stride, tet + s), re_load(weight + s), f);
  }
  return f;
}

// Second derivatives of the edges, ML_STIFFNESS floats each in slices of 16: U, V, the normal block, the
// pairs and those of fibres.
#define ML_STIFFNESS 37

RE_FN soft_stiffness ml_load_stiffness(RE_GLOBAL const float* p, vec3 fibre) {
  soft_stiffness k;
  for (int c = 0; c < 3; ++c) {
    k.u.c[c] = v3(re_load(p + 48 * c), re_load(p + 48 * c + 16), re_load(p + 48 * c + 32));
    k.v.c[c] = v3(re_load(p + 144 + 48 * c), re_load(p + 160 + 48 * c), re_load(p + 176 + 48 * c));
  }
  k.normal = s3_load(p + 288, 16);
  k.ij = v3(re_load(p + 384), re_load(p + 400), re_load(p + 416));
  k.both = v3(re_load(p + 432), re_load(p + 448), re_load(p + 464));
  k.ji = v3(re_load(p + 480), re_load(p + 496), re_load(p + 512));
  k.along = v3(re_load(p + 528), re_load(p + 544), re_load(p + 560));
  k.across = re_load(p + 576);
  k.fibre = fibre;
  return k;
}
RE_FN void ml_store_vec(RE_GLOBAL float* p, vec3 a) {
  re_store(p, a.x), re_store(p + 16, a.y), re_store(p + 32, a.z);
}
RE_FN void ml_store_stiffness(RE_GLOBAL float* p, soft_stiffness k) {
  for (int c = 0; c < 3; ++c) ml_store_vec(p + 48 * c, k.u.c[c]), ml_store_vec(p + 144 + 48 * c, k.v.c[c]);
  s3_store(p + 288, 16, k.normal);
  ml_store_vec(p + 384, k.ij), ml_store_vec(p + 432, k.both), ml_store_vec(p + 480, k.ji);
  ml_store_vec(p + 528, k.along), re_store(p + 576, k.across);
}
RE_FN void ml_set_stress(RE_GLOBAL point4* stress, int edges, int first, mat3 p, real energy) {
  re_store4_at(stress, first, v3_with(p.c[0], energy));
  re_store4_at(stress + edges, first, v3_with(p.c[1], re_splat(0.0f)));
  re_store4_at(stress + 2 * edges, first, v3_with(p.c[2], re_splat(0.0f)));
}

// Green's strain of the edges at the start of the step.
RE_FN void ml_edge_strain_item(int item RE_ARGS_ml_edge_strain(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const mat3 f = ml_smoothed(first, list_start, tet, weight, gradient, gradient_last, stride);
  s3_store(start + first, edges, soft_strain(f));
}

// Pass 2: what the edges answer: stress times volume with the energy; without assembling what the model
// missed above and below, and the energy.
RE_FN void ml_edge_matter_item(int item RE_ARGS_ml_edge_matter(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const soft_law law = ml_law(mu, lambda, fibre_stiffness, rho, material);
  const vec3 along = ml_fibre_at(fibre + first, edges, fibre_stiffness);
  const sym3 from = ml_start_at(start + first, edges, rho);
  const real size = re_load(scale + first);
  const mat3 f = ml_smoothed(first, list_start, tet, weight, gradient, gradient_last, stride);
  const soft_response r = soft_respond(f, law, along, from);
  if (assembling) {
    ml_set_stress(stress, edges, first, m3_scale(r.stress, size), r.energy * size);
    ml_store_stiffness(stiffness + first / 16 * (16 * ML_STIFFNESS) + first % 16, r.stiffness);
    return;
  }
  real missed = re_splat(0.0f);
  if (judging) {
    const mat3 way = ml_smoothed(first, list_start, tet, weight, change, change_last, stride);
    missed = size * ml_soft_missed(f, way, r.energy, law, along, from);
  }
  const real4 share =
      ml_judged(re_max(missed, re_splat(0.0f)), -re_min(missed, re_splat(0.0f)), r.energy * size, 1.0f);
  re_store4_at(stress, first, share);
}

// The same in a product: the change of stress.
RE_FN void ml_edge_change_item(int item RE_ARGS_ml_edge_change(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const vec3 along = ml_fibre_at(fibre + first, edges, fibre_stiffness);
  const soft_stiffness k =
      ml_load_stiffness(stiffness + first / 16 * (16 * ML_STIFFNESS) + first % 16, along);
  const mat3 way = ml_smoothed(first, list_start, tet, weight, change, change_last, stride);
  ml_set_stress(stress, edges, first, m3_scale(soft_change(k, way), re_load(scale + first)), re_splat(0.0f));
}

// Pass 3: tetrahedra hand the stress of their edges to their corners.
RE_FN void ml_tet_pushes_item(int item RE_ARGS_ml_tet_pushes(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const tet_rest rest = tet_rest_at(y + first, stride);
  mat3 p = m3(v3_zero(), v3_zero(), v3_zero());
  real energy = re_splat(0.0f);
  for (int e = 0; e < 6; ++e) {
    RE_GLOBAL const int* at = tet_edge + e * stride + first;
    const real w = re_load(tet_weight + e * stride + first);
    const real4 a = re_load4(stress, at);
    energy = energy + w * a.w;
    p.c[0] = v3_mad(v3_of(a), w, p.c[0]);
    if (!assembling) continue;
    p.c[1] = v3_mad(v3_of(re_load4(stress + edges, at)), w, p.c[1]);
    p.c[2] = v3_mad(v3_of(re_load4(stress + 2 * edges, at)), w, p.c[2]);
  }
  vec3 push[4];
  if (assembling) {
    tet_pushes(p, rest, push + 1);
    push[0] = v3_scale(v3_add(push[1], v3_add(push[2], push[3])), re_splat(-1.0f));
  } else {
    push[0] = push[1] = push[2] = push[3] = v3_scale(p.c[0], re_splat(0.25f));
  }
  for (int k = 0; k < 4; ++k) re_store4_at(pushes + k * stride, first, v3_with(push[k], 0.25f * energy));
}

// Pass 4 of a product: inertia and what the tetrahedra handed over.
RE_FN void ml_soft_gather_item(int item RE_ARGS_ml_soft_gather(RE_BUFFER, RE_VALUE)) {
  const int first = item * RE_LANES;
  const int slice = first / 16, lane = first % 16;
  const vec3 me = v3_of(re_load4_at(x, first));
  vec3 sum = v3_scale(me, re_load(mass + first) * inv_h2);
  for (int k = push_start[slice]; k < push_start[slice + 1]; ++k)
    sum = v3_add(sum, v3_of(re_load4(push, push_slot + k * 16 + lane)));
  re_store4_at(y, first, v3_with(sum, re_splat(0.0f)));
  re_store(dot + first, v3_dot(me, sum));
}
