// SPDX-License-Identifier: Apache-2.0
// membench as a Linux program: latency and bandwidth of memory as the harts see them through their TLBs. Exit code 0, 1
// when data were wrong or the machine lacks something, 2 for bad arguments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harts.h"
#include "measure.h"
#include "plans.h"
#include "report.h"

enum { EXIT_USAGE = 2, CLOCK_MEGAHERTZ = 200, PAGE_BYTES = 4096 };

#define MOST_FOOTPRINT (4u << 20)  // of the plans, in bytes
// The buffers begin in different banks of the DRAM, as far as Linux has such pages.
#define SPACING (MOST_FOOTPRINT + (40u << 10))

static uintptr_t memory(unsigned harts) {
  void* start = mmap(NULL, harts * (uint64_t)SPACING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    perror("membench: memory");
    exit(EXIT_FAILURE);
  }
  return (uintptr_t)start;
}

// A page must be there before the time is taken. The chase touches its own.
static void touch(const uint32_t* footprints, size_t count, struct places places, unsigned harts) {
  for (size_t i = 0; i < count; ++i)
    for (unsigned hart = 0; hart < harts; ++hart)
      for (uint32_t at = 0; at < footprints[i]; at += PAGE_BYTES)
        *(volatile char*)(places.buffer + hart * places.buffer_spacing + at) = 0;
}

static void usage(FILE* stream) {
  fprintf(stream,
          "usage: membench [--quick] [--harts N]\n"
          "  --quick    one point of each kind of measurement: some million cycles\n"
          "  --harts N  how many measure at once, 1 to as many as may be used, which is the default\n");
}

static unsigned parse_harts(const char* value) {
  char* end;
  const unsigned long harts = value ? strtoul(value, &end, 10) : 0;
  if (!value || *value < '0' || *value > '9' || *end || harts < 1 || harts > harts_allowed()) {
    fprintf(stderr, "membench: --harts %s is not a number from 1 to %u\n", value ? value : "", harts_allowed());
    exit(EXIT_USAGE);
  }
  return (unsigned)harts;
}

int main(int count, char** arguments) {
  (void)count;
  const struct plan* plan = &plan_usual;
  unsigned harts = harts_allowed();
  for (char** argument = arguments + 1; *argument; ++argument) {
    if (!strcmp(*argument, "--quick")) {
      plan = &plan_quick;
    } else if (!strcmp(*argument, "--harts")) {
      harts = parse_harts(*++argument);
    } else if (!strcmp(*argument, "--help")) {
      usage(stdout);
      return EXIT_SUCCESS;
    } else {
      fprintf(stderr, "membench: %s is no option\n", *argument);
      usage(stderr);
      return EXIT_USAGE;
    }
  }
  printf("membench on %u hart(s) at %d MHz, cycles and MB/s at that clock\n", harts, CLOCK_MEGAHERTZ);
  const struct places places = {memory(harts), SPACING, memory(harts), SPACING};
  touch(plan->sequential, plan->sequentials, places, harts);
  touch(plan->random, plan->randoms, places, harts);
  measure(plan, harts, places, CLOCK_MEGAHERTZ);
  report_block();
  printf("membench: %u result(s) with wrong data\n", report_errors());
  return report_errors() ? EXIT_FAILURE : EXIT_SUCCESS;
}
