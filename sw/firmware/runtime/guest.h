/* SPDX-License-Identifier: Apache-2.0 */
/** What the simulated machine can do for its guest. */
#ifndef GUEST_H
#define GUEST_H

/** Ends the simulation; its exit code is the low eight bits of `code`. */
_Noreturn void guest_exit(int code);

/** Exit code after an exception. */
#define GUEST_EXIT_TRAP 101

#endif
