/* SPDX-License-Identifier: Apache-2.0 */
/** Several threads on one piece of work. */
#ifndef THREADS_H
#define THREADS_H

#include <stdint.h>

enum { MOST_THREADS = 64 };

/** One thread's place among all. */
struct thread {
  uint64_t number, count;
};

/** Calls `body` in `count` threads, the caller's among them, and returns when all have. Several are bound to a hart
 * each, of those that the program may use, in turn where there are fewer; the caller's stays so. */
void threads_run(uint64_t count, void (*body)(struct thread thread, const void* argument), const void* argument);

/** Waits until all threads of threads_run() have come here. */
void threads_meet(struct thread thread);

/** Where the thread's share of `total` things begins; it ends where the next one's begins. */
static inline uint64_t share(struct thread thread, uint64_t total) { return total * thread.number / thread.count; }
static inline uint64_t share_end(struct thread thread, uint64_t total) {
  return total * (thread.number + 1) / thread.count;
}

#endif
