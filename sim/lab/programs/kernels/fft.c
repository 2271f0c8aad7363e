// SPDX-License-Identifier: Apache-2.0
// A Fourier transform of 2^SIZE complex numbers and its inverse, radix 2, in place, as of HPC Challenge's FFT.
#include <complex.h>
#include <math.h>

#include "kernel.h"

static void reverse(double complex* data, uint64_t count) {
  for (uint64_t from = 1, to = 0; from < count; from++) {
    uint64_t bit = count >> 1;
    for (; to & bit; bit >>= 1) to ^= bit;
    to ^= bit;
    if (from < to) {
      const double complex kept = data[from];
      data[from] = data[to];
      data[to] = kept;
    }
  }
}

static void transform(double complex* data, uint64_t count, double sign) {
  reverse(data, count);
  for (uint64_t half = 1; half < count; half *= 2) {
    const double complex step = cexp(sign * M_PI * I / (double)half);
    for (uint64_t block = 0; block < count; block += 2 * half) {
      double complex turn = 1;
      for (uint64_t at = block; at < block + half; at++, turn *= step) {
        const double complex odd = turn * data[at + half];
        data[at + half] = data[at] - odd;
        data[at] += odd;
      }
    }
  }
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 1, 30);
  const uint64_t count = (uint64_t)1 << given.size;
  double complex* data = memory(count, sizeof *data);
  double* real = memory(count, sizeof *real);
  uint64_t state = 1;
  for (uint64_t at = 0; at < count; at++) data[at] = real[at] = fraction(&state) - 0.5;
  double complex sum = 0;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    transform(data, count, -1);
    sum += data[1];
    transform(data, count, 1);
    for (uint64_t at = 0; at < count; at++) data[at] /= (double)count;
  }
  bool right = true;
  for (uint64_t at = 0; at < count; at++) right &= cabs(data[at] - real[at]) < 1e-6;
  return end("fft", right, cabs(sum));
}
