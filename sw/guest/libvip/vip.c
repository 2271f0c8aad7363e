// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "vip.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Of the kernel's <linux/mman.h>, where it has ViPZonE */
#ifndef PROT_VIP
#define PROT_VIP 0x04000000
#endif
#ifndef MADV_VIP_NONE
#define MADV_VIP_NONE 124
#endif

enum { FLAGS = VIP_TYP_WRITE | VIP_HI_UTIL };

/* What lies before each piece of memory of vip_malloc() */
union header {
  size_t mapped; /* bytes of its mapping with this, 0 if it comes from malloc() */
  max_align_t alignment;
};

bool vip_available(void) {
  enum { UNKNOWN, NO, YES };
  static atomic_int answer;
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == UNKNOWN) {
    int before = errno;
    /* no memory at all is advised: says no more than whether the kernel knows the advice */
    known = madvise(NULL, 0, MADV_VIP_NONE) == 0 ? YES : NO;
    errno = before;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == YES;
}

void* vip_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset) {
  prot = vip_available() ? prot | PROT_VIP : prot & ~FLAGS;
  return mmap(address, length, prot, flags, fd, offset);
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
  if (vip_available()) {
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
