// SPDX-License-Identifier: Apache-2.0
// What it costs to fork a process that ends at once, and to wait for its end: "fork=MEAN" of 1000.
#include <sys/wait.h>

#include "measure.h"

enum { FORKS = 1000, BEFORE = 20 };

int main(void) {
  long start = 0;
  // the first ones fill caches of the kernel
  for (int made = -BEFORE; made < FORKS; made++) {
    if (made == 0) start = now();
    pid_t child = fork();
    if (!child) _exit(0);
    if (child < 0 || waitpid(child, NULL, 0) != child) return 1;
  }
  printf("fork=%ld\n", (now() - start) / FORKS);
  return 0;
}
