/* SPDX-License-Identifier: Apache-2.0 */
/** The end of the program, as sw/firmware/runtime/guest.h has it for bare metal: here on Linux. */
#ifndef GUEST_H
#define GUEST_H

#include <stdlib.h>

/** Ends the program. */
_Noreturn static inline void guest_exit(int code) { exit(code); }

#endif
