// SPDX-License-Identifier: Apache-2.0
// perf_open NAME=VALUE...: opens an event of weir0 and prints "counts" or the number of the error. The names: event,
// hart, rank, bucket, channel (parts of the config, in their places as Documentation/admin-guide/perf/weir.rst says),
// config, config1, config2, period, pid (-1 for all tasks), cpu, leader (1: in a group behind cycles; 2: behind the
// machine's clock).
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(struct perf_event_attr* attributes, int pid, int cpu, int leader) {
  return syscall(SYS_perf_event_open, attributes, pid, cpu, leader, 0);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    unsigned shift;
  } parts[] = {{"event", 0}, {"hart", 8}, {"rank", 20}, {"bucket", 28}, {"channel", 32}, {"config", 0}};
  struct perf_event_attr attributes = {.size = sizeof attributes};
  struct perf_event_attr first = {.size = sizeof first};
  int pid = -1, cpu = 0, leader = 0;
  FILE* const type = fopen("/sys/bus/event_source/devices/weir0/type", "r");
  if (!type || fscanf(type, "%u", &attributes.type) != 1) return EXIT_FAILURE;
  for (int i = 1; i < argc; ++i) {
    const char* const name = strtok(argv[i], "=");
    const uint64_t value = strtoull(strtok(NULL, "="), NULL, 0);
    for (size_t part = 0; part < sizeof parts / sizeof *parts; ++part)
      if (!strcmp(name, parts[part].name)) attributes.config |= value << parts[part].shift;
    if (!strcmp(name, "config1")) attributes.config1 = value;
    if (!strcmp(name, "config2")) attributes.config2 = value;
    if (!strcmp(name, "period")) attributes.sample_period = value;
    if (!strcmp(name, "pid")) pid = (int)value;
    if (!strcmp(name, "cpu")) cpu = (int)value;
    if (!strcmp(name, "leader")) leader = (int)value;
  }
  first.type = leader == 2 ? PERF_TYPE_SOFTWARE : attributes.type;
  first.config = leader == 2 ? PERF_COUNT_SW_CPU_CLOCK : 0;
  const int group = leader ? open_event(&first, -1, 0, -1) : -1;
  if (leader && group < 0) return EXIT_FAILURE;
  if (open_event(&attributes, pid, cpu, group) >= 0)
    puts("counts");
  else
    puts(errno == EINVAL ? "EINVAL" : errno == EOPNOTSUPP ? "EOPNOTSUPP" : strerror(errno));
  return EXIT_SUCCESS;
}
