// SPDX-License-Identifier: Apache-2.0
// Placing 2^SIZE parts of a netlist on a square grid by simulated annealing, as PARSEC's canneal: two parts by chance
// change places when their wires get shorter, or by chance when they get longer. A round has as many tries as there are
// parts, and is colder than the one before. Each thread moves parts of its own, and sees where those of others lie.
#include <math.h>
#include <omp.h>

#include "kernel.h"

enum { WIRES = 5 };  // from each part to others

typedef struct {
  _Alignas(8) int32_t x;
  int32_t y;
} Place;

// Places are read while the threads they belong to write them.
static Place place_of(const Place* place) {
  Place found;
  __atomic_load(place, &found, __ATOMIC_RELAXED);
  return found;
}
static void put(Place* place, Place there) { __atomic_store(place, &there, __ATOMIC_RELAXED); }

static int64_t distance(Place one, Place other) { return labs((long)one.x - other.x) + labs((long)one.y - other.y); }

static int64_t length_of(const uint32_t* wire, const Place* place, uint32_t part, Place there) {
  int64_t length = 0;
  for (int number = 0; number < WIRES; number++)
    length += distance(there, place_of(&place[wire[part * WIRES + number]]));
  return length;
}

static int64_t length_of_all(const uint32_t* wire, const Place* place, uint64_t parts) {
  int64_t length = 0;
  for (uint32_t part = 0; part < parts; part++) length += length_of(wire, place, part, place[part]);
  return length;
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 2, 28);
  const uint64_t parts = (uint64_t)1 << given.size, side = (uint64_t)ceil(sqrt((double)parts));
  uint32_t* wire = memory(parts * WIRES, sizeof *wire);
  Place* place = memory(parts, sizeof *place);
  uint64_t state = 1;
  // most wires are to parts with near numbers, as in a netlist with blocks; where the parts lie is by chance
  for (uint64_t at = 0; at < parts * WIRES; at++)
    wire[at] = (uint32_t)(below(&state, 4) != 0 ? (at / WIRES + below(&state, 64)) % parts : below(&state, parts));
  for (uint64_t part = 0; part < parts; part++) place[part] = (Place){(int32_t)(part % side), (int32_t)(part / side)};
  for (uint64_t part = parts - 1; part > 0; part--) {
    const uint64_t other = below(&state, part + 1);
    const Place kept = place[part];
    place[part] = place[other];
    place[other] = kept;
  }
  const int64_t first = length_of_all(wire, place, parts);
  ready_threads();
#pragma omp parallel firstprivate(state)
  {
    const uint32_t thread = (uint32_t)omp_get_thread_num(), threads = (uint32_t)omp_get_num_threads();
    const uint64_t own = parts / threads;
    double temperature = (double)side / 4;
    state += thread;
    for (uint64_t round = 0; round < given.rounds; round++, temperature *= 0.8)
      for (uint64_t number = 0; number < own; number++) {
        const uint32_t one = (uint32_t)below(&state, own) * threads + thread;
        const uint32_t other = (uint32_t)below(&state, own) * threads + thread;
        const Place here = place_of(&place[one]), there = place_of(&place[other]);
        const int64_t longer = length_of(wire, place, one, there) - length_of(wire, place, one, here) +
                               length_of(wire, place, other, here) - length_of(wire, place, other, there);
        if (longer > 0 && fraction(&state) >= exp(-(double)longer / temperature)) continue;
        put(&place[one], there);
        put(&place[other], here);
      }
  }
  bool* taken = memory(side * side, sizeof *taken);
  bool right = true;
  for (uint64_t part = 0; part < parts; part++) {
    bool* at = &taken[(uint64_t)place[part].y * side + (uint64_t)place[part].x];
    right &= !*at;
    *at = true;
  }
  const int64_t last = length_of_all(wire, place, parts);
  return end("canneal", right && last < first, (double)last);
}
