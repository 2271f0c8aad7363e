/* SPDX-License-Identifier: Apache-2.0 */
/** What the memory controller says of itself. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

#include <stdbool.h>

/** Prints which controller this is. @return whether it is as it should be */
bool controller_identify(void);

/** Prints what the controller has counted since reset, by hart and by rank, if it counts. */
void controller_counters(void);

#endif
