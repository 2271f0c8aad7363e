/* SPDX-License-Identifier: Apache-2.0 */
/** libvip: memory of which the program says how it is going to be used, so that a kernel with ViPZonE puts what is used
 * much into the ranks of DRAM that draw the least. Elsewhere it is memory as any other.
 *
 * The names are those of Table 1 and 2 of Gottscho and others, "ViPZonE: Hardware Power Variability-Aware Virtual
 * Memory Management for Energy Savings", IEEE Transactions on Computers 64(5), 2015. */
#ifndef VIP_H
#define VIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Which accesses prevail, and how many there are; joined by `|`, and with PROT_READ and others for vip_mmap(). Without
 * any: few accesses, reads above all. */
enum vip_flags {
  VIP_TYP_READ = 0,           /**< more reads than writes */
  VIP_TYP_WRITE = 0x08000000, /**< more writes than reads */
  VIP_LOW_UTIL = 0,           /**< few: little power if there is plenty of such memory */
  VIP_HI_UTIL = 0x10000000,   /**< many: little power as long as there is such memory */
};

/** Whether the kernel takes hints. Asks it once. */
bool vip_available(void);

/** Allocates `bytes` as malloc(3) does, aligned for any type. With hints it is a mapping of its own, which takes at
 * least a page and a system call: not for small things.
 * @param vip_flags of enum vip_flags
 * @return NULL with errno ENOMEM, or EINVAL for flags that are not of enum vip_flags. Only vip_free() frees it. */
void* vip_malloc(size_t bytes, size_t vip_flags);

/** Gives back what vip_malloc() returned, at once to the kernel if that takes hints; NULL is allowed. */
void vip_free(void* memory);

/** Maps memory as mmap(2) does, with a hint.
 * @param prot as of mmap(2), and enum vip_flags
 * @return as mmap(2) */
void* vip_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset);

#endif
