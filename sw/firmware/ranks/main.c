// SPDX-License-Identifier: Apache-2.0
// ranks: a program on each hart, in all ranks or in a rank of its own, without an operating system. The simulator's
// script says what runs and what Weir is set to: numbers as `options` below lists them, then an offset and a value for
// each register. Prints a JSON object between two lines. Exit code 0 if all words were what they must be, 1 if not, 2
// after a script that is refused.
#include <inttypes.h>
#include <stdio.h>

#include "harts.h"
#include "programs.h"
#include "script.h"
#include "weir_registers.h"

#define ROW_BYTES 8192u  // DDR3 x8, 64 bits wide: 1024 columns of 8 bytes
#define MOST_REGISTERS 64u
#define RANKS (sizeof((weir_t*)0)->source_rank[0] / sizeof *((weir_t*)0)->source_rank[0])

enum { RANK_ROW_BANK_COLUMN = 6, REFUSED = 2 };

enum count { READS, DELAY, REFRESH, DRAIN, QUEUE_FULL, BANK, TURNAROUND, BUS, COUNTS };

static const char* const names[COUNTS] = {"reads",      "delay", "refresh",    "drain",
                                          "queue_full", "bank",  "turnaround", "bus"};

static uint64_t before[RANKS][COUNTS], after[RANKS][COUNTS];  // hart 0's

static void count(uint64_t counts[][COUNTS]) {
  WRITE(counters_latch, WEIR__COUNTERS_LATCH__LATCH_bm);
  for (unsigned rank = 0; rank < RANKS; ++rank) {
#define OF_RANK(name) COUNTER(source_rank[0][rank].name)
    counts[rank][READS] = OF_RANK(read_hits) + OF_RANK(read_misses) + OF_RANK(read_conflicts);
    counts[rank][DELAY] = OF_RANK(read_delay);
    counts[rank][REFRESH] = OF_RANK(stalls_refresh);
    counts[rank][DRAIN] = OF_RANK(stalls_write_drain);
    counts[rank][QUEUE_FULL] = OF_RANK(stalls_queue_full);
    counts[rank][BANK] = OF_RANK(stalls_bank);
    counts[rank][TURNAROUND] = OF_RANK(stalls_turnaround);
    counts[rank][BUS] = OF_RANK(stalls_bus);
  }
}

static void begin(void) { count(before); }

static void end(void) { count(after); }

static void report(uint64_t cycles, const struct program* program) {
  printf("=== begin ranks ===\n{\"cycles\":%" PRIu64 ",\"operations\":%" PRIu32, cycles, program->operations);
  for (unsigned i = 0; i < COUNTS; ++i) {
    printf(",\"%s\":[", names[i]);
    for (unsigned rank = 0; rank < RANKS; ++rank)
      printf("%s%" PRIu64, rank > 0 ? "," : "", after[rank][i] - before[rank][i]);
    printf("]");
  }
  printf("}\n=== end ranks ===\n");
}

static bool set_registers(void) {
  uint32_t registers, offset, value;
  if (!script_number(&registers, 0, MOST_REGISTERS)) {
    printf("ranks: the script has no number of registers, 0 to %u\n", MOST_REGISTERS);
    return false;
  }
  for (uint32_t i = 0; i < registers; ++i) {
    if (!script_number(&offset, 0, sizeof(weir_t) - 4) || offset % 4 != 0 || !script_number(&value, 0, 999999999)) {
      printf("ranks: register %" PRIu32 " of the script has no offset and value\n", i);
      return false;
    }
    volatile uint32_t* const reg = (volatile uint32_t*)(WEIR_BASE + offset);
    *reg = value;
    if (*reg != value) {
      printf("ranks: the register at 0x%" PRIx32 " refuses 0x%" PRIx32 " and has 0x%" PRIx32 "\n", offset, value, *reg);
      return false;
    }
  }
  return true;
}

int main(void) {
  uint32_t updates, own_rank, kilobytes, operations, divider;
  const struct {
    const char* name;
    uint32_t* value;
    uint32_t least, greatest;
  } options[] = {
      {"updates", &updates, 0, 1},         {"own rank", &own_rank, 0, 1},
      {"kilobytes", &kilobytes, 16, 8192}, {"operations", &operations, 1, 1000000},
      {"divider", &divider, 1, 64},
  };
  for (unsigned i = 0; i < sizeof options / sizeof *options; ++i)
    if (!script_number(options[i].value, options[i].least, options[i].greatest)) {
      printf("ranks: the script's %s must be %" PRIu32 " to %" PRIu32 "\n", options[i].name, options[i].least,
             options[i].greatest);
      return REFUSED;
    }
  if (kilobytes & (kilobytes - 1)) {
    printf("ranks: %" PRIu32 " kilobytes are not a power of two\n", kilobytes);
    return REFUSED;
  }
  if (!set_registers()) return REFUSED;
  if (READ(address_map) != RANK_ROW_BANK_COLUMN) {
    printf("ranks: address map %" PRIu32 " is not rank_row_bank_column\n", READ(address_map));
    return REFUSED;
  }
  const struct program program = {
      .updates = updates,
      .own_rank = own_rank,
      .bytes = kilobytes * 1024,
      .operations = operations,
      .divider = divider,
      .geometry = {ROW_BYTES, FIELD(READ(geometry), WEIR__GEOMETRY__BANKS),
                   1u << FIELD(READ(geometry), WEIR__GEOMETRY__ROW_BITS), RANKS},
  };
  const uint64_t cycles = program_run(&program, begin, end);
  const uint64_t wrong = program_check(&program);
  report(cycles, &program);
  if (wrong) printf("ranks: %" PRIu64 " updates are lost or too many\n", wrong);
  return wrong != 0;
}
