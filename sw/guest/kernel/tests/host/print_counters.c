// SPDX-License-Identifier: Apache-2.0
// Prints where the driver has each counter of soc-64: group, name, hart, rank, bucket and offset. COUNTERS is its
// header.
#include <stdbool.h>
#include <stdio.h>
#include COUNTERS

int main(void) {
  static const char* const groups[] = {"channel", "rank", "source", "source_rank", "read_latency"};
  const struct weir_pmu_shape shape = {.explains = true, .channels = 1, .harts = 4, .ranks = 2};
  struct weir_pmu_place place = {0};
  for (unsigned group = 0; group < WEIR_PMU_GROUPS; ++group)
    for (unsigned number = 0; number < weir_pmu_counters(&shape, group); ++number)
      for (place.hart = 0; place.hart < shape.harts; ++place.hart)
        for (place.rank = 0; place.rank < shape.ranks; ++place.rank)
          for (place.bucket = 0; place.bucket < WEIR_LATENCY_BUCKETS; ++place.bucket)
            printf("%s %s %u %u %u %u\n", groups[group], weir_pmu_groups[group].names[number], place.hart, place.rank,
                   place.bucket, weir_pmu_offset(&shape, WEIR_PMU_EVENT(group, number), &place));
  printf("end end 0 0 0 %u\n", weir_pmu_start(&shape, WEIR_PMU_GROUPS));
}
