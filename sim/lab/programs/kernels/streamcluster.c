// SPDX-License-Identifier: Apache-2.0
// Centres for SIZE points of 64 dimensions, as PARSEC's streamcluster: a point by chance becomes a centre if what the
// points that are nearer to it gain is more than a centre costs. A round tries sixteen points.
#include "kernel.h"

enum { DIMENSIONS = 64, CLUSTERS = 20, TRIES = 16 };

static float distance(const float* one, const float* other) {
  float sum = 0;
  for (int at = 0; at < DIMENSIONS; at++) sum += (one[at] - other[at]) * (one[at] - other[at]);
  return sum;
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 2, 1 << 26);
  const uint64_t points = given.size;
  float *point = memory(points * DIMENSIONS, sizeof *point), *nearest = memory(points, sizeof *nearest);
  uint32_t* centre = memory(points, sizeof *centre);
  uint64_t state = 1;
  for (uint64_t number = 0; number < points; number++)
    for (uint64_t at = 0; at < DIMENSIONS; at++)
      point[number * DIMENSIONS + at] =
          (float)((number % CLUSTERS * (at + 7) * 2654435761u >> 16) % 16) + (float)fraction(&state);
  double cost = 0;
  for (uint64_t number = 0; number < points; number++)
    cost += nearest[number] = distance(&point[number * DIMENSIONS], point);
  const double opening = cost / (4 * CLUSTERS), first = cost;
  uint64_t centres = 1;
  ready();
  for (uint64_t number = 0; number < given.rounds * TRIES; number++) {
    const uint32_t candidate = (uint32_t)below(&state, points);
    const float* there = &point[(uint64_t)candidate * DIMENSIONS];
    double gain = 0;
    for (uint64_t each = 0; each < points; each++) {
      const float far = distance(&point[each * DIMENSIONS], there);
      if (far < nearest[each]) gain += nearest[each] - far;
    }
    if (gain <= opening) continue;
    for (uint64_t each = 0; each < points; each++) {
      const float far = distance(&point[each * DIMENSIONS], there);
      if (far >= nearest[each]) continue;
      nearest[each] = far;
      centre[each] = candidate;
    }
    cost -= gain;
    centres++;
  }
  bool right = cost <= first;
  for (uint64_t each = 0; each < points; each++)
    right &= nearest[each] == distance(&point[each * DIMENSIONS], &point[(uint64_t)centre[each] * DIMENSIONS]);
  return end("streamcluster", right, (double)centres);
}
