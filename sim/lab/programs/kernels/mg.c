// SPDX-License-Identifier: Apache-2.0
// Poisson's equation on a cube of 2^SIZE cells a side, periodic, by cycles of a multigrid, as NPB's MG. A round is a
// V-cycle: the residual goes to grids of half as many cells a side, and the corrections come back. Threads share the
// planes.
#include <math.h>
#include <string.h>

#include "kernel.h"

typedef struct {
  uint64_t side;
  double *solution, *source, *residual;
} Grid;

static uint64_t cell(uint64_t side, uint64_t z, uint64_t y, uint64_t x) {
  const uint64_t mask = side - 1;
  return ((z & mask) * side + (y & mask)) * side + (x & mask);
}

static double neighbours(const double* of, uint64_t side, uint64_t z, uint64_t y, uint64_t x) {
  return of[cell(side, z - 1, y, x)] + of[cell(side, z + 1, y, x)] + of[cell(side, z, y - 1, x)] +
         of[cell(side, z, y + 1, x)] + of[cell(side, z, y, x - 1)] + of[cell(side, z, y, x + 1)];
}

#define PRAGMA(text) _Pragma(#text)
#define EACH_CELL(side, ...)              \
  PRAGMA(omp parallel for __VA_ARGS__)    \
  for (uint64_t z = 0; z < (side); z++)   \
    for (uint64_t y = 0; y < (side); y++) \
      for (uint64_t x = 0; x < (side); x++)

// Gauss and Seidel: cells of one colour, then those of the other.
static void smooth(Grid* grid) {
  for (uint64_t colour = 0; colour < 2; colour++) EACH_CELL(grid->side) {
      if ((x + y + z) % 2 != colour) continue;
      const uint64_t at = cell(grid->side, z, y, x);
      grid->solution[at] = (neighbours(grid->solution, grid->side, z, y, x) - grid->source[at]) / 6;
    }
}

static double find_residual(Grid* grid) {
  double square = 0;
  EACH_CELL(grid->side, reduction(+ : square)) {
    const uint64_t at = cell(grid->side, z, y, x);
    const double left = neighbours(grid->solution, grid->side, z, y, x) - 6 * grid->solution[at];
    grid->residual[at] = grid->source[at] - left;
    square += grid->residual[at] * grid->residual[at];
  }
  return sqrt(square);
}

// The mean of eight cells; the equation of a grid with cells twice as long has four times the source.
static void restrict_residual(const Grid* fine, Grid* coarse) {
  EACH_CELL(coarse->side) {
    double sum = 0;
    for (uint64_t part = 0; part < 8; part++)
      sum += fine->residual[cell(fine->side, 2 * z + (part >> 2), 2 * y + (part >> 1 & 1), 2 * x + (part & 1))];
    coarse->source[cell(coarse->side, z, y, x)] = sum / 2;
  }
}

static void correct(Grid* fine, const Grid* coarse) {
  EACH_CELL(fine->side)
  fine->solution[cell(fine->side, z, y, x)] += coarse->solution[cell(coarse->side, z / 2, y / 2, x / 2)];
}

static void cycle(Grid* grids, uint64_t level) {
  Grid* grid = &grids[level];
  smooth(grid);
  smooth(grid);
  if (level == 1) return;
  find_residual(grid);
  restrict_residual(grid, &grids[level - 1]);
  const uint64_t side = grids[level - 1].side;
  memset(grids[level - 1].solution, 0, side * side * side * sizeof(double));
  cycle(grids, level - 1);
  correct(grid, &grids[level - 1]);
  smooth(grid);
  smooth(grid);
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 2, 10);
  Grid grids[11];
  for (uint64_t level = 1; level <= given.size; level++) {
    const uint64_t side = (uint64_t)1 << level, cells = side * side * side;
    grids[level] = (Grid){side, untouched_memory(cells, sizeof(double)), untouched_memory(cells, sizeof(double)),
                          untouched_memory(cells, sizeof(double))};
  }
  Grid* finest = &grids[given.size];
  // each thread touches its cells first; memory that is never written would be one page of zeros
  for (uint64_t level = 1; level <= given.size; level++) EACH_CELL(grids[level].side) {
      const uint64_t at = cell(grids[level].side, z, y, x);
      *(volatile double*)&grids[level].solution[at] = 0;
      *(volatile double*)&grids[level].source[at] = 0;
      *(volatile double*)&grids[level].residual[at] = 0;
    }
  uint64_t state = 1;
  for (int charge = 0; charge < 20; charge++)  // ten of each sign, as MG has them
    finest->source[below(&state, finest->side * finest->side * finest->side)] += charge % 2 == 0 ? 1 : -1;
  const double first = find_residual(finest);
  double last = first;
  ready_threads();
  for (uint64_t round = 0; round < given.rounds; round++) {
    cycle(grids, given.size);
    last = find_residual(finest);
  }
  return end("mg", last < 0.9 * first, last);
}
