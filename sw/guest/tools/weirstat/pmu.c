// SPDX-License-Identifier: Apache-2.0
#include "pmu.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/** Reads the first line of a file. @return whether it could be read; said on stderr if not */
static bool read_line(const char* folder, const char* name, char* line, int bytes) {
  char path[512];
  snprintf(path, sizeof path, "%s%s", folder, name);
  FILE* const file = fopen(path, "r");
  const bool is_read = file && fgets(line, bytes, file);
  if (!is_read) fprintf(stderr, "weirstat: %s: %s\n", path, file ? "empty" : strerror(errno));
  if (file) fclose(file);
  if (is_read) line[strcspn(line, "\n")] = '\0';
  return is_read;
}

static bool read_number(const char* folder, const char* name, unsigned* number) {
  char line[64];
  if (!read_line(folder, name, line, sizeof line)) return false;
  char* end;
  *number = strtoul(line, &end, 10);
  if (end != line && !*end) return true;
  fprintf(stderr, "weirstat: %s%s: '%s' is no number\n", folder, name, line);
  return false;
}

static const char* const dimension_names[DIMENSIONS] = {"channel", "hart", "rank", "bucket"};

/** Reads where in the config of an event the number in a dimension stands, from text as `config:8-19`. */
static bool read_format(struct pmu* pmu, enum dimension dimension) {
  char line[64];
  if (!read_line(PMU_FOLDER "format/", dimension_names[dimension], line, sizeof line)) return false;
  if (sscanf(line, "config:%u", &pmu->shift[dimension]) == 1) return true;
  fprintf(stderr, "weirstat: %sformat/%s: '%s' is no part of config\n", PMU_FOLDER, dimension_names[dimension], line);
  return false;
}

/** Adds an event, from text as `event=0x60,hart=?,rank=?`. @return it, or NULL; what is wrong is said on stderr */
static const struct event* read_event(struct pmu* pmu, const char* name) {
  if (pmu->event_count == EVENTS_MOST || strlen(name) >= NAME_BYTES) {
    fprintf(stderr, "weirstat: event %s: there are more than %d events, or one of %d letters\n", name, EVENTS_MOST,
            NAME_BYTES);
    return NULL;
  }
  struct event* const event = &pmu->events[pmu->event_count];
  char line[64];
  if (!read_line(PMU_FOLDER "events/", name, line, sizeof line)) return NULL;
  if (sscanf(line, "event=%x", &event->code) != 1) {
    fprintf(stderr, "weirstat: %sevents/%s: '%s' is no event\n", PMU_FOLDER, name, line);
    return NULL;
  }
  memcpy(event->name, name, strlen(name) + 1);
  for (enum dimension dimension = 0; dimension < DIMENSIONS; ++dimension) {
    char parameter[16];
    snprintf(parameter, sizeof parameter, ",%s=?", dimension_names[dimension]);
    event->has[dimension] = strstr(line, parameter);
  }
  ++pmu->event_count;
  return event;
}

static int by_code(const void* one, const void* other) {
  return (int)((const struct event*)one)->code - (int)((const struct event*)other)->code;
}

bool pmu_all_events(struct pmu* pmu) {
  DIR* const folder = opendir(PMU_FOLDER "events");
  if (!folder) {
    fprintf(stderr, "weirstat: %sevents: %s\n", PMU_FOLDER, strerror(errno));
    return false;
  }
  bool are_read = true;
  for (const struct dirent* entry; are_read && (entry = readdir(folder));)
    if (entry->d_name[0] != '.') are_read = read_event(pmu, entry->d_name);
  closedir(folder);
  qsort(pmu->events, pmu->event_count, sizeof *pmu->events, by_code);
  return are_read;
}

bool pmu_find(struct pmu* pmu) {
  *pmu = (struct pmu){.sizes = {[BUCKET] = BUCKETS}};
  if (access(PMU_FOLDER, F_OK)) {
    fprintf(stderr, "weirstat: %s: %s; is there a Weir controller with counters, and its driver?\n", PMU_FOLDER,
            strerror(errno));
    return false;
  }
  unsigned ranks, clock_ps, phases, data_bits;
  if (!read_number(PMU_FOLDER, "type", &pmu->type) || !read_number(PMU_FOLDER, "cpumask", &pmu->cpu) ||
      !read_number(GEOMETRY_FOLDER, "channels", &pmu->sizes[CHANNEL]) ||
      !read_number(GEOMETRY_FOLDER, "sources", &pmu->sizes[HART]) || !read_number(GEOMETRY_FOLDER, "ranks", &ranks) ||
      !read_number(GEOMETRY_FOLDER, "line_bytes", &pmu->line_bytes) ||
      !read_number(GEOMETRY_FOLDER, "clock_ps", &clock_ps) || !read_number(GEOMETRY_FOLDER, "phases", &phases) ||
      !read_number(GEOMETRY_FOLDER, "data_bits", &data_bits))
    return false;
  pmu->sizes[RANK] = ranks * pmu->sizes[CHANNEL];
  pmu->cycle_ps = clock_ps * phases;
  pmu->burst_ps = pmu->line_bytes * 8 / (2 * data_bits) * clock_ps;
  for (enum dimension dimension = 0; dimension < DIMENSIONS; ++dimension)
    if (!read_format(pmu, dimension)) return false;
  return true;
}

const struct event* pmu_event(struct pmu* pmu, const char* name) {
  for (size_t i = 0; i < pmu->event_count; ++i)
    if (!strcmp(pmu->events[i].name, name)) return &pmu->events[i];
  // each is a file, of which there are some forty: only what is asked for is read
  char path[512];
  const bool is_there = snprintf(path, sizeof path, "%sevents/%s", PMU_FOLDER, name) < (int)sizeof path &&
                        *name != '.' && !strchr(name, '/') && *name && !access(path, F_OK);
  return is_there ? read_event(pmu, name) : NULL;
}

int pmu_open(const struct pmu* pmu, const struct event* event, const unsigned at[DIMENSIONS], int leader) {
  struct perf_event_attr attributes = {
      .type = pmu->type,
      .size = sizeof attributes,
      .config = event->code,
      .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED,
      .disabled = leader < 0,
  };
  for (enum dimension dimension = 0; dimension < DIMENSIONS; ++dimension)
    attributes.config |= (uint64_t)at[dimension] << pmu->shift[dimension];
  return syscall(SYS_perf_event_open, &attributes, -1, pmu->cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

bool pmu_start(int leader) { return !ioctl(leader, PERF_EVENT_IOC_ENABLE, 0); }

bool pmu_read(int leader, uint64_t* nanoseconds, uint64_t* values, size_t count) {
  const size_t bytes = (2 + count) * sizeof *values;
  uint64_t* const all = malloc(bytes);
  const bool is_read = all && read(leader, all, bytes) == (ssize_t)bytes && all[0] == count;
  if (is_read) *nanoseconds = all[1], memcpy(values, all + 2, count * sizeof *values);
  free(all);
  return is_read;
}
