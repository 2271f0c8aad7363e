// SPDX-License-Identifier: Apache-2.0
// follow COMMAND: counts the controller's cycles while the shell runs COMMAND, and prints how many. The event is
// mapped, as perf does it, so that all that the kernel has of it goes only when this ends.
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

int main(int argc, char** argv) {
  struct perf_event_attr attributes = {.size = sizeof attributes};
  FILE* const type = fopen("/sys/bus/event_source/devices/weir0/type", "r");
  if (argc != 2 || !type || fscanf(type, "%u", &attributes.type) != 1) return EXIT_FAILURE;
  const int event = syscall(SYS_perf_event_open, &attributes, -1, 0, -1, 0);
  uint64_t before, after;
  if (event < 0 || mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, event, 0) == MAP_FAILED) return EXIT_FAILURE;
  if (read(event, &before, sizeof before) != sizeof before || system(argv[1])) return EXIT_FAILURE;
  if (read(event, &after, sizeof after) != sizeof after) return EXIT_FAILURE;
  printf("counted %lu\n", (unsigned long)(after - before));
  return EXIT_SUCCESS;
}
