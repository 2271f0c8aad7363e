// SPDX-License-Identifier: Apache-2.0
/* Tests of libvip on the kernel of this machine, or on one with ViPZonE that is played here: `check CASE`. The linker
 * leads the library's calls of the kernel and of malloc() here. Exit code 0, or 1 after the line that is wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "../vip.h"

enum { PREFERRED = 1, WEIGHTED_INTERLEAVE = 6, MOVE = 2 };

/** A kernel, by its files; NULL for one that is not there */
static const struct kernel {
  const char *name, *enabled, *nodes;
  unsigned long of_reads, of_writes; /* nodes that memory that is much read, or written, is to be bound to; 0: none */
  int error;                         /* what mbind() fails with */
} kernels[] = {
    {"this_kernel", NULL, NULL, 0, 0, 0},
    {"no_vipzone", NULL, NULL, 0, 0, 0},
    {"no_files", "1\n", NULL, 0, 0, 0},
    {"off", "0\n", "node read write\n0 1 2\n1 2 1\n", 0, 0, 0},
    {"reads_and_writes", "1\n", "node read write\n0 100 480\n1 300 320\n2 300 300\n", 1, 4, 0},
    {"other_power", "1\n", "node read write\n0 7 9\n1 7 8\n2 8 8\n3 8 9\n", 2, 2, 0},
    {"groups", "1\n", "node read write\n0 9 3\n1 5 5\n2 9 3\n3 5 5\n", 10, 5, 0},
    {"nothing", "1\n", "node read write\n0 0 0\n1 0 0\n", 3, 3, 0},
    {"far", "1\n", "node read write\n1 9 9\n63 5 5\n5000 1 1\n", 1ul << 63, 1ul << 63, 0},
    {"no_mbind", "1\n", "node read write\n0 1 2\n1 2 1\n", 1, 2, ENOSYS},
};

static const struct kernel* kernel;
static int opened, closed, maps, unmaps, mallocs, frees, binds, last_prot, last_mode;
static unsigned last_flags;
static unsigned long last_mask, last_other_masks;
static void *last_memory, *last_bound;
static size_t last_unmapped, last_length;

FILE* __real_fopen(const char* path, const char* mode);
int __real_fclose(FILE* file);
void* __real_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset);
int __real_munmap(void* address, size_t length);
void* __real_malloc(size_t bytes);
void __real_free(void* memory);

FILE* __wrap_fopen(const char* path, const char* mode) {
  if (kernel == kernels) return __real_fopen(path, mode);
  const char* name = strrchr(path, '/') + 1;
  const char* text = strcmp(name, "enabled") ? kernel->nodes : kernel->enabled;
  errno = ENOENT;
  if (!text) return NULL;
  opened++;
  return fmemopen((void*)text, strlen(text), "r");
}

int __wrap_fclose(FILE* file) {
  closed++;
  return __real_fclose(file);
}

void* __wrap_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset) {
  maps++;
  last_prot = prot;
  return last_memory = __real_mmap(address, length, prot & 7, flags, fd, offset);
}

int __wrap_munmap(void* address, size_t length) {
  unmaps++;
  last_unmapped = length;
  return __real_munmap(address, length);
}

void* __wrap_malloc(size_t bytes) {
  mallocs++;
  return __real_malloc(bytes);
}

void __wrap_free(void* memory) {
  frees++;
  __real_free(memory);
}

long __wrap_syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  last_bound = va_arg(arguments, void*);
  last_length = va_arg(arguments, unsigned long);
  last_mode = va_arg(arguments, int);
  const unsigned long* mask = va_arg(arguments, const unsigned long*);
  unsigned long most = va_arg(arguments, int);
  last_flags = va_arg(arguments, int);
  va_end(arguments);
  if (number != SYS_mbind) exit(3);
  binds++;
  /* the kernel takes one bit less than it is told */
  last_mask = most > 64 ? mask[0] : mask[0] & ((1ul << (most - 1)) - 1);
  last_other_masks = 0;
  for (unsigned long i = 1; i < (most - 1) / 64; i++) last_other_masks |= mask[i];
  errno = kernel->error;
  return kernel->error ? -1 : 0;
}

