// SPDX-License-Identifier: Apache-2.0
// Starts what a capture records, in the guest.
//
// usage: lab-run COPIES PROGRAM [ARGUMENT...]
//   COPIES    copies of the program, the first on hart 0, the second on hart 1, and so on, each kept on its hart; 0:
//   one
//             program that may use all harts
// The recording begins (../capture) when every copy is about to be started, and ends when the last one has ended. Exit
// status: that of the last copy that did not end with 0, or 0; 126 when a copy cannot be started, 2 for a wrong
// argument.
#define _GNU_SOURCE
#include <errno.h>
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

// In the child: waits until the pipe is closed, and becomes the program.
static int become(char** program, int hart, int ready) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(hart, &set);
  char byte;
  if (hart >= 0 && sched_setaffinity(0, sizeof set, &set) != 0) return fail("sched_setaffinity");
  if (read(ready, &byte, 1) < 0) return fail("read");
  close(ready);
  execvp(program[0], program);
  return fail(program[0]);
}

int main(int argc, char** argv) {
  char* rest = NULL;
  const long copies = argc < 3 ? -1 : strtol(argv[1], &rest, 10);
  if (copies < 0 || copies > MOST_COPIES || rest == argv[1] || *rest != '\0') {
    fprintf(stderr, "usage: lab-run COPIES PROGRAM [ARGUMENT...], COPIES from 0 to %d\n", MOST_COPIES);
    return WRONG_ARGUMENT;
  }
  int ready[2];
  if (pipe(ready) != 0) return fail("pipe");
  for (long copy = 0; copy < (copies == 0 ? 1 : copies); copy++) {
    const pid_t child = fork();
    if (child < 0) return fail("fork");
    if (child == 0) {
      close(ready[1]);
      _exit(become(&argv[2], copies == 0 ? -1 : (int)copy, ready[0]));
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
