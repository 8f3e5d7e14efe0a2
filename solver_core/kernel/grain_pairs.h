// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Near grains become rows of contacts: how far a grain reaches in a step, which pairs are solved, and with
// what impulse they begin. Fields of rows are those of contact.h.

// How far a grain reaches: its radius, a margin, and the way it may come in the step, at most a radius.
RE_FN void near_extent_item(int item RE_ARGS_near_extent(RE_BUFFER, RE_VALUE)) {
  const float radius = x[item].w;
  const float speed = re_sqrt1(v[item].x * v[item].x + v[item].y * v[item].y + v[item].z * v[item].z);
  // grains that fall together meet when the first of them stops
  const float way = h * (speed + (speed > fall ? fall : 0.0f));
  extent[item] = radius + 0.5f * margin * radius + (radius < way ? radius : way);
}

// Where both sleep their impulse waits.
RE_FN int near_awake(RE_GLOBAL const point4* v, int a, int b) { return v[a].w != 0 || v[b].w != 0; }

RE_FN void near_count_item(int item RE_ARGS_near_count(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * RE_NEAR_CHUNK);
  int solved = 0, i = item * RE_NEAR_CHUNK;
  while (i < end) {
    int c = first_of[i];
    while (c < first_of[i + 1]) solved += near_awake(v, i, partner[c++]);
    ++i;
  }
  awake[item] = solved;
}

RE_FN void near_list_item(int item RE_ARGS_near_list(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * RE_NEAR_CHUNK);
  int k = awake_first[item], i = item * RE_NEAR_CHUNK;
  while (i < end) {
    int c = first_of[i];
    while (c < first_of[i + 1]) {
      if (near_awake(v, i, partner[c])) {
        active[k] = c;
        active_movers[2 * k] = i, active_movers[2 * k + 1] = partner[c];
        ++k;
      }
      ++c;
    }
    ++i;
  }
}

// The contact of two grains in the last step, or -1. Looked for first where it is if nothing has changed
// since.
RE_FN int near_find(RE_GLOBAL const int* memory_first, RE_GLOBAL const int* memory_partner, int known,
                    int finder, int other, int at) {
  if (finder < 0 || other < 0 || finder >= known) return -1;
  const int end = memory_first[finder + 1];
  int c = memory_first[finder];
  if (c + at < end && memory_partner[c + at] == other) return c + at;
  while (c < end) {
    if (memory_partner[c] == other) return c;
    ++c;
  }
  return -1;
}

RE_FN point4 near_turned(point4 p, float sign, float w) {
  p.x = sign * p.x, p.y = sign * p.y, p.z = sign * p.z, p.w = w;
  return p;
}

// Impulses of the last step.
RE_FN void near_recall_item(int item RE_ARGS_near_recall(RE_BUFFER, RE_VALUE)) {
  const int end = grid_min(count, (item + 1) * RE_NEAR_CHUNK);
  point4 none;
  none.x = none.y = none.z = none.w = 0;
  int i = item * RE_NEAR_CHUNK;
  while (i < end) {
    const int first_pair = first_of[i], end_pair = first_of[i + 1];
    int c = first_pair;
    while (c < end_pair) {
      const int a = last[i], b = last[partner[c]];
      float sign = 1;
      int old = near_find(memory_first, memory_partner, known, a, b, c - first_pair);
      if (old < 0) old = near_find(memory_first, memory_partner, known, b, a, 0), sign = -1;
      carried[c] = old < 0 ? none : near_turned(impulse[old], sign, impulse[old].w);
      if (has_rolls) carried_roll[c] = old < 0 || !had_rolls ? none : near_turned(roll[old], sign, 0);
      ++c;
    }
    ++i;
  }
}

// Speed at which two sides that come nearer at -approach shall part; 0 for slow ones (algorithms.md 5.6).
RE_FN float contact_bounce(float bounce, float approach, float slow) {
  return bounce > 0 && approach < -slow ? -bounce * approach : 0.0f;
}

// What coheres, rolls or bounces; a and b are the grains, s the surface between them.
RE_FN void near_fill_extra(RE_GLOBAL float* at, point4 xa, point4 xb, point4 va, point4 vb,
                           RE_GLOBAL const float* s, float h, float slow, float hold_share) {
  const float bounce = s[2], rolling = s[3], cohesion = s[4];
  const float smaller = xb.w < xa.w ? xb.w : xa.w;
  const float dx = xa.x - xb.x, dy = xa.y - xb.y, dz = xa.z - xb.z;
  const float distance = re_sqrt1(dx * dx + dy * dy + dz * dz);
  const float along = dx * (va.x - vb.x) + dy * (va.y - vb.y) + dz * (va.z - vb.z);
  at[16 * RE_PULL] = cohesion * 3.14159265f * smaller * smaller * h;
  at[16 * RE_HOLD] = cohesion > 0 ? hold_share * smaller : 0.0f;
  at[16 * RE_ROLL_REACH] = rolling * xa.w * xb.w / (xa.w + xb.w);
  at[16 * RE_BOUNCE] = contact_bounce(bounce, distance > 0 ? along / distance : 0.0f, slow);
  at[16 * RE_PEAK] = 0;
}

RE_FN void near_fill_item(int item RE_ARGS_near_fill(RE_BUFFER, RE_VALUE)) {
  const int c = active[item], row = row_of[item], a = active_movers[2 * item],
            b = active_movers[2 * item + 1];
  RE_GLOBAL const float* s = surface + RE_SURFACE_FLOATS * ((body[a] & 0xffff) * sides + (body[b] & 0xffff));
  RE_GLOBAL int* mover = index + contact_at(row, 2);
  RE_GLOBAL float* at = value + contact_at(row, pair_fields(alike));
  mover[0] = a, mover[16] = b;
  if (!alike) at[16 * RE_REACH] = x[a].w + x[b].w, at[16 * RE_FRICTION] = s[0], at[16 * RE_SLIDE] = s[1];
  at[16 * RE_DRAG] = carried[c].x, at[16 * RE_DRAG + 16] = carried[c].y, at[16 * RE_DRAG + 32] = carried[c].z;
  at[16 * RE_PUSH] = carried[c].w;
  if (!has_extra) return;
  RE_GLOBAL float* more = extra + contact_at(row, RE_EXTRA_FIELDS);
  near_fill_extra(more, x[a], x[b], v[a], v[b], s, h, slow, hold_share);
  more[16 * RE_ROLL] = has_rolls ? carried_roll[c].x : 0.0f;
  more[16 * RE_ROLL + 16] = has_rolls ? carried_roll[c].y : 0.0f;
  more[16 * RE_ROLL + 32] = has_rolls ? carried_roll[c].z : 0.0f;
}