#define EXPECT(condition)                                    \
  do {                                                       \
    if (!(condition)) {                                      \
      printf("%s:%d: %s\n", __func__, __LINE__, #condition); \
      exit(1);                                               \
    }                                                        \
  } while (0)

static char* mapped(int prot, int flags) {
  errno = 7;
  char* memory = vip_mmap(NULL, 8192, PROT_READ | PROT_WRITE | prot, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  EXPECT(memory != MAP_FAILED && memory == last_memory && errno == 7);
  EXPECT(last_prot == (PROT_READ | PROT_WRITE));
  memset(memory, 1, 8192);
  return memory;
}

/* Pieces of many sizes are apart, aligned, and keep what is in them. */
static void pieces(void) {
  enum { COUNT = 64 };
  unsigned char* memory[COUNT];
  for (int i = 0; i < COUNT; i++) {
    memory[i] = vip_malloc(i * i, i % 2 ? VIP_TYP_WRITE | VIP_HI_UTIL : VIP_TYP_READ | VIP_LOW_UTIL);
    EXPECT(memory[i] && (uintptr_t)memory[i] % _Alignof(max_align_t) == 0);
    memset(memory[i], i, i * i);
  }
  for (int i = 0; i < COUNT; i++) {
    for (int at = 0; at < i * i; at++) EXPECT(memory[i][at] == i);
    vip_free(memory[i]);
  }
}

static void bad_input(void) {
  errno = 0;
  EXPECT(!vip_malloc(1, 1) && errno == EINVAL);
  errno = 0;
  EXPECT(!vip_malloc(1, 0x04000000) && errno == EINVAL);
  for (size_t less = 0; less < 128; less++) {
    errno = 0;
    EXPECT(!vip_malloc(SIZE_MAX - less, VIP_HI_UTIL) && errno == ENOMEM);
    errno = 0;
    EXPECT(!vip_malloc(PTRDIFF_MAX - less, VIP_HI_UTIL) && errno == ENOMEM);
  }
  errno = 7;
  vip_free(NULL);
  EXPECT(errno == 7);
  int before = binds;
  errno = 0;
  EXPECT(vip_mmap(NULL, 0, PROT_READ | VIP_HI_UTIL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
         errno == EINVAL && binds == before);
}

/* Where hints are not followed all is as it would be without the library. */
static void falls_back(void) {
  mapped(VIP_TYP_WRITE | VIP_HI_UTIL, 0);
  mapped(VIP_TYP_WRITE | VIP_HI_UTIL, MAP_POPULATE);
  int before = maps, given = mallocs, back = frees;
  char* memory = vip_malloc(100, VIP_HI_UTIL);
  EXPECT(memory && mallocs == given + 1 && maps == before);
  vip_free(memory);
  EXPECT(frees == back + 1 && unmaps == 0);
  pieces();
  EXPECT(maps == before && unmaps == 0 && binds == 0);
}

/* The last call of the kernel bound `memory` to `nodes`, all in turn. */
static bool bound(const char* memory, size_t length, unsigned long nodes, unsigned flags) {
  return last_bound == memory && last_length == length && last_mask == nodes && !last_other_masks &&
         last_mode == (nodes & (nodes - 1) ? WEIGHTED_INTERLEAVE : PREFERRED) && last_flags == flags;
}

static void hints(void) {
  mapped(0, 0);
  mapped(VIP_TYP_WRITE | VIP_LOW_UTIL, MAP_POPULATE);
  EXPECT(binds == 0);
  char* memory = mapped(VIP_TYP_READ | VIP_HI_UTIL, 0);
  EXPECT(binds == 1 && bound(memory, 8192, kernel->of_reads, 0));
  memory = mapped(VIP_TYP_WRITE | VIP_HI_UTIL, 0);
  EXPECT(binds == 2 && bound(memory, 8192, kernel->of_writes, 0));
  memory = mapped(VIP_TYP_WRITE | VIP_HI_UTIL, MAP_POPULATE);
  EXPECT(binds == 3 && bound(memory, 8192, kernel->of_writes, MOVE));
  memory = mapped(VIP_TYP_READ | VIP_HI_UTIL, MAP_LOCKED);
  EXPECT(binds == 4 && bound(memory, 8192, kernel->of_reads, MOVE));

  int given = mallocs, back = frees;
  memory = vip_malloc(10000, VIP_TYP_WRITE | VIP_HI_UTIL);
  EXPECT(memory && binds == 5 && bound(last_memory, last_length, kernel->of_writes, 0));
  EXPECT((char*)last_memory < memory && memory + 10000 == (char*)last_memory + last_length);
  memset(memory, 1, 10000);
  errno = 7;
  vip_free(memory);
  EXPECT(errno == 7 && unmaps == 1 && last_unmapped == last_length);
  EXPECT(mallocs == given && frees == back);
  pieces();
  EXPECT(mallocs == given + 32 && frees == back + 32 && unmaps == 33);
}

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (!strcmp(argv[1], kernels[i].name)) kernel = &kernels[i];
  if (!kernel) return 2;
  errno = 7;
  EXPECT(vip_available() == (kernel->of_reads != 0) && errno == 7);
  int before = opened;
  EXPECT(vip_available() == (kernel->of_reads != 0) && opened == before);
  EXPECT(kernel == kernels || closed == opened);
  kernel->of_reads ? hints() : falls_back();
  bad_input();
  return 0;
}
