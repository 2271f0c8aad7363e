// SPDX-License-Identifier: Apache-2.0
// void change_map(struct change*): moves the running program to where it is found under another map, and chooses that map.
//
// From the first store on memory may no longer hold this code, and after the switch it does so again, so all that runs
// here is in the instruction cache before: four lines, which the jumps at their ends touch first. Variables are in
// registers, and the stack is copied as it is.

    .equ LINE, 64
    .equ CACHE, 4096

    .section .text.change_map, "ax"
    .globl  change_map
    .balign LINE
change_map:
    ld      t0, 0(a0)           // program
    ld      t1, 8(a0)           // its bytes
    ld      t2, 16(a0)          // copy
    ld      t3, 24(a0)          // where each line goes
    ld      t4, 32(a0)          // memory that nobody needs
    ld      t5, 40(a0)          // register
    ld      t6, 48(a0)          // number of the map
    j       second
copied:
    mv      a1, t2
    add     t1, t2, t1          // end of the copy
    j       move

    .balign LINE
second:
    j       third
aside:                          // (1) the program into the copy
    add     a2, t0, t1
    mv      a1, t2
1:  ld      a3, 0(t0)
    sd      a3, 0(a1)
    addi    t0, t0, 8
    addi    a1, a1, 8
    bltu    t0, a2, 1b
    j       copied

    .balign LINE
third:
    j       fourth
move:                           // (2) each line of the copy to its place
    ld      a2, 0(t3)
    addi    t3, t3, 8
    addi    a4, a2, LINE
1:  ld      a3, 0(a1)
    sd      a3, 0(a2)
    addi    a1, a1, 8
    addi    a2, a2, 8
    bltu    a2, a4, 1b
    bltu    a1, t1, move
    j       flush

    .balign LINE
fourth:
    j       aside
flush:                          // (3) out of the data cache; what the first pass evicts has arrived when the second ends
    li      a1, 2 * CACHE
    add     a1, t4, a1
1:  ld      a3, 0(t4)
    and     a3, a3, zero
    addi    t4, t4, LINE
    add     t4, t4, a3
    bltu    t4, a1, 1b
    fence   rw, rw
    sw      t6, 0(t5)           // (4) the map
    fence   rw, rw
    lw      a3, 0(t5)
    fence.i                     // a line that was fetched ahead in between may have held what is not this program
    ret
