// SPDX-License-Identifier: Apache-2.0
// Where the BIOS sends all harts at once. Hart 0 clears .bss and runs main(), whose result ends the simulation; the
// others wait for work in hart_serve().

#include "stack.h"

#if __riscv_xlen == 64
#define LOAD_WORD ld
#define STORE_WORD sd
#else
#define LOAD_WORD lw
#define STORE_WORD sw
#endif
#define WORD_BYTES (__riscv_xlen / 8)

    .section .text.start, "ax"
    .globl  _start
_start:
    csrr    s0, mhartid
    la      sp, stacks + STACK_BYTES
    li      t0, STACK_BYTES
    mul     t0, t0, s0
    add     sp, sp, t0
    la      t0, trap_entry
    csrw    mtvec, t0
    csrw    mie, zero
    la      s1, released
    beqz    s0, first

wait:
    LOAD_WORD t0, 0(s1)
    beqz    t0, wait
    fence   r, rw
    mv      a0, s0
    tail    hart_serve

first:
    la      t0, bss_start
    la      t1, bss_end
1:  bgeu    t0, t1, 2f
    STORE_WORD zero, 0(t0)
    addi    t0, t0, WORD_BYTES
    j       1b
2:  fence   rw, w
    li      t0, 1
    STORE_WORD t0, 0(s1)
    call    main
    tail    guest_exit

    .align  2
trap_entry:
    csrr    a0, mhartid
    csrr    a1, mcause
    csrr    a2, mepc
    csrr    a3, mtval
    tail    trap_report

// In .data, because the other harts already look at it while hart 0 clears .bss.
    .data
    .align  6
released:
    .dword  0
    .align  6
