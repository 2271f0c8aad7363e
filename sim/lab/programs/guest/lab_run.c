// SPDX-License-Identifier: Apache-2.0
// Starts what a capture records, in the guest.
//
// usage: lab-run COPIES PROGRAM [ARGUMENT...] [-- COPIES PROGRAM [ARGUMENT...]]...
//   COPIES    copies of the program, each kept on a hart of its own: the first of the first program on hart 0, and so
//             on; 0: one program that may use all harts, and no other: OpenMP keeps each of its threads on a hart, and
//             a thread that waits sleeps
// A copy that is kept on hart N runs in the cgroup /sys/fs/cgroup/hart-N if that is there. The recording begins
// (../capture) when every copy is about to be started, and ends when the last one has ended. Exit status: that of the
// last copy that did not end with 0, or 0; 126 when a copy cannot be started, 2 for a wrong argument.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 126, WRONG_ARGUMENT = 2, MOST_COPIES = 8 };

// What the plugin takes for the beginning and the end: it has no effect on a hart.
static void begin(void) { __asm__ volatile("ori x0, x0, 0x7a1" ::: "memory"); }
static void end(void) { __asm__ volatile("ori x0, x0, 0x7a2" ::: "memory"); }

static int fail(const char* what) {
  fprintf(stderr, "lab-run: %s: %s\n", what, strerror(errno));
  return NOT_STARTED;
}

// Joins the cgroup of a hart, where there is one.
static int join(int hart) {
  char path[64];
  snprintf(path, sizeof path, "/sys/fs/cgroup/hart-%d/cgroup.procs", hart);
  const int file = open(path, O_WRONLY);
  if (file < 0) return errno == ENOENT ? 0 : fail(path);
  if (write(file, "0", 1) != 1) return fail(path);
  close(file);
  return 0;
}

// In the child: waits until the pipe is closed, and becomes the program.
static int become(char** program, int hart, int ready) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(hart, &set);
  char byte;
  if (hart >= 0 && sched_setaffinity(0, sizeof set, &set) != 0) return fail("sched_setaffinity");
  if (hart >= 0 && join(hart) != 0) return NOT_STARTED;
  if (hart < 0 && (setenv("OMP_PROC_BIND", "true", 1) != 0 || setenv("OMP_WAIT_POLICY", "passive", 1) != 0))
    return fail("setenv");
  if (read(ready, &byte, 1) < 0) return fail("read");
  close(ready);
  execvp(program[0], program);
  return fail(program[0]);
}

struct group {
  long copies;
  char** program;
};

// The groups of a command line, whose `--` become NULL; how many, or 0 when something is wrong with them.
static int groups_of(int argc, char** argv, struct group* groups) {
  int count = 0;
  long harts = 0;
  for (int at = 1; at < argc; at++) {
    char* rest = NULL;
    if (count == MOST_COPIES || at + 1 >= argc) return 0;
    const long copies = strtol(argv[at], &rest, 10);
    if (rest == argv[at] || *rest != '\0' || copies < 0 || copies > MOST_COPIES) return 0;
    groups[count++] = (struct group){copies, &argv[at + 1]};
    harts += copies;
    while (at < argc && strcmp(argv[at], "--") != 0) at++;
    if (at + 1 == argc || groups[count - 1].program == &argv[at]) return 0;  // nothing after --, nothing before it
    if (at < argc) argv[at] = NULL;
  }
  for (int number = 0; number < count; number++)
    if (groups[number].copies == 0 && count != 1) return 0;
  return harts > MOST_COPIES ? 0 : count;
}

int main(int argc, char** argv) {
  struct group groups[MOST_COPIES];
  const int count = groups_of(argc, argv, groups);
  if (count == 0) {
    fprintf(stderr,
            "usage: lab-run COPIES PROGRAM [ARGUMENT...] [-- COPIES PROGRAM [ARGUMENT...]]..., COPIES from 1 to %d, at "
            "most %d of all, or 0 of one\n",
            MOST_COPIES, MOST_COPIES);
    return WRONG_ARGUMENT;
  }
  int ready[2];
  if (pipe(ready) != 0) return fail("pipe");
  int hart = 0;
  for (int number = 0; number < count; number++) {
    const long copies = groups[number].copies;
    for (long copy = 0; copy < (copies == 0 ? 1 : copies); copy++, hart++) {
      const pid_t child = fork();
      if (child < 0) return fail("fork");
      if (child == 0) {
        close(ready[1]);
        _exit(become(groups[number].program, copies == 0 ? -1 : hart, ready[0]));
      }
    }
  }
  close(ready[0]);
  begin();
  close(ready[1]);
  int status = 0, code = 0;
  while (wait(&status) > 0) {
    const int ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended != 0) code = ended;
  }
  end();
  return code;
}
