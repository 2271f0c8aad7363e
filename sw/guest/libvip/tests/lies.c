// SPDX-License-Identifier: Apache-2.0
/* Run on a kernel with ViPZonE: prints in which nodes what libvip allocates lies, a line for each. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../vip.h"

enum { BYTES = 64 * 4096, NODE_OF_ADDRESS = 3 /* MPOL_F_NODE | MPOL_F_ADDR */ };

/* Prints how many pages lie in each node. */
static void show(const char* name, char* memory) {
  int pages[64] = {0};
  for (int at = 0; at < BYTES; at += 4096) {
    int node = -1;
    if (syscall(SYS_get_mempolicy, &node, NULL, 0, memory + at, NODE_OF_ADDRESS) || node < 0 || node >= 64) exit(1);
    pages[node]++;
  }
  printf("%s:", name);
  for (int node = 0; node < 64; node++)
    if (pages[node]) printf(" %d in node %d", pages[node], node);
  printf("\n");
}

int main(void) {
  static const struct {
    const char* name;
    int flags, map;
  } cases[] = {
      {"read", VIP_HI_UTIL, 0},
      {"write", VIP_TYP_WRITE | VIP_HI_UTIL, 0},
      {"write, populated", VIP_TYP_WRITE | VIP_HI_UTIL, MAP_POPULATE},
      {"few", VIP_TYP_WRITE | VIP_LOW_UTIL, 0},
  };
  printf("available: %d\n", vip_available());
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int map = MAP_PRIVATE | MAP_ANONYMOUS | cases[i].map;
    char* memory = vip_mmap(NULL, BYTES, PROT_READ | PROT_WRITE | cases[i].flags, map, -1, 0);
    if (memory == MAP_FAILED) return 1;
    if (!cases[i].map) memset(memory, 1, BYTES);
    show(cases[i].name, memory);
    munmap(memory, BYTES);
  }
  char* memory = vip_malloc(BYTES, VIP_TYP_WRITE | VIP_HI_UTIL);
  if (!memory) return 1;
  memset(memory, 1, BYTES);
  show("piece", memory);
  vip_free(memory);
  return 0;
}
