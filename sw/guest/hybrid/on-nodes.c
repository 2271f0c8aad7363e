// SPDX-License-Identifier: Apache-2.0
// on-nodes POLICY NODES COMMAND [ARGUMENT...]: runs a command whose pages come from memory nodes, such as 0,2-3, by a
// policy of set_mempolicy(2): bind (those nodes only), interleave (in turn) or weighted (in turn, by the weights in
// /sys/kernel/mm/mempolicy/weighted_interleave). Exit code: the command's, 126 or 127 if it cannot be run or is not
// found, 2 for bad arguments, 1 if Linux refuses the policy.
#include <ctype.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BAD_USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127, NODES = 64 };

// From linux/mempolicy.h, which older headers lack.
enum { WEIGHTED_INTERLEAVE = 6 };

static const struct {
  const char* name;
  int mode;
} policies[] = {{"bind", MPOL_BIND}, {"interleave", MPOL_INTERLEAVE}, {"weighted", WEIGHTED_INTERLEAVE}};

static int usage(const char* wrong, const char* word) {
  fprintf(stderr, "on-nodes: %s '%s'\nusage: on-nodes bind|interleave|weighted NODES COMMAND [ARGUMENT...]\n", wrong,
          word);
  return BAD_USAGE;
}

// A number that the text begins with, and where it ends; false if there is none below NODES.
static bool read_node(const char** text, unsigned* node) {
  if (!isdigit((unsigned char)**text)) return false;
  char* end;
  const unsigned long number = strtoul(*text, &end, 10);
  *text = end;
  *node = (unsigned)number;
  return number < NODES;
}

static bool read_nodes(const char* text, unsigned long* nodes) {
  for (*nodes = 0;; ++text) {
    unsigned first, last;
    if (!read_node(&text, &first)) return false;
    last = first;
    if (*text == '-') {
      ++text;
      if (!read_node(&text, &last) || last < first) return false;
    }
    for (unsigned node = first; node <= last; ++node) *nodes |= 1ul << node;
    if (!*text) return true;
    if (*text != ',') return false;
  }
}

int main(int argc, char** argv) {
  if (argc < 4) return usage("too few arguments:", argc > 1 ? argv[argc - 1] : "");
  size_t policy = 0;
  while (policy < sizeof policies / sizeof *policies && strcmp(argv[1], policies[policy].name)) ++policy;
  if (policy == sizeof policies / sizeof *policies) return usage("no policy:", argv[1]);
  unsigned long nodes;
  if (!read_nodes(argv[2], &nodes)) return usage("no list of nodes below 64:", argv[2]);
  if (syscall(SYS_set_mempolicy, policies[policy].mode, &nodes, (unsigned long)NODES + 1)) {
    fprintf(stderr, "on-nodes: %s of %s: %s\n", argv[1], argv[2], strerror(errno));
    return EXIT_FAILURE;
  }
  execvp(argv[3], argv + 3);
  const int error = errno;
  fprintf(stderr, "on-nodes: %s: %s\n", argv[3], strerror(error));
  return error == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
