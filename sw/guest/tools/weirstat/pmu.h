/* SPDX-License-Identifier: Apache-2.0 */
/** The counters of Weir as Linux offers them: events by name, opened for a hart and a rank. */
#ifndef PMU_H
#define PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMU_FOLDER "/sys/bus/event_source/devices/weir0/"
/** What the controller is; the PMU is a child of its device. */
#define GEOMETRY_FOLDER PMU_FOLDER "../../geometry/"

enum { EVENTS_MOST = 64, NAME_BYTES = 48, BUCKETS = 12 };

/** What an event is counted for. */
enum dimension { CHANNEL, HART, RANK, BUCKET, DIMENSIONS };

/** An event of the controller. */
struct event {
  char name[NAME_BYTES];
  unsigned code;
  bool has[DIMENSIONS];
};

/** A controller and what it counts. */
struct pmu {
  unsigned type;
  unsigned cpu;               /**< to open events on */
  unsigned sizes[DIMENSIONS]; /**< of channels, sources of accesses, ranks of all channels, buckets */
  unsigned shift[DIMENSIONS]; /**< lowest bit in an event's config */
  unsigned line_bytes;        /**< bytes of a DRAM burst */
  unsigned cycle_ps;          /**< length of a controller cycle */
  unsigned burst_ps;          /**< for how long a DRAM burst has the data bus */
  struct event events[EVENTS_MOST];
  size_t event_count; /**< of those that have been read */
};

/** Finds the first controller, without its events. @return whether there is one; what is wrong is said on stderr if not
 */
bool pmu_find(struct pmu* pmu);

/** Reads all events, in the order of their codes, before any is asked for. @return whether they could be read; said on
 * stderr if not */
bool pmu_all_events(struct pmu* pmu);

/** @return the event of that name, or NULL; what is wrong with one that there is is said on stderr */
const struct event* pmu_event(struct pmu* pmu, const char* name);

/**
 * Makes an event ready to be counted. A group that does not count yet takes in another event at little cost; one that
 * does would be stopped and started for each.
 * @param at     number in each dimension; 0 in those that the event does not have
 * @param leader file descriptor of the first event of the group, -1 for the first itself
 * @return file descriptor; -1, with errno set, if the kernel refuses
 */
int pmu_open(const struct pmu* pmu, const struct event* event, const unsigned at[DIMENSIONS], int leader);

/** Starts all events of a group, in one and the same cycle. @return whether the kernel does, with errno set if not */
bool pmu_start(int leader);

/**
 * Reads all events of a group, of one and the same cycle, in the order in which they were opened.
 * @param nanoseconds  for which they have counted
 * @return whether that many could be read, with errno set if not
 */
bool pmu_read(int leader, uint64_t* nanoseconds, uint64_t* values, size_t count);

#endif
