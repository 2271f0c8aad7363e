// SPDX-License-Identifier: Apache-2.0
// mapdetect: chooses one address map after the other, and finds each by the time that reads take. Prints for each what
// was found and what the controller's registers say. The simulator's script may have a digit for the row policy, then
// one for each map that is to be found, by its place in `maps`; without one they are all of them, and the policy is
// that of reset. The exit code is the number of maps that were not found for certain, 100 if the program could not
// move, or 102 if the script has no such map.
#include <system.h>
// csr.h finds its accessors in system.h
#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <inttypes.h>
#include <stdio.h>

#include "../../guest/mapdetect/probe.h"
#include "../../guest/mapdetect/report.h"
#include "harts.h"
#include "places.h"
#include "weir_registers.h"

#define LINE_BYTES (1u << FIRST_BIT)
#define MIB (1024u * 1024u)
#define COPY (1536u * MIB)  // where the program is kept while it moves, from the first byte of memory: in high rows
#define COPY_BYTES (1u * MIB)
#define MOST_LINES 4096u
#define ROUNDS 32u

enum { PROGRAMMABLE = 5, LAST = 6, UNMOVED = 100, NO_SUCH_MAP = 102, BYTE_VALID = 0x100 };

struct known_map {
  const char* name;
  uint32_t number;
  struct masks masks;
};

#define BIT(n) (UINT32_C(1) << (n))

// Each differs from the one before.
static const struct known_map maps[] = {
    {"row_rank_bank_column", 0, {BIT(16), {BIT(13), BIT(14), BIT(15)}}},
    {"bank_interleaved", 3, {BIT(16), {BIT(8), BIT(9), BIT(10)}}},
    {"non_interleaved", 1, {BIT(16), {BIT(13), BIT(14), BIT(15)}}},
    {"bank_xor", 4, {BIT(16), {BIT(8) | BIT(17), BIT(9) | BIT(18), BIT(10) | BIT(19)}}},
    {"channel_interleaved", 2, {BIT(16), {BIT(13), BIT(14), BIT(15)}}},
    {"rank_row_bank_column", 6, {BIT(30), {BIT(13), BIT(14), BIT(15)}}},
    {"programmable",
     PROGRAMMABLE,
     {BIT(12) | BIT(20) | BIT(24) | BIT(28), {BIT(7) | BIT(16), BIT(9) | BIT(18) | BIT(25), BIT(14) | BIT(19)}}},
};

/** For change.S. */
struct change {
  uintptr_t program, bytes;
  uintptr_t copy, places;  ///< `places`: the address of each line's place
  uintptr_t unneeded;      ///< twice the bytes of the data cache, from a multiple of these on
  uintptr_t selector, number;
};

void change_map(const struct change* change);

extern char _start[], program_end[];

static struct masks in_force = {BIT(30), {BIT(13), BIT(14), BIT(15)}};  // map 6, that of reset

static bool choose(const struct known_map* map) {
  const uintptr_t first = (uintptr_t)_start, bytes = (uintptr_t)program_end - first;
  uint64_t* const places = (uint64_t*)(MAIN_RAM_BASE + COPY + COPY_BYTES);
  if (bytes > MOST_LINES * LINE_BYTES || READ(address_map) > LAST) return false;
  for (uint32_t line = 0; line < bytes / LINE_BYTES; ++line) {
    const uint32_t offset = (uint32_t)(first - MAIN_RAM_BASE) + line * LINE_BYTES;
    const uint32_t before = offset_before(&in_force, &map->masks, offset);
    if (before >= COPY && before < COPY + 2 * COPY_BYTES) return false;
    places[line] = MAIN_RAM_BASE + before;
  }
  if (map->number == PROGRAMMABLE) {
    WRITE(mask_rank0_low, map->masks.rank);
    WRITE(mask_bank0_low, map->masks.bank[0]);
    WRITE(mask_bank1_low, map->masks.bank[1]);
    WRITE(mask_bank2_low, map->masks.bank[2]);
  }
  in_force = map->masks;  // before the program is copied
  const struct change change = {
      .program = first,
      .bytes = bytes,
      .copy = MAIN_RAM_BASE + COPY,
      .places = (uintptr_t)places,
      .unneeded = MAIN_RAM_BASE + COPY + 4 * COPY_BYTES,
      .selector = WEIR_BASE + offsetof(weir_t, address_map),
      .number = map->number,
  };
  change_map(&change);
  return true;
}

