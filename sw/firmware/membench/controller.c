// SPDX-License-Identifier: Apache-2.0
#include "controller.h"

#include <generated/mem.h>
#include <stdio.h>

#ifdef WEIR_BASE

#include <inttypes.h>

#include "harts.h"
#include "weir_registers.h"

bool controller_identify(void) {
  const uint32_t identity = READ(identity), version = READ(version), geometry = READ(geometry);
  if (identity != WEIR__IDENTITY__MAGIC_reset) {
    printf("controller at 0x%lx: identity 0x%08" PRIx32 " is not Weir's\n", WEIR_BASE, identity);
    return false;
  }
  printf("controller: Weir %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", %" PRIu32 " ranks of %" PRIu32 " banks\n",
         FIELD(version, WEIR__VERSION__MAJOR), FIELD(version, WEIR__VERSION__MINOR),
         FIELD(version, WEIR__VERSION__PATCH), FIELD(geometry, WEIR__GEOMETRY__RANKS),
         FIELD(geometry, WEIR__GEOMETRY__BANKS));
  return true;
}

#ifdef WEIR__SOURCE_RANK__READ_HITS_LOW__VALUE_bm  // this Weir counts

static void print_source_rank(unsigned hart, unsigned rank) {
  printf("hart %u rank %u %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", hart,
         rank, COUNTER(source_rank[hart][rank].read_hits), COUNTER(source_rank[hart][rank].read_misses),
         COUNTER(source_rank[hart][rank].read_conflicts), COUNTER(source_rank[hart][rank].write_hits),
         COUNTER(source_rank[hart][rank].write_misses), COUNTER(source_rank[hart][rank].write_conflicts));
}

void controller_counters(void) {
  const unsigned ranks = FIELD(READ(geometry), WEIR__GEOMETRY__RANKS);
  WRITE(counters_latch, WEIR__COUNTERS_LATCH__LATCH_bm);
  printf("\n--=== membench: counters since reset ===--\n%-13s %10s %10s %10s %10s %10s %10s\n", "DRAM bursts",
         "read hit", "miss", "conflict", "write hit", "miss", "conflict");
  for (unsigned hart = 0; hart < HARTS; ++hart)
    for (unsigned rank = 0; rank < ranks; ++rank) print_source_rank(hart, rank);
  for (unsigned rank = 0; rank < ranks; ++rank)
    printf("rank %u: %" PRIu64 " activates, %" PRIu64 " precharges, %" PRIu64 " refreshes (%" PRIu64
           " forced), %" PRIu64 " drains\n",
           rank, COUNTER(rank[rank].activates), COUNTER(rank[rank].precharges), COUNTER(rank[rank].refreshes),
           COUNTER(rank[rank].refreshes_forced), COUNTER(rank[rank].drains));
}

#else

void controller_counters(void) {}

#endif

#else

bool controller_identify(void) {
  printf("controller: LiteDRAM's, which has no registers\n");
  return true;
}

void controller_counters(void) {}

#endif
