// SPDX-License-Identifier: Apache-2.0
// as_user COMMAND [ARGUMENT...]: runs a command as the user 1000, who has no capabilities.
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { USER = 1000 };

int main(int argc, char** argv) {
  if (argc < 2 || setgroups(0, NULL) || setgid(USER) || setuid(USER)) return EXIT_FAILURE;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return EXIT_FAILURE;
}