static uint64_t chance = UINT64_C(88172645463325252);

// Anywhere in memory, but not in the way of the probe's own lines in the cache.
static void addresses_of(const struct reads* reads, uintptr_t* addresses) {
  do {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    const uint64_t base = chance & (MAIN_RAM_SIZE - LINE_BYTES);
    for (unsigned i = 0; i < reads->count; ++i) addresses[i] = MAIN_RAM_BASE + (base ^ reads->offsets[i]);
  } while (!probe_fits(addresses, reads->count));
}

static bool time(void* context, const struct reads* reads, uint64_t* ticks) {
  uintptr_t addresses[MOST_READS];
  (void)context;
  addresses_of(reads, addresses);
  *ticks = probe_time(addresses, reads->count, reads->rounds, PROBE_CYCLE);
  return true;
}

static bool watch(void* context, const struct watch* watch, struct coincidences* seen) {
  uintptr_t addresses[MOST_READS];
  (void)context;
  addresses_of(&watch->reads, addresses);
  probe_watch(addresses, watch, seen);
  return true;
}

#define SHOW(name, bit, member) printf("register " name "%u 0x%" PRIx32 "\n", bit, READ(member[bit].mask_low))

static void show_registers(void) {
  SHOW("rank", 0, map_rank);
  for (unsigned i = 0; i < BANK_BITS; ++i) SHOW("bank", i, map_bank);
  for (unsigned i = 0; i < sizeof((weir_t*)0)->map_column / sizeof *((weir_t*)0)->map_column; ++i)
    SHOW("column", i, map_column);
  for (unsigned i = 0; i < sizeof((weir_t*)0)->map_row / sizeof *((weir_t*)0)->map_row; ++i) SHOW("row", i, map_row);
}

static bool find(const struct known_map* known) {
  static struct address_map map;
  static struct measured measured;
  const struct machine machine = {FIRST_BIT, END_BIT, PROBE_SET_BITS, ROUNDS, time, watch, NULL};
  printf("\nmap %s\naddress_map %" PRIu32 "\nrow_policy %" PRIu32 "\n", known->name, READ(address_map),
         READ(row_policy));
  const uint64_t begin = cycles();
  const enum verdict verdict = detect(&machine, &map, &measured);
  const uint64_t took = cycles() - begin;
  report_map(&map, FIRST_BIT);
  show_registers();
  printf("low %" PRIu64 " high %" PRIu64 " of %d, times %" PRIu32 ", predictions %" PRIu32 ", cycles %" PRIu64 "\n",
         measured.low, measured.high, TICK_FRACTION, measured.times, measured.predictions, took);
  printf("verdict %d at 0x%" PRIx64 ": %s\n", verdict, measured.doubtful, verdict_text(verdict));
  return verdict == CERTAIN;
}

// The next digit of the script, or -1.
static int digit(void) {
  const uint32_t next = host_script_read();
  return next & BYTE_VALID ? (int)(next & 0xff) - '0' : -1;
}

int main(void) {
  enum { MAPS = sizeof maps / sizeof *maps };
  const int policy = digit();
  if (policy >= 0) WRITE(row_policy, policy);
  int unfound = 0;
  for (int next = 0;; ++next) {
    const int number = policy >= 0 ? digit() : next;
    if (number < 0 || (policy < 0 && number == MAPS)) break;
    if (number >= MAPS) return NO_SUCH_MAP;
    if (!choose(&maps[number])) {
      printf("mapdetect: the program of %zu bytes cannot move for %s\n", (size_t)(program_end - _start),
             maps[number].name);
      return UNMOVED;
    }
    unfound += !find(&maps[number]);
  }
  printf("mapdetect: %d map(s) not found\n", unfound);
  return unfound;
}
