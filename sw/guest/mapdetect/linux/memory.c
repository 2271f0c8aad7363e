// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE_BITS = 12 };
#define PAGE_BYTES (UINT64_C(1) << PAGE_BITS)

// Documentation/admin-guide/mm/pagemap.rst
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)
#define PAGEMAP_FRAME ((UINT64_C(1) << 55) - 1)

struct page {
  uint64_t frame;
  uintptr_t address;
};

static const struct page* pages;  // of the block, if it was allocated
static uintptr_t start;           // of the block, if it was mapped

static int by_frame(const void* left, const void* right) {
  const uint64_t a = ((const struct page*)left)->frame, b = ((const struct page*)right)->frame;
  return (a > b) - (a < b);
}

static bool read_frames(struct page* page, uint64_t count, uintptr_t address) {
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return perror("mapdetect: /proc/self/pagemap"), false;
  for (uint64_t i = 0; i < count; ++i, address += PAGE_BYTES) {
    uint64_t entry;
    if (pread(file, &entry, sizeof entry, (off_t)(address / PAGE_BYTES * sizeof entry)) != sizeof entry) {
      perror("mapdetect: /proc/self/pagemap");
      close(file);
      return false;
    }
    page[i] = (struct page){entry & PAGEMAP_PRESENT ? entry & PAGEMAP_FRAME : 0, address};
  }
  close(file);
  return true;
}

// Frames are in their order and all different, so that the last of a whole block lies where it must.
static bool find_block(const struct page* page, uint64_t count, struct memory* memory) {
  for (unsigned order = 63 - PAGE_BITS; order-- > 0;) {
    const uint64_t frames = UINT64_C(1) << order;
    for (uint64_t i = 0; frames <= count && i <= count - frames; ++i) {
      if (page[i].frame % frames != 0 || page[i + frames - 1].frame != page[i].frame + frames - 1) continue;
      *memory = (struct memory){page[i].frame * PAGE_BYTES, PAGE_BITS + order};
      pages = page + i;
      return true;
    }
  }
  return false;
}

bool memory_allocate(uint64_t bytes, struct memory* memory) {
  const uint64_t count = bytes / PAGE_BYTES;
  void* const area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (area == MAP_FAILED || mlock(area, bytes) < 0) return perror("mapdetect: memory"), false;
  struct page* const page = calloc(count, sizeof *page);
  if (!page) return perror("mapdetect: memory"), false;
  if (!read_frames(page, count, (uintptr_t)area)) return false;
  qsort(page, count, sizeof *page, by_frame);
  if (page[0].frame == 0) {
    fprintf(stderr, "mapdetect: /proc/self/pagemap does not tell frames: that needs CAP_SYS_ADMIN\n");
    return false;
  }
  return find_block(page, count, memory);
}

bool memory_map(struct memory memory) {
  const int file = open("/dev/mem", O_RDONLY | O_CLOEXEC);
  if (file < 0) return perror("mapdetect: /dev/mem"), false;
  void* const area = mmap(NULL, UINT64_C(1) << memory.bits, PROT_READ, MAP_SHARED, file, (off_t)memory.physical);
  if (area == MAP_FAILED) fprintf(stderr, "mapdetect: /dev/mem at 0x%" PRIx64, memory.physical), perror("");
  close(file);
  start = (uintptr_t)area;
  return area != MAP_FAILED;
}

uintptr_t memory_address(uint64_t offset) {
  return pages ? pages[offset / PAGE_BYTES].address + offset % PAGE_BYTES : start + offset;
}
