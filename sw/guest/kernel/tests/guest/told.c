// SPDX-License-Identifier: Apache-2.0
// told FILE...: what files tell of where pages lie. Touches new pages one by one and reads the files before and after
// each; prints "FILE N" for each file that can be opened: after N pages it said something else than before.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 64, PAGE_BYTES = 4096, TEXT_BYTES = 4096 };

struct watched {
  const char* name;
  int file;
  int changes;
  ssize_t length;
  char text[TEXT_BYTES];
};

// Reads the file anew; returns whether it says something else.
static int look(struct watched* watched) {
  static char text[TEXT_BYTES];
  const ssize_t length = pread(watched->file, text, sizeof text, 0);
  const int same = length == watched->length && (length <= 0 || !memcmp(text, watched->text, length));
  watched->length = length;
  memcpy(watched->text, text, sizeof text);
  return !same;
}

int main(int argc, char** argv) {
  struct watched* const files = calloc(argc, sizeof *files);
  char* const pages = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int count = 0;
  if (!files || pages == MAP_FAILED) return EXIT_FAILURE;
  for (int i = 1; i < argc; ++i) {
    files[count].name = argv[i];
    files[count].file = open(argv[i], O_RDONLY);
    if (files[count].file >= 0) ++count;
  }
  for (int page = 0; page < PAGES; ++page) {
    for (int i = 0; i < count; ++i) look(&files[i]);
    pages[page * PAGE_BYTES] = 1;
    for (int i = 0; i < count; ++i) files[i].changes += look(&files[i]);
  }
  for (int i = 0; i < count; ++i) printf("%s %d\n", files[i].name, files[i].changes);
  return EXIT_SUCCESS;
}
