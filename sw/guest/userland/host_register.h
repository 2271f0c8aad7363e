/* SPDX-License-Identifier: Apache-2.0 */
/** Registers of the machine that the kernel's command line names, by way of the environment, as NAME=ADDRESS. */
#ifndef HOST_REGISTER_H
#define HOST_REGISTER_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGISTER_PAGE_BYTES = 4096 };

/** The register at a physical address, a multiple of 4, or NULL with what is wrong in `*problem`. */
static inline volatile uint32_t* register_at(uint64_t address, const char** problem) {
  *problem = NULL;
  const int memory = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
  if (memory < 0) {
    *problem = strerror(errno);
    return NULL;
  }
  const uint64_t offset = address % REGISTER_PAGE_BYTES;
  void* page = mmap(NULL, REGISTER_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)(address - offset));
  if (page == MAP_FAILED) *problem = strerror(errno);
  close(memory);
  return page == MAP_FAILED ? NULL : (volatile uint32_t*)((char*)page + offset);
}

/** The register `name`, or NULL with what is wrong in `*problem`: NULL too when the command line does not name it. */
static inline volatile uint32_t* host_register(const char* name, const char** problem) {
  *problem = NULL;
  const char* value = getenv(name);
  if (!value) return NULL;
  char* end;
  const uint64_t address = strtoull(value, &end, 0);
  if (*end || end == value || address % sizeof(uint32_t)) {
    *problem = "is not the address of a register";
    return NULL;
  }
  return register_at(address, problem);
}

#endif
