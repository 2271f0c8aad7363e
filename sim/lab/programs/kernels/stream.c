// SPDX-License-Identifier: Apache-2.0
// STREAM's four loops over three arrays of SIZE doubles each (J. McCalpin): copy, scale, add, triad.
#include <math.h>

#include "kernel.h"

static const double SCALAR = 0.42;

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 1, (uint64_t)1 << 32);
  double *a = memory(given.size, sizeof *a), *b = memory(given.size, sizeof *b), *c = memory(given.size, sizeof *c);
  for (uint64_t at = 0; at < given.size; at++) a[at] = 1;
  double expected = 1;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    for (uint64_t at = 0; at < given.size; at++) c[at] = a[at];
    for (uint64_t at = 0; at < given.size; at++) b[at] = SCALAR * c[at];
    for (uint64_t at = 0; at < given.size; at++) c[at] = a[at] + b[at];
    for (uint64_t at = 0; at < given.size; at++) a[at] = b[at] + SCALAR * c[at];
    expected = SCALAR * expected + SCALAR * (expected + SCALAR * expected);
  }
  bool right = true;
  for (uint64_t at = 0; at < given.size; at++) right &= fabs(a[at] - expected) <= 1e-9 * fabs(expected);
  return end("stream", right, a[given.size - 1]);
}
