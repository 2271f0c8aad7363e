/* SPDX-License-Identifier: Apache-2.0 */
/** libvip: memory of which the program says how it is going to be used, so that what is used much lies in the ranks of
 * DRAM that draw the least, where ranks are nodes and the kernel's ViPZonE is on. Elsewhere it is memory as any other.
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
  VIP_LOW_UTIL = 0,           /**< few: where the kernel's ViPZonE puts what nobody told it anything of */
  VIP_HI_UTIL = 0x10000000, /**< many: in the nodes that draw the least when they are read, or written, as long as these
                               have free memory, all nodes of the same power in turn; elsewhere then */
};

/** Whether hints are followed, as ViPZonE is on. Asks the kernel once, as for what each node draws. */
bool vip_available(void);

/** Allocates `bytes` as malloc(3) does, aligned for any type. With VIP_HI_UTIL that is followed it is a mapping of its
 * own, which takes at least a page and two system calls: not for small things.
 * @param vip_flags of enum vip_flags
 * @return NULL with errno ENOMEM, or EINVAL for flags that are not of enum vip_flags. Only vip_free() frees it. */
void* vip_malloc(size_t bytes, size_t vip_flags);

/** Gives back what vip_malloc() returned, at once to the kernel if it is a mapping of its own; NULL is allowed. */
void vip_free(void* memory);

/** Maps memory as mmap(2) does, with a hint. Pages of a file that others use as well stay where they are.
 * @param prot as of mmap(2), and enum vip_flags
 * @return as mmap(2) */
void* vip_mmap(void* address, size_t length, int prot, int flags, int fd, off_t offset);

#endif
