/* SPDX-License-Identifier: Apache-2.0 */
/** The simulator's script, as a program for a simulated SoC reads it. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

/** Reads the script's next number, decimal, of at most nine digits and followed by a space.
 * @return whether there is one from `least` to `greatest`; `value` is set if so */
bool script_number(uint32_t* value, uint32_t least, uint32_t greatest);

#endif
