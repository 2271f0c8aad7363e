// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "script.h"
#include "workload.h"

unsigned options_read(struct options* options) {
  uint32_t policy;
  const struct {
    uint32_t* value;
    uint32_t least, greatest;
  } all[] = {
      {&policy, 0, POLICIES - 1},
      {&options->pointer_table, 0, 1},
      {&options->time_scale, 1, 64},
      {&options->accesses, 1, 100000000},
      {&options->hot_pages, 1, MOST_HOT_PAGES},
      {&options->hot_share, 0, 128},
      {&options->writes, 0, 128},
      {&options->frames, 32, 1024},
      {&options->interval, 1000, 100000000},
      {&options->seed, 1, 999999999},
  };
  for (unsigned place = 0; place < sizeof all / sizeof *all; ++place)
    if (!script_number(all[place].value, all[place].least, all[place].greatest)) return place + 1;
  options->policy = (enum policy)policy;
  return 0;
}
