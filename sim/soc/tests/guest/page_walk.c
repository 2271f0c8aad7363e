// SPDX-License-Identifier: Apache-2.0
// In supervisor mode, by Sv39 page tables, makes loads that a small Rocket whose page walker does not wait never gets
// done: each is the last instruction before a multiple of 16 KiB, where the instruction TLB's only entry ends, and its
// line shares its set of the data cache with the page table entries of the code on both sides. Prints how many loads
// were right; the exit code is 0 if all were.
#include <stdint.h>
#include <stdio.h>

#include "guest.h"

#define PAGE_BYTES 4096ul
#define ENTRIES 512u  // of a page table
#define LEAF_TABLES 8u
#define TLB_PAGES 4u  // what an entry of the instruction TLB is for
#define LOADS (LEAF_TABLES * ENTRIES / TLB_PAGES - 1)
#define CODE (1ul << 32)  // where the pages of code are seen
#define DATA 0xa0000000ul

#define PTE_VALID 0x01u
#define PTE_LEAF 0xcfu  // valid, read, write, execute, accessed, dirty
#define SATP_SV39 (8ul << 60)
#define PMP_ALL 0x1fu  // read, write, execute, NAPOT

#define LOAD_A0 0x00053503u  // ld a0, 0(a0)
#define RETURN 0x00008067u

static uint64_t root[ENTRIES] __attribute__((aligned(4096)));
static uint64_t middle[ENTRIES] __attribute__((aligned(4096)));
static uint64_t leaves[LEAF_TABLES * ENTRIES] __attribute__((aligned(4096)));
static uint32_t before[PAGE_BYTES / 4] __attribute__((aligned(4096)));
static uint32_t behind[PAGE_BYTES / 4] __attribute__((aligned(4096)));
static unsigned right;

// Runs `work` in supervisor mode with the same stack, until it returns; any other trap is the runtime's.
void in_supervisor_mode(void (*work)(void));
__asm__(
    ".text\n"
    ".align 2\n"
    "in_supervisor_mode:\n"
    "    addi sp, sp, -16\n"
    "    sd   ra, 8(sp)\n"
    "    csrr t0, mtvec\n"
    "    sd   t0, 0(sp)\n"
    "    la   t0, back\n"
    "    csrw mtvec, t0\n"
    "    li   t0, 3 << 11\n"
    "    csrc mstatus, t0\n"
    "    li   t0, 1 << 11\n"
    "    csrs mstatus, t0\n"
    "    la   t0, supervisor\n"
    "    csrw mepc, t0\n"
    "    mret\n"
    "supervisor:\n"
    "    jalr a0\n"
    "    ecall\n"
    "    .align 2\n"
    "back:\n"
    "    csrr t1, mcause\n"
    "    li   t2, 9\n"
    "    ld   t0, 0(sp)\n"
    "    csrw mtvec, t0\n"
    "    beq  t1, t2, 1f\n"
    "    jr   t0\n"
    "1:  ld   ra, 8(sp)\n"
    "    addi sp, sp, 16\n"
    "    ret\n");

static uint64_t entry_to(const void* where, uint64_t flags) { return (uint64_t)where >> 12 << 10 | flags; }

static void make_tables(void) {
  root[DATA >> 30] = entry_to((const void*)(DATA >> 30 << 30), PTE_LEAF);
  root[CODE >> 30] = entry_to(middle, PTE_VALID);
  for (unsigned i = 0; i < LEAF_TABLES; ++i) middle[i] = entry_to(leaves + i * ENTRIES, PTE_VALID);
  for (unsigned i = 0; i < LEAF_TABLES * ENTRIES; ++i)
    leaves[i] = entry_to(i % TLB_PAGES == TLB_PAGES - 1 ? before : behind, PTE_LEAF);
  before[PAGE_BYTES / 4 - 1] = LOAD_A0;
  behind[0] = RETURN;
}

// A line of a page of its own, in the set of the entries for the code that load `number` is the last of.
static volatile uint64_t* word(unsigned number) {
  const uint64_t entries = (uint64_t)(leaves + TLB_PAGES * number);
  return (volatile uint64_t*)(DATA + number * PAGE_BYTES + entries % PAGE_BYTES / 64 * 64);
}

static void load_all(void) {
  for (unsigned number = 1; number <= LOADS; ++number) {
    uint64_t (*load)(volatile uint64_t*) =
        (uint64_t(*)(volatile uint64_t*))(CODE + TLB_PAGES * number * PAGE_BYTES - 4);
    right += load(word(number)) == number;
  }
}

int main(void) {
  make_tables();
  for (unsigned number = 1; number <= LOADS; ++number) *word(number) = number;
  __asm__ volatile("csrw pmpaddr0, %0\ncsrw pmpcfg0, %1" ::"r"(-1ul), "r"(PMP_ALL));
  __asm__ volatile("csrw satp, %0\nsfence.vma\nfence.i" ::"r"(SATP_SV39 | (uint64_t)root >> 12) : "memory");
  in_supervisor_mode(load_all);
  printf("%u of %u loads\n", right, LOADS);
  return right != LOADS;
}
