// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include "bandwidth.h"
#include "harts.h"
#include "latency.h"
#include "report.h"

// A result of one hart, in a cache line of its own.
struct outcome {
  struct span timed;
  uint64_t cycles_x100;
  bool right;
} __attribute__((aligned(CACHE_LINE)));

static struct outcome outcomes[HARTS];
static struct places places;
static uint64_t cycles_per_microsecond;

static bool all_right(unsigned harts) {
  bool right = true;
  for (unsigned hart = 0; hart < harts; ++hart) right &= outcomes[hart].right;
  return right;
}

static void chase_work(unsigned hart, void* point) {
  struct outcome* outcome = &outcomes[hart];
  outcome->right =
      chase(places.chase + hart * places.chase_spacing, *(const struct latency_point*)point, &outcome->cycles_x100);
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
  outcome->right = work->kind->run(places.buffer + hart * places.buffer_spacing, work->footprint, &outcome->timed);
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
  const uint64_t megabytes_x100 = bytes * cycles_per_microsecond * 100 / (whole.end - whole.start);
  report_row((struct row){kind->name, harts, footprint, 0, megabytes_x100, "MB/s"}, all_right(harts));
}

static void measure_bandwidths(bool random, const uint32_t* footprints, size_t count, unsigned harts) {
  for (size_t i = 0; i < count; ++i)
    for (unsigned kind = 0; kind < access_kind_count; ++kind)
      if (access_kinds[kind].random == random) measure_bandwidth(&access_kinds[kind], footprints[i], harts);
}

void measure(const struct plan* plan, unsigned harts, struct places where, uint64_t clock_megahertz) {
  places = where;
  cycles_per_microsecond = clock_megahertz;
  report_section("latency, one hart");
  for (size_t i = 0; i < plan->latencies; ++i) measure_latency(plan->latency[i], 1);
  report_section("bandwidth, one hart");
  measure_bandwidths(false, plan->sequential, plan->sequentials, 1);
  measure_bandwidths(true, plan->random, plan->randoms, 1);
  if (harts > 1) {
    report_section("latency, all harts at once");
    for (size_t i = 0; i < plan->loadeds; ++i) measure_latency(plan->loaded[i], harts);
    report_section("bandwidth, all harts at once");
    measure_bandwidths(false, plan->sequential, plan->sequentials, harts);
    measure_bandwidths(true, plan->random, plan->randoms, harts);
  }
}
