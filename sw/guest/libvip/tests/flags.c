// SPDX-License-Identifier: Apache-2.0
/* Run on a kernel with ViPZonE: prints the hints that /proc/self/smaps shows of what libvip allocates, a line for each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../vip.h"

/* Prints what of vp, vw and vh the mapping with `memory` has. */
static void show(const char* name, const void* memory) {
  FILE* smaps = fopen("/proc/self/smaps", "r");
  char line[512];
  int found = 0;
  printf("%s:", name);
  while (smaps && fgets(line, sizeof line, smaps)) {
    uintptr_t start, end;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2) {
      found = start <= (uintptr_t)memory && (uintptr_t)memory < end;
    } else if (found && strncmp(line, "VmFlags:", 8) == 0) {
      for (const char* flag = strtok(line, " \n"); flag; flag = strtok(NULL, " \n")) {
        if (flag[0] == 'v') printf(" %s", flag);
      }
    }
  }
  printf("\n");
  fclose(smaps);
}

int main(void) {
  static const struct {
    const char* name;
    size_t flags;
  } cases[] = {
      {"none", 0},
      {"write low", VIP_TYP_WRITE | VIP_LOW_UTIL},
      {"read high", VIP_TYP_READ | VIP_HI_UTIL},
      {"write high", VIP_TYP_WRITE | VIP_HI_UTIL},
  };
  printf("available: %d\n", vip_available());
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char* memory = vip_malloc(100000, cases[i].flags);
    if (!memory) return 1;
    memset(memory, 1, 100000);
    show(cases[i].name, memory);
    vip_free(memory);
  }
  char* memory = vip_mmap(NULL, 4096, PROT_READ | VIP_HI_UTIL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  show("mmap", memory);
  void* plain = malloc(100000);
  show("malloc", plain);
  free(plain);
  return 0;
}
