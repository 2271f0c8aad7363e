// SPDX-License-Identifier: Apache-2.0
// membench: latency and bandwidth of memory as the harts see them, by one hart and by all at once. The data are
// checked; the exit code is the number of measurements whose data were wrong.
#include <generated/mem.h>
#include <generated/soc.h>
#include <stdio.h>

#include "controller.h"
#include "harts.h"
#include "measure.h"
#include "plan.h"
#include "report.h"

#define KIB 1024u
#define MIB (1024u * KIB)

// Each hart has memory of its own. The buffers begin in different banks, as those of unrelated programs would.
static const struct places places = {
    .chase = MAIN_RAM_BASE + 64 * MIB,
    .chase_spacing = 128 * MIB + 40 * KIB,
    .buffer = MAIN_RAM_BASE + MAIN_RAM_SIZE / 2,
    .buffer_spacing = 8 * MIB + 40 * KIB,
};

#define CYCLES_PER_MICROSECOND (CONFIG_CLOCK_FREQUENCY / 1000000u)

int main(void) {
  printf("\nmembench on %d hart(s) at %d MHz, cycles and MB/s at that clock\n", HARTS, CYCLES_PER_MICROSECOND);
  if (!controller_identify()) return 1;
  measure(&plan, HARTS, places, CYCLES_PER_MICROSECOND);
  controller_counters();
  report_block();
  printf("membench: %u result(s) with wrong data\n", report_errors());
  return (int)report_errors();
}
