// SPDX-License-Identifier: Apache-2.0
// SIZE linear equations, solved by LU with partial pivoting in blocks of columns, as Linpack's (HPL). A round is a new
// system of equations; the residual is HPL's, scaled.
#include <float.h>
#include <math.h>

#include "kernel.h"

enum { BLOCK = 32 };

static uint64_t pivot(const double* matrix, uint64_t size, uint64_t column) {
  uint64_t best = column;
  for (uint64_t row = column + 1; row < size; row++)
    if (fabs(matrix[row * size + column]) > fabs(matrix[best * size + column])) best = row;
  return best;
}

static void swap(double* one, double* other, uint64_t count) {
  for (uint64_t at = 0; at < count; at++) {
    const double kept = one[at];
    one[at] = other[at];
    other[at] = kept;
  }
}

// Rows below `from` less what the columns from `from` to `to` have in them, in the columns from `first` to `last`.
static void eliminate(double* matrix, uint64_t size, uint64_t from, uint64_t to, uint64_t first, uint64_t last) {
  for (uint64_t row = from + 1; row < size; row++)
    for (uint64_t column = from; column < to && column < row; column++) {
      const double factor = matrix[row * size + column];
      for (uint64_t at = first; at < last; at++) matrix[row * size + at] -= factor * matrix[column * size + at];
    }
}

static void solve(double* matrix, double* right, uint64_t size) {
  for (uint64_t from = 0; from < size; from += BLOCK) {
    const uint64_t to = from + BLOCK < size ? from + BLOCK : size;
    for (uint64_t column = from; column < to; column++) {
      const uint64_t best = pivot(matrix, size, column);
      swap(&matrix[best * size], &matrix[column * size], size);
      swap(&right[best], &right[column], 1);
      for (uint64_t row = column + 1; row < size; row++) {
        const double factor = matrix[row * size + column] /= matrix[column * size + column];
        for (uint64_t at = column + 1; at < to; at++) matrix[row * size + at] -= factor * matrix[column * size + at];
      }
    }
    eliminate(matrix, size, from, to, to, size);
  }
  for (uint64_t row = 0; row < size; row++)
    for (uint64_t at = 0; at < row; at++) right[row] -= matrix[row * size + at] * right[at];
  for (uint64_t row = size; row-- > 0;) {
    for (uint64_t at = row + 1; at < size; at++) right[row] -= matrix[row * size + at] * right[at];
    right[row] /= matrix[row * size + row];
  }
}

// A system of equations by its number.
static void draw(double* matrix, double* right, uint64_t size, uint64_t number) {
  uint64_t state = number + 1;
  for (uint64_t at = 0; at < size * size; at++) matrix[at] = fraction(&state) - 0.5;
  for (uint64_t at = 0; at < size; at++) right[at] = fraction(&state) - 0.5;
}

static double scaled_residual(const double* matrix, const double* right, const double* solution, uint64_t size) {
  double residual = 0, norm = 0, largest = 0;
  for (uint64_t row = 0; row < size; row++) {
    double sum = -right[row], row_norm = 0;
    for (uint64_t at = 0; at < size; at++) {
      sum += matrix[row * size + at] * solution[at];
      row_norm += fabs(matrix[row * size + at]);
    }
    residual = fmax(residual, fabs(sum));
    norm = fmax(norm, row_norm);
    largest = fmax(largest, fabs(solution[row]));
  }
  return residual / (DBL_EPSILON * norm * largest * (double)size);
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 1, 1 << 15);
  const uint64_t size = given.size;
  double *matrix = memory(size * size, sizeof *matrix), *solution = memory(size, sizeof *solution),
         *right = memory(size, sizeof *right);
  double worst = 0;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    draw(matrix, solution, size, round);
    solve(matrix, solution, size);
    draw(matrix, right, size, round);
    worst = fmax(worst, scaled_residual(matrix, right, solution, size));
  }
  return end("linpack", worst < 16, worst);
}
