// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "vip.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER "/sys/kernel/mm/vipzone/"

/* Of the kernel's <linux/mempolicy.h> */
enum { PREFERRED = 1, WEIGHTED_INTERLEAVE = 6, MOVE = 1 << 1 };

enum {
  FLAGS = VIP_TYP_WRITE | VIP_HI_UTIL,
  BITS = CHAR_BIT * sizeof(unsigned long),
  NODES = 1024, /* the most that Linux can have on any machine */
};

/* The nodes of the least power, those of a kind of accesses */
struct nodes {
  unsigned count;
  unsigned power, other_power;
  unsigned long mask[NODES / BITS];
};

static struct nodes of_reads, of_writes;
static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What lies before each piece of memory of vip_malloc() */
union header {
  size_t mapped; /* bytes of its mapping with this, 0 if it comes from malloc() */
  max_align_t alignment;
};

/* Adds a node if none is known that draws less. `other_power` decides between equal ones. */
static void add(struct nodes* nodes, unsigned node, unsigned power, unsigned other_power) {
  bool draws_less = power != nodes->power ? power < nodes->power : other_power < nodes->other_power;
  bool draws_the_same = power == nodes->power && other_power == nodes->other_power;
  if (nodes->count && !draws_less && !draws_the_same) return;
  if (!draws_the_same) *nodes = (struct nodes){.power = power, .other_power = other_power};
  nodes->mask[node / BITS] |= 1ul << node % BITS;
  nodes->count++;
}

static void ask(void) {
  int before = errno;
  char line[64];
  FILE* file = fopen(FOLDER "enabled", "re");
  bool is_on = file && fgets(line, sizeof line, file) && *line == '1';
  if (file) fclose(file);
  file = is_on ? fopen(FOLDER "nodes", "re") : NULL;
  while (file && fgets(line, sizeof line, file)) {
    unsigned node, read, write;
    /* the first line has the names of the columns */
    if (sscanf(line, "%u %u %u", &node, &read, &write) != 3 || node >= NODES) continue;
    add(&of_reads, node, read, write);
    add(&of_writes, node, write, read);
  }
  if (file) fclose(file);
  is_available = of_reads.count;
  errno = before;
}

bool vip_available(void) {
  pthread_once(&once, ask);
  return is_available;
}

void* vip_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset) {
  void* memory = mmap(address, length, prot & ~FLAGS, flags, fd, offset);
  if (memory == MAP_FAILED || !(prot & VIP_HI_UTIL) || !vip_available()) return memory;
  const struct nodes* nodes = prot & VIP_TYP_WRITE ? &of_writes : &of_reads;
  int before = errno;
  /* Where the kernel knows no such policy, memory is as any other. Pages that are there already move. */
  syscall(SYS_mbind, memory, length, nodes->count > 1 ? WEIGHTED_INTERLEAVE : PREFERRED, nodes->mask, NODES + 1,
          flags & (MAP_POPULATE | MAP_LOCKED) ? MOVE : 0);
  errno = before;
  return memory;
}

void* vip_malloc(size_t bytes, size_t vip_flags) {
  if (vip_flags & ~(size_t)FLAGS) {
    errno = EINVAL;
    return NULL;
  }
  if (bytes > PTRDIFF_MAX - sizeof(union header)) {
    errno = ENOMEM;
    return NULL;
  }
  size_t length = bytes + sizeof(union header);
  union header* header;
  if (vip_flags & VIP_HI_UTIL && vip_available()) {
    int prot = PROT_READ | PROT_WRITE | (int)vip_flags;
    header = vip_mmap(NULL, length, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (header == MAP_FAILED) return NULL;
    header->mapped = length;
  } else {
    header = malloc(length);
    if (!header) return NULL;
    header->mapped = 0;
  }
  return header + 1;
}

void vip_free(void* memory) {
  if (!memory) return;
  union header* header = (union header*)memory - 1;
  if (header->mapped) {
    int before = errno;
    munmap(header, header->mapped);
    errno = before;
  } else {
    free(header);
  }
}
