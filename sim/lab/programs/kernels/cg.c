// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients on a sparse, symmetric matrix of SIZE rows with places by chance, as NPB's CG. A round is an
// iteration; the matrix is diagonally dominant, so that the residual falls.
#include <math.h>

#include "kernel.h"

enum { PAIRS = 6 };  // of a row, with others

typedef struct {
  uint64_t rows;
  uint32_t* begin;  // of a row's elements; one more at the end
  uint32_t* column;
  double* value;
} Matrix;

static Matrix draw(uint64_t rows) {
  const uint64_t pairs = rows * PAIRS;
  Matrix matrix = {rows, memory(rows + 2, sizeof(uint32_t)), memory(2 * pairs + rows, sizeof(uint32_t)),
                   memory(2 * pairs + rows, sizeof(double))};
  uint32_t *one = memory(pairs, sizeof *one), *other = memory(pairs, sizeof *other);
  uint64_t state = 1;
  for (uint64_t row = 0; row < rows; row++) matrix.begin[row + 2] = 1;
  for (uint64_t pair = 0; pair < pairs; pair++) {
    one[pair] = (uint32_t)(pair / PAIRS);
    other[pair] = (uint32_t)below(&state, rows);
    matrix.begin[one[pair] + 2]++;
    matrix.begin[other[pair] + 2]++;
  }
  for (uint64_t row = 1; row < rows + 2; row++) matrix.begin[row] += matrix.begin[row - 1];
  // begin[row + 1] moves to the end of its row while that is filled
  for (uint64_t row = 0; row < rows; row++) {
    const uint32_t at = matrix.begin[row + 1]++;
    matrix.column[at] = (uint32_t)row;
    matrix.value[at] = 4 * PAIRS;
  }
  for (uint64_t pair = 0; pair < pairs; pair++) {
    const double value = fraction(&state) - 0.5;
    const uint32_t at = matrix.begin[one[pair] + 1]++, mirrored = matrix.begin[other[pair] + 1]++;
    matrix.column[at] = other[pair];
    matrix.column[mirrored] = one[pair];
    matrix.value[at] = matrix.value[mirrored] = value;
  }
  free(one);
  free(other);
  return matrix;
}

static void multiply(const Matrix* matrix, const double* from, double* to) {
  for (uint64_t row = 0; row < matrix->rows; row++) {
    double sum = 0;
    for (uint32_t at = matrix->begin[row]; at < matrix->begin[row + 1]; at++)
      sum += matrix->value[at] * from[matrix->column[at]];
    to[row] = sum;
  }
}

static double product(const double* one, const double* other, uint64_t count) {
  double sum = 0;
  for (uint64_t at = 0; at < count; at++) sum += one[at] * other[at];
  return sum;
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 2, 1 << 27);
  const uint64_t rows = given.size;
  const Matrix matrix = draw(rows);
  double *x = memory(rows, sizeof *x), *residual = memory(rows, sizeof *residual),
         *direction = memory(rows, sizeof *direction), *image = memory(rows, sizeof *image);
  for (uint64_t row = 0; row < rows; row++) residual[row] = direction[row] = 1;
  double square = (double)rows;
  ready();
  for (uint64_t round = 0; round < given.rounds && square > 1e-20; round++) {
    multiply(&matrix, direction, image);
    const double step = square / product(direction, image, rows);
    for (uint64_t row = 0; row < rows; row++) {
      x[row] += step * direction[row];
      residual[row] -= step * image[row];
    }
    const double next = product(residual, residual, rows);
    for (uint64_t row = 0; row < rows; row++) direction[row] = residual[row] + next / square * direction[row];
    square = next;
  }
  multiply(&matrix, x, image);
  double error = 0;
  for (uint64_t row = 0; row < rows; row++) error += (image[row] - 1) * (image[row] - 1);
  return end("cg", error < 0.5 * (double)rows && fabs(error - square) <= 1e-6 * square + 1e-15 * (double)rows,
             sqrt(error));
}
