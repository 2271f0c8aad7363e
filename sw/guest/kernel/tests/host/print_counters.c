// SPDX-License-Identifier: Apache-2.0
// Prints where the driver has each counter of soc-64 that it has a name for: group, name, hart, rank, bucket and
// offset. COUNTERS is its header.
#include <stdint.h>
#include <stdio.h>
typedef uint32_t u32;
#include COUNTERS

int main(void) {
  static const char* const groups[] = {"channel", "rank", "source", "source_rank", "read_latency"};
  const struct weir_pmu_shape shape = {.channels = 1, .harts = 4, .ranks = 2};
  struct weir_pmu_place place = {0};
  for (unsigned group = 0; group < WEIR_PMU_GROUPS; ++group)
    for (unsigned number = 0; number < WEIR_PMU_NUMBERS; ++number)
      for (place.hart = 0; place.hart < shape.harts; ++place.hart)
        for (place.rank = 0; place.rank < shape.ranks; ++place.rank)
          for (place.bucket = 0; place.bucket < WEIR_LATENCY_BUCKETS; ++place.bucket)
            if (weir_pmu_groups[group].names[number])
              printf("%s %s %u %u %u %u\n", groups[group], weir_pmu_groups[group].names[number], place.hart, place.rank,
                     place.bucket, weir_pmu_offset(&shape, WEIR_PMU_EVENT(group, number), &place));
}
