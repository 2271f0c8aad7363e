/* SPDX-License-Identifier: Apache-2.0 */
/** Counting of the timed part alone, for `weirstat -t`. */
#ifndef COUNTING_H
#define COUNTING_H

/** Finds the group of counters that the environment's WEIRSTAT_GROUP names by its file descriptor; without it the other
 * two do nothing. What is no such descriptor ends the program with a message. */
void counting_reach(void);

void counting_begin(void);
void counting_end(void);

#endif
