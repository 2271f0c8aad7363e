// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Nanoseconds, which are instructions with QEMU's --count-instructions.
static inline long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

/// Writes a text to a file, or ends the program.
static inline void put(const char* file, const char* text) {
  int fd = open(file, O_WRONLY);
  if (fd < 0 || write(fd, text, strlen(text)) < 0) {
    perror(file);
    exit(1);
  }
  close(fd);
}
