// SPDX-License-Identifier: Apache-2.0
/* Tests of libvip on the kernel of this machine, or on one with ViPZonE that is played here: `check CASE`. The linker
 * leads the library's calls of the kernel and of malloc() here. Exit code 0, or 1 after the line that is wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../vip.h"

enum { PROT_VIP = 0x04000000, MADV_VIP_NONE = 124, NO_ERROR = 0 };

/** What the kernel answers to the advice of ViPZonE: NO_ERROR, or the error. -1: whatever this machine's does */
static int answer = -1;
static int advised, maps, unmaps, mallocs, frees, last_prot;
static size_t last_unmapped;

int __real_madvise(void* address, size_t length, int advice);
void* __real_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset);
int __real_munmap(void* address, size_t length);
void* __real_malloc(size_t bytes);
void __real_free(void* memory);

int __wrap_madvise(void* address, size_t length, int advice) {
  advised++;
  if (answer < 0 || advice != MADV_VIP_NONE || length) return __real_madvise(address, length, advice);
  errno = answer;
  return answer ? -1 : 0;
}

void* __wrap_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset) {
  maps++;
  last_prot = prot;
  return __real_mmap(address, length, prot & 7, flags, fd, offset);
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

#define EXPECT(condition)                                    \
  do {                                                       \
    if (!(condition)) {                                      \
      printf("%s:%d: %s\n", __func__, __LINE__, #condition); \
      exit(1);                                               \
    }                                                        \
  } while (0)

static char* mapped(int prot) {
  char* memory = vip_mmap(NULL, 8192, PROT_READ | PROT_WRITE | prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(memory != MAP_FAILED);
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
  EXPECT(!vip_malloc(1, PROT_VIP) && errno == EINVAL);
  for (size_t less = 0; less < 128; less++) {
    errno = 0;
    EXPECT(!vip_malloc(SIZE_MAX - less, VIP_HI_UTIL) && errno == ENOMEM);
    errno = 0;
    EXPECT(!vip_malloc(PTRDIFF_MAX - less, VIP_HI_UTIL) && errno == ENOMEM);
  }
  errno = 7;
  vip_free(NULL);
  EXPECT(errno == 7);
  errno = 0;
  EXPECT(vip_mmap(NULL, 0, PROT_READ | VIP_HI_UTIL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
         errno == EINVAL);
}

/* On a kernel that takes no hints all is as it would be without the library. */
static void falls_back(void) {
  errno = 7;
  EXPECT(!vip_available() && errno == 7);
  EXPECT(!vip_available() && advised == 1);
  mapped(VIP_TYP_WRITE | VIP_HI_UTIL);
  EXPECT(last_prot == (PROT_READ | PROT_WRITE));
  int before = maps, given = mallocs, back = frees;
  char* memory = vip_malloc(100, VIP_HI_UTIL);
  EXPECT(memory && mallocs == given + 1 && maps == before);
  vip_free(memory);
  EXPECT(frees == back + 1 && unmaps == 0);
  pieces();
  EXPECT(maps == before && unmaps == 0);
  bad_input();
}

static void hints(void) {
  errno = 7;
  EXPECT(vip_available() && errno == 7);
  EXPECT(vip_available() && advised == 1);
  mapped(0);
  EXPECT(last_prot == (PROT_READ | PROT_WRITE | PROT_VIP));
  mapped(VIP_TYP_WRITE | VIP_LOW_UTIL);
  EXPECT(last_prot == (PROT_READ | PROT_WRITE | PROT_VIP | VIP_TYP_WRITE));
  mapped(VIP_TYP_READ | VIP_HI_UTIL);
  EXPECT(last_prot == (PROT_READ | PROT_WRITE | PROT_VIP | VIP_HI_UTIL));
  int given = mallocs, back = frees;
  char* memory = vip_malloc(10000, VIP_TYP_WRITE | VIP_HI_UTIL);
  EXPECT(memory && last_prot == (PROT_READ | PROT_WRITE | PROT_VIP | VIP_TYP_WRITE | VIP_HI_UTIL));
  memset(memory, 1, 10000);
  errno = 7;
  vip_free(memory);
  /* all of it, what lies before the piece too */
  EXPECT(errno == 7 && unmaps == 1 && last_unmapped >= 10000 && last_unmapped <= 10000 + 64);
  pieces();
  EXPECT(mallocs == given && frees == back && unmaps == 65);
  bad_input();
}

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  if (!strcmp(argv[1], "this_kernel")) {
    falls_back();
  } else if (!strcmp(argv[1], "EINVAL")) {
    answer = EINVAL;
    falls_back();
  } else if (!strcmp(argv[1], "ENOSYS")) {
    answer = ENOSYS;
    falls_back();
  } else if (!strcmp(argv[1], "vipzone")) {
    answer = NO_ERROR;
    hints();
  } else {
    return 2;
  }
  return 0;
}
