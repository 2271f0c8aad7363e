// SPDX-License-Identifier: Apache-2.0
// What it costs that the first cgroup gets banks and that the last one gives them up, of which all free pages are
// sorted by colour and no more: "free=PAGES on=MEAN off=MEAN" of ten times.
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include "measure.h"

enum { TIMES = 10 };
#define GROUP "/sys/fs/cgroup/toggles"

int main(void) {
  struct sysinfo info;
  long on = 0, off = 0;
  mkdir(GROUP, 0755);
  if (sysinfo(&info)) return 1;
  for (int time = 0; time < TIMES; time++) {
    long start = now();
    put(GROUP "/memory.palloc.banks", "1-2");
    long between = now();
    put(GROUP "/memory.palloc.banks", "\n");
    on += between - start;
    off += now() - between;
  }
  printf("free=%ld on=%ld off=%ld\n", (long)(info.freeram * info.mem_unit / 4096), on / TIMES, off / TIMES);
  return 0;
}
