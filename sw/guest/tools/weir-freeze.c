// SPDX-License-Identifier: Apache-2.0
// weir-freeze: asks the simulator for a snapshot of the machine as it is. When the machine goes on from it, prints the
// script that is handed over then, for the shell that has asked: eval "$(weir-freeze)".
#include <stdio.h>

#include "../userland/host_register.h"

// Exits with 1 when there is no such register.
static volatile uint32_t* reach(const char* name) {
  const char* problem;
  volatile uint32_t* found = host_register(name, &problem);
  if (found) return found;
  const char* value = getenv(name);
  fprintf(stderr, "weir-freeze: %s%s%s %s\n", name, value ? "=" : "", value ? value : "",
          problem ? problem : "is not on the kernel's command line");
  exit(1);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    fprintf(stderr, "weir-freeze: %s is no option; usage: eval \"$(weir-freeze)\"\n", argv[1]);
    return 2;
  }
  volatile uint32_t* const freeze = reach("host_freeze");
  volatile uint32_t* const script = reach("host_script");
  *freeze = 1;
  for (uint32_t byte; (byte = *script) >> 8 & 1;) putchar((int)(byte & 0xff));
  return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
