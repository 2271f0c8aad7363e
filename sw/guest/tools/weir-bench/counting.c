// SPDX-License-Identifier: Apache-2.0
#include "counting.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define VARIABLE "WEIRSTAT_GROUP"

static int group = -1;

// To the leader alone: the others are enabled, and count when it does. An order to each would start the group anew each
// time.
static void order(unsigned long request) {
  if (group < 0 || !ioctl(group, request, 0)) return;
  fprintf(stderr, "weir-bench: %s=%d: %s\n", VARIABLE, group, strerror(errno));
  exit(EXIT_FAILURE);
}

void counting_reach(void) {
  const char* const value = getenv(VARIABLE);
  if (!value) return;
  char* end;
  const unsigned long descriptor = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || descriptor > INT_MAX) {
    fprintf(stderr, "weir-bench: %s=%s: not a file descriptor\n", VARIABLE, value);
    exit(EXIT_FAILURE);
  }
  group = (int)descriptor;
  order(PERF_EVENT_IOC_DISABLE);  // as it is already: a wrong descriptor is told before the work
}

void counting_begin(void) { order(PERF_EVENT_IOC_ENABLE); }
void counting_end(void) { order(PERF_EVENT_IOC_DISABLE); }
