// SPDX-License-Identifier: Apache-2.0
// membench: latency and bandwidth of memory as the harts see them, by one hart and by all at once. The data are
// checked; the exit code is the number of measurements whose data were wrong.
#include <generated/mem.h>
#include <generated/soc.h>
#include <stdio.h>

#include "bandwidth.h"
#include "controller.h"
#include "harts.h"
#include "latency.h"
#include "plan.h"
#include "report.h"

#define KIB 1024u
#define MIB (1024u * KIB)

// Each hart has memory of its own. The buffers begin in different banks, as those of unrelated programs would.
#define CHASE_BASE (MAIN_RAM_BASE + 64 * MIB)
#define CHASE_SPACING (128 * MIB + 40 * KIB)
#define BUFFER_BASE (MAIN_RAM_BASE + 1024 * MIB)
#define BUFFER_SPACING (8 * MIB + 40 * KIB)

#define CYCLES_PER_MICROSECOND (CONFIG_CLOCK_FREQUENCY / 1000000u)

// A result of one hart, in a cache line of its own.
struct outcome {
  struct span timed;
  uint64_t cycles_x100;
  bool right;
} __attribute__((aligned(CACHE_LINE)));

static struct outcome outcomes[HARTS];

static bool all_right(unsigned harts) {
  bool right = true;
  for (unsigned hart = 0; hart < harts; ++hart) right &= outcomes[hart].right;
  return right;
}

static void chase_work(unsigned hart, void* point) {
  struct outcome* outcome = &outcomes[hart];
  outcome->right = chase(CHASE_BASE + hart * CHASE_SPACING, *(const struct latency_point*)point, &outcome->cycles_x100);
}

static void measure_latency(struct latency_point point, unsigned harts) {
  harts_run(harts, chase_work, &point);
  uint64_t total = 0;
  for (unsigned hart = 0; hart < harts; ++hart) total += outcomes[hart].cycles_x100;
  report_row((struct row){"chase_latency", harts, point.footprint, point.stride, total / harts, "cycles"},
             all_right(harts));
}

struct bandwidth_work {
  const struct access_kind* kind;
  uint64_t footprint;
};

static void bandwidth_work(unsigned hart, void* argument) {
  const struct bandwidth_work* work = argument;
  struct outcome* outcome = &outcomes[hart];
  outcome->right = work->kind->run(BUFFER_BASE + hart * BUFFER_SPACING, work->footprint, &outcome->timed);
}

// All bytes over the time from the first hart's start to the last one's end.
static void measure_bandwidth(const struct access_kind* kind, uint64_t footprint, unsigned harts) {
  harts_run(harts, bandwidth_work, &(struct bandwidth_work){kind, footprint});
  struct span whole = outcomes[0].timed;
  for (unsigned hart = 1; hart < harts; ++hart) {
    const struct span* timed = &outcomes[hart].timed;
    if (timed->start < whole.start) whole.start = timed->start;
    if (timed->end > whole.end) whole.end = timed->end;
  }
  const uint64_t bytes = harts * bytes_moved(kind, footprint);
  const uint64_t megabytes_x100 = bytes * CYCLES_PER_MICROSECOND * 100 / (whole.end - whole.start);
  report_row((struct row){kind->name, harts, footprint, 0, megabytes_x100, "MB/s"}, all_right(harts));
}

static void measure_bandwidths(bool random, const uint32_t* footprints, size_t count, unsigned harts) {
  for (size_t i = 0; i < count; ++i)
    for (unsigned kind = 0; kind < access_kind_count; ++kind)
      if (access_kinds[kind].random == random) measure_bandwidth(&access_kinds[kind], footprints[i], harts);
}

int main(void) {
  printf("\nmembench on %d hart(s) at %d MHz, cycles and MB/s at that clock\n", HARTS, CYCLES_PER_MICROSECOND);
  if (!controller_identify()) return 1;
  report_section("latency, one hart");
  for (size_t i = 0; i < plan.latencies; ++i) measure_latency(plan.latency[i], 1);
  report_section("bandwidth, one hart");
  measure_bandwidths(false, plan.sequential, plan.sequentials, 1);
  measure_bandwidths(true, plan.random, plan.randoms, 1);
  if (HARTS > 1) {
    report_section("latency, all harts at once");
    for (size_t i = 0; i < plan.loadeds; ++i) measure_latency(plan.loaded[i], HARTS);
    report_section("bandwidth, all harts at once");
    measure_bandwidths(false, plan.sequential, plan.sequentials, HARTS);
    measure_bandwidths(true, plan.random, plan.randoms, HARTS);
  }
  controller_counters();
  report_block();
  printf("membench: %u result(s) with wrong data\n", report_errors());
  return (int)report_errors();
}
